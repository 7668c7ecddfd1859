"""Positions on one line, as a FEN: the board, who is to move, and whatever else isn't as usual.

    2x3/6/6/6/6/6/6/3o2 x starts=fixed

Rows from the top, `x` and `o` for what Player 1 and Player 2 have on the board, `-` for blocked
squares, numbers for runs of empty ones. One form for all games, so it needs the game's key.
"""

import re
from dataclasses import fields
from typing import Any

from isolation.rules.errors import InvalidPosition
from isolation.rules.grid import MAX_SIDE
from isolation.rules.picture import Symbols, draw_board
from isolation.rules.position import Position
from isolation.rules.variants import Variant, find_variant
from isolation.rules.words import shown

_SYMBOLS = Symbols(players="xo", blocked="-", empty=".")
_RUN = re.compile(r"\.+")
_ROW = re.compile(r"(?=.)(?:(?:[1-9][0-9]?)?[xo-])*(?:[1-9][0-9]?)?")
_PLAIN_PLAYERS = "12"  # to move, in records written before there were FENs
_USAGE = "a FEN is rows joined by /, then the player to move, x or o"


def write_fen(position: Position) -> str:
    """The line; `read_fen` makes the position of it again."""
    usual = {field.name: field.default for field in fields(position)}
    values = {name: getattr(position, name) for name in position.extras}
    extras = [f"{name}={value}" for name, value in values.items() if value != usual[name]]
    rows = draw_board(position.grid, (*position.pieces, position.blocked), _SYMBOLS)
    board = "/".join(_RUN.sub(lambda run: str(len(run[0])), row) for row in rows)
    return " ".join([board, _SYMBOLS.players[position.to_move], *extras])


def read_fen(game: str, text: str) -> Position:
    """The position of that game that a line tells; InvalidOption or InvalidPosition."""
    variant = find_variant(game)
    return variant.position.from_dict(fen_data(variant, text))


def fen_data(variant: Variant, text: str) -> dict[str, Any]:
    """What a line tells, as `Position.to_dict` would, unchecked; or InvalidPosition."""
    if not isinstance(text, str):
        raise InvalidPosition(f"a FEN is a text, not {shown(text)}")
    board, *rest = text.split() or [""]
    player = rest[0] if rest else ""
    if player in ("x", "o"):
        rows, to_move = _rows(board, variant.position.symbols), _SYMBOLS.players.index(player)
    elif player in ("1", "2"):
        rows, to_move = board.split("/"), _PLAIN_PLAYERS.index(player)
    else:
        raise InvalidPosition(_USAGE)
    data = {"game": variant.key, "board": rows, "to_move": to_move}
    for word in rest[1:]:
        name, _, value = word.partition("=")
        if name in data:
            raise InvalidPosition(f"this FEN gives {shown(name)} twice")
        data[name] = _typed(variant.position.extras.get(name, ()), value)
    return data


def _rows(board: str, symbols: Symbols) -> list[str]:
    """The rows as the game itself draws them."""
    rows = board.split("/")
    if len(rows) > MAX_SIDE:
        raise InvalidPosition(f"a board has 1 to {MAX_SIDE} rows and columns")
    own = str.maketrans(_SYMBOLS.drawn + _SYMBOLS.empty, symbols.drawn + symbols.empty)
    return [_widened(row).translate(own) for row in rows]


def _widened(row: str) -> str:
    if len(row) > MAX_SIDE or not _ROW.fullmatch(row):
        raise InvalidPosition(
            f"{shown(row)} isn't a row of a FEN: write x, o, - and numbers of empty squares"
        )
    return re.sub(r"[0-9]{1,2}", lambda run: _SYMBOLS.empty * int(run[0]), row)


def _typed(allowed: Any, text: str) -> object:
    """The one of these values that is written so; else the text, for others to refuse."""
    return next((value for value in allowed if str(value) == text), text)
