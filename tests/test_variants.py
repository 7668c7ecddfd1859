"""The variants table and the options of its games."""

from random import Random
from typing import Any

import pytest

from isolation.rules import VARIANTS, Fault, InvalidOption, InvalidPosition, find_variant
from tests.playing import random_options


def test_the_five_games() -> None:
    assert list(VARIANTS) == ["classic", "knights", "isola", "slider", "linear"]
    for key, variant in VARIANTS.items():
        assert variant.key == variant.position.game == variant.start().game == key
        assert variant.title
        assert variant.summary
    assert {key for key, row in VARIANTS.items() if row.fault is Fault.DISCARD} == {"isola"}


def test_public_options_and_defaults() -> None:
    assert {key: variant.check({}) for key, variant in VARIANTS.items()} == {
        "classic": {"starts": "open"},
        "knights": {},
        "isola": {"size": 7, "starts": "open"},
        "slider": {"size": 6, "blocks": (), "first": "H"},
        "linear": {"length": 13, "first": 1},
    }


def test_an_unknown_game() -> None:
    for key in ("chess", "", None, 3, ["classic"]):
        with pytest.raises(InvalidOption, match="the games are classic, knights, isola"):
            find_variant(key)


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("isola", {"size": 8}, "size must be an odd number from 7 to 27, not 8"),
        ("isola", {"size": 5}, "size must be an odd number from 7 to 27, not 5"),
        ("isola", {"size": 29}, "size must be an odd number from 7 to 27, not 29"),
        ("isola", {"size": "7"}, "size must be an odd number from 7 to 27, not 7"),
        ("isola", {"size": True}, "size must be an odd number from 7 to 27, not True"),
        ("isola", {"size": 7.0}, "size must be an odd number from 7 to 27, not 7.0"),
        ("isola", {"size": None}, "size must be an odd number from 7 to 27, not None"),
        ("isola", {"size": 10**400}, "size must be an odd number from 7 to 27, not a huge number"),
        ("classic", {"starts": "shut"}, "starts must be open or fixed, not shut"),
        ("classic", {"starts": 1}, "starts must be open or fixed, not 1"),
        ("classic", {"width": 3}, "classic has no option width (it has: starts)"),
        ("knights", {"size": 3}, "knights has no option size (it has: none)"),
        ("linear", {"length": 2}, "length must be a number from 3 to 99, not 2"),
        ("linear", {"length": 100}, "length must be a number from 3 to 99, not 100"),
        ("linear", {"first": 3}, "first must be 1 or 2, not 3"),
        ("linear", {"first": True}, "first must be 1 or 2, not True"),
        ("slider", {"blocks": 3}, "blocks must be squares as column,row or by name"),
        ("slider", {"blocks": [3]}, "blocks must be squares as column,row or by name"),
        ("slider", {"blocks": [[1]]}, "blocks must be squares as column,row or by name"),
        ("slider", {"blocks": [[1, -1]]}, "blocks must be squares as column,row or by name"),
        ("slider", {"blocks": [[1.0, 1]]}, "blocks must be squares as column,row or by name"),
        ("slider", {"blocks": ["1,x"]}, "blocks must be squares as column,row or by name"),
        ("slider", {"blocks": ["999999999,1"]}, "blocks must be squares as column,row"),
        ("slider", {"blocks": [[10**400, 1]]}, "is not on the board"),
    ],
)
def test_bad_options_are_refused_with_the_range(
    game: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidOption) as refused:
        VARIANTS[game].start(**options)
    assert message in str(refused.value)


@pytest.mark.parametrize("size", ["7", None, 0, 20_000, 7.0])
def test_a_bad_option_is_refused_before_anything_is_drawn(size: Any) -> None:
    with pytest.raises(InvalidOption, match="size must be a number from 4 to 10"):
        VARIANTS["slider"].draw({"size": size, "blocks": "random"}, Random(1))


def test_a_board_of_a_broken_size_spoils_nothing() -> None:
    for side in (11.0, "11", None, True, 0, 100):
        with pytest.raises(InvalidPosition, match="a board has 1 to 99 rows and columns"):
            VARIANTS["knights"].position.start(width=side)
    assert len(VARIANTS["knights"].start().legal_moves()) == 99


@pytest.mark.parametrize("junk", [None, 3, "size", ["size"]])
def test_options_that_are_no_options(junk: Any) -> None:
    with pytest.raises(InvalidOption, match="options are named values"):
        VARIANTS["isola"].check(junk)


def test_options_are_written_and_read() -> None:
    lot = Random(5)
    for key, variant in VARIANTS.items():
        for _ in range(50):
            options = random_options(key, lot)
            for option in variant.options:
                assert option.read(option.write(options[option.name])) == options[option.name]


def test_options_drawn_by_lot_cover_their_range() -> None:
    lot = Random(6)
    drawn = [VARIANTS["slider"].draw({"blocks": "random", "size": 5}, lot) for _ in range(300)]
    blocks = [options["blocks"] for options in drawn]
    assert {len(places) for places in blocks} == {0, 1, 2, 3}
    inside = {(column, row) for column in (1, 2, 3) for row in (1, 2, 3)}
    assert {place for places in blocks for place in places} == inside
    sizes = {VARIANTS["isola"].draw({"size": "random"}, lot)["size"] for _ in range(300)}
    assert sizes == set(range(7, 28, 2))
    with pytest.raises(InvalidOption):
        VARIANTS["isola"].draw({"size": "large"}, lot)
