"""What several processes share, for a process that's alone: all of it in memory.

Each class is one process's end. Tests give several ends the same middle.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from isolation.rooms.ports import Attendance, News, OnlineBot, Shared


class LocalBus:
    """Tells the others at once."""

    def __init__(self, ends: list["LocalBus"] | None = None) -> None:
        self._ends = [] if ends is None else ends
        self._ends.append(self)
        self._followed: set[str] = set()
        self._hear: Callable[[News], None] = lambda news: None

    def listen(self, hear: Callable[[News], None]) -> None:
        self._hear = hear

    has_others = False
    is_hearing = True

    def publish(self, news: News) -> None:
        for end in self._ends:
            if end is not self and news.room in end._followed:
                end._hear(news)

    def follow(self, room: str) -> None:
        self._followed.add(room)

    def unfollow(self, room: str) -> None:
        self._followed.discard(room)


@dataclass
class Watched:
    """A room, the connections in it by identity, and when others left."""

    since: float
    present: dict[str, set[str]] = field(default_factory=dict)
    left: dict[str, float] = field(default_factory=dict)


class LocalPresence:
    """Who is where, in one process."""

    def __init__(self, rooms: dict[str, Watched] | None = None) -> None:
        self._rooms = {} if rooms is None else rooms
        self._changed: Callable[[str], None] = lambda room: None

    def listen(self, changed: Callable[[str], None]) -> None:
        self._changed = changed

    def enter(self, room: str, identity: str, connection: str, now: float) -> None:
        watched = self._watched(room, now)
        watched.present.setdefault(identity, set()).add(connection)
        watched.left.pop(identity, None)

    def leave(self, room: str, identity: str, connection: str, now: float, is_player: bool) -> None:
        watched = self._rooms.get(room)
        connections = watched.present.get(identity) if watched else None
        if watched is None or connections is None:
            return
        connections.discard(connection)
        if not connections:
            del watched.present[identity]
            if is_player:
                watched.left[identity] = now

    def follow(self, room: str, now: float) -> None:
        self._watched(room, now)

    def unfollow(self, room: str) -> None:
        if not self.is_here(room):
            self._rooms.pop(room, None)

    def of(self, room: str, now: float) -> Attendance:
        watched = self._watched(room, now)
        return Attendance(watched.since, watched.present.keys(), watched.left)

    def fresh(self, room: str, now: float) -> Attendance | None:
        return self.of(room, now)

    def look(self, room: str) -> None:
        self._changed(room)

    def is_here(self, room: str) -> bool:
        watched = self._rooms.get(room)
        return watched is not None and bool(watched.present)

    def counts(self, room: str) -> bool:
        return True

    def _watched(self, room: str, now: float) -> Watched:
        return self._rooms.setdefault(room, Watched(now))


class LocalLease:
    """Held until it's given back: a process that's alone doesn't lose it."""

    def __init__(self) -> None:
        self._held: set[str] = set()

    def take(self, key: str) -> bool:
        is_free = key not in self._held
        self._held.add(key)
        return is_free

    def give_back(self, key: str) -> None:
        self._held.discard(key)


class LocalListing:
    """Lists of rooms, as dicts that keep their order."""

    def __init__(self, ends: list["LocalListing"] | None = None) -> None:
        self._lists: dict[str, dict[str, None]] = ends[0]._lists if ends else {}
        self._ends = [] if ends is None else ends
        self._ends.append(self)
        self._changed: Callable[[], None] = lambda: None

    def listen(self, changed: Callable[[], None]) -> None:
        self._changed = changed

    def keep(self, name: str, room: str, is_listed: bool) -> bool:
        rooms = self._lists.setdefault(name, {})
        if is_listed == (room in rooms):
            return False
        if is_listed:
            rooms[room] = None
        else:
            del rooms[room]
        for end in self._ends:
            if end is not self:
                end._changed()
        return True

    def latest(self, name: str, most: int) -> list[str]:
        return list(self._lists.get(name, ()))[-most:]


class LocalDirectory:
    """The bots of one process, and nobody elsewhere to reach."""

    def __init__(self) -> None:
        self._bots: dict[str, OnlineBot] = {}
        self._changed: Callable[[], None] = lambda: None

    def listen(
        self, hear: Callable[[str, Mapping[str, Any]], None], changed: Callable[[], None]
    ) -> None:
        self._changed = changed

    def come(self, bot: OnlineBot) -> None:
        self._bots[bot.identity] = bot
        self._changed()

    def go(self, identity: str) -> None:
        self._bots.pop(identity, None)
        self._changed()

    def online(self) -> list[OnlineBot]:
        return list(self._bots.values())

    def send(self, identity: str, message: Mapping[str, Any]) -> None:
        pass

    def reach(self, identity: str, message: Mapping[str, Any]) -> bool:
        return False


def alone() -> Shared:
    """For a process that shares with nobody."""
    return Shared(LocalBus(), LocalPresence(), LocalLease(), LocalListing(), LocalDirectory())
