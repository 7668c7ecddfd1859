"""Positions on one line: the rows of the board, top row first, who is to move, and any extras.

..1.../....../....../....../....../....../....../...2.. 1 starts=fixed
"""

from dataclasses import fields
from typing import Any

from isolation.rules.errors import InvalidPosition
from isolation.rules.position import Position
from isolation.rules.variants import Variant
from isolation.rules.words import shown


def write_position(position: Position) -> str:
    """The line; `read_position` makes the position of it again."""
    usual = {field.name: field.default for field in fields(position)}
    values = {name: getattr(position, name) for name in position.extras}
    extras = [f"{name}={value}" for name, value in values.items() if value != usual[name]]
    return " ".join(["/".join(position.rows()), str(position.to_move + 1), *extras])


def read_position(variant: Variant, line: str) -> Position:
    """The position that a line tells, or InvalidPosition."""
    return variant.position.from_dict(position_data(variant, line))


def position_data(variant: Variant, line: str) -> dict[str, Any]:
    """What a line tells, as `Position.to_dict` would, unchecked; or InvalidPosition."""
    if not isinstance(line, str):
        raise InvalidPosition(f"a position is written as text, not {shown(line)}")
    board, *rest = line.split() or [""]
    if not rest or rest[0] not in ("1", "2"):
        raise InvalidPosition("a position is rows joined by /, then the player to move, 1 or 2")
    data = {"game": variant.key, "board": board.split("/"), "to_move": int(rest[0]) - 1}
    for word in rest[1:]:
        name, _, text = word.partition("=")
        if name in data:
            raise InvalidPosition(f"this position gives {shown(name)} twice")
        data[name] = _typed(variant.position.extras.get(name, ()), text)
    return data


def _typed(allowed: Any, text: str) -> object:
    """The one of these values that is written so; else the text, for others to refuse."""
    return next((value for value in allowed if str(value) == text), text)
