"""Whose search gets a worker next. Knows visitors by name, and no workers.

Each visitor has an account: the seconds that workers spent on their searches, fading by half every
HALF_LIFE_S. A free worker goes to the waiting visitor who used least, so a short search doesn't
stand behind the long ones of other people. Visitors who used the same, give or take GRAIN_S, take
turns: newcomers, who used nothing, can't keep others waiting longer than their accounts take to
fade. People's games come before anybody's analyses. Searches for one visitor and purpose come in
the order in which they were asked for.

One visitor never holds all workers if there are several, even while nobody else waits: the next
visitor to come finds one free.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from isolation.engines.engine import StopFlag
from isolation.engines.search import Purpose, Withdrawn

HALF_LIFE_S = 10.0
GRAIN_S = 0.1


@dataclass(slots=True)
class Account:
    """What a visitor used lately, has now, and waits for."""

    at: float  # when it was settled last
    used: float = 0.0  # seconds of workers
    held: int = 0  # workers right now
    lines: dict[Purpose, deque[threading.Event]] = field(
        default_factory=lambda: {purpose: deque() for purpose in Purpose}
    )

    @property
    def waiting(self) -> int:
        return sum(map(len, self.lines.values()))

    @property
    def urgency(self) -> Purpose:
        """That of the search which is next in line."""
        return next(purpose for purpose, line in self.lines.items() if line)

    @property
    def grains(self) -> int:
        return int(self.used / GRAIN_S)

    @property
    def is_clear(self) -> bool:
        return not (self.held or self.waiting or self.grains)

    def settle(self, now: float) -> None:
        passed = now - self.at
        self.used = self.used * 0.5 ** (passed / HALF_LIFE_S) + self.held * passed
        self.at = now


class Turns:
    """A number of places, and the visitors who hold or await one."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = places
        self._most = max(1, places - 1)  # that one visitor may hold
        self._clock = clock
        self._accounts: OrderedDict[str, Account] = OrderedDict()  # the one served last is last
        self._lock = threading.Lock()

    @contextmanager
    def turn(
        self, who: str, purpose: Purpose = Purpose.GAME, flag: StopFlag | None = None
    ) -> Iterator[None]:
        """Wait for a place, and hold it for a while; or Withdrawn, if the flag comes first."""
        place = threading.Event()
        withdrawn: list[threading.Event] = []
        with self._lock:
            account = self._accounts.setdefault(who, Account(self._clock()))
            line = account.lines[purpose]
            line.append(place)
            self._hand_out()
        if flag:
            flag.when_set(partial(self._withdraw, place, line, withdrawn))
        place.wait()
        if withdrawn:
            raise Withdrawn("the search was stopped before it began")
        try:
            yield
        finally:
            with self._lock:
                account.settle(self._clock())
                account.held -= 1
                self._free += 1
                self._hand_out()

    def _withdraw(
        self,
        place: threading.Event,
        line: deque[threading.Event],
        withdrawn: list[threading.Event],
    ) -> None:
        with self._lock:
            if place in line:
                line.remove(place)
                withdrawn.append(place)
                place.set()

    def count(self) -> tuple[int, int]:
        """How many places are held, and how many searches wait for one."""
        with self._lock:
            accounts = self._accounts.values()
            return sum(a.held for a in accounts), sum(a.waiting for a in accounts)

    def _hand_out(self) -> None:
        self._settle()
        while self._free and (who := self._next()) is not None:
            account = self._accounts[who]
            account.lines[account.urgency].popleft().set()
            account.held += 1
            self._free -= 1
            self._accounts.move_to_end(who)

    def _next(self) -> str | None:
        """Those with a game first, of these who used least, of these who was served longest ago."""
        candidates = [
            who
            for who, account in self._accounts.items()
            if account.waiting and account.held < self._most
        ]
        return min(candidates, key=self._rank, default=None)

    def _rank(self, who: str) -> tuple[Purpose, int]:
        account = self._accounts[who]
        return account.urgency, account.grains

    def _settle(self) -> None:
        """Bring the accounts up to date, and close those with nothing on them."""
        now = self._clock()
        for who, account in list(self._accounts.items()):
            account.settle(now)
            if account.is_clear:
                del self._accounts[who]
