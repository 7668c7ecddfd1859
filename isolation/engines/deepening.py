"""Iterative deepening around a search core: the same search, one ply deeper each time.

A core keeps its counters in an array that this module and the core share, so that the clock, which
runs in a thread of its own, can stop a search in the middle.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Timer
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.counters import (
    ABORTED,
    EXCLUDED,
    FIRST,
    MAY_STOP,
    NODE_LIMIT,
    NODES,
    SCORE,
    STOP,
)
from isolation.engines.core.tables import NO_MOVE, age
from isolation.engines.engine import (
    FULL_STRENGTH,
    OVER,
    Decision,
    Engine,
    Handicap,
    Limits,
    Report,
)
from isolation.engines.lines import Lines
from isolation.engines.scores import MATE, PROVEN
from isolation.rules import Move, Position

MAX_DEPTH = 120
UNLIMITED = 1 << 62
TABLE_SIZE = 1 << 20  # entries of the transposition table: 16 MB
MOST_LINES = 64  # moves that a core can leave out at its root
WINDOW = 40  # how far around the last score the next search looks first


class Deepening(Engine):
    """An engine whose core searches to a given depth."""

    _counters: NDArray[np.int64]
    _space: NDArray[Any]  # the struct of the core, as an array of one
    _scores: dict[tuple[int, int], int]  # of each line, at the last odd depth and the last even one

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
    def _encode(self, move: Move) -> int: ...

    @abstractmethod
    def _decode(self, move: int) -> Move: ...

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
    ) -> list[Decision]:
        if position.outcome():  # which does not mean that there is no move
            raise ValueError(OVER)
        known = None if handicap.errs else self._known(position, limits)
        best = Lines(min(lines, position.count_moves(), MOST_LINES), report, known)
        if not best.deepen():
            return best.best
        self._choose_table(position, limits, handicap)
        self._prepare(position, history, handicap)
        with self._within(limits):
            self._deepen(best, min(limits.depth or MAX_DEPTH, MAX_DEPTH))
        nodes = int(self._counters[NODES])
        return [replace(line, nodes=nodes) for line in best.best]

    def _choose_table(self, position: Position, limits: Limits, handicap: Handicap) -> None:
        """A search for a time is never the same twice: only there is the table of use later."""
        if limits.nodes is limits.depth is None and not handicap.errs:
            self._renew_table(position)
        else:
            self._clear_table()

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

    def _prepare(self, position: Position, history: Sequence[Position], handicap: Handicap) -> None:
        self._space = self._lay_out(position, history)
        s = self._space[0]
        s["noise"], s["blind"], s["seed"] = handicap.noise, handicap.blind, handicap.seed
        self._counters = s["counters"]
        self._counters[NODE_LIMIT] = UNLIMITED
        self._counters[FIRST] = NO_MOVE
        self._scores = {}

    @contextmanager
    def _within(self, limits: Limits) -> Iterator[None]:
        """Let the clock, the count of nodes and the stop flag end what is searched in here."""
        counters = self._counters
        counters[NODE_LIMIT] = limits.nodes or UNLIMITED

        def stop() -> None:
            counters[STOP] = 1

        if limits.stop:
            limits.stop.when_set(stop)
        if limits.seconds is None:
            yield
            return
        timer = Timer(limits.seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _deepen(self, lines: Lines, max_depth: int) -> None:
        for depth in range(1, max_depth + 1):
            self._counters[MAY_STOP] = depth > 1
            missing = lines.deepen()
            if not missing:
                return
            for _ in range(missing):
                self._search_line(lines, depth)
                if self._counters[ABORTED]:
                    return

    def _search_line(self, lines: Lines, depth: int) -> None:
        """Find the best move beside those already taken, and add what comes of it."""
        excluded = [self._encode(line.move) for line in lines.taken]
        self._space[0]["excluded"][: len(excluded)] = excluded
        self._counters[EXCLUDED] = len(excluded)
        expected = lines.expected
        self._counters[FIRST] = self._encode(expected.move) if expected else NO_MOVE
        # Who moves last is favoured, so scores alternate from depth to depth.
        like = len(excluded), depth % 2
        score, line = self._aspire(depth, self._scores.get(like, 0))
        # Cut short, a search has compared the expected move with some others. The best of them is
        # an answer, but if they all lose that says nothing about the rest.
        if line and (score > -PROVEN or not self._counters[ABORTED]):
            self._scores[like] = score
            moves = tuple(self._decode(move) for move in line)
            lines.add(Decision(moves[0], score, depth, int(self._counters[NODES]), moves))

    def _aspire(self, depth: int, guess: int) -> tuple[int, list[int]]:
        """Search a narrow window around the score two plies ago first, then the whole.

        The result is the best line, and its score: at least that, if time ran out in between.
        """
        score, line = 0, list[int]()
        windows = [(-MATE, MATE)]
        if depth >= 4 and abs(guess) < PROVEN:
            windows.insert(0, (guess - WINDOW, guess + WINDOW))
        for alpha, beta in windows:
            value = self._search(depth, alpha, beta)
            if self._counters[ABORTED]:
                value = int(self._counters[SCORE])
            if kept := self._line():
                score, line = value, kept
                self._counters[FIRST] = kept[0]
            if self._counters[ABORTED] or alpha < value < beta:
                break
        return score, line

    def _line(self) -> list[int]:
        """The best line found, as the core's moves."""
        s = self._space[0]
        return [int(move) for move in s["line"][0][: s["line_length"][0]]]
