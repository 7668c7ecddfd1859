"""Isola: classic's rules on an odd square board, 7 to 27 wide; blocking is called stealing.

Player A (player 0) starts in the middle of the top row, player B in the middle of the bottom row.
"""

from dataclasses import dataclass
from typing import Any, Self

from isolation.rules.pawns import PawnPosition
from isolation.rules.picture import Symbols


@dataclass(frozen=True, slots=True)
class Isola(PawnPosition):
    """The game of the programming contest."""

    game = "isola"
    symbols = Symbols(players="AB")
    block = "steal"
    blocked_word = "stolen"

    @classmethod
    def start(cls, size: int = 7, starts: str = "open") -> Self:
        return cls._start(size, size, starts)

    def options(self) -> dict[str, Any]:
        return {"size": self.grid.width, "starts": self.starts}
