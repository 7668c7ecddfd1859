"""The levels of the computer players, from a child's first opponent to full strength.

A level is a limit on how far it looks, and a way to err: weak levels misjudge positions, overlook
moves, always the same for the same seed. `benchmarks/levels.py` measures that each is clearly
stronger than the one below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from isolation.engines.engine import Decision, Engine, Handicap, Limits
from isolation.rules import InvalidOption, Position
from isolation.rules.words import shown


@dataclass(frozen=True, slots=True)
class Level:
    """One step of the ladder."""

    name: str
    limits: Limits
    noise: int = 0
    blind: int = 0

    def choose(
        self, engine: Engine, position: Position, history: Sequence[Position] = (), seed: int = 0
    ) -> Decision:
        """The move that a player of this level makes."""
        return engine.choose(position, self.limits, history, self.handicap(seed))

    def handicap(self, seed: int) -> Handicap:
        return Handicap(self.noise, self.blind, seed)

    def delay(self, position: Position, lot: Random) -> float:
        """Seconds that a move should take in all, so that it feels neither instant nor slow."""
        choices = len(position.next_cells())
        return lot.uniform(0.35, 0.6) if choices <= 1 else lot.uniform(0.6, 1.4)


NAMES = ("Newcomer", "Beginner", "Casual", "Improver", "Club", "Strong", "Expert", "Master")

# Classic and isola count territory: a score there moves by hundreds.
_PAWNS = (
    Level(NAMES[0], Limits(depth=1), noise=800, blind=150),
    Level(NAMES[1], Limits(depth=1), noise=200, blind=50),
    Level(NAMES[2], Limits(depth=1), noise=10),
    Level(NAMES[3], Limits(depth=2), noise=10),
    Level(NAMES[4], Limits(depth=4, nodes=3_000)),
    Level(NAMES[5], Limits(nodes=20_000)),
    Level(NAMES[6], Limits(nodes=250_000)),
    Level(NAMES[7], Limits(seconds=1.5)),
)

LEVELS: dict[str, tuple[Level, ...]] = {
    "classic": _PAWNS,
    "knights": (
        Level(NAMES[0], Limits(depth=1), noise=1000, blind=200),
        Level(NAMES[1], Limits(depth=1), noise=250, blind=60),
        Level(NAMES[2], Limits(depth=1), noise=10),
        Level(NAMES[3], Limits(depth=3), noise=10),
        Level(NAMES[4], Limits(nodes=700)),
        Level(NAMES[5], Limits(nodes=5_000)),
        Level(NAMES[6], Limits(nodes=40_000)),
        Level(NAMES[7], Limits(seconds=1.5)),
    ),
    "isola": _PAWNS,
    "slider": (
        Level(NAMES[0], Limits(depth=1), noise=150, blind=110),
        Level(NAMES[1], Limits(depth=1), noise=60, blind=60),
        Level(NAMES[2], Limits(depth=1), noise=35, blind=20),
        Level(NAMES[3], Limits(depth=1), noise=20),
        Level(NAMES[4], Limits(depth=1), noise=8),
        Level(NAMES[5], Limits(depth=2), noise=4),
        Level(NAMES[6], Limits(depth=4, nodes=1_000)),
        Level(NAMES[7], Limits(seconds=1.5)),
    ),
    "linear": (
        Level("Newcomer", Limits(depth=1)),
        Level("Casual", Limits(depth=9), blind=90),
        Level("Club", Limits(depth=16), blind=45),
        Level("Expert", Limits(), blind=40),
        Level("Master", Limits()),
    ),
}


def find_level(game: str, number: object) -> Level:
    """A level by its number, from 1, or InvalidOption."""
    levels = LEVELS[game]
    if type(number) is not int or not 1 <= number <= len(levels):
        raise InvalidOption(f"level must be a number from 1 to {len(levels)}, not {shown(number)}")
    return levels[number - 1]
