"""Slider boards solved for good: every position with up to so many pieces each.

A tie by repetition depends on what was before. A player who can win never comes back to a
position, so one that has occurred once changes nothing. To one that has occurred twice neither can
return without a tie: such positions are dead, and the values around them are worked out again.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.retrograde import solve_blocks
from isolation.engines.solving.piece_sets import LARGEST, PieceSets, count_sets, piece_sets
from isolation.engines.solving.values import Value, from_plies
from isolation.rules import Move, Position
from isolation.rules.grid import Grid

Progress = Callable[[int, int], None]  # rows that are done, and rows in all
Entries = NDArray[np.uint8]

NONE_DEAD = np.zeros((0, 3), dtype=np.int32)


class TooLong(Exception):
    """A game lasts longer than a table can tell."""


@dataclass(frozen=True)
class Board:
    """What a table is about: a board with its blocks, and how many pieces there can be."""

    grid: Grid
    blocked: int
    pieces: tuple[int, int]

    @classmethod
    def whole(cls, position: Position) -> Self:
        """For every position of a game on this board."""
        most = position.grid.width - 1
        return cls(position.grid, position.blocked, (most, most))

    @classmethod
    def rest(cls, position: Position) -> Self:
        """For the rest of this game."""
        first, second = (mask.bit_count() for mask in position.pieces)
        return cls(position.grid, position.blocked, (first, second))

    def covers(self, other: "Board") -> bool:
        if (self.grid, self.blocked) != (other.grid, other.blocked):
            return False
        return self.pieces[0] >= other.pieces[0] and self.pieces[1] >= other.pieces[1]

    @property
    def is_possible(self) -> bool:
        return self.grid.width <= LARGEST

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, players to move, columns."""
        cells = (self.grid.full & ~self.blocked).bit_count()
        rows, columns = (count_sets(cells, most) for most in self.pieces)
        return rows, 2, columns

    @property
    def size(self) -> int:
        """Entries of the table, which are its bytes."""
        rows, players, columns = self.shape
        return rows * players * columns

    def sets(self, player: int) -> PieceSets:
        return piece_sets(self.grid, self.blocked, player, self.pieces[player])


class SliderTable:
    """The values of all positions of a board, once `solve` has gone through its rows."""

    def __init__(self, board: Board, entries: Entries | None = None) -> None:
        self.board = board
        self.entries = np.zeros(board.shape, dtype=np.uint8) if entries is None else entries
        self._sets = board.sets(0), board.sets(1)

    def solve(self, begin: int = 0, progress: Progress | None = None) -> Self:
        """Fill in the rows from a given one on, those that need fewest steps first."""
        rows, columns = self._sets
        for top, bottom in rows.bounds[1:]:
            if top >= begin:
                blocks = [(top, bottom, left, right) for left, right in columns.bounds[1:]]
                self._fill(blocks, NONE_DEAD)
                if progress:
                    progress(bottom, len(rows.masks))
        return self

    def _fill(self, blocks: Sequence[Sequence[int]], dead: NDArray[np.int32]) -> None:
        rows, columns = self._sets
        places = np.array(blocks, dtype=np.int64).reshape(-1, 4)
        if not solve_blocks(self.entries, *rows.kernel, *columns.kernel, places, dead):
            raise TooLong

    def value(self, position: Position) -> Value:
        """For the player to move, in a game without a past. The game may be over."""
        outcome = position.outcome()
        if outcome:
            sign = 0 if outcome.winner is None else 1 if outcome.winner == position.to_move else -1
            return Value(sign)
        row, column = self._place(position)
        return from_plies(int(self.entries[row, position.to_move, column]))

    def _place(self, position: Position) -> tuple[int, int]:
        first, second = position.pieces
        return self._sets[0].numbers[first], self._sets[1].numbers[second]

    def moves(self, position: Position, twice: Sequence[Position] = ()) -> dict[Move, Value]:
        """What each legal move is worth, where some positions have occurred twice already."""
        row, column = self._place(position)
        top, bottom = self._sets[0].level(row)
        left, right = self._sets[1].level(column)
        dead = [
            (*at, before.to_move)
            for before, at in ((before, self._place(before)) for before in twice)
            if top <= at[0] < bottom and left <= at[1] < right
        ]
        if not dead:
            return self._moves(position)
        block = self.entries[top:bottom, :, left:right]
        saved = block.copy()
        try:
            block.fill(0)
            marks = np.array([(h, side, v) for h, v, side in dead], dtype=np.int32)
            self._fill([(top, bottom, left, right)], marks)
            return self._moves(position)
        finally:
            block[:] = saved

    def _moves(self, position: Position) -> dict[Move, Value]:
        after = ((move, position.after(move)) for move in position.legal_moves())
        return {move: self.value(child).before() for move, child in after}

    def line(self, position: Position, most: int = 64) -> list[Move]:
        """Best play from here: to the end, or as far as a win is being made."""
        moves: list[Move] = []
        while not position.outcome() and len(moves) < most and self.value(position).sign:
            values = self._moves(position)
            moves.append(max(values, key=lambda move: values[move].rank))
            position = position.after(moves[-1])
        return moves


def dead_positions(history: Sequence[Position], position: Position) -> list[Position]:
    """What has occurred twice, with as many pieces as now: a third time is a tie."""
    counts = [mask.bit_count() for mask in position.pieces]
    same = [
        before
        for before in (*history, position)
        if [mask.bit_count() for mask in before.pieces] == counts
    ]
    seen = Counter(before.repetition_key for before in same)
    return list({b.repetition_key: b for b in same if seen[b.repetition_key] >= 2}.values())
