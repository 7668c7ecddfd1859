"""Matches between agents of the knights API, each turn of an agent in a child process of its own.

An agent answers by `self.queue.put(action)`; the last put before the deadline counts, and a put
after it stops the search. What an agent does can cost it the game and nothing else: it is given a
little time to come to an end after its deadline, and then it is ended.
"""

import logging
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from multiprocessing.connection import Connection
from queue import Empty
from typing import Any

from isolation.isolation import Isolation

logger = logging.getLogger(__name__)

START_UP_S = 10.0  # for the child process to call the agent, before its time begins
GRACE_S = 2.0  # after the deadline, for the agent to end by itself and hand over its context

Agent = namedtuple("Agent", "agent_class name")


class Status(IntEnum):
    """How a turn, or a match, went."""

    NORMAL = 0
    EXCEPTION = 1
    TIMEOUT = 2
    INVALID_MOVE = 3
    GAME_OVER = 4


class StopSearch(BaseException):
    """Raised by a put after the deadline. Not an Exception, so that no agent catches it unaware."""


class AgentError(RuntimeError):
    """An agent raised before it had put any action; the text is its traceback."""


class ActionQueue:
    """What an agent sees as `self.queue`: it passes each action on, until time is up."""

    def __init__(self, player: Any, pipe: Connection, time_limit_ms: float) -> None:
        self._player = player
        self._pipe = pipe
        self._deadline = time.perf_counter() + time_limit_ms / 1000

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        if time.perf_counter() > self._deadline:
            raise StopSearch
        # The context goes along: a search that outlasts its time is ended without a word.
        try:
            self._pipe.send(("action", (item, getattr(self._player, "context", None))))
        except Exception:
            self._pipe.send(("lone action", item))

    def put_nowait(self, item: Any) -> None:
        self.put(item, block=False)


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
    receiver, sender = multiprocessing.Pipe(duplex=False)
    end = _start(_call_agent, (state, player, time_limit_ms, sender))
    sender.close()
    try:
        return _listen(receiver, player, time_limit_ms)
    finally:
        end()
        receiver.close()


def _start(target: Callable[..., None], args: tuple[Any, ...]) -> Callable[[], None]:
    """Call a function in a child process; the result ends it, with all that it has started.

    Not multiprocessing's own fork: that reaps the children of other threads, and may not be called
    in the workers of its pools. Agents' matches are run in both.
    """
    if not hasattr(os, "fork"):
        child = multiprocessing.get_context("spawn").Process(target=target, args=args)
        child.start()
        return child.kill
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        with suppress(BaseException):
            target(*args)
        os._exit(0)
    with suppress(OSError):  # the child does the same: whoever comes first
        os.setpgid(pid, pid)

    def end() -> None:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)

    return end


def _call_here(state: Isolation, player: Any) -> Any:
    player.queue = LastAction()
    player.get_action(state)
    if not player.queue.items:
        raise Empty("the agent ended without an action")
    return player.queue.items[-1]


def _call_agent(state: Isolation, player: Any, time_limit_ms: float, pipe: Connection) -> None:
    """The child process: one turn of an agent, told to the parent message by message."""
    pipe.send(("started", None))
    error = None
    try:
        player.queue = ActionQueue(player, pipe, time_limit_ms)
        player.get_action(state)
    except StopSearch:
        pass
    except Exception:
        error = traceback.format_exc()
    sys.stdout.flush()  # what the agent printed: the parent may end this process at once now
    try:
        pipe.send(("ended", (error, getattr(player, "context", None))))
    except Exception as unsent:
        logger.warning("the context of %s can not be kept: %s", type(player).__name__, unsent)
        pipe.send(("ended", (error, None)))


def _listen(pipe: Connection, player: Any, time_limit_ms: float) -> Any:
    """Take the child's messages until it ends, or its time and grace are over."""
    actions: list[Any] = []
    fault: Exception = Empty("the agent put no action in time")
    until = time.perf_counter() + START_UP_S
    while pipe.poll(max(0.0, until - time.perf_counter())) and time.perf_counter() <= until:
        kind, value = _receive(pipe, player)
        if kind == "started":
            until = time.perf_counter() + time_limit_ms / 1000 + GRACE_S
        elif kind == "action":
            actions, context = [value[0]], value[1]
            _keep_context(player, context)
        elif kind == "lone action":
            actions = [value]
        else:
            error, context = value
            _keep_context(player, context)
            fault = AgentError(error) if error else Empty("the agent ended without an action")
            if actions and error:
                logger.warning("%s raised after its action:\n%s", type(player).__name__, error)
            break
    if not actions:
        raise fault
    return actions[0]


def _keep_context(player: Any, context: Any) -> None:
    with suppress(AttributeError):  # an agent with slots may have no place for it
        player.context = context


def _receive(pipe: Connection, player: Any) -> tuple[str, Any]:
    """The next message; a process that is gone, or sends what can not be read, has ended."""
    context = getattr(player, "context", None)
    try:
        message: tuple[str, Any] = pipe.recv()
        return message
    except EOFError:
        return "ended", (None, context)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # what an agent sends may do anything when it is read
        return "ended", (f"it sent what can not be read: {error}", context)
