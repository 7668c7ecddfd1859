"""The API of the isola competition: what a competitor imports, by the names of its text.

    from IsolaGame import IPlayer, GameState, Position

A competitor is a class with `getNextMove(state)` and `getNextSteal(state)`, both returning a
Position. The method names are the text's own.
"""

from abc import ABC, abstractmethod

OPEN, TAKEN, PLAYER_1, PLAYER_2 = "1", "0", "A", "B"


class Position:
    """A row and a column. Row 0 is at the top, column 0 at the left."""

    __slots__ = ("_column", "_row")

    def __init__(self, rowNum: int = 0, colNum: int = 0) -> None:
        self._row = rowNum
        self._column = colNum

    def getRow(self) -> int:
        return self._row

    def getCol(self) -> int:
        return self._column

    def setRow(self, row: int) -> None:
        self._row = row

    def setCol(self, column: int) -> None:
        self._column = column

    def setRowCol(self, row: int, column: int) -> None:
        self._row, self._column = row, column

    def equals(self, position: "Position") -> bool:
        return self == position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self._row, self._column) == (other._row, other._column)

    def __hash__(self) -> int:
        return hash((self._row, self._column))

    def __repr__(self) -> str:
        return f"Position({self._row}, {self._column})"


class GameState:
    """The board as a competitor sees it, and what it may ask about it."""

    def __init__(self, board: list[list[str]], mine: Position, theirs: Position) -> None:
        self._board = board
        self._mine = mine
        self._theirs = theirs

    def getBoardInstance(self) -> list[list[str]]:
        """A copy of the board: 1 open, 0 occupied or stolen, A Player 1, B Player 2."""
        return [list(row) for row in self._board]

    def isValidSteal(self, position: Position) -> bool:
        return self._contains(position) and self.isMoveable(position)

    def isValidMove(self, frm: Position, to: Position) -> bool:
        """Whether `to` is open and one space away."""
        if not self._contains(to) or not self.isMoveable(to):
            return False
        rows, columns = abs(frm.getRow() - to.getRow()), abs(frm.getCol() - to.getCol())
        return max(rows, columns) == 1

    def isMoveable(self, position: Position) -> bool:
        """Whether a space on the board is open, wherever it is."""
        return self._board[position.getRow()][position.getCol()] == OPEN

    def Up(self, frm: Position) -> Position | None:
        return self._step(frm, -1, 0)

    def Down(self, frm: Position) -> Position | None:
        return self._step(frm, 1, 0)

    def Left(self, frm: Position) -> Position | None:
        return self._step(frm, 0, -1)

    def Right(self, frm: Position) -> Position | None:
        return self._step(frm, 0, 1)

    def UpLeft(self, frm: Position) -> Position | None:
        return self._step(frm, -1, -1)

    def UpRight(self, frm: Position) -> Position | None:
        return self._step(frm, -1, 1)

    def DownLeft(self, frm: Position) -> Position | None:
        return self._step(frm, 1, -1)

    def DownRight(self, frm: Position) -> Position | None:
        return self._step(frm, 1, 1)

    def getColumns(self) -> int:
        return len(self._board[0])

    def getRows(self) -> int:
        return len(self._board)

    def getMyPosition(self) -> Position:
        return Position(self._mine.getRow(), self._mine.getCol())

    def getOpponentPosition(self) -> Position:
        return Position(self._theirs.getRow(), self._theirs.getCol())

    def _contains(self, position: Position) -> bool:
        is_row = 0 <= position.getRow() < self.getRows()
        return is_row and 0 <= position.getCol() < self.getColumns()

    def _step(self, frm: Position, rows: int, columns: int) -> Position | None:
        to = Position(frm.getRow() + rows, frm.getCol() + columns)
        return to if self._contains(to) else None


class IPlayer(ABC):
    """What a competitor implements."""

    @abstractmethod
    def getNextMove(self, state: GameState) -> Position:
        """Where your piece goes."""

    @abstractmethod
    def getNextSteal(self, state: GameState) -> Position:
        """Which square you steal; your piece has moved already."""
