"""Boards drawn in Unicode for a terminal. Knows how positions look, not how they are played."""

from collections.abc import Collection

from isolation.rules import Position
from isolation.rules.grid import column_name

_BOXED_WIDTH = 12  # wider boards are drawn without boxes
_WIDE = 100
_COLOURS = ("\x1b[1;36m", "\x1b[1;33m")  # of the two players
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"


def draw(
    position: Position, hints: Collection[int] = (), colour: bool = False, columns: int = _WIDE
) -> str:
    """The board, with the cells that may be touched next marked by a dot."""
    return _VIEWS[position.view](position, hints, colour, columns)


def _symbols(position: Position, hints: Collection[int], colour: bool) -> list[list[str]]:
    """A symbol for each cell, top row first: a player's letter, block, hint or nothing."""
    looks = dict(zip(position.symbols.drawn, (*position.symbols.players, "█"), strict=True))
    looks[position.symbols.empty] = " "
    if colour:
        for player, symbol in enumerate(position.symbols.players):
            looks[symbol] = _COLOURS[player] + symbol + _PLAIN
    rows = [[looks[symbol] for symbol in row] for row in position.rows()]
    for cell in hints:
        column, row = position.grid.column_row(cell)
        if row < len(rows) and rows[-1 - row][column] == " ":
            rows[-1 - row][column] = f"{_DIM}•{_PLAIN}" if colour else "•"
    return rows


def _grid(position: Position, hints: Collection[int], colour: bool, columns: int) -> str:
    rows = _symbols(position, hints, colour)
    width = position.grid.width
    drawing = _boxed if width <= _BOXED_WIDTH and 4 * width + 8 <= columns else _compact
    return "\n".join(drawing(rows))


def _boxed(rows: list[list[str]]) -> list[str]:
    width, height = len(rows[0]), len(rows)
    names = "    " + "".join(f" {column_name(column)}  " for column in range(width)).rstrip()
    top, middle, bottom = (
        f"   {left}{join.join(['───'] * width)}{right}"
        for left, join, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    lines = []
    for row, symbols in zip(range(height, 0, -1), rows, strict=True):
        cells = "│".join("███" if symbol == "█" else f" {symbol} " for symbol in symbols)
        lines += [middle, f"{row:2} │{cells}│ {row}"]
    return [names, top, *lines[1:], bottom, names]


def _compact(rows: list[list[str]]) -> list[str]:
    names = "   " + " ".join(column_name(column) for column in range(len(rows[0])))
    lines = [
        f"{row:2} " + " ".join("·" if symbol == " " else symbol for symbol in symbols) + f" {row}"
        for row, symbols in zip(range(len(rows), 0, -1), rows, strict=True)
    ]
    return [names, *lines, names]


def _strip(position: Position, hints: Collection[int], colour: bool, columns: int) -> str:
    """Squares in a row as the game's text draws them: `[ ] 1 [P1] 2 [ ] 3`."""
    owners = {"1": "P1", "2": "P2", ".": " "}
    squares = [
        f"[{owners[symbol]}] {number}" for number, symbol in enumerate(position.rows()[0], start=1)
    ]
    lines = [""]
    for square in squares:
        if len(lines[-1]) + len(square) >= columns:
            lines.append("")
        lines[-1] = f"{lines[-1]} {square}".strip()
    return "\n".join(lines)


_VIEWS = {"grid": _grid, "strip": _strip}
