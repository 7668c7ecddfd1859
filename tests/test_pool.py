"""The pool of engine workers: fair turns, and workers that die, hang or talk nonsense."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from isolation.engines import pool as pool_module
from isolation.engines.engine import Limits
from isolation.engines.pool import EngineFailed, Pool, Request
from isolation.rules import VARIANTS
from tests.terminal import ROOT

QUICK = Limits(nodes=2000)

# A worker that does as its file says, once for each line: how it answers a search.
FAKE = """
import os, sys, time
plan = sys.argv[1]
for line in sys.stdin:
    word = line.split()[0]
    if word == "isready":
        print("readyok", flush=True)
    elif word == "go":
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
    pool.warm()
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
    monkeypatch.setattr(pool_module, "UNLIMITED_SECONDS", 0.3)
    monkeypatch.setattr(pool_module, "MARGIN_SECONDS", 0.2)
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


def test_turns_are_fair(tmp_path: Path) -> None:
    """One game asks four times at once, then another asks: it does not wait for all four."""
    pool = fake_pool(tmp_path, "c7/d4")
    order: list[str] = []
    pool._take_turn("first")

    def ask(game: str) -> None:
        pool.choose(game, request("classic"))
        order.append(game)

    threads = []
    for queued, game in enumerate(["greedy", "greedy", "greedy", "greedy", "modest"], start=1):
        threads.append(threading.Thread(target=ask, args=(game,)))
        threads[-1].start()
        while pool.state().queued < queued:
            pass
    pool._end_turn()
    for thread in threads:
        thread.join(60)
    assert order.index("modest") <= 1
    assert sorted(order) == ["greedy"] * 4 + ["modest"]
    pool.close()


def test_it_works_under_a_monkey_patched_server() -> None:
    """The same pool in a process that eventlet has patched, with a heart beating beside it."""
    program = """
import warnings
warnings.simplefilter("ignore")
import eventlet
eventlet.monkey_patch()
import threading, time
from isolation.engines.engine import Limits
from isolation.engines.pool import Pool, Request
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
