"""Matches between agents: the last action in time counts, and a fault costs only the match."""

import itertools
import logging
import math
import multiprocessing
import os
import random
import subprocess
import sys
import time
import warnings
from multiprocessing.pool import ThreadPool
from pathlib import Path
from queue import Empty
from typing import Any

import pytest

from isolation import Agent, Isolation, Status, StopSearch, fork_get_action, play
from isolation.bots.match import AgentError

LIMIT_MS = 3000  # ample: an agent that answers and ends is not kept waiting
SHORT_MS = 200  # for agents that use up all their time


class RandomAgent:
    """What all agents here share: an id, a context, and a random move."""

    def __init__(self, player_id: int) -> None:
        self.player_id = player_id
        self.context: Any = None
        self.queue: Any = None

    def get_action(self, state: Isolation) -> None:
        self.queue.put(random.choice(state.actions()))


class CountingAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        self.context = (self.context or 0) + 1
        self.queue.put_nowait(state.actions()[0])


class DeepeningAgent(RandomAgent):
    """Never ends by itself: every put must come to an end."""

    def get_action(self, state: Isolation) -> None:
        for depth in itertools.count():
            self.context = depth
            try:
                self.queue.put(state.actions()[depth % len(state.actions())])
            except Exception:
                pytest.fail("the stop must not be caught unaware")


class RaisingAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        raise ZeroDivisionError("no answer")


class LateRaisingAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        self.queue.put(state.actions()[0])
        raise ZeroDivisionError("after the answer")


class SilentAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        pass


class HangingAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        while True:
            pass


class StubbornAgent(RandomAgent):
    """Answers, then catches whatever stops it."""

    def get_action(self, state: Isolation) -> None:
        self.queue.put(state.actions()[0])
        while True:
            try:
                self.queue.put(state.actions()[-1])
            except BaseException:
                continue


class LateAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        end = time.perf_counter() + 2 * SHORT_MS / 1000
        while time.perf_counter() < end:
            pass
        self.queue.put(state.actions()[0])


class QuittingAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        os._exit(3)


class TurncoatAgent(RandomAgent):
    """Leaves its process group, so that ending the group doesn't end it."""

    def get_action(self, state: Isolation) -> None:
        os.setpgid(0, os.getpgid(os.getppid()))
        while True:
            pass


class IllegalAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        self.queue.put("d5")


class UnkeptAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        self.context = lambda: "functions can't be handed over"
        self.queue.put(state.actions()[0])


class BrokenAgent(RandomAgent):
    def __init__(self, player_id: int) -> None:
        raise RuntimeError("can't be made")


def match(
    first: type, second: type, debug: bool = False, limit: int = LIMIT_MS
) -> tuple[str, list[Any], Any]:
    agents = (Agent(first, first.__name__), Agent(second, second.__name__))
    winner, actions, match_id = play((agents, Isolation(), limit, 7, debug))
    return winner.name, actions, match_id


def test_the_shapes_that_agents_expect() -> None:
    assert Agent._fields == ("agent_class", "name")
    assert [(status.name, int(status)) for status in Status] == [
        ("NORMAL", 0),
        ("EXCEPTION", 1),
        ("TIMEOUT", 2),
        ("INVALID_MOVE", 3),
        ("GAME_OVER", 4),
    ]


def test_a_match_to_its_end() -> None:
    winner, actions, match_id = match(RandomAgent, CountingAgent)
    state = Isolation()
    for action in actions:
        state = state.result(action)
    assert state.terminal_test()
    assert winner == ("RandomAgent" if state.utility(0) > 0 else "CountingAgent")
    assert match_id == 7


def test_context_is_kept_between_turns() -> None:
    agent = CountingAgent(player_id=0)
    for turn in (1, 2, 3):
        assert fork_get_action(Isolation(), agent, LIMIT_MS) == 0
        assert agent.context == turn


def test_a_put_after_the_deadline_stops_the_search() -> None:
    agent = DeepeningAgent(player_id=0)
    assert fork_get_action(Isolation(), agent, SHORT_MS) in Isolation().actions()
    assert agent.context > 0


def test_the_last_put_in_time_counts() -> None:
    assert fork_get_action(Isolation(), StubbornAgent(0), SHORT_MS) == 114
    assert fork_get_action(Isolation(), LateRaisingAgent(0), LIMIT_MS) == 0


def test_context_that_can_not_be_handed_over_costs_nothing_else() -> None:
    agent = UnkeptAgent(player_id=0)
    assert fork_get_action(Isolation(), agent, LIMIT_MS) == 0
    assert agent.context is None


@pytest.mark.parametrize(
    ("agent", "error", "words"),
    [
        (RaisingAgent, AgentError, "ZeroDivisionError: no answer"),
        (SilentAgent, Empty, "the agent ended without an action"),
        (QuittingAgent, Empty, r"the agent's process ended \(exit code 3\)"),
        (HangingAgent, Empty, "the agent put no action in time"),
        (LateAgent, Empty, "the agent put no action in time"),
        (TurncoatAgent, Empty, "the agent put no action in time"),
    ],
)
def test_no_action_says_why(agent: type, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        fork_get_action(Isolation(), agent(player_id=0), SHORT_MS)


class ClockFakingAgent(RandomAgent):
    """Stops its own clock, and goes on for as long as it likes."""

    def get_action(self, state: Isolation) -> None:
        self.queue.put(state.actions()[0])
        end = time.perf_counter() + 2 * SHORT_MS / 1000
        while time.perf_counter() < end:
            pass
        self.queue._deadline = math.inf
        self.queue.put(state.actions()[1])


def test_an_action_after_the_deadline_does_not_count_whatever_the_agent_says() -> None:
    assert fork_get_action(Isolation(), ClockFakingAgent(0), SHORT_MS) == 0


class ForkingAgent(RandomAgent):
    """Starts a process that would outlive the match."""

    def get_action(self, state: Isolation) -> None:
        child = subprocess.Popen(["sleep", "1000"])
        self.context = [*(self.context or []), child.pid]
        self.queue.put(state.actions()[0])


def test_what_an_agent_starts_ends_with_its_turn() -> None:
    agent = ForkingAgent(player_id=0)
    fork_get_action(Isolation(), agent, LIMIT_MS)
    (pid,) = agent.context
    until = time.monotonic() + 60
    while is_alive(pid):
        assert time.monotonic() < until


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


class Scripted(RandomAgent):
    """Plays what its class was told to, in order."""

    script: list[Any]

    def get_action(self, state: Isolation) -> None:
        self.queue.put(self.script[state.ply_count // 2])


def scripted(*actions: Any) -> type:
    return type("Scripted", (Scripted,), {"script": list(actions)})


def test_the_second_player_can_win() -> None:
    """Player 0 has gone into the corner, and both cells next to it are used up."""
    start = Isolation(board=Isolation().board & ~(1 << 0 | 1 << 15 | 1 << 57), ply_count=2)
    start = start._replace(locs=(0, 57))
    blocked = start._replace(board=start.board & ~(1 << 27) | 1 << 42)
    agents = (Agent(RandomAgent, "first"), Agent(RandomAgent, "second"))
    assert play((agents, blocked, LIMIT_MS, 1))[0].name == "second"


@pytest.mark.parametrize("action", [24, 25.0, True, None, "25"])
def test_an_action_that_is_not_legal_loses(action: Any, caplog: pytest.LogCaptureFixture) -> None:
    agents = (Agent(scripted(57, action), "bad"), Agent(scripted(0, 15), "good"))
    assert play((agents, Isolation(), LIMIT_MS, 1))[0].name == "good"
    assert "INVALID_MOVE" in caplog.text


class SlowStepAgent(RandomAgent):
    """Answers, then begins a step that outlasts its time by far."""

    def get_action(self, state: Isolation) -> None:
        self.context = (self.context or 0) + 1
        self.queue.put(state.actions()[0])
        while True:
            pass


def test_context_is_kept_though_the_search_is_cut_off() -> None:
    agent = SlowStepAgent(player_id=0)
    for turn in (1, 2):
        assert fork_get_action(Isolation(), agent, SHORT_MS) == 0
        assert agent.context == turn


class Exits:
    def __reduce__(self) -> tuple[Any, ...]:
        return sys.exit, ()


class PoisonAgent(RandomAgent):
    def get_action(self, state: Isolation) -> None:
        self.queue.put(Exits())


class ExitingAgent(RandomAgent):
    def __init__(self, player_id: int) -> None:
        sys.exit(3)


class SlotsAgent:
    __slots__ = ()

    def __init__(self, player_id: int) -> None:
        pass

    def get_action(self, state: Isolation) -> None:
        pass


@pytest.mark.parametrize("agent", [PoisonAgent, ExitingAgent, SlotsAgent])
def test_nothing_an_agent_does_comes_out_of_play(agent: type) -> None:
    assert match(agent, RandomAgent)[0] == "RandomAgent"


MATCHES = [
    ((Agent(RandomAgent, "a"), Agent(CountingAgent, "b")), Isolation(), LIMIT_MS, number)
    for number in range(12)
]


def test_matches_in_threads(caplog: pytest.LogCaptureFixture) -> None:
    with warnings.catch_warnings(), ThreadPool(6) as pool:
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork in a process with threads
        results = pool.map(play, MATCHES, 1)
    assert [match_id for _, _, match_id in results] == list(range(12))
    assert caplog.text == ""


def test_matches_in_a_pool_of_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(play, MATCHES[:4], 1)
    for _, actions, _ in results:
        state = Isolation()
        for action in actions:
            state = state.result(action)
        assert state.terminal_test()


@pytest.mark.parametrize("limit", [0, -5, math.nan])
def test_a_time_limit_that_is_none(limit: float) -> None:
    agents = (Agent(RandomAgent, "a"), Agent(RandomAgent, "b"))
    with pytest.raises(ValueError, match="the time limit must be more than 0 ms"):
        play((agents, Isolation(), limit, 1))


def test_a_fault_shows_where_it_happened(caplog: pytest.LogCaptureFixture) -> None:
    match(RaisingAgent, RandomAgent)
    assert "ZeroDivisionError: no answer" in caplog.text
    assert "test_match.py" in caplog.text
    caplog.clear()
    fork_get_action(Isolation(), LateRaisingAgent(0), LIMIT_MS)
    assert "LateRaisingAgent raised after its action" in caplog.text
    with pytest.raises(ZeroDivisionError):
        match(RaisingAgent, RandomAgent, debug=True)


@pytest.mark.parametrize(
    ("agent", "status"),
    [
        (RaisingAgent, "EXCEPTION"),
        (SilentAgent, "TIMEOUT"),
        (HangingAgent, "TIMEOUT"),
        (QuittingAgent, "TIMEOUT"),
        (IllegalAgent, "INVALID_MOVE"),
        (BrokenAgent, "EXCEPTION"),
    ],
)
def test_a_fault_loses_the_match(
    agent: type, status: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="isolation.bots.match"):
        assert match(agent, RandomAgent, limit=SHORT_MS)[0] == "RandomAgent"
        assert match(RandomAgent, agent, limit=SHORT_MS)[0] == "RandomAgent"
    assert caplog.text.count(f": {status} (") == 2


def test_debug_runs_the_agent_in_this_process() -> None:
    agent = CountingAgent(player_id=0)
    assert fork_get_action(Isolation(), agent, 0, debug=True) == 0
    assert agent.context == 1
    assert match(RandomAgent, CountingAgent, debug=True)[2] == 7
    with pytest.raises(Empty):
        fork_get_action(Isolation(), SilentAgent(player_id=0), 0, debug=True)


def test_stop_search_can_be_caught_by_name() -> None:
    assert not issubclass(StopSearch, Exception)
