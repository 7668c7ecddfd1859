"""A server that is killed again and again in the middle of games of every kind.

People play each other with and without clocks, or a computer; others direct contests. They
reconnect, enter and go on, and repeat what wasn't answered. What they noted is then compared with
the store. No tests here: `test_killed.py` and `benchmarks/kills.py` run it.
"""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import psutil

from isolation.rooms.upkeep import BEAT_S
from isolation.store import SqlStore
from tests.drivers import Actor
from tests.server import Server
from tests.still_clock import Reading, StillClock
from tests.tables import BLITZ, GOES_ON_S, ISOLA, LINEAR, RAPID, Counts, Opening, Tables

LONG_OUTAGE_S = 3.0
LONG_OUTAGE_EVERY = 10  # kills
EXACT = 0.01  # seconds: `left` is rounded, and so are floats


@dataclass(frozen=True)
class Kill:
    """One kill, by our own clock, and what the still clock showed before and after."""

    before: Reading
    killed: float  # it's certainly dead
    started: float  # it's certainly not yet alive again
    listening: float
    after: Reading

    @property
    def charged(self) -> float:
        """What the outage and the seconds around it cost the player to move."""
        return self.before.left - self.after.left

    @property
    def alive(self) -> float:
        """At most so many seconds did the server live between the readings."""
        return (self.killed - self.before.asked) + (self.after.answered - self.started)

    def check(self) -> None:
        """Nobody pays for the outage; nobody gains more than what the last beat didn't cover."""
        assert self.charged <= self.alive + EXACT, f"{self.charged:.2f} s charged: {self}"
        assert -self.charged <= BEAT_S + self.alive, f"{-self.charged:.2f} s given: {self}"


@dataclass
class Report:
    """What a run has shown."""

    waits: list[float]  # until all games went on
    kills: list[Kill] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)

    def lines(self) -> Iterator[str]:
        outages = [kill.listening - kill.killed for kill in self.kills]
        charged = [kill.charged for kill in self.kills]
        yield f"{len(self.kills)} kills"
        yield from self.counts.lines()
        yield f"outages: {statistics.median(outages):.2f} s, {max(outages):.2f} s at worst"
        yield (
            f"the still clock: {max(charged):.2f} s charged for a kill at worst, "
            f"{max(0.0, -min(charged)):.2f} s given at best"
        )
        yield (
            "all games had gone on after "
            f"{statistics.median(self.waits):.2f} s, {max(self.waits):.2f} s at worst"
        )


class Killing:
    """Tables of every kind at a server, which is killed under them."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._lot = Random(20)
        self._clock = StillClock(server.address)
        self._helpers: list[psutil.Process] = []  # engines of servers that are dead
        opening = Opening(server.address, self._lot)
        self._playing = Tables(
            [
                *(opening.people(f"people {at}") for at in range(2)),
                *(opening.people(f"timed people {at}", clock=RAPID) for at in range(2)),
                opening.computer("computer"),
                opening.computer("timed computer", clock=BLITZ),
                opening.contest("own bots", ISOLA, {"kind": "own", "name": "Other"}),
                opening.contest("own bot and computer", LINEAR, {"kind": "computer", "level": 1}),
            ]
        )
        self.report = Report(self._playing.waits)

    def run(self, kills: int, seconds: float = float("inf")) -> None:
        """Kill so often, or until the time is up; then stop everything but the server."""
        until = time.monotonic() + seconds
        self._playing.start()
        try:
            for number in range(1, kills + 1):
                self._playing.wait_until_all_go_on()
                if time.monotonic() > until:
                    break
                self._kill(LONG_OUTAGE_S if number % LONG_OUTAGE_EVERY == 0 else 0.0)
            self._playing.wait_until_all_go_on()
        finally:
            self._playing.stop()
        self._playing.check_failures()
        refused = [driver.refused for driver in self._playing.drivers if driver.refused]
        assert not refused, refused
        self._wait_for_helpers()

    def _wait_for_helpers(self) -> None:
        """Until the engines of dead servers are gone too."""
        until = time.monotonic() + GOES_ON_S
        while alive := [helper for helper in self._helpers if _is_alive(helper)]:
            assert time.monotonic() < until, f"engines outlive their servers: {alive}"
            time.sleep(0.1)

    def _kill(self, outage: float) -> None:
        self._helpers += psutil.Process(self._server.pid).children(recursive=True)
        Actor.hurry.set()
        time.sleep(self._lot.uniform(0, 0.3))  # at any moment of a move, a thought, a beat
        before = self._clock.read()
        self._server.kill()
        Actor.hurry.clear()
        killed = time.monotonic()
        time.sleep(outage)
        started = time.monotonic()
        self._server.start()
        kill = Kill(before, killed, started, time.monotonic(), self._clock.read())
        kill.check()
        self.report.kills.append(kill)

    def check_store(self) -> None:
        """Once the server has stopped: compare what was acknowledged with what is stored."""
        store = SqlStore(f"sqlite:///{self._server.folder / 'isolation.db'}")
        self.report.counts = self._playing.compare(store)
        store.close()


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
