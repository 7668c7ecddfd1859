"""Asking a bot in a child process for its turns, by the flow of its API and by our clock."""

import time
from dataclasses import dataclass, field
from typing import Any

from isolation.bots.apis import APIS, Question
from isolation.bots.child import Child
from isolation.bots.faults import BotFault
from isolation.bots.turn import GRACE_S
from isolation.rules import Move, Position

MARGIN_S = 0.25  # beyond a time limit, before a bot is given up
AGENT_MARGIN_S = GRACE_S + 1.0  # agents get GRACE_S to end by themselves
WAY_MS = 20.0  # for an agent's actions: agents use all their time, by a clock of their own


@dataclass
class Thought:
    """What became of asking a bot for a turn: the time of each call, and the move if any."""

    move: Move = ()
    calls: list[int] = field(default_factory=list)  # nanoseconds each


def take_turn(child: Child, position: Position, ms: float, thought: Thought) -> None:
    """Ask a bot for a whole turn, call by call, into `thought`; or BotFault."""
    flow, answer = APIS[child.api].flow(position), None
    try:
        while True:
            answer = _call(child, flow.send(answer), ms, thought)
    except StopIteration as done:
        thought.move = done.value


def _call(child: Child, question: Question, ms: float, thought: Thought) -> Any:
    """One call, timed here: whatever the bot does to its own clock, it gains nothing."""
    begun = time.perf_counter_ns()
    try:
        if APIS[child.api].has_actions:
            return _last_action(child, {**question, "ms": ms}, ms, begun)
        answer = child.ask(question, ms / 1000 + MARGIN_S)
    finally:
        thought.calls.append(time.perf_counter_ns() - begun)
    if thought.calls[-1] > ms * 1e6:
        raise BotFault(f"it took {thought.calls[-1] / 1e6:.0f} ms, and may take {ms:.0f}")
    return answer.get("value")


def _last_action(child: Child, question: Question, ms: float, begun: int) -> Any:
    """The last action that came in time, however the agent ended afterwards; or BotFault."""
    actions: list[Any] = []

    def hear(action: Any) -> None:
        if time.perf_counter_ns() - begun <= (ms + WAY_MS) * 1e6:
            actions[:] = [action]

    fault = BotFault(f"it put no action in {ms:.0f} ms")
    try:
        child.ask(question, ms / 1000 + AGENT_MARGIN_S, hear)
    except BotFault as raised:
        fault = raised
    if not actions:
        raise fault
    return actions[0]
