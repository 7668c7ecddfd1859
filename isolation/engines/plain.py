"""An engine in plain Python, for machines without numba: alpha-beta over the rules themselves."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from isolation.engines.engine import (
    FULL_STRENGTH,
    OVER,
    Decision,
    Engine,
    Handicap,
    Limits,
    Note,
    Report,
)
from isolation.engines.lines import Lines
from isolation.engines.scores import MATE, PROVEN
from isolation.rules import Move, Position
from isolation.rules.grid import bits
from isolation.rules.pawns import PawnPosition
from isolation.rules.slider import Slider

MAX_DEPTH = 60
UNLIMITED = 1 << 62


class OutOfTime(Exception):
    """The limits are reached, or the stop flag is set."""


class PlainEngine(Engine):
    """Small and slow, and knows all games. It plays every level at full strength."""

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
        self._begin(limits, history)
        count = position.count_moves()
        self._only = set(limits.moves)
        size = len(self._only) or count
        best = Lines(min(lines, size), report, is_partial=size < count)
        enough = UNLIMITED if limits.enough is None else limits.enough
        begun = time.perf_counter()
        with suppress(OutOfTime):
            for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
                if depth > 1 and time.perf_counter() - begun > enough:
                    break
                for _ in range(best.deepen()):
                    self._search_line(position, best, depth)
                self._may_stop = True
        return [replace(line, nodes=self._nodes) for line in best.best]

    def _begin(self, limits: Limits, history: Sequence[Position]) -> None:
        self._stopped, self._may_stop, self._nodes = False, False, 0
        if limits.stop:
            limits.stop.when_set(self._stop)
        self._node_limit = limits.nodes or UNLIMITED
        self._deadline = (
            time.perf_counter() + limits.seconds if limits.seconds is not None else None
        )
        self._past = {before.repetition_key for before in history}

    def _search_line(self, position: Position, lines: Lines, depth: int) -> None:
        """Find the best move beside those already taken, and add what comes of it."""
        self._taken = {line.move for line in lines.taken}
        self._first = lines.expected.move if lines.expected else None
        self._kept: tuple[int, tuple[Move, ...]] = -MATE, ()
        try:
            self._value(position, depth, -MATE, MATE, 0)
        except OutOfTime:
            if self._kept[0] > -PROVEN:  # a loss would say nothing about the moves not searched
                self._add_kept(lines, depth)
            raise
        self._add_kept(lines, depth)

    def _add_kept(self, lines: Lines, depth: int) -> None:
        score, moves = self._kept
        lines.add(Decision(moves[0], score, depth, self._nodes, moves))

    def _value(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, tuple[Move, ...]]:
        self._count()
        if (end := self._end(position, ply)) is not None:
            return end, ()
        if depth <= 0:
            return evaluate(position), ()
        best = -MATE
        best_line: tuple[Move, ...] = ()
        for list_moves in (_promising, _others):
            for move in list_moves(position) if ply else self._root_moves(list_moves(position)):
                value, line = self._value(position.after(move), depth - 1, -beta, -alpha, ply + 1)
                if -value > best:
                    best, best_line = -value, (move, *line)
                    if ply == 0:
                        self._kept = best, best_line
                    alpha = max(alpha, best)
                    if alpha >= beta:
                        return best, best_line
            if best > -PROVEN:
                break
        return best, best_line

    def _root_moves(self, moves: list[Move]) -> list[Move]:
        """Those to be considered and not taken by a line, the expected one first."""
        return sorted(
            (
                move
                for move in moves
                if move not in self._taken and (not self._only or move in self._only)
            ),
            key=lambda move: move != self._first,
        )

    def _end(self, position: Position, ply: int) -> int | None:
        """The score of a game that is over, if it is."""
        outcome = position.outcome()
        if outcome and outcome.winner is not None:
            return MATE - ply if outcome.winner == position.to_move else ply - MATE
        has_been = position.repetition_limit and position.repetition_key in self._past
        return 0 if outcome or (ply and has_been) else None

    def _stop(self) -> None:
        self._stopped = True

    def _count(self) -> None:
        self._nodes += 1
        if self._may_stop and (
            self._stopped
            or self._nodes >= self._node_limit
            or (self._deadline is not None and time.perf_counter() >= self._deadline)
        ):
            raise OutOfTime


def evaluate(position: Position) -> int:
    """A guess at the value for the player to move."""
    return _EVALUATIONS.get(type(position), _mobility)(position)


def _mobility(position: Position) -> int:
    return 10 * (len(position.next_cells()) - len(position.discarded().next_cells()))


def race(position: Position) -> int:
    """How far the player to move is ahead in the race off the board."""
    left = [0, 0]
    for player, mask in enumerate(position.pieces):
        for cell in bits(mask):
            left[player] += position.grid.width - position.grid.column_row(cell)[player]
    return 10 * (left[1 - position.to_move] - left[position.to_move])


_EVALUATIONS: dict[type[Position], Callable[[Position], int]] = {Slider: race}


def _promising(position: Position) -> list[Move]:
    """The moves worth trying: all of them, but of a pawn game only those with a near block."""
    if not isinstance(position, PawnPosition):
        return position.legal_moves()
    opponent = position.pawn(1 - position.to_move)
    near = position.grid.king[opponent]
    for cell in bits(near):
        near |= position.grid.king[cell]
    moves: list[Move] = []
    for step in position.next_cells():
        blocks = position.next_cells((step,))
        chosen = [block for block in blocks if near >> block & 1] + blocks[:1]
        moves += [(step, block) for block in dict.fromkeys(chosen)] or [(step,)]
    return moves


def _others(position: Position) -> list[Move]:
    """The rest, to be searched before a position counts as lost."""
    promising = set(_promising(position))
    return [move for move in position.legal_moves() if move not in promising]
