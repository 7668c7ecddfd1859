"""What can befall a site of several processes, and what the game clocks make of it; no tests."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import psutil

from isolation.rooms.upkeep import BEAT_S
from tests.client import Client
from tests.cluster import KEY, Cluster, cluster
from tests.drivers import GONE, Actor
from tests.server import Server, Worker
from tests.still_clock import Reading, StillClock

PROCESSES = 3
SECONDS = 120.0  # far more than a busy machine needs
EXACT_S = 2.0  # by which a clock may be off
SHORT_S = (2.5, 5.0)
NOTICED_S = 4.0  # after which everybody knows that PostgreSQL doesn't answer


class Site:
    """What can fail, and where to find somebody who serves."""

    def __init__(self, shared: Cluster, worker: Worker, lot: Random) -> None:
        self.shared = shared
        self.worker = worker
        self._lot = lot
        self._living = list(shared.servers)

    def find(self) -> str:
        """As a proxy does: some process that's believed to be alive."""
        return self._lot.choice(self._living or self.shared.servers).address

    def living(self) -> list[Server]:
        return list(self._living)

    @contextmanager
    def without(self, server: Server) -> Iterator[None]:
        self._living.remove(server)
        yield
        self._living.append(server)

    def complaints(self) -> list[str]:
        servers = [*self.shared.servers, self.worker]
        return [server.errors.read_text() for server in servers]


@contextmanager
def site(folder: Path, lot: Random) -> Iterator[Site]:
    own = folder / "worker"
    own.mkdir()
    with cluster(folder, PROCESSES, ENGINES="remote", RATE_LIMITS="off") as shared:
        worker = Worker(own, REDIS_URL=shared.redis.address, SECRET_KEY=KEY)
        with worker:
            yield Site(shared, worker, lot)


@dataclass(frozen=True)
class Event:
    """Something that failed, by our own clock, and what the still clock showed around it."""

    label: str
    before: Reading
    after: Reading
    shortest: float = 0.0  # that nothing could be stored, in seconds
    longest: float = 0.0

    @property
    def deviation(self) -> float:
        """By how much too much was charged, or (negative) too little."""
        charged = self.before.left - self.after.left
        most = self.after.answered - self.before.asked - self.shortest
        least = self.after.asked - self.before.answered - self.longest
        return max(0.0, charged - most) + min(0.0, charged - least)


class Mishaps:
    """Each lets something fail, and sees to it that it works again."""

    def __init__(self, at: Site, lot: Random, suspended_s: float) -> None:
        self._site = at
        self._lot = lot
        self._suspended_s = suspended_s
        self._clock = StillClock(at.find)
        self._watch = Client(at.find, cookie=self._clock.cookie, reconnects=False)
        self.kills = 0
        self.events: list[Event] = []

    def close(self) -> None:
        self._watch.close()

    @property
    def each(self) -> list[Callable[[], None]]:
        """All but a plain kill and a rolling restart."""
        return [
            self.kill_worker,
            self.restart_redis,
            self.suspend_redis,
            self.restart_postgres,
            self.suspend_postgres,
            self.hold_up_postgres,
        ]

    @property
    def combined(self) -> list[Callable[[], None]]:
        """Several at once, and what no proxy can hide."""
        return [
            partial(self.kill_several, 2),
            partial(self.kill_several, PROCESSES),
            self.kill_while_redis_hangs,
            self.kill_while_redis_restarts,
            self.kill_while_postgres_hangs,
            self.pause_process,
        ]

    def _note(self, event: Event) -> None:
        self.events.append(event)
        assert abs(event.deviation) <= EXACT_S, f"{event.deviation:+.2f} s: {event}"

    def _read(self, server: Server | None = None) -> Reading:
        """As soon as that's possible."""
        until = time.monotonic() + SECONDS
        while True:
            try:
                return self._clock.read(server.address if server else None)
            except (*GONE, AssertionError):
                assert time.monotonic() < until
                time.sleep(0.1)

    def kill(self) -> None:
        """The clock runs on at the others, and at the one that comes back."""
        victim = self._lot.choice(self._site.living())
        Actor.hurry.set()
        time.sleep(self._lot.uniform(0, 0.3))  # at any moment of a move, a thought, a beat
        before = self._read()
        with self._site.without(victim):
            victim.kill()
            Actor.hurry.clear()
            self._note(Event("a kill", before, self._read()))
            victim.start()
        self._note(Event("a process came back", before, self._read(victim)))
        self.kills += 1

    def kill_worker(self) -> None:
        before = self._read()
        self._site.worker.kill()
        self._site.worker.start()
        self._note(Event("the worker was killed", before, self._read()))

    def restart_redis(self) -> None:
        before = self._read()
        self._site.shared.redis.stop()
        self._site.shared.redis.start()
        self._note(Event("Redis restarted", before, self._read()))

    def suspend_redis(self) -> None:
        """Games go on meanwhile."""
        before = self._read()
        self._site.shared.redis.suspend()
        try:
            time.sleep(self._suspended_s)
            self._note(Event("Redis was suspended", before, self._read()))
        finally:
            self._site.shared.redis.resume()
        self._note(Event("Redis resumed", before, self._read()))

    def restart_postgres(self) -> None:
        self._fail_postgres("PostgreSQL restarted", 0.0)

    def suspend_postgres(self) -> None:
        self._fail_postgres("PostgreSQL suspended", self._suspended_s)

    def hold_up_postgres(self) -> None:
        """For so short a time that not every process has a beat that fails."""
        self._fail_postgres("PostgreSQL held up", self._lot.uniform(*SHORT_S))

    def _fail_postgres(self, label: str, seconds: float) -> None:
        database = self._site.shared.database
        self._come_to_clock()
        before, began = self._read(), time.monotonic()
        (database.suspend if seconds else database.stop)()
        ended = time.monotonic()
        if seconds > SHORT_S[1]:
            self._watch_standing(seconds)
        else:
            time.sleep(seconds)
        shortest = time.monotonic() - ended
        (database.resume if seconds else database.start)()
        if 0 < seconds <= SHORT_S[1]:
            time.sleep(2 * BEAT_S)  # a process in which nothing failed hears of it with its beat
        after = self._read()
        self._note(Event(label, before, after, shortest, after.answered - began))

    def _watch_standing(self, seconds: float) -> None:
        """Nothing can be stored: the clock stands still, at whatever process we look."""
        time.sleep(min(NOTICED_S, seconds / 2))
        first = self._sync()
        time.sleep(max(seconds / 2, seconds - NOTICED_S))
        second = self._sync()
        assert first == second, "the clock runs though nothing can be stored"

    def _come_to_clock(self) -> None:
        """What is in memory can be looked at all the same."""
        if not self._watch.socket.connected:
            self._watch.connect()
        self._watch.do("enter", room=self._clock.room)

    def _sync(self) -> list[float]:
        fields = {"room": self._clock.room, "game": self._clock.game, "v": 0}
        answer = self._watch.do("sync", **fields)
        assert not answer["running"], answer
        left: list[float] = answer["left"]
        return left

    def drain(self) -> None:
        """A rolling restart."""
        before = self._read()
        for server in self._site.living():
            with self._site.without(server):
                server.stop()
                server.start()
        self._note(Event("a rolling restart", before, self._read()))

    # Several things at once.

    def kill_several(self, count: int) -> None:
        """If nobody is left, nobody's clock runs from the last beat until the first one is up."""
        victims = self._lot.sample(self._site.living(), count)
        before = self._read()
        with ExitStack() as stack:
            for victim in victims:
                stack.enter_context(self._site.without(victim))
            began = time.monotonic()
            for victim in victims:
                victim.kill()
            killed = time.monotonic()
            time.sleep(self._lot.uniform(0, 2))
            is_over = count == PROCESSES
            shortest = time.monotonic() - killed if is_over else 0.0
            for victim in victims:
                victim.start()
            longest = time.monotonic() - began + BEAT_S if is_over else 0.0
        self.kills += count
        for server in self._site.living():
            self._note(
                Event(f"{count} killed at once", before, self._read(server), shortest, longest)
            )

    def kill_while_redis_hangs(self) -> None:
        """What it published last is never heard."""
        redis, victim = self._site.shared.redis, self._lot.choice(self._site.living())
        before = self._read()
        with self._site.without(victim):
            redis.suspend()
            time.sleep(self._lot.uniform(0, self._suspended_s))
            victim.kill()
            time.sleep(1.0)
            self._note(Event("killed while Redis hung", before, self._read()))
            redis.resume()
            victim.start()
        self.kills += 1
        self._note(Event("and started again", before, self._read(victim)))

    def kill_while_postgres_hangs(self) -> None:
        """Transactions of the dead may be committed when it goes on."""
        database, victim = self._site.shared.database, self._lot.choice(self._site.living())
        before, began = self._read(), time.monotonic()
        with self._site.without(victim):
            database.suspend()
            ended = time.monotonic()
            time.sleep(self._lot.uniform(0, self._suspended_s))
            victim.kill()
            time.sleep(1.0)
            shortest = time.monotonic() - ended
            database.resume()
            after = self._read()
            longest = after.answered - began
            self._note(Event("killed while PostgreSQL hung", before, after, shortest, longest))
            victim.start()
        self.kills += 1
        after = self._read(victim)
        self._note(Event("and started again", before, after, shortest, longest))

    def kill_while_redis_restarts(self) -> None:
        redis, victim = self._site.shared.redis, self._lot.choice(self._site.living())
        before = self._read()
        with self._site.without(victim):
            redis.stop()
            victim.kill()
            redis.start()
            self._note(Event("killed while Redis restarted", before, self._read()))
            victim.start()
        self.kills += 1
        self._note(Event("and started again", before, self._read(victim)))

    def pause_process(self) -> None:
        """A process that stops for a while, as a machine that sleeps: the others go on."""
        victim = self._lot.choice(self._site.living())
        process = psutil.Process(victim.pid)
        before = self._read()
        with self._site.without(victim):
            process.send_signal(signal.SIGSTOP)
            try:
                time.sleep(self._suspended_s)
                self._note(Event("a process was suspended", before, self._read()))
            finally:
                process.send_signal(signal.SIGCONT)
        self._note(Event("a process was resumed", before, self._read(victim)))
