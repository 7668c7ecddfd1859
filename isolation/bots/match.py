"""Matches between agents of the knights API. A fault costs an agent its match, and nothing else."""

import logging
import traceback
from collections import namedtuple
from enum import IntEnum
from queue import Empty
from typing import Any

from isolation.bots.turn import AgentError, StopSearch, Turn
from isolation.isolation import Isolation

__all__ = ["Agent", "AgentError", "Status", "StopSearch", "fork_get_action", "play"]

logger = logging.getLogger(__name__)

Agent = namedtuple("Agent", "agent_class name")


class Status(IntEnum):
    """How a turn, or a match, went."""

    NORMAL = 0
    EXCEPTION = 1
    TIMEOUT = 2
    INVALID_MOVE = 3
    GAME_OVER = 4


class LastAction:
    """The queue of an agent that is being debugged: no process, no deadline."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        self.items.append(item)

    put_nowait = put


def play(args: tuple[Any, ...]) -> tuple[Agent, list[Any], Any]:
    """Play `(agents, state, time_limit_ms, match_id[, debug])` to its end.

    Returns the winning Agent, the actions played, and the match id. One argument, so that a pool
    can map it over many matches.
    """
    return _play(*args)


def _play(
    agents: tuple[Agent, Agent],
    state: Isolation,
    time_limit_ms: float,
    match_id: Any,
    debug: bool = False,
) -> tuple[Agent, list[Any], Any]:
    history: list[Any] = []
    players: list[Any] = []
    for player_id, agent in enumerate(agents):
        try:
            players.append(agent.agent_class(player_id=player_id))
        except KeyboardInterrupt:
            raise
        except BaseException:
            reason = traceback.format_exc()
            return _won(agents, 1 - player_id, Status.EXCEPTION, reason), history, match_id
    while not state.terminal_test():
        active = state.player()
        status, action, fault = _turn(state, players[active], time_limit_ms, debug)
        if status is not Status.NORMAL:
            return _won(agents, 1 - active, status, fault), history, match_id
        state = state.result(action)
        history.append(action)
    winner = 0 if state.utility(0) > 0 else 1
    return _won(agents, winner, Status.GAME_OVER, "no liberties left"), history, match_id


def _won(agents: tuple[Agent, Agent], winner: int, status: Status, reason: str) -> Agent:
    """The winner; a fault is logged as a warning, so that whoever wrote the agent sees it."""
    level = logging.INFO if status is Status.GAME_OVER else logging.WARNING
    names = agents[winner].name, agents[1 - winner].name
    logger.log(level, "%s beats %s: %s (%s)", *names, status.name, reason)
    return agents[winner]


def _turn(
    state: Isolation, player: Any, time_limit_ms: float, debug: bool
) -> tuple[Status, Any, str]:
    """How a turn went, its action, and what was wrong with it."""
    try:
        action = fork_get_action(state, player, time_limit_ms, debug)
    except Empty as error:
        return Status.TIMEOUT, None, str(error)
    except AgentError as error:
        return Status.EXCEPTION, None, str(error)
    if not isinstance(action, int) or action not in state.actions():
        return Status.INVALID_MOVE, action, f"{action!r:.80} is not a legal action"
    return Status.NORMAL, action, ""


def fork_get_action(
    state: Isolation, player: Any, time_limit_ms: float, debug: bool = False
) -> Any:
    """The last action that the agent put before its deadline.

    Raises `queue.Empty` where it ended or hung without one, AgentError where it raised. With
    `debug` the agent runs in this process with no limit, so that a debugger can stop in it and
    what it raises is seen.
    """
    if debug:
        return _call_here(state, player)
    if not time_limit_ms > 0:
        raise ValueError(f"the time limit must be more than 0 ms, not {time_limit_ms!r}")
    turn = Turn(player)
    try:
        return turn.ask(state, time_limit_ms)
    finally:
        turn.close()


def _call_here(state: Isolation, player: Any) -> Any:
    player.queue = LastAction()
    player.get_action(state)
    if not player.queue.items:
        raise Empty("the agent ended without an action")
    return player.queue.items[-1]
