"""The pool of engine workers: fair turns, and workers that die, hang or talk nonsense."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from isolation.engines import request as request_module
from isolation.engines.engine import Limits
from isolation.engines.pool import Pool
from isolation.engines.request import Request
from isolation.engines.search import EngineFailed, Withdrawn
from isolation.engines.turns import Turns
from isolation.rules import VARIANTS
from tests.terminal import ROOT

QUICK = Limits(nodes=2000)

# A worker that answers each search as the next word of its plan says, and notes what it was asked.
FAKE = """
import os, sys, time
plan = sys.argv[1]
for line in sys.stdin:
    word = line.split()[0]
    if word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        with open(plan + ".searches", "a") as file:
            file.write(line)
        with open(plan) as file:
            steps = file.read().split()
        step, rest = steps[0], steps[1:] or steps
        with open(plan, "w") as file:
            file.write(" ".join(rest))
        if step == "die":
            os._exit(1)
        elif step == "hang":
            time.sleep(1000)
        elif step == "error":
            print("info string error no", flush=True)
        else:
            print("bestmove", step, flush=True)
"""


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(size=2)
    pool.start()
    yield pool
    pool.close()


def fake_pool(tmp_path: Path, *plan: str) -> Pool:
    script, steps = tmp_path / "fake.py", tmp_path / "plan"
    script.write_text(FAKE)
    steps.write_text(" ".join(plan))
    return Pool(size=1, command=(sys.executable, str(script), str(steps)))


def request(game: str, *moves: str, limits: Limits = QUICK) -> Request:
    start = VARIANTS[game].start()
    position, cells = start, []
    for text in moves:
        cells.append(position.parse(text))
        position = position.play(cells[-1])
    return Request(start, tuple(cells), limits)


def test_every_game_at_once(pool: Pool) -> None:
    answers: dict[str, bool] = {}

    def ask(game: str) -> None:
        start = VARIANTS[game].start()
        move = pool.choose(game, Request(start, limits=QUICK))
        answers[game] = move in start.legal_moves()

    threads = [threading.Thread(target=ask, args=(game,)) for game in VARIANTS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert answers == dict.fromkeys(VARIANTS, True)
    state = pool.state()
    assert (state.busy, state.queued, state.searches, state.failures) == (0, 0, 5, 0)
    assert state.workers == 2


def test_moves_levels_and_options_reach_the_worker(pool: Pool) -> None:
    played = request("slider", "a2-b2", "b1-a1")
    move = pool.choose("one", played)
    assert move in played.position().legal_moves()
    level = Request(VARIANTS["isola"].start(size=9), level=2, seed=7)
    assert pool.choose("two", level) == pool.choose("two", level)


def test_a_killed_worker_is_replaced(pool: Pool) -> None:
    for worker in list(pool._idle):
        worker._process.kill()
        worker._process.wait()
    move = pool.choose("game", request("classic"))
    assert move in VARIANTS["classic"].start().legal_moves()
    assert pool.state().failures >= 1


@pytest.mark.parametrize("fault", ["die", "hang", "error", "z9/z9", "none", "pass"])
def test_a_faulty_worker_is_replaced_and_the_search_asked_again(
    tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_module, "UNLIMITED_SECONDS", 0.3)
    monkeypatch.setattr(request_module, "MARGIN_SECONDS", 0.2)
    pool = fake_pool(tmp_path, fault, "c7/d4")
    start = VARIANTS["classic"].start()
    assert start.notate(pool.choose("game", request("classic"))) == "c7/d4"
    assert pool.state().failures == 1
    pool.close()


def test_a_worker_that_never_answers_fails_in_words(tmp_path: Path) -> None:
    pool = fake_pool(tmp_path, "die")
    with pytest.raises(EngineFailed, match="no answer from 3 workers"):
        pool.choose("game", request("classic"))
    assert pool.state().busy == 0
    pool.close()
    with pytest.raises(EngineFailed, match="the pool is closed"):
        pool.choose("game", request("classic"))


def test_a_quick_search_is_taken_before_the_queue_of_another_visitor(tmp_path: Path) -> None:
    pool = fake_pool(tmp_path, "c7/d4")
    now = 0.0
    pool._turns = Turns(1, lambda: now)
    start, threads = VARIANTS["classic"].start(), []
    greedy = [("greedy", Request(start, level=8, seed=number)) for number in range(1, 61)]
    with pool._turns.turn("greedy"):
        for who, search in [*greedy, ("modest", Request(start, level=1))]:
            threads.append(threading.Thread(target=pool.choose, args=(who, search)))
            threads[-1].start()
            while pool.state().queued < len(threads):
                pass
        now = 1.5
    for thread in threads:
        thread.join(60)
    searches = (tmp_path / "plan.searches").read_text().splitlines()
    assert searches[0] == "go level 1 seed 1"
    assert searches[1:] == [f"go level 8 seed {number}" for number in range(1, 61)]
    pool.close()


def test_a_search_in_the_background_is_heard_and_stopped(pool: Pool) -> None:
    start = VARIANTS["isola"].start()
    lines: list[str] = []
    is_deep = threading.Event()

    def hear(line: str) -> None:
        lines.append(line)
        if line.startswith("info multipv 3 depth 2"):
            is_deep.set()

    endless = Request(start, limits=Limits(seconds=300), best=3)
    search = pool.begin("ann", endless, hear)
    assert is_deep.wait(120)
    search.stop()
    assert search.result(60) in start.legal_moves()
    heard = len(lines)
    assert pool.choose("ann", Request(start, limits=QUICK)) in start.legal_moves()
    assert len(lines) == heard
    assert pool.state().failures == 0


def test_a_search_that_waits_is_withdrawn(tmp_path: Path) -> None:
    pool = fake_pool(tmp_path, "c7/d4")
    with pool._turns.turn("ben"):
        search = pool.begin("ann", request("classic"))
        search.stop()
        with pytest.raises(Withdrawn):
            search.result(60)
        with pytest.raises(EngineFailed, match="isn't over"):
            pool.begin("ann", request("classic")).result(0.01)
    assert pool.choose("ann", request("classic"))
    pool.close()


def test_a_search_in_the_background_fails_in_words(tmp_path: Path) -> None:
    pool = fake_pool(tmp_path, "die")
    with pytest.raises(EngineFailed, match="no answer from 3 workers"):
        pool.begin("ann", request("classic")).result(60)
    pool.close()


@pytest.mark.parametrize("game", VARIANTS)
def test_a_request_survives_being_sent(game: str) -> None:
    start = VARIANTS[game].start()
    move = start.legal_moves()[-1]
    whole = Request(start, (move,), Limits(0.5, 1000, 3), level=2, seed=5, best=4)
    for sent in (whole, Request(start)):
        assert Request.from_dict(json.loads(json.dumps(sent.to_dict()))) == sent


def test_closing_fails_those_who_wait(tmp_path: Path) -> None:
    pool = fake_pool(tmp_path, "c7/d4")
    failed: list[EngineFailed] = []

    def ask() -> None:
        with pytest.raises(EngineFailed, match="the pool is closed") as caught:
            pool.choose("ann", request("classic"))
        failed.append(caught.value)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    with pool._turns.turn("ben"):
        for thread in threads:
            thread.start()
        while pool.state().queued < 3:
            pass
        pool.close()
    for thread in threads:
        thread.join(60)
    assert len(failed) == 3


def test_it_works_under_a_monkey_patched_server() -> None:
    """The same pool in a process that eventlet has patched, with a heart beating beside it."""
    program = """
import warnings
warnings.simplefilter("ignore")
import eventlet
eventlet.monkey_patch()
import threading, time
from isolation.engines.engine import Limits
from isolation.engines.pool import Pool
from isolation.engines.request import Request
from isolation.engines.search import EngineFailed, Withdrawn
from isolation.rules import VARIANTS
from tests.terminal import ROOT
pool = Pool(size=1)
beats, done = [], []
def beat():
    while not done:
        beats.append(1)
        time.sleep(0.01)
threading.Thread(target=beat).start()
start = VARIANTS["classic"].start()
pool.choose("warm", Request(start, limits=Limits(nodes=1000)))
beats.clear()
move = pool.choose("game", Request(start, limits=Limits(seconds=0.5)))
print(move in start.legal_moves(), len(beats) > 2)
done.append(1)
pool.close()
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=180
    )
    assert (run.stdout, run.stderr) == ("True True\n", "")
