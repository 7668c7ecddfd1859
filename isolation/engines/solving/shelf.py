"""The solved slider boards that an engine has at hand: made on demand, or found on disk."""

from pathlib import Path
from threading import Thread

from isolation.engines.solving.files import FOLDER, BadFile, TableFile, file_of
from isolation.engines.solving.slider import Board, SliderTable, TooLong
from isolation.rules import Position

ON_DEMAND = 1_100_000  # entries: a tenth of a second's work, and every board of 4 x 4
MOST_TABLES = 12  # a megabyte each at the most, but for those on disk


class _Making(Thread):
    """Solves a board in the background, so that a search may go on without."""

    def __init__(self, board: Board) -> None:
        super().__init__(daemon=True)
        self.board = board
        self.table: SliderTable | None = None
        self.start()

    def run(self) -> None:
        try:
            self.table = SliderTable(self.board).solve()
        except TooLong:
            return


class Shelf:
    """Finds the table that has a position, and has small ones made."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._tables: list[SliderTable] = []
        self._missing: set[Board] = set()  # on disk
        self._making: dict[Board, _Making] = {}

    def find(self, position: Position, seconds: float | None = None) -> SliderTable | None:
        """The table that has this position, if it's there within that time."""
        rest = Board.rest(position)
        if not rest.is_possible:
            return None
        for table in self._tables:
            if table.board.covers(rest):
                return self._keep(table)
        return self._on_disk(rest) or self._made(position, seconds)

    def _on_disk(self, rest: Board) -> SliderTable | None:
        for most in range(max(rest.pieces), rest.grid.width):
            board = Board(rest.grid, rest.blocked, (most, most))
            if board not in self._missing:
                if table := self._read(board):
                    return self._keep(table)
                self._missing.add(board)
        return None

    def _read(self, board: Board) -> SliderTable | None:
        try:
            table = TableFile(self._folder / file_of(board).name).read()
        except (BadFile, OSError):
            return None
        return table if table and table.board == board else None

    def _made(self, position: Position, seconds: float | None) -> SliderTable | None:
        whole, rest = Board.whole(position), Board.rest(position)
        board = whole if whole.covers(rest) and whole.size <= ON_DEMAND else rest
        if board.size > ON_DEMAND:
            return None
        making = self._making.get(board) or self._making.setdefault(board, _Making(board))
        making.join(seconds)
        if making.table:
            del self._making[board]
            self._keep(making.table)
        return making.table

    def _keep(self, table: SliderTable) -> SliderTable:
        """Those used last come first, and the others are forgotten some day."""
        others = [other for other in self._tables if other is not table]
        self._tables = [table, *others][:MOST_TABLES]
        return table
