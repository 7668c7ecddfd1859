"""Iterative deepening around a search core: the same search, one ply deeper each time.

A core keeps its counters in an array that this module and the core share, so that the clock, which
runs in a thread of its own, can stop a search in the middle.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from threading import Timer
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.counters import (
    ABORTED,
    EXCLUDED,
    MATE,
    MAY_STOP,
    NODE_LIMIT,
    NODES,
    PROVEN,
    STOP,
)
from isolation.engines.core.tables import age
from isolation.engines.engine import FULL_STRENGTH, Decision, Handicap, Limits, Report
from isolation.rules import Move, Position

OVER = "the game is over: there is nothing to choose"
MAX_DEPTH = 120
UNLIMITED = 1 << 62
TABLE_SIZE = 1 << 20  # entries of the transposition table: 16 MB
WINDOW = 40  # how far around the last score the next search looks first


class Deepening(ABC):
    """An engine whose core searches to a given depth."""

    _counters: NDArray[np.int64]
    _space: NDArray[Any]  # the struct of the core, as an array of one

    def __init__(self) -> None:
        self._table = np.zeros((TABLE_SIZE, 2), dtype=np.uint64)
        self._last: Position | None = None  # what the table is about

    @staticmethod
    @abstractmethod
    def has_room(position: Position) -> bool:
        """Whether the core can hold a board of this size."""

    @abstractmethod
    def _lay_out(self, position: Position, history: Sequence[Position]) -> NDArray[Any]:
        """The struct for a position, its counters at zero."""

    @abstractmethod
    def _search(self, depth: int, alpha: int, beta: int) -> int:
        """The score at that depth, within the window."""

    @abstractmethod
    def perft(self, position: Position, depth: int) -> int:
        """The count of move sequences by the core, to be compared with that of the rules."""

    @abstractmethod
    def _decode(self, move: int) -> Move: ...

    def choose(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
    ) -> Decision:
        known = self._known(position, limits) if handicap == FULL_STRENGTH else None
        if known is None:
            # A search for a time is never the same twice: only there what was found is kept.
            if limits.nodes is limits.depth is None and handicap == FULL_STRENGTH:
                self._renew_table(position)
            else:
                self._clear_table()
            self._prepare(position, history, handicap, [])
            return self._within(limits, report)
        if report:
            report(known)
        return known

    def _clear_table(self) -> None:
        self._table.fill(0)
        self._last = None

    def _renew_table(self, position: Position) -> None:
        """Keep what was found about this game: where cells are used up, nothing comes back."""
        last = self._last
        if (
            last is None
            or last.grid != position.grid
            or last.protected != position.protected
            or last.blocked == position.blocked
            or last.blocked & ~position.blocked
        ):
            self._clear_table()
        else:
            age(self._table)
        self._last = position

    def _known(self, position: Position, limits: Limits) -> Decision | None:
        """The answer where it needs no search."""
        return None

    def _prepare(
        self,
        position: Position,
        history: Sequence[Position],
        handicap: Handicap,
        excluded: list[int],
    ) -> None:
        if position.outcome():  # which does not mean that there is no move
            raise ValueError(OVER)
        self._space = self._lay_out(position, history)
        s = self._space[0]
        s["noise"], s["blind"], s["seed"] = handicap.noise, handicap.blind, handicap.seed
        s["excluded"][: len(excluded)] = excluded
        self._counters = s["counters"]
        self._counters[EXCLUDED] = len(excluded)

    def _line(self) -> list[int]:
        """The best line found, as the core's moves."""
        s = self._space[0]
        return [int(move) for move in s["line"][0][: s["line_length"][0]]]

    def _within(self, limits: Limits, report: Report | None) -> Decision:
        self._counters[NODE_LIMIT] = limits.nodes or UNLIMITED
        counters = self._counters

        def stop() -> None:
            counters[STOP] = 1

        if limits.stop:
            limits.stop.when_set(stop)
        timer = Timer(limits.seconds, stop) if limits.seconds is not None else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            return self._deepen(min(limits.depth or MAX_DEPTH, MAX_DEPTH), report)
        finally:
            if timer:
                timer.cancel()

    def _deepen(self, max_depth: int, report: Report | None) -> Decision:
        decision: Decision | None = None
        scores = [0, 0]  # at the last two depths: who moves last is favoured, so they alternate
        errs = bool(self._space[0]["blind"])
        for depth in range(1, max_depth + 1):
            self._counters[MAY_STOP] = depth > 1
            score = self._aspire(depth, scores[depth % 2])
            scores[depth % 2] = score
            line = self._line()
            nodes = int(self._counters[NODES])
            moves = tuple(self._decode(move) for move in line)
            if self._counters[ABORTED] and decision:
                decision = replace(decision, nodes=nodes)
                if line:
                    # A move that was found better before time was up is better than the last one.
                    self._best_move = line[0]
                    decision = replace(decision, move=moves[0], line=moves)
                break
            if not line:
                break
            self._best_move = line[0]
            proven = proven_plies(score)
            decision = Decision(moves[0], score, depth, nodes, moves, None if errs else proven)
            if report:
                report(decision)
            if proven is not None:
                break
        if decision is None:
            raise ValueError(OVER)
        return decision

    def _aspire(self, depth: int, guess: int) -> int:
        """Search a narrow window around the score two plies ago first, then the whole."""
        if depth >= 4 and abs(guess) < PROVEN:
            alpha, beta = guess - WINDOW, guess + WINDOW
            score = self._search(depth, alpha, beta)
            if self._counters[ABORTED] or alpha < score < beta:
                return score
        return self._search(depth, -MATE, MATE)

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
    ) -> list[Decision]:
        """The best few moves: each is searched for with those before it left out."""
        share = replace(
            limits,
            seconds=limits.seconds / lines if limits.seconds is not None else None,
            nodes=max(1, limits.nodes // lines) if limits.nodes is not None else None,
        )
        found: list[Decision] = []
        excluded: list[int] = []
        for _ in range(min(lines, position.count_moves())):
            self._clear_table()
            self._prepare(position, history, FULL_STRENGTH, excluded)
            found.append(self._within(share, None))
            excluded.append(self._best_move)
        return sorted(found, key=lambda decision: -decision.score)


def proven_plies(score: int) -> int | None:
    """The plies to a certain end: positive for a win, negative for a loss, None for a guess."""
    if abs(score) < PROVEN:
        return None
    return MATE - score if score > 0 else -(MATE + score)
