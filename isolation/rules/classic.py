"""Classic Isolation: 6 columns, 8 rows, a pawn each; move one square, then block one.

Player 0 starts at the top (row 0, column 2), player 1 at the bottom (row 7, column 3).
"""

from dataclasses import dataclass
from typing import Self

from isolation.rules.pawns import PawnPosition


@dataclass(frozen=True, slots=True)
class Classic(PawnPosition):
    """The game of the boxed set."""

    game = "classic"

    @classmethod
    def start(cls, width: int = 6, height: int = 8, starts: str = "open") -> Self:
        return cls._start(width, height, starts)
