"""Iterative deepening around a search core: the same search, one ply deeper each time.

A core keeps its counters in an array that this module and the core share, so that the clock, which
runs in a thread of its own, can stop a search in the middle.
"""

import time
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
    CHANGES,
    EXCLUDED,
    FIRST,
    MAY_STOP,
    NODE_LIMIT,
    NODES,
    SCORE,
    SELDEPTH,
    STOP,
)
from isolation.engines.core.tables import NO_MOVE
from isolation.engines.crew import Crew
from isolation.engines.engine import (
    FULL_STRENGTH,
    OVER,
    Decision,
    Engine,
    Handicap,
    Limits,
    Note,
    Progress,
    Report,
    Resources,
)
from isolation.engines.lines import Lines
from isolation.engines.scores import MATE, PROVEN
from isolation.engines.table import Table
from isolation.engines.watch import Watch
from isolation.rules import IllegalMove, Move, Position

MAX_DEPTH = 120
UNLIMITED = 1 << 62
MOST_LINES = 64  # moves that a core can leave out at its root, or look at alone
WINDOW = 40  # how far around the last score the next search looks first
NOTE_SECONDS = 1.0  # between two notes


class Deepening(Engine):
    """An engine whose core searches to a given depth."""

    _counters: NDArray[np.int64]
    _space: NDArray[Any]  # the struct of the core, as an array of one
    _scores: dict[tuple[int, int], int]  # of each line, at the last odd depth and the last even one
    _watch: Watch
    _crew: Crew

    def __init__(self) -> None:
        self.memory = Table()
        self._threads = 1

    @property
    def _table(self) -> NDArray[Any]:
        return self.memory.words

    def use(self, resources: Resources) -> None:
        self.memory.resize(resources.hash_mb)
        self._threads = resources.threads

    def forget(self) -> None:
        self.memory.clear()

    @staticmethod
    @abstractmethod
    def has_room(position: Position) -> bool:
        """Whether the core can hold a board of this size."""

    @abstractmethod
    def _lay_out(self, position: Position, history: Sequence[Position]) -> NDArray[Any]:
        """The struct for a position, its counters at zero."""

    @abstractmethod
    def _search(self, space: NDArray[Any], depth: int, alpha: int, beta: int) -> int:
        """The score of what is laid out there, at that depth, within the window."""

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
        note: Note | None = None,
    ) -> list[Decision]:
        if position.outcome():  # which does not mean that there is no move
            raise ValueError(OVER)
        self._begun = time.perf_counter()
        best = self._lines(position, limits, lines, handicap, report)
        if not best.deepen():
            return best.best
        self._prepare(position, history, handicap)
        is_free = limits.nodes is limits.depth is None and not handicap.errs
        self._choose_table(position, is_free)
        threads = self._threads - 1 if is_free else 0
        self._crew = Crew(self._search, self._space, threads, MAX_DEPTH)
        self._position, self._note, self._only = position, note, limits.moves
        self._shown, self._watch = best, Watch(self._look, bool(report or note))
        self._depth, self._number, self._seen, self._beta = 1, 1, 0, MATE
        self._noted = self._elapsed()
        with self._within(limits), self._watch, self._crew:
            self._deepen(best, limits)
        nodes = self._nodes
        return [replace(line, nodes=nodes) for line in best.best or self._any(position)]

    def _lines(
        self,
        position: Position,
        limits: Limits,
        lines: int,
        handicap: Handicap,
        report: Report | None,
    ) -> Lines:
        known = None if handicap.errs else self._known(position, limits)
        count, only = position.count_moves(), limits.moves
        if known and only and known.move not in only:
            known = None
        size = min(lines, len(only) or count, MOST_LINES)
        return Lines(size, report, known, bool(only) and len(only) < count)

    def _any(self, position: Position) -> list[Decision]:
        """An answer where a weak player has overlooked the only moves it may make."""
        move = self._only[0] if self._only else position.legal_moves()[0]
        return [Decision(move, 0, 1, 0, (move,))]

    def _choose_table(self, position: Position, is_free: bool) -> None:
        """A search for a time is never the same twice: only there is the table of use later."""
        if is_free:
            self._keep_table(position)
        else:
            self.memory.clear()

    def _keep_table(self, position: Position) -> None:
        """An entry is about a position however it came about, so all on this board are of use."""
        self.memory.keep((position.game, position.grid, position.protected))

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
        timer = Timer(max(0.0, limits.seconds - self._elapsed()), stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _elapsed(self) -> float:
        return time.perf_counter() - self._begun

    def _deepen(self, lines: Lines, limits: Limits) -> None:
        enough = float("inf") if limits.enough is None else limits.enough
        for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            self._counters[MAY_STOP] = depth > 1
            missing = lines.deepen()
            if not missing or (depth > 1 and self._elapsed() > enough):
                return
            for _ in range(missing):
                self._search_line(lines, depth)
                if self._counters[ABORTED]:
                    return

    def _search_line(self, lines: Lines, depth: int) -> None:
        """Find the best move beside those already taken, and add what comes of it."""
        taken = [self._encode(line.move) for line in lines.taken]
        self._leave_out(taken)
        expected = lines.expected
        with self._watch.lock:
            self._depth, self._number = depth, len(taken) + 1
            self._seen = int(self._counters[CHANGES])
        self._counters[FIRST] = self._encode(expected.move) if expected else NO_MOVE
        # Who moves last is favoured, so scores alternate from depth to depth.
        like = len(taken), depth % 2
        score, line, is_least = self._aspire(depth, self._scores.get(like, 0))
        # Cut short, a search has compared the expected move with some others. The best of them is
        # an answer, but if they all lose that says nothing about the rest.
        if line and (score > -PROVEN or not self._counters[ABORTED]):
            self._scores[like] = score
            with self._watch.lock:
                lines.add(self._decision(score, line, is_least))
                self._seen = int(self._counters[CHANGES])

    def _leave_out(self, taken: list[int]) -> None:
        """Tell the core which root moves to look at."""
        if self._only:
            moves = [move for move in map(self._encode, self._only) if move not in taken]
            self._counters[EXCLUDED] = -len(moves)
        else:
            moves = taken
            self._counters[EXCLUDED] = len(moves)
        self._space[0]["excluded"][: len(moves)] = moves

    def _aspire(self, depth: int, guess: int) -> tuple[int, list[int], bool]:
        """Search a narrow window around the score two plies ago first, then the whole.

        The result is the score, the best line, and whether it's worth more, maybe: that's so if
        time ran out after the first window was too low.
        """
        score, line, is_least = 0, list[int](), False
        windows = [(-MATE, MATE)]
        if depth >= 4 and abs(guess) < PROVEN:
            windows.insert(0, (guess - WINDOW, guess + WINDOW))
        for alpha, beta in windows:
            self._beta = beta
            value = self._search(self._space, depth, alpha, beta)
            if self._counters[ABORTED]:
                value = int(self._counters[SCORE])
            if kept := self._line():
                score, line, is_least = value, kept, value >= beta
                self._counters[FIRST] = kept[0]
            if self._counters[ABORTED] or alpha < value < beta:
                break
            self._tell_bound(value, kept)
        return score, line, is_least

    def _tell_bound(self, value: int, line: list[int]) -> None:
        """The score is outside the window: at least that with a line, at most that without."""
        with self._watch.lock:
            if line:
                self._shown.improve(self._decision(value, line, True))
                self._seen = int(self._counters[CHANGES])
            elif value > -PROVEN:
                self._tell_progress(value)

    def _look(self) -> None:
        """Tell of a better move within a depth; now and then, that the search goes on."""
        if line := self._glimpse():
            score = int(self._counters[SCORE])
            self._shown.improve(self._decision(score, line, score >= self._beta))
        elif self._elapsed() - self._noted >= NOTE_SECONDS:
            self._tell_progress()

    def _glimpse(self) -> list[int]:
        """The best line of a search that goes on, if it's another; none while it's written."""
        counters, changes = self._counters, int(self._counters[CHANGES])
        if changes == self._seen or changes % 2 or counters[SCORE] <= -PROVEN:
            return []
        line = self._line()
        if counters[CHANGES] != changes or not self._is_legal(line):
            return []
        self._seen = changes
        return line

    def _is_legal(self, line: list[int]) -> bool:
        """Whether a line that was read while the core writes is whole."""
        position = self._position
        try:
            for move in line:
                position = position.play(self._decode(move))
        except IllegalMove:
            return False
        return True

    def _tell_progress(self, most: int | None = None) -> None:
        self._noted = self._elapsed()
        if self._note:
            seldepth, fullness = int(self._counters[SELDEPTH]), self.memory.fullness
            self._note(Progress(self._number, self._depth, seldepth, self._nodes, fullness, most))

    @property
    def _nodes(self) -> int:
        return int(self._counters[NODES]) + self._crew.nodes

    def _decision(self, score: int, line: list[int], is_least: bool) -> Decision:
        moves = tuple(self._decode(move) for move in line)
        seldepth, fullness = int(self._counters[SELDEPTH]), self.memory.fullness
        return Decision(
            moves[0], score, self._depth, self._nodes, moves, seldepth, fullness, is_least
        )

    def _line(self) -> list[int]:
        """The best line found, as the core's moves."""
        s = self._space[0]
        return [int(move) for move in s["line"][0][: s["line_length"][0]]]
