"""One turn of an agent of the knights API, in a child process that ends with the turn.

An agent answers by `self.queue.put(action)`. The last put before the deadline counts, by the
parent's clock; a put after it stops the search. An agent is given a little time to come to an end
after its deadline, and then it's ended with all that it has started.
"""

import logging
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import Empty
from time import perf_counter
from typing import Any

from isolation.bots.process import exit_words
from isolation.isolation import Isolation

logger = logging.getLogger(__name__)

START_UP_S = 10.0  # for the child process to call the agent, before its time begins
LATE = "the agent put no action in time"
GRACE_S = 2.0  # after the deadline, for the agent to end by itself and hand over its context


class StopSearch(BaseException):
    """Raised by a put after the deadline. Not an Exception, so that no agent catches it unaware."""


class AgentError(RuntimeError):
    """An agent raised before it had put any action; the text says what."""


class ActionQueue:
    """What an agent sees as `self.queue`: it passes each action on, until time is up."""

    def __init__(
        self, player: Any, pipe: Connection, time_limit_ms: float, tell: Callable[[Any], None]
    ) -> None:
        self._player = player
        self._pipe = pipe
        self._deadline = perf_counter() + time_limit_ms / 1000
        self._tell = tell

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        if perf_counter() > self._deadline:
            raise StopSearch
        self._tell(item)
        # The context goes along: a search that outlasts its time is ended without a word.
        try:
            self._pipe.send(("action", (item, getattr(self._player, "context", None))))
        except Exception:
            self._pipe.send(("lone action", item))

    def put_nowait(self, item: Any) -> None:
        self.put(item, block=False)


def in_full(error: BaseException) -> str:
    """The whole traceback."""
    return "".join(traceback.format_exception(error))


def untold(action: Any, key: str) -> None:
    """For agents whose actions only their own parent hears."""


class Turn:
    """A child process that waits to be asked for one turn of an agent, as the agent is now.

    There `describe` makes a text of what the agent raised, and `tell` is called with each action
    and the key of the question.
    """

    def __init__(
        self,
        player: Any,
        describe: Callable[[BaseException], str] = in_full,
        tell: Callable[[Any, str], None] = untold,
    ) -> None:
        self._player = player
        self._pipe, theirs = multiprocessing.Pipe()
        self._end = _start(_serve, (player, describe, tell, theirs, self._pipe))
        theirs.close()

    def ask(self, state: Isolation, time_limit_ms: float, key: str = "") -> Any:
        """The last action that was put in time.

        Raises `queue.Empty` where the agent ended or hung without one, AgentError where it raised.
        """
        with suppress(OSError):  # it has ended already, as is seen below
            self._pipe.send((state, time_limit_ms, key))
        actions: list[Any] = []
        fault: Exception = Empty(LATE)
        deadline, until = None, perf_counter() + START_UP_S
        while self._pipe.poll(max(0.0, until - perf_counter())) and perf_counter() <= until:
            kind, value = self._receive()
            if kind == "started" and deadline is None:
                deadline = perf_counter() + time_limit_ms / 1000
                until = deadline + GRACE_S
            elif kind in ("ended", "stopped", "raised", "crashed"):
                fault = self._fault(kind, value, bool(actions))
                break
            elif deadline and perf_counter() <= deadline and kind != "started":
                actions = [value]
        if not actions:
            raise fault
        return actions[0]

    def _receive(self) -> tuple[str, Any]:
        """The next message, without the context that came with it."""
        try:
            kind, value = self._pipe.recv()
            if kind in ("action", "ended", "stopped", "raised"):
                value, context = value
                with suppress(AttributeError):  # an agent with slots may have no place for it
                    self._player.context = context
            return str(kind), value
        except (EOFError, OSError):
            return "crashed", f"the agent's process ended ({self._end()})"
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # what an agent sends may do anything when it's read
            return "raised", f"it sent what can't be read: {error}"

    def _fault(self, kind: str, words: str, has_action: bool) -> Exception:
        """What it would mean that there is no action."""
        if kind != "raised":
            return Empty(words)
        if has_action:
            logger.warning("%s raised after its action:\n%s", type(self._player).__name__, words)
        return AgentError(words)

    def close(self) -> None:
        """End it, with all that it has started."""
        self._end()
        self._pipe.close()


def _start(target: Callable[..., None], args: tuple[Any, ...]) -> Callable[[], str]:
    """Call a function in a child process; the result ends it, and says how it ended.

    Not multiprocessing's own fork: that reaps the children of other threads, and may not be called
    in the workers of its pools. Agents' matches are run in both.
    """
    if not hasattr(os, "fork"):
        child = multiprocessing.get_context("spawn").Process(target=target, args=args)
        child.start()

        def end() -> str:
            child.kill()
            return "killed"

        return end
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        with suppress(BaseException):
            target(*args)
        os._exit(0)
    with suppress(OSError):  # the child does the same: whichever comes first
        os.setpgid(pid, pid)
    return _Ending(pid)


class _Ending:
    """Ends a child process, with its group, and knows how it ended."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._words = ""

    def __call__(self) -> str:
        if not self._words:
            for kill in (os.killpg, os.kill):  # it may have gone over to another group
                with suppress(ProcessLookupError):
                    kill(self._pid, signal.SIGKILL)
            _, status = os.waitpid(self._pid, 0)
            self._words = exit_words(os.waitstatus_to_exitcode(status))
        return self._words


def _serve(
    player: Any,
    describe: Callable[[BaseException], str],
    tell: Callable[[Any, str], None],
    pipe: Connection,
    other_end: Connection,
) -> None:
    """The child process: one turn of an agent, told to the parent message by message."""
    other_end.close()
    state, time_limit_ms, key = pipe.recv()
    pipe.send(("started", None))
    kind, words = "ended", "the agent ended without an action"
    try:
        player.queue = ActionQueue(player, pipe, time_limit_ms, lambda action: tell(action, key))
        player.get_action(state)
    except StopSearch:
        kind, words = "stopped", LATE
    except Exception as error:
        kind, words = "raised", describe(error)
    sys.stdout.flush()  # what the agent printed: the parent may end this process at once now
    try:
        pipe.send((kind, (words, getattr(player, "context", None))))
    except Exception as unsent:
        logger.warning("the context of %s can't be kept: %s", type(player).__name__, unsent)
        pipe.send((kind, (words, None)))
