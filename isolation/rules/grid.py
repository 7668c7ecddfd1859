"""Boards as bit sets: cells, their names, and who neighbours whom. Knows no game."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from isolation.rules.errors import InvalidPosition

KING = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
KNIGHT = ((-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2))

MAX_SIDE = 99

_NAME = re.compile(r"([a-z]{1,2})([1-9][0-9]?)", re.ASCII)


def bits(mask: int) -> list[int]:
    """The cells of a bit set, lowest first."""
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return cells


def mask_of(cells: Iterable[int]) -> int:
    """The bit set of some cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def column_name(column: int) -> str:
    """a to z, then aa, ab, ..."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def cell_name(column: int, row: int) -> str:
    """The algebraic name of a cell, whatever the size of its board."""
    return f"{column_name(column)}{row + 1}"


def column_row(name: str) -> tuple[int, int] | None:
    """The column and row that an algebraic name means, counted from 0 at the bottom left."""
    match = _NAME.fullmatch(name)
    if not match:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column - 1, int(match[2]) - 1


@dataclass(frozen=True)
class Grid:
    """A board of cells numbered from 0 at the bottom left, row by row upwards."""

    width: int
    height: int

    @cached_property
    def full(self) -> int:
        """Every cell of the board."""
        return (1 << self.width * self.height) - 1

    @cached_property
    def king(self) -> tuple[int, ...]:
        """For each cell, the cells a king's step away."""
        return self.reach(KING)

    @cached_property
    def knight(self) -> tuple[int, ...]:
        """For each cell, the cells a knight's step away."""
        return self.reach(KNIGHT)

    def reach(self, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        """For each cell, the cells one of these steps away, each as (right, up)."""
        return tuple(
            mask_of(
                self.cell(column + right, row + up)
                for right, up in steps
                if 0 <= column + right < self.width and 0 <= row + up < self.height
            )
            for row in range(self.height)
            for column in range(self.width)
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of every cell."""
        places = ((column, row) for row in range(self.height) for column in range(self.width))
        return tuple(cell_name(*place) for place in places)

    @cached_property
    def tables(self) -> dict[object, Any]:
        """What a game works out once for boards of this size, by what it is made for."""
        return {}

    def cell(self, column: int, row: int) -> int:
        return row * self.width + column

    def column_row(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.width)
        return column, row

    def name(self, cell: int) -> str:
        return self.names[cell]

    def find(self, name: str) -> int | None:
        """The cell of that name, or None where the board has no such cell."""
        place = column_row(name)
        if place and place[0] < self.width and place[1] < self.height:
            return self.cell(*place)
        return None

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return grid, (self.width, self.height)


def grid(width: int, height: int) -> Grid:
    """The one Grid of that size, so that its tables are made once; or InvalidPosition."""
    for side in (width, height):
        # A float would be found in the cache under the key of the whole number that it equals.
        if type(side) is not int or not 1 <= side <= MAX_SIDE:
            raise InvalidPosition(f"a board has 1 to {MAX_SIDE} rows and columns")
    return _grid(width, height)


@lru_cache(maxsize=256)
def _grid(width: int, height: int) -> Grid:
    return Grid(width, height)
