"""Linear: squares 1 to n in a row; claim any square that is unclaimed and has no claimed neighbour.

Who can't claim a square has lost. The players choose who goes first.
"""

from dataclasses import dataclass
from typing import Any, Self

from isolation.rules.errors import IllegalMove, InvalidPosition
from isolation.rules.grid import grid
from isolation.rules.position import PASS, Move, Position
from isolation.rules.words import shown


@dataclass(frozen=True, slots=True)
class Linear(Position):
    """Cell 0 is square 1."""

    game = "linear"
    view = "strip"
    has_one_piece = False

    @classmethod
    def start(cls, length: int = 13, first: int = 1) -> Self:
        if type(first) is not int or first not in (1, 2):
            raise InvalidPosition("the first player is 1 or 2")
        return cls(grid(length, 1), (0, 0), 0, first - 1)

    def _problem(self) -> str | None:
        claimed = self.pieces[0] | self.pieces[1]
        if self.grid.height != 1:
            return "a linear board is a single row"
        if self.blocked:
            return "a linear board has no blocked squares"
        if claimed & claimed << 1:
            return "neighbouring squares can't both be claimed"
        ahead = self.pieces[self.to_move].bit_count() - self.pieces[1 - self.to_move].bit_count()
        if ahead not in (-1, 0):
            return "the players claim squares in turn: the one to move has as many or one less"
        return None

    def options(self) -> dict[str, Any]:
        return {"length": self.grid.width}

    def _choices(self, prefix: Move) -> int:
        if prefix:
            return 0
        claimed = self.pieces[0] | self.pieces[1]
        return self.grid.full & ~(claimed | claimed << 1 | claimed >> 1)

    def after(self, move: Move) -> Self:
        first, second = self.pieces
        claim = 1 << move[0]
        pieces = (first, second | claim) if self.to_move else (first | claim, second)
        return type(self)(self.grid, pieces, 0, 1 - self.to_move)

    def _refusal(self, prefix: Move, cell: int) -> str:
        claimed = self.pieces[0] | self.pieces[1]
        if claimed >> cell & 1:
            return f"square {cell + 1} is claimed already"
        neighbour = cell if cell and claimed >> cell - 1 & 1 else cell + 2
        return f"square {cell + 1} is next to {neighbour}, which is claimed"

    def verb(self, prefix: Move = PASS) -> str:
        return "claim"

    def cell_name(self, cell: int) -> str:
        return str(cell + 1)

    def find_cell(self, name: str) -> int:
        if not (name.isascii() and name.isdecimal()):
            raise IllegalMove(f"{shown(name)} is not a square: squares are 1 to {self.cell_count}")
        if len(name) > 2 or not 1 <= int(name) <= self.cell_count:
            raise IllegalMove(f"{shown(name)} is not on the board")
        return int(name) - 1

    def native(self, cell: int) -> int:
        return cell + 1
