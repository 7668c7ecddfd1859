"""The solved slider boards that an engine has at hand: made on demand, or found on disk."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread

from isolation.engines.solving.files import FOLDER, BadFile, TableFile, file_of
from isolation.engines.solving.slider import Board, SliderTable, TooLong
from isolation.rules import Position

ON_DEMAND = 1_100_000  # entries: a tenth of a second's work, and every board of 4 x 4
MOST_TABLES = 12  # a megabyte each at the most, but for those on disk


class _Making(Thread):
    """Reads or solves a board in the background, so that a search may go on without."""

    def __init__(self, make: Callable[[], SliderTable | None]) -> None:
        super().__init__(daemon=True)
        self._make = make
        self.table: SliderTable | None = None
        self.start()

    def run(self) -> None:
        with suppress(TooLong):
            self.table = self._make()


class Shelf:
    """Finds the table that has a position, and has small ones made."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._tables: list[SliderTable] = []
        self._missing: set[Board] = set()  # looked for in vain, and too large to be made
        self._making: dict[Board, _Making] = {}

    def find(self, position: Position, seconds: float | None = None) -> SliderTable | None:
        """The table that has this position, if it's there within that time."""
        rest = Board.rest(position)
        if not rest.is_possible or rest in self._missing:
            return None
        for table in self._tables:
            if table.board.covers(rest):
                return self._keep(table)
        making = self._making.get(rest)
        if making is None:
            making = _Making(partial(self._get, rest, Board.whole(position)))
            self._making[rest] = making
        making.join(seconds)
        if not making.is_alive():
            del self._making[rest]
            if making.table:
                return self._keep(making.table)
            self._missing.add(rest)
        return None

    def _get(self, rest: Board, whole: Board) -> SliderTable | None:
        for most in range(max(rest.pieces), rest.grid.width):
            if table := self._read(replace(rest, pieces=(most, most))):
                return table
        board = whole if whole.covers(rest) and whole.size <= ON_DEMAND else rest
        return SliderTable(board).solve() if board.size <= ON_DEMAND else None

    def _read(self, board: Board) -> SliderTable | None:
        try:
            table = TableFile(self._folder / file_of(board).name).read()
        except (BadFile, OSError):
            return None
        return table if table and table.board == board else None

    def _keep(self, table: SliderTable) -> SliderTable:
        """Those used last come first, and the others are forgotten some day."""
        others = [other for other in self._tables if other is not table]
        self._tables = [table, *others][:MOST_TABLES]
        return table
