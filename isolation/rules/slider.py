"""Slider: an N x N board, N-1 pieces each; H crosses to the right edge, V to the top edge.

H starts in the left column above the corner, V in the bottom row right of it; some cells may be
blocked for the whole game. A turn moves one piece one cell into an empty cell: H up, down or right,
V up, left or right. Over its far edge (right for H, top for V) a piece leaves the board, and the
first player with no piece left wins. Who has no move must pass, and may not pass otherwise; two
passes in a row are a tie, and so is the third time the same position occurs (judged by the record).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from isolation.rules.endings import Outcome, Reason
from isolation.rules.errors import InvalidPosition
from isolation.rules.grid import Grid, bits, grid, mask_of
from isolation.rules.picture import Symbols
from isolation.rules.position import PASS, Move, Position
from isolation.rules.words import shown

FIRST = ("H", "V")
STEPS = (((0, 1), (0, -1), (1, 0)), ((0, 1), (-1, 0), (1, 0)))  # of H and of V
OFF = "off"


def _ways(board: Grid, player: int) -> tuple[int, ...]:
    """Where a piece of that player can go from each cell of an empty board."""
    off, last = 1 << board.width * board.height, board.width - 1
    return tuple(
        reached | off if board.column_row(cell)[player] == last else reached
        for cell, reached in enumerate(board.reach(STEPS[player]))
    )


@dataclass(frozen=True, slots=True)
class Slider(Position):
    """Player 0 is H, player 1 is V. Off the board is one more cell, after the last."""

    passes: int = 0  # in a row, just before this position

    game = "slider"
    symbols = Symbols(players="HV", empty="+", blocked="B")
    separator = "-"
    cells_per_move = 2
    can_pass = True
    has_one_piece = False
    repetition_limit = 3
    extras: ClassVar = {"passes": (0, 1, 2)}

    @classmethod
    def start(cls, size: int = 6, blocks: Iterable[tuple[int, int]] = (), first: str = "H") -> Self:
        board = grid(size, size)
        pieces = (
            mask_of(board.cell(0, row) for row in range(1, size)),
            mask_of(board.cell(column, 0) for column in range(1, size)),
        )
        blocked = mask_of(cls._block(board, pieces, *place) for place in blocks)
        if first not in FIRST:
            raise InvalidPosition("the first player is H or V")
        return cls(board, pieces, blocked, FIRST.index(first))._checked()

    @staticmethod
    def _block(board: Grid, pieces: tuple[int, int], column: int, row: int) -> int:
        if not (0 <= column < board.width and 0 <= row < board.height):
            raise InvalidPosition(f"block {shown(column)},{shown(row)} is not on the board")
        cell = board.cell(column, row)
        if (pieces[0] | pieces[1]) >> cell & 1:
            raise InvalidPosition(f"block {column},{row} is where a piece starts")
        return cell

    def _problem(self) -> str | None:
        if self.grid.width != self.grid.height:
            return "a slider board is square"
        if any(mask.bit_count() >= self.grid.width for mask in self.pieces):
            return f"each player has {self.grid.width - 1} pieces at the most"
        if not any(self.pieces):
            return "only one player can have left the board"
        passed = [1 - self.to_move, self.to_move][: self.passes]
        if any(self._movable(player) for player in passed):
            return "a player who can move can't have passed"
        return None

    def options(self) -> dict[str, Any]:
        return {"size": self.grid.width}

    @property
    def off(self) -> int:
        return self.grid.width * self.grid.height

    @property
    def cell_count(self) -> int:
        return self.off + 1

    @property
    def _free(self) -> int:
        """Where nothing is in the way: the empty cells, and off the board."""
        return ~(self.pieces[0] | self.pieces[1] | self.blocked)

    def _targets(self, player: int, cell: int) -> int:
        """Where a piece of that player may go from that cell."""
        return self._ways()[player][cell] & self._free

    def _movable(self, player: int) -> int:
        """The pieces of that player that have somewhere to go."""
        ways, free = self._ways()[player], self._free
        return mask_of([cell for cell in bits(self.pieces[player]) if ways[cell] & free])

    def _ways(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """For each player and cell, where a piece could go if nothing else were on the board."""
        tables = self.grid.tables
        if OFF not in tables:
            tables[OFF] = (_ways(self.grid, 0), _ways(self.grid, 1))
        found: tuple[tuple[int, ...], tuple[int, ...]] = tables[OFF]
        return found

    def _choices(self, prefix: Move) -> int:
        if not prefix:
            return 0 if self._is_over() else self._movable(self.to_move)
        return self._targets(self.to_move, prefix[0]) if len(prefix) == 1 else 0

    def _allows(self, prefix: Move, cell: int) -> bool:
        """Looks at this piece alone, where `_choices` looks at all of them."""
        if prefix:
            return Position._allows(self, prefix, cell)
        player = self.to_move
        is_own = self.pieces[player] >> cell & 1
        return bool(is_own and self._targets(player, cell)) and not self._is_over()

    def _is_over(self) -> bool:
        return self.passes == 2 or not all(self.pieces)

    def outcome(self) -> Outcome | None:
        if not self._is_over():
            return None
        if all(self.pieces):
            return Outcome(None, Reason.TWO_PASSES)
        winner = 0 if not self.pieces[0] else 1
        return Outcome(winner, Reason.ALL_OFF, winner)

    def after(self, move: Move) -> Self:
        mine = self.pieces[self.to_move]
        if move != PASS:
            mine = (mine ^ 1 << move[0] | 1 << move[1]) & self.grid.full
        pieces = (self.pieces[0], mine) if self.to_move else (mine, self.pieces[1])
        passes = 0 if move else self.passes + 1
        return type(self)(self.grid, pieces, self.blocked, 1 - self.to_move, passes)

    @property
    def repetition_key(self) -> object:
        return self.pieces, self.to_move

    def _refusal(self, prefix: Move, cell: int) -> str:
        name = self.cell_name(cell)
        if not prefix:
            if self.pieces[self.to_move] >> cell & 1:
                return f"the piece on {name} can't move"
            return f"{name} holds no piece of yours"
        if cell == self.off:
            edge = "top" if self.to_move else "right"
            return f"a piece leaves the board over the {edge} edge only"
        if self.blocked >> cell & 1:
            return f"{name} is blocked"
        if (self.pieces[0] | self.pieces[1]) >> cell & 1:
            return f"{name} is occupied"
        ways = "up, left or right" if self.to_move else "up, down or right"
        symbol = self.symbols.players[self.to_move]
        return f"{name} is out of reach: {symbol} moves one square {ways}"

    def verb(self, prefix: Move = PASS) -> str:
        if prefix:
            return "choose"
        return "move" if self._choices(PASS) else "pass"

    def cell_name(self, cell: int) -> str:
        return OFF if cell == self.off else self.grid.name(cell)

    def find_cell(self, name: str) -> int:
        return self.off if name == OFF else Position.find_cell(self, name)

    def native(self, cell: int) -> tuple[int, int] | str:
        """(column, row) from the bottom left."""
        return OFF if cell == self.off else self.grid.column_row(cell)

    def describe(self) -> dict[str, Any]:
        return Position.describe(self) | {"off": self.off}
