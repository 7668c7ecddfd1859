"""The engine for classic and isola: it lays a position out for the compiled core."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.ground import MAX_CELLS, MAX_SIDE, NONE, ROWS, SPACE, WORD
from isolation.engines.core.walkers import perft_root, search_root
from isolation.engines.deepening import UNLIMITED, Deepening
from isolation.engines.engine import Decision, Limits
from isolation.engines.regions import RegionSolver
from isolation.rules import Move, Position
from isolation.rules.grid import Grid, bits
from isolation.rules.pawns import PawnPosition

POSITIONS_A_SECOND = 2_000_000  # about what the region solver looks at

# Territory, contested, steps, reach, tempo. Those of isola are fitted to the results of 1,100 games
# by logistic regression: 58 % [53, 63] of 400 against the ones before, which overrated territory.
WEIGHTS = {
    "classic": (3, 10, 18, 10, 15),
    "isola": (4, 6, 15, 13, 9),
}


def _ring(board: Grid, cell: int) -> list[int]:
    """The cells at most two away in either direction, neighbours first."""
    column, row = board.column_row(cell)
    near = [
        board.cell(c, r)
        for r in range(max(0, row - 2), min(board.height, row + 3))
        for c in range(max(0, column - 2), min(board.width, column + 3))
        if board.cell(c, r) != cell
    ]
    return sorted(near, key=lambda other: (not board.king[cell] >> other & 1, other))


@lru_cache(maxsize=8)
def _layout(board: Grid) -> NDArray[Any]:
    """The struct of an empty board, to be copied for each search."""
    space = np.zeros(1, dtype=SPACE)
    s = space[0]
    cells = board.width * board.height
    s["kind"] = WORD if cells <= 64 else ROWS
    s["width"], s["height"], s["cells"] = board.width, board.height, cells
    for cell in range(cells):
        column, row = board.column_row(cell)
        s["row"][cell], s["column"][cell] = row, column
        s["word_of"][cell] = row if s["kind"] == ROWS else cell >> 6
        s["bit_of"][cell] = 1 << (column if s["kind"] == ROWS else cell & 63)
        for name, found in (("step", bits(board.king[cell])), ("near", _ring(board, cell))):
            s[name][cell, : len(found)] = found
        s["degree"][cell] = board.king[cell].bit_count()
        s["near_count"][cell] = len(_ring(board, cell))
        if s["kind"] == WORD:
            s["reach"][cell] = board.king[cell]
    s["outer"][:cells] = sorted(range(cells), key=lambda cell: _depth(board, cell))
    if s["kind"] == WORD:
        left = sum(1 << board.cell(0, row) for row in range(board.height))
        s["inner_left"] = board.full & ~left
        s["inner_right"] = board.full & ~(left << board.width - 1)
    lot = np.random.default_rng(20261116)
    s["zobrist"] = lot.integers(1, 1 << 63, size=(4, MAX_CELLS), dtype=np.uint64)
    return space


def _depth(board: Grid, cell: int) -> int:
    """How far a cell is from the edge."""
    column, row = board.column_row(cell)
    return min(column, board.width - 1 - column, row, board.height - 1 - row)


class WalkingEngine(Deepening):
    """Alpha-beta with territory in mind, and the exact answer once the pawns are walled apart."""

    def __init__(self, weights: Sequence[int] | None = None) -> None:
        super().__init__()
        self._weights = weights
        self._regions = RegionSolver()

    @staticmethod
    def has_room(position: Position) -> bool:
        """Whether the core can hold a board of this size: all public ones, and many more."""
        return max(position.grid.width, position.grid.height) <= MAX_SIDE

    def _known(self, position: Position, limits: Limits) -> Decision | None:
        """The exact answer once the pawns are walled apart, for a small part of the time."""
        if not isinstance(position, PawnPosition) or limits.depth is not None:
            return None
        allowed = min(limits.nodes or UNLIMITED, int((limits.seconds or 10.0) * POSITIONS_A_SECOND))
        return self._regions.solve(position, allowed // 10)

    def _lay_out(self, position: Position, history: Sequence[Position]) -> NDArray[Any]:
        space = _layout(position.grid).copy()
        s = space[0]
        key = 0
        for cell in range(position.grid.width * position.grid.height):
            if position.blocked >> cell & 1:
                key ^= int(s["zobrist"][2, cell])
            else:
                s["words"][s["word_of"][cell]] |= s["bit_of"][cell]
            s["blockable"][cell] = not position.protected >> cell & 1
        weights = self._weights or WEIGHTS[position.game]
        s["weights"][: len(weights)] = weights
        self._tokens = [mask.bit_length() - 1 for mask in position.pieces]
        for side, cell in enumerate(self._tokens):
            key ^= int(s["zobrist"][side, cell])
        self._side = position.to_move
        self._key = np.uint64(key ^ (int(s["zobrist"][3, 0]) if self._side else 0))
        return space

    def _search(self, space: NDArray[Any], depth: int, alpha: int, beta: int) -> int:
        me, opponent = self._tokens[self._side], self._tokens[1 - self._side]
        return int(
            search_root(space, self._table, me, opponent, self._side, depth, alpha, beta, self._key)
        )

    def perft(self, position: Position, depth: int) -> int:
        space = self._lay_out(position, ())
        me, opponent = self._tokens[self._side], self._tokens[1 - self._side]
        return int(perft_root(space, me, opponent, depth))

    def _encode(self, move: Move) -> int:
        to, block = (*move, NONE)[:2]
        return to << 10 | block

    def _decode(self, move: int) -> Move:
        to, block = move >> 10, move & 1023
        return (to,) if block == NONE else (to, block)
