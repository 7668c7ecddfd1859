"""What classic and isola share: a pawn each, that steps like a king and then blocks a square.

A turn is one compound move: go to an empty neighbouring square, then block an empty square. The
block comes after the step, so the square just left may be blocked. Who can't step has lost.
With `starts="fixed"` the two start squares can be entered but never blocked; where no square can
be blocked the step alone is the turn.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from isolation.rules.errors import IllegalMove
from isolation.rules.grid import Grid, grid
from isolation.rules.position import PASS, Move, Position

STARTS = ("open", "fixed")


def start_cells(board: Grid) -> tuple[int, int]:
    """The middle of the top row, and of the bottom row: left and right of it where it is even."""
    top = board.cell((board.width - 1) // 2, board.height - 1)
    return top, board.cell(board.width // 2, 0)


@dataclass(frozen=True, slots=True)
class PawnPosition(Position):
    """Player 0 begins at the top, player 1 at the bottom."""

    starts: str = "open"

    extras: ClassVar = {"starts": STARTS}
    cells_per_move = 2
    has_open_second = True
    turns_board = True
    piece = "pawn"
    block: ClassVar[str] = "block"  # what the game calls it
    blocked_word: ClassVar[str] = "blocked"

    @classmethod
    def _start(cls, width: int, height: int, starts: str) -> Self:
        board = grid(width, height)
        first, second = start_cells(board)
        cls._check_extra("starts", starts)
        return cls(board, (1 << first, 1 << second), 0, 0, starts)._checked()

    def _problem(self) -> str | None:
        if any(mask.bit_count() != 1 for mask in self.pieces):
            return "each player has one pawn on the board"
        if self.pieces[0] == self.pieces[1]:
            return "the board is too small for two pawns"
        if self.blocked & self.protected:
            return "a fixed start square can't be blocked"
        return None

    def options(self) -> dict[str, Any]:
        return {"starts": self.starts}

    @property
    def protected(self) -> int:
        if self.starts == "open":
            return 0
        first, second = start_cells(self.grid)
        return 1 << first | 1 << second

    def pawn(self, player: int) -> int:
        return self.pieces[player].bit_length() - 1

    def _choices(self, prefix: Move) -> int:
        if not prefix:
            return self.grid.king[self.pawn(self.to_move)] & self.empty
        if len(prefix) == 1:
            left = self.pieces[self.to_move]
            return (self.empty | left) & ~(1 << prefix[0] | self.protected)
        return 0

    def after(self, move: Move) -> Self:
        step, blocks = 1 << move[0], move[1:]
        pieces = (self.pieces[0], step) if self.to_move else (step, self.pieces[1])
        blocked = self.blocked | 1 << blocks[0] if blocks else self.blocked
        return type(self)(self.grid, pieces, blocked, 1 - self.to_move, self.starts)

    def _refusal(self, prefix: Move, cell: int) -> str:
        name = self.cell_name(cell)
        if self.blocked >> cell & 1:
            return f"{name} is {self.blocked_word}"
        if self.pieces[1 - self.to_move] >> cell & 1:
            return f"your opponent is on {name}"
        if prefix and self.protected >> cell & 1:
            return f"{name} is a start square: it can't be {self.blocked_word}"
        if prefix:
            return f"you are on {name}: {self.block} another square"
        if cell == self.pawn(self.to_move):
            return f"you are on {name} already"
        return f"{name} is not next to {self.cell_name(self.pawn(self.to_move))}, where you are"

    def verb(self, prefix: Move = PASS) -> str:
        return self.block if prefix else "move"

    def parse(self, text: str) -> Move:
        if isinstance(text, str) and text.strip().startswith(self.separator):
            raise IllegalMove(f"you must move before you {self.block}")
        return Position.parse(self, text)

    def native(self, cell: int) -> tuple[int, int]:
        """(row, column), row 0 at the top."""
        column, row = self.grid.column_row(cell)
        return self.grid.height - 1 - row, column
