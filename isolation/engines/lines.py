"""The best few moves of a position while a search goes deeper, the best first.

At each depth a search looks for the best move, then for the best of the others, and so on. What is
shown is a whole set at any time: the lines of this depth, then those of the last one that are
still missing. So a line never stands above one that was searched deeper.
"""

from dataclasses import replace
from itertools import takewhile

from isolation.engines.engine import Decision, Report
from isolation.engines.scores import GUESS, PROVEN
from isolation.rules import Move


class Lines:
    """What an engine knows so far; each change is reported with the number of its line, from 1."""

    def __init__(
        self,
        size: int,
        report: Report | None,
        known: Decision | None = None,
        is_partial: bool = False,
    ) -> None:
        """`is_partial` says that there are moves nobody looks at: then no loss is proven."""
        self.best: list[Decision] = []
        self._is_partial = is_partial
        self._lost: set[Move] = set()  # proven losses that aren't shown as such
        self._size = size
        self._report = report
        self._known = known
        self._last: list[Decision] = []
        self._deeper: list[Decision] = []
        if known:
            self._show([self._believed(known)])
            self._known = self.best[0]

    def deepen(self) -> int:
        """Begin the next depth; how many lines there are to be searched, none once all is known."""
        self._last = self.best
        self._deeper = list(takewhile(self._is_settled, self.best))
        return self._size - len(self._deeper)

    def _is_settled(self, line: Decision) -> bool:
        """Whether no deeper search can change a line, given that those above it are settled."""
        return line.proven is not None or line is self._known or line.move in self._lost

    @property
    def taken(self) -> list[Decision]:
        """The lines of this depth so far: the next one is the best of the other moves."""
        return self._deeper

    @property
    def expected(self) -> Decision | None:
        """What the last depth says that the next line is: to be searched first."""
        return next(iter(self._left_of(self._last)), None)

    def add(self, line: Decision) -> None:
        """The next line of this depth."""
        self._deeper = self._with(line)
        self._show_with(self._deeper)

    def improve(self, line: Decision) -> None:
        """What the next line is so far. It's shown, and taken only when it's added."""
        self._show_with(self._with(line))

    def _with(self, line: Decision) -> list[Decision]:
        return sorted([*self._deeper, self._believed(line)], key=lambda line: -line.score)

    def _believed(self, line: Decision) -> Decision:
        """Nothing is better than what is known to be best."""
        if self._known:
            line = replace(line, score=min(line.score, self._known.score))
        if self._is_partial and line.score <= -PROVEN:
            self._lost.add(line.move)
            line = replace(line, score=-GUESS)
        return line

    def _show_with(self, lines: list[Decision]) -> None:
        moves = {line.move for line in lines}
        rest = [line for line in self._last if line.move not in moves]
        self._show([*lines, *rest][: self._size])

    def _left_of(self, lines: list[Decision]) -> list[Decision]:
        moves = {line.move for line in self._deeper}
        return [line for line in lines if line.move not in moves]

    def _show(self, lines: list[Decision]) -> None:
        shown, self.best = self.best, lines
        for number, line in enumerate(lines, start=1):
            if self._report and shown[number - 1 : number] != [line]:
                self._report(number, line)
