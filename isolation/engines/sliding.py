"""The engine for slider: it lays a position and its history out for the compiled core."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.sliders import (
    BLOCKED,
    EMPTY,
    MAX_CELLS,
    MAX_SIZE,
    MOST_PAST,
    PASS,
    SPACE,
    perft_root,
    search_root,
)
from isolation.engines.deepening import Deepening
from isolation.engines.engine import (
    FULL_STRENGTH,
    OVER,
    Decision,
    Handicap,
    Limits,
    Note,
    Report,
)
from isolation.engines.solving.choosing import decide
from isolation.engines.solving.shelf import Shelf
from isolation.engines.solving.slider import SliderTable
from isolation.rules import Move, Position
from isolation.rules.grid import Grid, bits

NO_WAY = 40  # steps, where blocks leave none
PATIENCE = 0.7  # the share of its time that a search waits for a board to be solved

# Distance, barred, stuck, tempo, piece: one that's still there can be in the way, so leaving gains
# little. Against (10, 8, 6, 5, 0) before: 72 % [57, 84] of 40 games at 100 ms a move.
WEIGHTS = (10, 5, 16, 7, 8)

FORWARD_FIRST = (((1, 0), (0, 1), (0, -1)), ((0, 1), (-1, 0), (1, 0)))  # of H and of V


@lru_cache(maxsize=8)
def _layout(board: Grid) -> NDArray[Any]:
    """The struct of a board without pieces, to be copied for each search."""
    space = np.zeros(1, dtype=SPACE)
    s = space[0]
    size = board.width
    cells = size * size
    s["cells"] = cells
    s["board"].fill(EMPTY)
    for player in (0, 1):
        for cell in range(cells):
            place = board.column_row(cell)
            s["distance"][player, cell] = size - place[player]
            targets = []
            for right, up in FORWARD_FIRST[player]:
                column, row = place[0] + right, place[1] + up
                if (column if player == 0 else row) == size:
                    targets.append(cells)
                elif 0 <= column < size and 0 <= row < size:
                    targets.append(board.cell(column, row))
            s["step"][player, cell, : len(targets)] = targets
            s["step_count"][player, cell] = len(targets)
    lot = np.random.default_rng(20261117)
    s["zobrist"] = lot.integers(1, 1 << 63, size=(4, MAX_CELLS + 1), dtype=np.uint64)
    return space


@lru_cache(maxsize=8)
def _ways_round(board: Grid, blocked: int) -> NDArray[np.int16]:
    """For each player and cell, the steps to get off the board around the blocks."""
    empty = _layout(board)[0]
    cells = board.width * board.height
    ways = np.full((2, cells), NO_WAY, dtype=np.int16)
    for player, (steps, counts) in enumerate(zip(empty["step"], empty["step_count"], strict=True)):
        targets = {c: steps[c, : counts[c]].tolist() for c in bits(board.full & ~blocked)}
        reached, distance = {cells}, 0
        while reached:  # backwards from outside, a step at a time
            distance += 1
            reached = {c for c, to in targets.items() if not reached.isdisjoint(to)}
            for cell in reached:
                ways[player, cell] = distance
                del targets[cell]
    return ways


class SlidingEngine(Deepening):
    """Alpha-beta with the race and the repetitions in mind; what is solved needs no search."""

    def __init__(self, weights: Sequence[int] | None = None, knows_solved: bool = True) -> None:
        super().__init__()
        self._weights = weights or WEIGHTS
        self._avoided: frozenset[np.uint64] = frozenset()  # by all wins in the table
        self._shelf = Shelf() if knows_solved else None

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
        note: Note | None = None,
    ) -> list[Decision]:
        if position.outcome():
            raise ValueError(OVER)
        begun = time.perf_counter()
        if table := None if handicap.errs or limits.moves else self._solved(position, limits):
            return decide(table, position, history, lines, report)
        if limits.seconds is not None:
            left = max(0.0, limits.seconds - (time.perf_counter() - begun))
            limits = replace(limits, seconds=left)
        return super().analyse(position, limits, lines, history, handicap, report, note)

    def _solved(self, position: Position, limits: Limits) -> SliderTable | None:
        """The table for a board. A search that isn't for a time waits: it's to be repeatable."""
        if self._shelf is None:
            return None
        return self._shelf.find(position, limits.seconds and PATIENCE * limits.seconds)

    @staticmethod
    def has_room(position: Position) -> bool:
        """Whether the core can hold a board of this size: all public ones."""
        return position.grid.width <= MAX_SIZE

    def _lay_out(self, position: Position, history: Sequence[Position]) -> NDArray[Any]:
        space = _layout(position.grid).copy()
        s = space[0]
        if position.blocked:
            s["board"][bits(position.blocked)] = BLOCKED
            s["distance"][:, : s["cells"]] = _ways_round(position.grid, position.blocked)
        for player, mask in enumerate(position.pieces):
            cells = bits(mask)
            s["pieces"][player, : len(cells)] = cells
            s["piece_count"][player] = len(cells)
            s["board"][cells] = player
        s["weights"][: len(self._weights)] = self._weights
        counts = Counter(_key(s, before) for before in history if _can_return(before, position))
        # There isn't room for everything in a long game. A win may lead through a position that
        # has occurred once, but not through one that has occurred twice: those are kept.
        past = sorted(counts, key=counts.__getitem__)[-MOST_PAST:]
        s["past"][: len(past)] = past
        s["past_count"] = len(past)
        self._side, self._key = position.to_move, _key(s, position)
        self._past = frozenset(past)
        self._twice = {key for key in past if counts[key] + (key == self._key) >= 2}
        self._passes = int(getattr(position, "passes", 0))
        return space

    def _keep_table(self, position: Position) -> None:
        """Keep what was found on this board, unless a win may have become a tie since.

        A stored win goes through no position that had been there when it was found, and through
        each of its own once. So it holds unless one of those has been there twice by now.
        """
        realm = (position.game, position.grid, position.blocked)
        is_kept = self.memory.keep(realm, is_sound=self._twice <= self._avoided)
        self._avoided = self._avoided & self._past if is_kept else self._past

    def _search(self, space: NDArray[Any], depth: int, alpha: int, beta: int) -> int:
        return int(
            search_root(space, self._table, self._side, self._passes, depth, alpha, beta, self._key)
        )

    def perft(self, position: Position, depth: int) -> int:
        return int(perft_root(self._lay_out(position, ()), self._side, self._passes, depth))

    def _encode(self, move: Move) -> int:
        return move[0] << 10 | move[1] if move else PASS

    def _decode(self, move: int) -> Move:
        return () if move == PASS else (move >> 10, move & 1023)


def _key(s: Any, position: Position) -> np.uint64:
    key = int(s["zobrist"][2, 0]) if position.to_move else 0
    for player, mask in enumerate(position.pieces):
        for cell in bits(mask):
            key ^= int(s["zobrist"][player, cell])
    return np.uint64(key)


def _can_return(before: Position, now: Position) -> bool:
    """Whether the game can come back to a position: no piece has gone forward since."""
    return all(_progress(before, player) == _progress(now, player) for player in (0, 1))


def _progress(position: Position, player: int) -> tuple[int, ...]:
    """How far the pieces of a player are along its way, which none ever goes back."""
    places = (position.grid.column_row(cell) for cell in bits(position.pieces[player]))
    return tuple(sorted(place[player] for place in places))
