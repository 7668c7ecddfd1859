"""Where a game begins: at the start that its options describe, or at any other legal position."""

from collections.abc import Mapping
from typing import Any

from isolation.rules.endings import ending_words
from isolation.rules.errors import InvalidOption, InvalidPosition
from isolation.rules.grid import Grid
from isolation.rules.position import Position
from isolation.rules.variants import Variant
from isolation.rules.words import shown


def set_up(
    variant: Variant, options: Mapping[str, Any], position: object = None
) -> tuple[dict[str, Any], Position]:
    """The options in canonical form and the first position; or InvalidOption, InvalidPosition.

    `position` is a Position, or what its `to_dict` writes. It tells the size of the board where
    the options don't; where both do, they must agree. Options that only describe an ordinary
    start, such as who moves first, don't count then.
    """
    if position is None:
        settled = variant.check(options)
        return settled, variant.position.start(**settled)
    if not isinstance(options, Mapping):
        raise InvalidOption(f"options are named values, not {shown(options)}")
    given = _checked(variant, position)
    settled = variant.check({**given.options(), **options})
    _check_fits(variant, settled, given)
    # Only now, since whether the game is over takes the tables of the board, vast ones too.
    if outcome := given.outcome():
        raise InvalidPosition(f"the game is over in this position: {ending_words(outcome)}")
    return settled, given


def _checked(variant: Variant, position: object) -> Position:
    """The position, as legal as one that came in as JSON."""
    if not isinstance(position, Position):
        return variant.position.from_dict(position)
    again = variant.position.from_dict(position.to_dict())
    if again != position:
        raise InvalidPosition("each square of a board has one thing on it at the most")
    return again


def _check_fits(variant: Variant, settled: dict[str, Any], position: Position) -> None:
    expected = variant.position.start(**settled).grid
    if position.grid != expected:
        raise InvalidPosition(
            f"this board is {_size(position.grid)}, but the game's is {_size(expected)}"
        )
    for name, value in position.options().items():
        if settled[name] != value:
            raise InvalidPosition(
                f"{name} is {value} in this position, but {settled[name]} in the options"
            )


def _size(board: Grid) -> str:
    return f"{board.width} x {board.height}"
