"""Positions of classic and isola solved from the end, over all moves: who wins, and how soon."""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.layers import MAX_CELLS, solve_layer
from isolation.engines.solving.values import Value
from isolation.rules import Move
from isolation.rules.grid import bits, mask_of
from isolation.rules.pawns import PawnPosition

Progress = Callable[[int, int], None]  # how many plies it looks ahead, and the layer that's done
Layer = NDArray[np.uint32]

GB = 1 << 30


class NotSolvable(ValueError):
    """A position that this solver can't hold; the text says why."""


@dataclass(frozen=True)
class Solution:
    """What a position is worth, and the moves that are no worse than any other."""

    value: Value
    best: tuple[Move, ...]
    positions: int  # sets of blocked squares that were looked at, each with all places of the pawns


class PawnSolver:
    """Looks further and further ahead from one position, at everything that can happen."""

    def __init__(
        self, position: PawnPosition, memory: int = GB, progress: Progress | None = None
    ) -> None:
        if position.protected:
            raise NotSolvable("fixed start squares are more than this solver knows")
        self._cells = bits(position.grid.full & ~position.blocked)
        if len(self._cells) > MAX_CELLS:
            raise NotSolvable(
                f"{len(self._cells)} squares are open, and {MAX_CELLS} at the most can be solved"
            )
        self._position, self._memory, self._progress = position, memory, progress
        self._index = {cell: at for at, cell in enumerate(self._cells)}
        self._near = np.array([self._mask(cell) for cell in self._cells], dtype=np.uint32)
        numbers = range(len(self._cells) + 3)
        self._choose = np.array([[comb(n, k) for k in numbers] for n in numbers], dtype=np.int64)
        self._looked_at = 0

    def _mask(self, cell: int) -> int:
        near = bits(self._position.grid.king[cell])
        return mask_of(self._index[other] for other in near if other in self._index)

    def solve(self) -> Solution:
        """The value with its distance, and all moves that are as good. The game isn't over."""
        moves = self._position.legal_moves()
        longest = moves  # those that no shorter search could refute
        for plies in range(1, len(self._cells) - 1):
            lost = self._lost(plies)
            held = [move for move in moves if self._holds(lost, move)]
            if plies % 2 and held:
                return Solution(Value(1, plies), tuple(held), self._looked_at)
            if plies % 2 == 0:
                if not held:
                    return Solution(Value(-1, plies), tuple(longest), self._looked_at)
                longest = held
        raise AssertionError("no game lasts longer than there are squares")

    def _holds(self, lost: Layer, move: Move) -> bool:
        """Whether the opponent has lost after a move, or can't win yet: see `_lost`."""
        to, block = (self._index[cell] for cell in move)
        opponent = self._index[self._position.pawn(1 - self._position.to_move)]
        return bool(lost[block, opponent] >> np.uint32(to) & np.uint32(1))

    def _lost(self, plies: int) -> Layer:
        """The layer after one ply, looking so many ahead.

        The search ends at the turn of a player who hasn't moved for so many plies, who has lost
        there only if there's no step. With an odd number that's the opponent: what counts as lost
        is lost. With an even number it's us: whatever isn't counted as lost is won by then.
        """
        cells = len(self._cells)
        layers = range(plies, 0, -1)
        needed = max(
            self._bytes(count) + self._bytes(count + 1) * (count < plies) for count in layers
        )
        if needed > self._memory:
            raise NotSolvable(
                f"looking {plies} plies ahead takes {needed / GB:.1f} GB of memory, "
                f"and the limit is {self._memory / GB:.1f} GB"
            )
        layer = np.zeros((1, cells), dtype=np.uint32)
        for count in layers:
            below, layer = layer, np.zeros((comb(cells, count), cells), dtype=np.uint32)
            solve_layer(
                *(layer, below, self._near, self._choose, cells, count, int(count == plies))
            )
            self._looked_at += len(layer)
            if self._progress:
                self._progress(plies, count)
        return layer

    def _bytes(self, count: int) -> int:
        return 4 * len(self._cells) * comb(len(self._cells), count)
