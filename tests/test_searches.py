"""Searches on engine hosts: a real Redis, hosts in processes of their own, and what goes wrong."""

import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from isolation.cluster.address import shown
from isolation.cluster.searches import Searches
from isolation.engines.engine import Limits
from isolation.engines.pool import PoolState
from isolation.engines.request import Request
from isolation.engines.search import EngineFailed, NoEngines, Purpose, Search, Withdrawn
from isolation.rules import VARIANTS
from tests.engine_host import HostProcess, end, start
from tests.redis_server import RedisServer, redis_server
from tests.terminal import ROOT, run

START = VARIANTS["classic"].start()
ANSWER = START.parse("c7/d4")
LONG = Request(START, limits=Limits(seconds=300))  # until it's stopped


def quick(number: int) -> Request:
    return Request(START, limits=Limits(nodes=number))


def until(is_so: Callable[[], bool]) -> None:
    limit = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.02)


@pytest.fixture
def server() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture
def searches(server: RedisServer) -> Iterator[Searches]:
    searches = Searches(server.address, "tests")
    searches.start()
    yield searches
    searches.close()


class Hosts:
    """Starts hosts, and ends those that are left."""

    def __init__(self, address: str, folder: Path) -> None:
        self._address, self._folder = address, folder
        self._hosts: list[HostProcess] = []

    def add(self, engines: int = 1) -> HostProcess:
        self._hosts.append(HostProcess(self._address, self._folder, engines))
        return self._hosts[-1]

    def close(self) -> None:
        for host in self._hosts:
            host.close()


@pytest.fixture
def hosts(server: RedisServer, tmp_path: Path) -> Iterator[Hosts]:
    hosts = Hosts(server.address, tmp_path)
    yield hosts
    hosts.close()


class Listening:
    """A search that runs until it's stopped, and what's heard of it."""

    def __init__(self, searches: Searches, who: str) -> None:
        self._lines: queue.Queue[str] = queue.Queue()
        self.search: Search = searches.begin(who, LONG, self._lines.put)

    def engine(self) -> int:
        """The process that says the next line."""
        return int(self._lines.get(timeout=60).removeprefix("info string engine "))

    def wait_for_another(self, engine: int) -> None:
        while self.engine() == engine:
            pass

    def stop(self) -> None:
        self.search.stop()
        assert self.search.result(60) == ANSWER


def test_a_move_is_found(searches: Searches, hosts: Hosts) -> None:
    host = hosts.add()
    assert searches.choose("ann", quick(1)) == ANSWER
    assert searches.choose("ann", replace(quick(1), level=8, seed=3)) == ANSWER
    assert host.searches() == ["nodes 1", "level 8 seed 3"]
    # What's shown is a second old at the most.
    until(lambda: replace(searches.state(), waited_seconds=0.0) == PoolState(1, 0, 0, 2, 0, 0.0))


def test_progress_is_heard_and_a_running_search_stops(searches: Searches, hosts: Hosts) -> None:
    hosts.add()
    ann = Listening(searches, "ann")
    assert ann.engine() == ann.engine()
    ann.stop()
    assert searches.choose("ben", quick(1)) == ANSWER


def test_a_waiting_search_is_withdrawn(searches: Searches, hosts: Hosts) -> None:
    host = hosts.add()
    ann = Listening(searches, "ann")
    ann.engine()
    waiting = searches.begin("ben", quick(7))
    waiting.stop()
    with pytest.raises(Withdrawn):
        waiting.result(60)
    ann.stop()
    assert searches.choose("ben", quick(1)) == ANSWER
    assert "nodes 7" not in host.searches()


def test_games_come_before_analyses(searches: Searches, hosts: Hosts) -> None:
    host = hosts.add()
    ann = Listening(searches, "ann")
    ann.engine()
    begun = [searches.begin(f"analyst {number}", quick(number)) for number in (1, 2)]
    begun += [searches.begin(f"player {n}", quick(n), purpose=Purpose.GAME) for n in (3, 4)]
    ann.stop()
    assert [search.result(60) for search in begun] == [ANSWER] * 4
    assert host.searches()[1:] == ["nodes 3", "nodes 4", "nodes 1", "nodes 2"]


def test_the_searches_of_one_visitor_hold_up_nobody(searches: Searches, hosts: Hosts) -> None:
    host = hosts.add()
    greedy = Listening(searches, "greedy")
    greedy.engine()
    begun = [searches.begin("greedy", quick(number)) for number in range(1, 61)]
    for _ in range(20):  # about a second, which greedy is charged for
        greedy.engine()
    begun += [searches.begin("modest", quick(number)) for number in (100, 101)]
    greedy.stop()
    assert [search.result(60) for search in begun] == [ANSWER] * 62
    assert host.searches()[1:] == [f"nodes {n}" for n in (100, 101, *range(1, 61))]


def test_equals_take_turns(searches: Searches, hosts: Hosts) -> None:
    host = hosts.add()
    first = Listening(searches, "first")
    first.engine()
    visitors = ["ann", "ann", "ann", "ben", "ben", "cy"]
    begun = [searches.begin(who, quick(number)) for number, who in enumerate(visitors)]
    first.stop()
    assert [search.result(60) for search in begun] == [ANSWER] * 6
    assert host.searches()[1:] == [f"nodes {number}" for number in (0, 3, 5, 1, 4, 2)]


def test_two_hosts_share_the_work_and_nobody_holds_both(searches: Searches, hosts: Hosts) -> None:
    for _ in range(2):
        hosts.add()
    greedy = [Listening(searches, "greedy") for _ in range(3)]
    engine = greedy[0].engine()
    until(lambda: searches.state().busy == 1 and searches.state().queued == 2)
    modest = Listening(searches, "modest")
    assert modest.engine() != engine
    for listening in (*greedy[::-1][:2], modest):
        listening.search.stop()
    greedy[0].stop()
    assert modest.search.result(60) == ANSWER


def test_a_killed_host_leaves_its_search_to_another(searches: Searches, hosts: Hosts) -> None:
    first = hosts.add()
    ann = Listening(searches, "ann")
    engine = ann.engine()
    hosts.add()
    first.kill()
    ann.wait_for_another(engine)
    ann.stop()
    until(lambda: searches.state().workers == 1)
    assert searches.state().failures >= 1
    until(lambda: not is_running(engine))  # it ended with its host


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_host_that_ends_finishes_what_it_has_begun(searches: Searches, hosts: Hosts) -> None:
    host = hosts.add()
    search = searches.begin("ann", Request(START, limits=Limits(seconds=0.5)))
    until(lambda: len(host.searches()) == 1)
    host.close()
    assert search.result(60) == ANSWER
    assert len(host.searches()) == 1
    until(lambda: searches.state().workers == 0)


def test_what_kills_every_engine_fails_after_three(searches: Searches, hosts: Hosts) -> None:
    host = hosts.add()
    deadly = Request(START, limits=Limits(depth=1))
    with pytest.raises(EngineFailed, match="3 engines failed one after the other"):
        searches.choose("ann", deadly)
    assert host.searches() == ["depth 1"] * 3
    assert searches.choose("ann", quick(1)) == ANSWER


def test_a_redis_that_lost_its_data(server: RedisServer, searches: Searches, hosts: Hosts) -> None:
    hosts.add()
    ann = Listening(searches, "ann")
    ann.engine()
    [number] = searches._pending
    waiting = searches.begin("ben", quick(1))
    server.stop()
    until(lambda: not searches.state().workers)
    server.start()
    with redis.Redis.from_url(server.address) as client:
        until(lambda: bool(client.exists(f"isolation:searches:run:{number}")))
    while not ann._lines.empty():
        ann.engine()
    ann.engine()
    ann.stop()
    assert waiting.result(60) == ANSWER
    assert searches.choose("cy", quick(2)) == ANSWER


def test_a_suspended_redis_fails_those_who_wait(server: RedisServer, hosts: Hosts) -> None:
    hosts.add()
    searches = Searches(server.address, "hasty", patience=1.0)
    searches.start()
    until(lambda: searches.state().workers == 1)
    assert searches.choose("ann", quick(1)) == ANSWER
    server.suspend()
    for _ in range(2):
        with pytest.raises(NoEngines, match="Redis doesn't answer"):
            searches.choose("ann", quick(2))
    server.resume()
    until(lambda: searches.state().workers == 1)
    assert searches.choose("ann", quick(3)) == ANSWER
    searches.close()


def test_without_a_host_a_search_fails_in_words(server: RedisServer) -> None:
    searches = Searches(server.address, "hasty", patience=0.5)
    searches.start()
    with pytest.raises(NoEngines, match="no engine host is running"):
        searches.choose("ann", quick(1))
    until(lambda: searches.state().queued == 0)  # nothing of it stays behind
    waiting = searches.begin("ann", quick(1))
    searches.close()
    with pytest.raises(NoEngines, match="closing"):
        waiting.result(60)


def test_a_lost_message_is_made_up_for(searches: Searches, hosts: Hosts) -> None:
    hosts.add()
    searches._ear.close()
    searches._ear._thread.join(60)
    assert searches.choose("ann", quick(1)) == ANSWER


def test_what_nobody_waits_for_is_dropped(
    server: RedisServer, searches: Searches, hosts: Hosts
) -> None:
    host = hosts.add()
    other = Searches(server.address, "other")
    other.start()
    dead = [Listening(other, "ann"), Listening(other, "cy")]
    dead[0].engine()
    other._is_closed.set()  # as if killed: it never says again that it waits
    other._watcher.join(60)
    with redis.Redis.from_url(server.address) as client:
        for key in client.scan_iter("isolation:searches:job:*"):
            client.delete(key)  # which would otherwise expire in 10 s
    assert searches.choose("ben", quick(1)) == ANSWER
    assert len(host.searches()) == 2
    other.close()


def test_it_works_under_a_monkey_patched_server(server: RedisServer, hosts: Hosts) -> None:
    """The client in a process that eventlet has patched, with a heart beating beside it."""
    hosts.add()
    program = f"""
import warnings
warnings.simplefilter("ignore")
import eventlet
eventlet.monkey_patch()
import threading, time
from isolation.cluster.searches import Searches
from tests.test_searches import ANSWER, LONG, quick
searches = Searches({server.address!r}, "green")
searches.start()
beats, lines, done = [], [], []
def beat():
    while not done:
        beats.append(1)
        time.sleep(0.01)
threading.Thread(target=beat).start()
search = searches.begin("ann", LONG, lines.append)
while len(lines) < 5:
    time.sleep(0.01)
beats.clear()
while len(lines) < 10:
    time.sleep(0.01)
search.stop()
print(search.result(60) == ANSWER, searches.choose("ann", quick(1)) == ANSWER, len(beats) > 2)
done.append(1)
searches.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=180
    )
    assert (done.stdout, done.stderr) == ("True True True\n", "")


def test_the_command_serves_with_real_engines(server: RedisServer, searches: Searches) -> None:
    address = server.address
    worker = start("-m", "isolation", "worker", "--engines", "1", "--redis", address)
    port = address.rpartition(":")[2].removesuffix("/0")
    said = f"Isolation worker: 1 engine, at redis://127.0.0.1:{port}\n"
    assert worker.ready == said  # type: ignore[attr-defined]
    lines: list[str] = []
    request = Request(START, (), Limits(depth=3), best=2)
    move = searches.begin("ann", request, lines.append).result(120)
    assert move in START.legal_moves()
    assert any(line.startswith("info multipv 2 depth") for line in lines)
    assert searches.choose("ann", Request(START, level=1)) in START.legal_moves()
    assert end(worker) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "set REDIS_URL, or give --redis URL"),
        (("--redis", "nowhere"), "the address of a Redis looks like redis://"),
        (("--redis", "redis://:secret"), "the address of a Redis looks like redis://"),
        (("--engines", "0"), "not a number from 1 to"),
        (("--engines", "many"), "not a number from 1 to"),
    ],
)
def test_bad_settings_are_one_clear_line(arguments: tuple[str, ...], words: str) -> None:
    done = run("worker", *arguments, REDIS_URL="")
    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]
    assert "secret" not in done.stderr


def test_an_address_is_shown_without_its_password() -> None:
    assert shown("redis://ann:secret@host:7000/1?password=secret") == "redis://host:7000"
    assert shown("unix://:secret@/run/redis.sock") == "unix:///run/redis.sock"
