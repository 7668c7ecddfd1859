"""What an engine is: it is given a position and limits, and decides on a move."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from isolation.engines.scores import proven_plies
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

    @property
    def errs(self) -> bool:
        return bool(self.noise or self.blind)


FULL_STRENGTH = Handicap()


@dataclass(frozen=True, slots=True)
class Decision:
    """A move and why: the score is for the player to move, a pawn's step being about 10."""

    move: Move
    score: int
    depth: int
    nodes: int
    line: tuple[Move, ...]

    @property
    def proven(self) -> int | None:
        """None for a guess; n for a win in n plies at the most, -n for a loss in n at the most."""
        return proven_plies(self.score)


OVER = "the game is over: there is nothing to choose"

Report = Callable[[int, Decision], None]  # the number of a line, from 1, and what it is now


class Engine(ABC):
    """A player. `history` holds the positions before this one, where repetition counts."""

    @abstractmethod
    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
    ) -> list[Decision]:
        """The best few moves, best first; the limits are for all of them together.

        The position must not be over. What is reported adds up to what is returned.
        """

    def choose(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
    ) -> Decision:
        """The move to play."""
        return self.analyse(position, limits, 1, history, handicap, report)[0]
