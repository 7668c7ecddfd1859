"""What an engine is: it is given a position and limits, and decides on a move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from isolation.rules import Move, Position


class StopFlag:
    """Ends a search from another thread, whether it has begun yet or not."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_set = False
        self._hooks: list[Callable[[], None]] = []

    def set(self) -> None:
        with self._lock:
            self._is_set = True
            for hook in self._hooks:
                hook()

    def when_set(self, hook: Callable[[], None]) -> None:
        """Have something done when the flag is set: at once, where it is."""
        with self._lock:
            self._hooks.append(hook)
            if self._is_set:
                hook()


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop thinking: whichever comes first. With none at all, only a proof ends it."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: StopFlag | None = None


@dataclass(frozen=True, slots=True)
class Handicap:
    """How a weaker player errs. The same seed errs in the same way."""

    noise: int = 0  # how far positions are misjudged, in units of the score
    blind: int = 0  # how many moves of 256 are overlooked
    seed: int = 0


FULL_STRENGTH = Handicap()


@dataclass(frozen=True, slots=True)
class Decision:
    """A move and why: the score is for the player to move, a pawn's step being about 10.

    `proven` is None for a guess. Otherwise it is exact: n is a win in n plies at the most, -n a
    loss in n plies at the most, 0 a tie.
    """

    move: Move
    score: int
    depth: int
    nodes: int
    line: tuple[Move, ...]
    proven: int | None = None


Report = Callable[[Decision], None]


class Engine(Protocol):
    """A player. `history` holds the positions before this one, where repetition counts."""

    def choose(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
    ) -> Decision:
        """The move to play. The position must not be over."""

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
    ) -> list[Decision]:
        """The best few moves, best first."""
