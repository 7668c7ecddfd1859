"""A search that was asked for: what's heard of it, how to stop it, and how it ends.

Those who search, be it the pool of this process or hosts elsewhere, share this one handle. Starts
no process.
"""

import logging
import threading
from collections.abc import Callable
from enum import IntEnum

from isolation.engines.engine import StopFlag
from isolation.engines.request import Request
from isolation.rules import Move

logger = logging.getLogger(__name__)

Hear = Callable[[str], None]  # takes an `info` line of the engine protocol


class EngineFailed(RuntimeError):
    """No engine could be made to answer."""


class NoEngines(EngineFailed):
    """Nobody is there to search: wait for them, and try again."""


class Withdrawn(EngineFailed):
    """The search was stopped before it began."""


class Purpose(IntEnum):
    """What a search is for: the lower number goes first."""

    GAME = 0  # somebody waits for a move
    ANALYSIS = 1


class Search:
    """For the one who asked: `stop` and `result`. For those who search: the rest."""

    def __init__(self, request: Request, hear: Hear | None = None) -> None:
        self.request = request
        self.flag = StopFlag()
        self._hear = hear
        self._is_over = threading.Event()
        self._move: Move | None = None
        self._error = EngineFailed("the search isn't over")

    @property
    def is_heard(self) -> bool:
        return self._hear is not None

    def stop(self) -> None:
        """A search that runs gives its best move so far; one that waits is withdrawn."""
        self.flag.set()

    def result(self, seconds: float | None = None) -> Move:
        """Wait for the move; or EngineFailed, also if it isn't there within that time."""
        self._is_over.wait(seconds)
        if self._move is None:
            raise self._error
        return self._move

    def tell(self, line: str) -> None:
        if self._hear and not self._is_over.is_set():
            try:
                self._hear(line)
            except Exception:
                logger.exception("a line of a search")

    def finish(self, move: Move) -> None:
        self._move = move
        self._is_over.set()

    def fail(self, error: EngineFailed) -> None:
        self._error = error
        self._is_over.set()
