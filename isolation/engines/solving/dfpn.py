"""Proofs on demand: whether a position of classic, isola or knights is won or lost for sure."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.dfpn import (
    BEST,
    LIMIT,
    MAX_CELLS,
    MAX_PLY,
    NEVER,
    NODES,
    PAWNS,
    STOP,
    WIDEST,
    prove,
)
from isolation.engines.engine import OVER, Limits
from isolation.rules import Move, Position
from isolation.rules.knights import Knights
from isolation.rules.pawns import PawnPosition

TABLE_SIZE = 1 << 21  # entries: 32 MB
UNLIMITED = 1 << 62
WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found out: 1 if the player to move wins, -1 if it loses, 0 if nobody knows yet."""

    sign: int
    move: Move | None  # that wins
    nodes: int


class Prover:
    """Proof-number search, with a table of its own for each position."""

    def __init__(self, table_size: int = TABLE_SIZE) -> None:
        self._table = np.zeros((table_size, 2), dtype=np.uint64)

    @staticmethod
    def has_room(position: Position) -> bool:
        """Whether the prover knows the game, and can hold the board."""
        if isinstance(position, PawnPosition):
            return not position.protected and position.cell_count <= 64
        both = isinstance(position, Knights) and all(position.pieces)
        return both and position.cell_count <= MAX_CELLS

    def prove(self, position: Position, limits: Limits) -> Proof:
        """Who wins, if that can be shown within the limits (depth doesn't count)."""
        if position.outcome():
            raise ValueError(OVER)
        if not self.has_room(position):
            raise ValueError("only classic, isola and knights with both tokens placed are proven")
        self._table.fill(0)
        counters = np.zeros(8, dtype=np.int64)
        counters[LIMIT] = limits.nodes or UNLIMITED
        counters[PAWNS] = isinstance(position, PawnPosition)
        lists = [np.zeros((MAX_PLY, WIDEST), dtype=np.int32) for _ in range(3)]
        space = (_near(position), _keys(), self._table, counters, *lists)
        opened = position.grid.full & ~position.blocked
        words = np.uint64(opened & WORD), np.uint64(opened >> 64)
        me, opponent = (
            position.pieces[player].bit_length() - 1
            for player in (position.to_move, 1 - position.to_move)
        )
        with _within(limits, counters):
            phi, delta = prove(space, *words, me, opponent, 0, np.uint64(1), NEVER, NEVER)
        move = int(counters[BEST])
        cells = (move >> 10, move & 1023)[: position.cells_per_move]
        sign = 1 if phi == 0 else -1 if delta == 0 else 0
        return Proof(sign, cells if sign > 0 else None, int(counters[NODES]))


@contextmanager
def _within(limits: Limits, counters: NDArray[np.int64]) -> Iterator[None]:
    """Let the clock and the stop flag end the search."""

    def stop() -> None:
        counters[STOP] = 1

    if limits.stop:
        limits.stop.when_set(stop)
    timer = Timer(limits.seconds, stop) if limits.seconds is not None else None
    if timer:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        if timer:
            timer.cancel()


def _near(position: Position) -> NDArray[np.uint64]:
    grid = position.grid
    near = grid.king if isinstance(position, PawnPosition) else grid.knight
    return np.array([(cells & WORD, cells >> 64) for cells in near], dtype=np.uint64)


def _keys() -> NDArray[np.uint64]:
    lot = np.random.default_rng(20261118)
    return lot.integers(1, 1 << 63, size=(3, MAX_CELLS), dtype=np.uint64)
