"""Which processes are alive: each leaves word in Redis, and watches whether the others do.

A process counts as dead when its word has been the same for a while, by the clock of the one who
looks, and only while looking was possible: when Redis is out of reach, nobody dies. One that's cut
off from Redis may serve people all the same: whether it does, its beats in the store say.
"""

import time
from collections.abc import Callable
from contextlib import suppress

from redis.exceptions import RedisError

from isolation.cluster.link import Link, channel
from isolation.cluster.ticking import Ticker
from isolation.rooms.ports import Beat

BEAT_S = 1.0
DEAD_S = 6.0
MEET_S = 8.0  # longer than the store believes the last beat of a process that was killed
AGAIN_S = 0.2
FORGOTTEN_S = 3600.0  # before the word of a dead process is removed
KEY = channel("processes")


class Members:
    """This process, and the others as it sees them."""

    def __init__(
        self, link: Link, now: Callable[[], float], beating: Callable[[], list[Beat]]
    ) -> None:
        self._link = link
        self._now = now  # the time of the site
        self._beating = beating  # the processes that are alive by the store
        self._words: dict[str, float] = {}  # the time that each process wrote last
        self._changed: dict[str, float] = {}  # when we saw that, by our own clock
        self._looked = time.monotonic()
        self._deaths: list[Callable[[set[str]], None]] = []
        self._living: set[str] = {link.process}
        self._ticker = Ticker(BEAT_S, self.look)

    def start(self) -> None:
        self.look()
        self._ticker.start()

    def close(self) -> None:
        """Our last word stays for a while, as our last beat does: one who starts sees both."""
        self._ticker.stop()

    def on_change(self, task: Callable[[set[str]], None]) -> None:
        """Have something called with the processes that have died or come."""
        self._deaths.append(task)

    def is_alive(self, process: str) -> bool:
        return process in self._living

    def last_word(self, process: str) -> float | None:
        """When a process was last known to be alive, in the time of the site."""
        return self._words.get(process)

    def has_silent(self) -> bool:
        """Whether a process serves people, and says nothing here: who is there, nobody knows."""
        return not self._living.issuperset(beat.process for beat in self._beating())

    def meet(self, patience: float = MEET_S) -> bool:
        """Whether those who were up before us use the same Redis: wait until it has their word.

        They repeat it each second, even if Redis has lost everything. Of two that start at once
        with different ones, only the later has to go.
        """
        until = time.monotonic() + patience
        elders = self._elders()
        while elders - set(self._link.redis.zrange(KEY, 0, -1)):
            if time.monotonic() > until:
                return False
            time.sleep(AGAIN_S)
            elders &= {beat.process for beat in self._beating()}
        return True

    def _elders(self) -> set[str]:
        ups = {beat.process: beat.up or 0.0 for beat in self._beating()}
        ours = ups.pop(self._link.process, float("inf"))
        return {process for process, up in ups.items() if up < ours}

    def look(self) -> None:
        self._link.send("ZADD", KEY, self._now(), self._link.process)
        self._link.send("ZREMRANGEBYSCORE", KEY, "-inf", self._now() - FORGOTTEN_S)
        with suppress(RedisError, OSError):
            self.saw(dict(self._link.redis.zrange(KEY, 0, -1, withscores=True)), time.monotonic())

    def saw(self, words: dict[str, float], at: float) -> None:
        """What the processes have written."""
        gap, self._looked = at - self._looked, at
        if gap > DEAD_S / 2:  # nobody could be seen meanwhile
            self._changed = dict.fromkeys(self._changed, at)
        for process, word in words.items():
            if word != self._words.get(process):
                self._words[process] = word
                self._changed[process] = at
        living = {process for process, seen in self._changed.items() if at - seen < DEAD_S}
        living.add(self._link.process)
        changed, self._living = living ^ self._living, living
        self._changed = {process: self._changed.get(process, at) for process in living}
        known = words.keys() | living
        self._words = {process: word for process, word in self._words.items() if process in known}
        if changed:
            for task in self._deaths:
                task(changed)
