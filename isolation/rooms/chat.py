"""What people say in the rooms that are in memory here: each line is told once, and none is lost.

The store has every line. News of it may get lost on the way to the other processes, so after an
outage each process reads what it hasn't heard of, and repeats what was said to it.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from isolation.rooms.ports import ChatLine, News, Store, World

SLACK_S = 1.0  # more than the clocks of processes differ by; what was told before isn't told again
KEPT = 100  # lines of each side that people see when they come


@dataclass
class _Heard:
    """Of one room: what was told here since we last knew everything, and what was said here."""

    since: float
    lines: deque[ChatLine] = field(default_factory=lambda: deque(maxlen=2 * KEPT))
    ours: deque[ChatLine] = field(default_factory=lambda: deque(maxlen=KEPT))


class Chat:
    """Stores what is said, tells it here, and publishes it."""

    def __init__(
        self,
        store: Store,
        tell: Callable[[str, ChatLine], None],
        publish: Callable[[News], None],
        world: World,
    ) -> None:
        self._store = store
        self._tell = tell
        self._publish = publish
        self._world = world
        self._rooms: dict[str, _Heard] = {}

    def follow(self, room: str) -> None:
        self._rooms.setdefault(room, _Heard(self._world.now()))

    def unfollow(self, room: str) -> None:
        self._rooms.pop(room, None)

    def say(self, room: str, line: ChatLine) -> None:
        self._store.add_chat(room, line)
        if heard := self._rooms.get(room):
            heard.ours.append(line)
        self.hear(room, line)
        self._publish(News(room, line=line))

    def hear(self, room: str, line: ChatLine) -> None:
        """Tell a line, unless it was told before."""
        if heard := self._rooms.get(room):
            if line in heard.lines:
                return
            heard.lines.append(line)
        self._tell(room, line)

    def catch_up(self, room: str) -> None:
        """News may have been lost, of others and of ours."""
        if not (heard := self._rooms.get(room)):
            return
        now, since = self._world.now(), heard.since
        for is_for_players in (True, False):
            for line in self._store.load_chat(room, is_for_players, KEPT):
                if line.at > since - SLACK_S:
                    self.hear(room, line)
        for line in heard.ours:
            self._publish(News(room, line=line))
        heard.since = now
        heard.ours.clear()
