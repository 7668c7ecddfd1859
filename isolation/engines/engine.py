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
    enough: float | None = None  # seconds after which no further depth is begun
    moves: tuple[Move, ...] = ()  # if there are any, no other is considered


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
    seldepth: int = 0  # the longest line looked at
    hashfull: int = 0  # how full the transposition table is, in thousandths
    is_least: bool = False  # whether the move is worth at least the score, maybe more

    @property
    def proven(self) -> int | None:
        """None for a guess; n for a win in n plies at the most, -n for a loss in n at the most."""
        return proven_plies(self.score)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come, where there's no new line to report."""

    number: int  # of the line that is searched, from 1
    depth: int
    seldepth: int
    nodes: int
    hashfull: int
    most: int | None = None  # what the line is worth at most, where that has just been found


HASH_MB = 64  # of the transposition table, which all games share


@dataclass(frozen=True, slots=True)
class Resources:
    """What an engine may use of the machine."""

    hash_mb: int = HASH_MB
    threads: int = 1


OVER = "the game is over: there is nothing to choose"

Report = Callable[[int, Decision], None]  # the number of a line, from 1, and what it is now
Note = Callable[[Progress], None]


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
        note: Note | None = None,
    ) -> list[Decision]:
        """The best few moves, best first; the limits are for all of them together.

        The position must not be over. What is reported adds up to what is returned; notes come in
        between. Where the limits leave moves out, a score is about the others only: a win is
        proven, but a loss never is.
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

    def use(self, resources: Resources) -> None:  # noqa: B027  # most need nothing
        """Use so much from now on. MemoryError if there isn't as much; what was is kept then."""

    def forget(self) -> None:  # noqa: B027
        """Begin another game: nothing found so far counts any more."""
