"""Boards as plain text: rows of characters, top row first. Knows bit sets and no game."""

from typing import NamedTuple

from isolation.rules.errors import InvalidPosition
from isolation.rules.grid import MAX_SIDE, Grid, bits, grid, mask_of
from isolation.rules.words import shown

Masks = tuple[int, int, int]  # what each player has on the board, and what is blocked


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
    cells = "".join(reversed(lines))
    first, second, blocked = (
        mask_of(cell for cell, drawn in enumerate(cells) if drawn == symbol)
        for symbol in symbols.drawn
    )
    return grid(len(lines[0]), len(lines)), (first, second, blocked)


def _checked(rows: object, allowed: str) -> list[str]:
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, str) for row in rows):
        raise InvalidPosition("a board is a list of rows, each a text")
    if not 1 <= len(rows) <= MAX_SIDE or not 1 <= len(rows[0]) <= MAX_SIDE:
        raise InvalidPosition(f"a board has 1 to {MAX_SIDE} rows and columns")
    for row in rows:
        if len(row) != len(rows[0]):
            raise InvalidPosition("the rows of a board are equally long")
        for symbol in row:
            if symbol not in allowed:
                raise InvalidPosition(f"{shown(symbol)} is not one of {' '.join(allowed)}")
    return list(rows)
