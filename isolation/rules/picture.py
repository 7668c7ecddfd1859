"""Boards as plain text: rows of characters, top row first. Knows bit sets and no game."""

from typing import NamedTuple

from isolation.rules.errors import InvalidPosition
from isolation.rules.grid import MAX_SIDE, Grid, bits, grid
from isolation.rules.words import shown

Masks = tuple[int, int, int]  # what each player has on the board, and what is blocked

_NO_ROWS = "a board is a list of rows, each a text"
_NO_SIZE = f"a board has 1 to {MAX_SIDE} rows and columns"


class Symbols(NamedTuple):
    """The characters of a drawn board."""

    players: str = "12"
    blocked: str = "X"
    empty: str = "."

    @property
    def drawn(self) -> str:
        return self.players + self.blocked


def draw_board(board: Grid, masks: Masks, symbols: Symbols) -> list[str]:
    """The rows of a board."""
    width = board.width
    cells = [symbols.empty] * (width * board.height)
    for mask, symbol in zip(masks, symbols.drawn, strict=True):
        for cell in bits(mask):
            cells[cell] = symbol
    return ["".join(cells[at : at + width]) for at in range(0, len(cells), width)][::-1]


def read_board(rows: object, symbols: Symbols) -> tuple[Grid, Masks]:
    """The board that some rows draw, or InvalidPosition."""
    lines = _checked(rows, symbols.drawn + symbols.empty)
    cells = "".join(reversed(lines))[::-1]  # the last cell is the highest bit
    first, second, blocked = (_mask(cells, symbol) for symbol in symbols.drawn)
    return grid(len(lines[0]), len(lines)), (first, second, blocked)


def _mask(cells: str, symbol: str) -> int:
    return int("".join("1" if drawn == symbol else "0" for drawn in cells), 2)


def _checked(rows: object, allowed: str) -> list[str]:
    if not isinstance(rows, (list, tuple)):
        raise InvalidPosition(_NO_ROWS)
    if not 1 <= len(rows) <= MAX_SIDE:
        raise InvalidPosition(_NO_SIZE)
    if not all(isinstance(row, str) for row in rows):
        raise InvalidPosition(_NO_ROWS)
    if not 1 <= len(rows[0]) <= MAX_SIDE:
        raise InvalidPosition(_NO_SIZE)
    for row in rows:
        if len(row) != len(rows[0]):
            raise InvalidPosition("the rows of a board are equally long")
        if strange := row.strip(allowed):
            raise InvalidPosition(f"{shown(strange[0])} is not one of {' '.join(allowed)}")
    return list(rows)
