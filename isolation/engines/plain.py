"""An engine in plain Python, for machines without numba: alpha-beta over the rules themselves."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from isolation.engines.engine import FULL_STRENGTH, Decision, Handicap, Limits, Report
from isolation.rules import PASS, Move, Position
from isolation.rules.grid import bits
from isolation.rules.pawns import PawnPosition
from isolation.rules.slider import Slider

MATE = 30000
PROVEN = 29000
MAX_DEPTH = 60
UNLIMITED = 1 << 62


class OutOfTime(Exception):
    """The limits are reached, or the stop flag is set."""


class PlainEngine:
    """Small and slow, and knows all games."""

    def choose(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
    ) -> Decision:
        return self._deepen(position, limits, history, report, [])

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
    ) -> list[Decision]:
        share = replace(
            limits, seconds=limits.seconds / lines if limits.seconds is not None else None
        )
        found: list[Decision] = []
        for _ in range(min(lines, position.count_moves())):
            excluded = [decision.move for decision in found]
            found.append(self._deepen(position, share, history, None, excluded))
        return sorted(found, key=lambda decision: -decision.score)

    def _deepen(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position],
        report: Report | None,
        excluded: list[Move],
    ) -> Decision:
        self._stopped, self._may_stop, self._nodes = False, False, 0
        if limits.stop:
            limits.stop.when_set(self._stop)
        self._node_limit = limits.nodes or UNLIMITED
        self._deadline = (
            time.perf_counter() + limits.seconds if limits.seconds is not None else None
        )
        self._past = {before.repetition_key for before in history}
        roots = [move for move in _ordered(position) if move not in excluded]
        if not roots:
            raise ValueError("the game is over: there is nothing to choose")
        decision: Decision | None = None
        for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            try:
                decision = self._search_roots(position, roots, depth)
            except OutOfTime:
                break
            if report:
                report(decision)
            if abs(decision.score) >= PROVEN:
                break
            roots.remove(decision.move)
            roots.insert(0, decision.move)
            self._may_stop = True
        if decision is None:
            raise AssertionError("depth 1 is never cut short")
        return decision

    def _search_roots(self, position: Position, roots: list[Move], depth: int) -> Decision:
        best = -MATE - 1
        best_line: tuple[Move, ...] = (roots[0],)
        for move in roots:
            value, line = self._value(position.after(move), depth - 1, -MATE, -best, 1)
            if -value > best:
                best, best_line = -value, (move, *line)
        proven = None
        if abs(best) >= PROVEN and not isinstance(position, PawnPosition):
            proven = MATE - best if best > 0 else -(MATE + best)
        return Decision(best_line[0], best, depth, self._nodes, best_line, proven)

    def _value(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, tuple[Move, ...]]:
        self._count()
        outcome = position.outcome()
        if outcome:
            if outcome.winner is None:
                return 0, ()
            return (MATE - ply if outcome.winner == position.to_move else ply - MATE), ()
        if position.repetition_limit and position.repetition_key in self._past:
            return 0, ()
        if depth <= 0:
            return evaluate(position), ()
        best = -MATE
        best_line: tuple[Move, ...] = ()
        for move in _ordered(position):
            value, line = self._value(position.after(move), depth - 1, -beta, -alpha, ply + 1)
            if -value > best:
                best, best_line = -value, (move, *line)
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best, best_line

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


def _ordered(position: Position) -> list[Move]:
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
    return moves or ([PASS] if not position.outcome() else [])
