"""Games from any position: what is kept, what is refused, and positions as FENs."""

import json
import re
from contextlib import suppress
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation.rules import (
    VARIANTS,
    GameRecord,
    InvalidOption,
    InvalidPosition,
    InvalidRecord,
    Position,
    read_fen,
    read_record,
    write_fen,
    write_record,
)
from isolation.rules.classic import Classic
from isolation.rules.isola import Isola
from isolation.rules.knights import Knights
from isolation.rules.linear import Linear
from isolation.rules.slider import Slider
from tests.playing import begun_records, games, positions

STUCK = Slider.from_picture("+ B + +\nH V B +\nB + + +\n+ + + +", to_move=0, passes=1)


@given(begun_records())
def test_a_game_from_a_position_replays(record: GameRecord) -> None:
    start = record.positions[0]
    is_ordinary = start == record.variant.start(**record.options)
    assert record.start == (None if is_ordinary else start)
    assert read_record(write_record(record)) == record
    assert GameRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record
    again = GameRecord.begin(record.variant.key, position=start.to_dict())
    assert again.positions[0] == start
    if record.turns:
        assert record.take_back(len(record.turns)).start == record.start


@given(positions())
def test_a_fen_tells_any_position(position: Position) -> None:
    fen = write_fen(position)
    assert fen.isascii()
    assert fen.isprintable()
    assert len(fen.split()[0]) <= position.cell_count + position.grid.height
    assert read_fen(position.game, fen) == position
    assert write_fen(read_fen(position.game, fen)) == fen


@given(games, st.text(alphabet="xo-/0123456789 .=12HVABX+", max_size=40))
def test_junk_is_no_fen(game: str, junk: str) -> None:
    """Nothing else comes of it: a position that has a FEN of its own, or a refusal."""
    with suppress(InvalidPosition):
        position = read_fen(game, junk)
        assert read_fen(game, write_fen(position)) == position


@given(begun_records())
def test_older_records_still_open(record: GameRecord) -> None:
    """They drew the board as the game does, without counting empty squares."""
    if record.start:
        _, _, *extras = write_fen(record.start).split()
        drawn = " ".join(["/".join(record.start.rows()), str(record.start.to_move + 1), *extras])
        text = write_record(record)
        assert read_record(text.replace(write_fen(record.start), drawn)) == record


def test_a_fen_shows_only_what_is_unusual() -> None:
    assert write_fen(STUCK) == "1-2/xo-1/-3/4 x passes=1"
    assert write_fen(VARIANTS["classic"].start()) == "2x3/6/6/6/6/6/6/3o2 x"
    assert write_fen(VARIANTS["isola"].start(size=27)).startswith("13x13/27/27/")
    assert write_fen(VARIANTS["linear"].start(first=2)) == "13 o"
    fixed = Classic.from_picture("1 .\n. 2", to_move=1, starts="fixed")
    assert write_fen(fixed) == "x1/1o o starts=fixed"
    placed = Knights.start().play((37,))
    assert write_fen(placed) == "11/11/11/11/11/4x6/11/11/11 o"


def test_a_position_is_a_header() -> None:
    record = GameRecord.begin("slider", {"size": 4}, {"Player1": "Ann"}, STUCK).replay(["a3-a4"])
    text = write_record(record)
    assert '[Position "1-2/xo-1/-3/4 x passes=1"]\n[Player1 "Ann"]\n' in text
    assert record.to_dict()["position"] == STUCK.to_dict()


def test_the_ordinary_start_is_no_position() -> None:
    start = VARIANTS["isola"].start(size=9)
    record = GameRecord.begin("isola", {"size": 9}, position=start.to_dict())
    assert record == GameRecord.begin("isola", {"size": 9})
    assert record.start is None
    assert record.to_dict()["position"] is None
    assert "[Position" not in write_record(record)


def test_a_position_tells_the_size_where_the_options_do_not() -> None:
    fixed = Isola.start(size=11, starts="fixed")
    assert GameRecord.begin("isola", position=fixed).options == {"size": 11, "starts": "fixed"}
    row = Linear.from_picture("1 . . . . . .", to_move=1)
    assert GameRecord.begin("linear", position=row).options == {"length": 7, "first": 1}
    assert GameRecord.begin("slider", position=STUCK).options["size"] == 4


def test_options_of_an_ordinary_start_do_not_count() -> None:
    record = GameRecord.begin("slider", {"blocks": ["d4"], "first": "V"}, position=STUCK)
    assert record.position == STUCK
    assert read_record(write_record(record)) == record


OVER = Slider.from_picture("+ + + +\n+ + + +\n+ V + +\n+ + + +")
SHUT_IN = "\n".join(["1 X . . . .", "X X . . . .", *[". . . . . ."] * 5, ". . . 2 . ."])
OVERLAP = Linear(Linear.start(length=7).grid, (1, 1), 0, 0)


@pytest.mark.parametrize(
    ("game", "options", "position", "message"),
    [
        ("isola", {"size": 9}, Isola.start(size=7), "this board is 7 x 7, but the game's is 9 x 9"),
        ("isola", {}, Isola.from_picture("A . .\n. . .\n. . B"), "size must be an odd number"),
        ("isola", {"size": 7}, Isola.from_picture("A B"), "this board is 2 x 1, but"),
        ("classic", {}, Classic.start(width=7), "this board is 7 x 8, but the game's is 6 x 8"),
        ("knights", {}, Knights.start(width=9), "this board is 9 x 9, but the game's is 11 x 9"),
        ("linear", {"length": 9}, Linear.start(length=7), "this board is 7 x 1, but"),
        ("slider", {"size": 6}, STUCK, "this board is 4 x 4, but the game's is 6 x 6"),
        ("classic", {}, Isola.start(size=7), "this is not a classic position"),
        ("classic", {"starts": "fixed"}, Classic.start(), "starts is open in this position, but"),
        ("slider", {}, OVER, "the game is over in this position: Player 1 brought all pieces off"),
        ("classic", {}, Classic.from_picture(SHUT_IN), "over in this position: Player 1 has no mo"),
        ("linear", {}, OVERLAP, "each square of a board has one thing on it at the most"),
        ("slider", {"blocks": ["a3"], "size": 4}, STUCK, "block 0,2 is where a piece starts"),
        ("slider", [4], STUCK, "options are named values, not (4)"),
        ("linear", {}, [], "a position is an object with named fields, not a list"),
        ("linear", {}, {"game": "linear", "board": ["." * 5]}, "a position needs to_move"),
    ],
)
def test_positions_that_do_not_fit(game: str, options: Any, position: Any, message: str) -> None:
    with pytest.raises((InvalidPosition, InvalidOption)) as refused:
        GameRecord.begin(game, options, None, position)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "a FEN is rows joined by /, then the player to move, x or o"),
        ("1-2/xo-1/-3/4", "a FEN is rows joined by /"),
        ("1-2/xo-1/-3/4 w", "a FEN is rows joined by /"),
        ("1-2/xo-1/-3/4 x passes=3", "passes is one of 0, 1, 2, not 3"),
        ("1-2/xo-1/-3/4 x passes", "passes is one of 0, 1, 2, not "),
        ("1-2/xo-1/-3/4 x passes=1 passes=0", "this FEN gives passes twice"),
        ("1-2/xo-1/-3/4 x colour=red", "a slider position has no colour"),
        ("1-2/xo-1/-3/3 x", "the rows of a board are equally long"),
        ("1-2/xo?1/-3/4 x", "xo?1 isn't a row of a FEN: write x, o, -"),
        ("1-2/xo-01/-3/4 x", "isn't a row of a FEN"),
        ("1-2//-3/4 x", "isn't a row of a FEN"),
        ("100/xo-1/-3/4 x", "isn't a row of a FEN"),
        ("1-2/xo-1/-3/4 x passes=2", "a player who can move can't have passed"),
        ("4/4/4/4 x", "only one player can have left the board"),
        ("+B++/HVB+/B+++/++++ 3", "a FEN is rows joined by /"),
        ("+B++/HV?+/B+++/++++ 1", "? is not one of H V B +"),
    ],
)
def test_lines_that_tell_no_position(line: str, message: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        read_record(f'[Game "slider"]\n[Position "{line}"]\n\n*')
    assert message in str(refused.value)
    with pytest.raises(InvalidPosition):
        read_fen("slider", line)


@pytest.mark.parametrize(
    ("game", "fen", "message"),
    [
        ("classic", "2x3/6/3o1x x", "each player has one pawn"),
        ("classic", "1-1/x1o/3 x starts=fixed", "a fixed start square can't be blocked"),
        ("knights", "3/1o1/3 x", "Player 1 places a token first"),
        ("knights", "3/1x1/3 x", "Player 2 is to move"),
        ("linear", "x1x2 o", "the players claim squares in turn"),
        ("linear", "xo3 x", "neighbouring squares"),
        ("linear", "x-2 o", "no blocked squares"),
        ("linear", "2x2/5 o", "a single row"),
        ("isola", "x2/3/2o x passes=0", "isola position has no passes"),
        ("slider", "x1/1o/2 x", "a slider board is square"),
    ],
)
def test_impossible_positions_are_refused(game: str, fen: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=re.escape(message)):
        read_fen(game, fen)


def test_absurd_boards_are_refused_at_once() -> None:
    """The tables of a board of 99 x 99 take a second; it is refused before they are made."""
    begun = perf_counter()
    for rows in (
        ["."] * 10**6,
        ["." * 10**6],
        ["." * 99] * 99,
        [".1" + "." * 97] + ["." * 99] * 98,
    ):
        for game in VARIANTS:
            with pytest.raises((InvalidPosition, InvalidOption)):
                GameRecord.begin(game, position={"game": game, "board": rows, "to_move": 0})
    for board in ("9" * 10**6, "/".join(["99"] * 10**5), "x" * 10**6, "99x" * 33, "99-/" * 99):
        for game in VARIANTS:
            with pytest.raises(InvalidPosition):
                read_fen(game, f"{board} x")
    assert perf_counter() - begun < 1
