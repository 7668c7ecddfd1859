"""Knights: 11 columns, 9 rows; each player first places a token on any open cell, then jumps.

Every cell a token has stood on stays blocked, so each visit uses a cell up. Tokens step as a
knight does in chess. Who is to move and has no step (or no cell to be placed on) has lost.
"""

from dataclasses import dataclass
from typing import Self

from isolation.rules.grid import bits, grid
from isolation.rules.position import PASS, Move, Position
from isolation.rules.words import player_name


@dataclass(frozen=True, slots=True)
class Knights(Position):
    """A player whose token is not placed yet has no piece."""

    game = "knights"
    piece = "token"

    @classmethod
    def start(cls, width: int = 11, height: int = 9) -> Self:
        return cls(grid(width, height), (0, 0), 0, 0)

    def _problem(self) -> str | None:
        if any(mask.bit_count() > 1 for mask in self.pieces):
            return "each player has one token at the most"
        if self.pieces[1] and not self.pieces[0]:
            return "Player 1 places a token first"
        placed = sum(map(bool, self.pieces))
        if placed < 2 and self.to_move != placed:
            return f"{player_name(placed)} is to move: that token isn't placed yet"
        return None

    def _choices(self, prefix: Move) -> int:
        if prefix:
            return 0
        token = self.pieces[self.to_move]
        return self.grid.knight[token.bit_length() - 1] & self.empty if token else self.empty

    def after(self, move: Move) -> Self:
        step = 1 << move[0]
        pieces = (self.pieces[0], step) if self.to_move else (step, self.pieces[1])
        blocked = self.blocked | self.pieces[self.to_move]
        return type(self)(self.grid, pieces, blocked, 1 - self.to_move)

    def _refusal(self, prefix: Move, cell: int) -> str:
        name = self.cell_name(cell)
        if self.blocked >> cell & 1:
            return f"{name} is blocked"
        if self.pieces[self.to_move] >> cell & 1:
            return f"you are on {name} already"
        if self.pieces[1 - self.to_move] >> cell & 1:
            return f"your opponent is on {name}"
        here = self.cell_name(bits(self.pieces[self.to_move])[0])
        return f"{name} is not a knight's step from {here}, where you are"

    def verb(self, prefix: Move = PASS) -> str:
        return "move" if self.pieces[self.to_move] else "place"

    def native(self, cell: int) -> int:
        """The index in the bordered bit board: 0 at the bottom right, counted to the left."""
        column, row = self.grid.column_row(cell)
        return row * (self.grid.width + 2) + self.grid.width - 1 - column
