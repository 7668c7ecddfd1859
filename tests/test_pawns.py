"""Classic and isola: the examples of their texts, blocking, fixed starts, and what is refused."""

import json

import pytest

from isolation.rules import VARIANTS, IllegalMove, InvalidPosition, Outcome, Position, Reason
from isolation.rules.classic import Classic
from isolation.rules.isola import Isola


def play(position: Position, text: str) -> Position:
    return position.play(position.parse(text))


def refusal(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        play(position, text)
    return str(refused.value)


def test_classic_starts_as_its_text_says() -> None:
    start = VARIANTS["classic"].start()
    assert start.picture() == "\n".join(
        [
            ". . 1 . . .",
            ". . . . . .",
            ". . . . . .",
            ". . . . . .",
            ". . . . . .",
            ". . . . . .",
            ". . . . . .",
            ". . . 2 . .",
        ]
    )
    assert start.to_move == 0
    look = start.describe()
    assert [start.native(cells[0]) for cells in look["pieces"]] == [(0, 2), (7, 3)]
    assert [start.cell_name(cells[0]) for cells in look["pieces"]] == ["c8", "d1"]


def test_isola_starts_as_its_text_says() -> None:
    for size in range(7, 28, 2):
        start = VARIANTS["isola"].start(size=size)
        look = start.describe()
        assert (look["width"], look["height"]) == (size, size)
        places = [start.native(cells[0]) for cells in look["pieces"]]
        assert places == [(0, size // 2), (size - 1, size // 2)]


def test_the_square_just_left_may_be_blocked() -> None:
    after = play(VARIANTS["classic"].start(), "c7/c8")
    assert after.rows()[:2] == ["..X...", "..1..."]


def test_the_text_s_ending_who_can_not_move_loses() -> None:
    position = Classic.from_picture(
        """
        1 . X
        X X .
        . . 2
        """,
        to_move=1,
    )
    assert position.outcome() is None
    end = play(position, "c2/b3")
    assert end.outcome() == Outcome(1, Reason.NO_MOVES, 0)


def test_a_player_shut_in_on_the_opponents_turn_has_not_lost_yet() -> None:
    position = Classic.from_picture("1 X .\nX X .\n. . 2", to_move=1)
    assert position.outcome() is None


START = Classic.from_picture(
    """
    . 1 X .
    . X . .
    . . . .
    . . 2 .
    """
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c4/a1", "c4 is blocked"),
        ("a3/b3", "b3 is blocked"),
        ("a3/a3", "you are on a3: block another square"),
        ("a3/c1", "your opponent is on c1"),
        ("d2/a1", "d2 is not next to b4, where you are"),
        ("b4/a1", "you are on b4 already"),
        ("c9/a1", "c9 is not on the board"),
        ("a3/e1", "e1 is not on the board"),
        ("/a1", "you must move before you block"),
        ("a3", "after a3 you must block a square"),
        ("pass", "you can't pass: you must move your pawn"),
        ("a3/a1/a2", "a3/a1/a2 is not a move: write one like a3/a1"),
        ("a3/", "a3/ is not a move: write one like a3/a1"),
        ("", "write a move like a3/a1"),
        ("hello", "hello is not a square: squares are a1 to d4"),
        ("é1/a1", "é1 is not a square: squares are a1 to d4"),
        ("a³/a1", "a³ is not a square: squares are a1 to d4"),
        ("a0/a1", "a0 is not a square: squares are a1 to d4"),
        ("\x00\n/a1", "\\x00 is not a square: squares are a1 to d4"),
    ],
)
def test_refusals_in_words(text: str, message: str) -> None:
    assert refusal(START, text) == message


def test_the_opponent_is_in_the_way() -> None:
    position = Classic.from_picture("1 2\n. .")
    assert refusal(position, "b2/a1") == "your opponent is on b2"


def test_isola_speaks_of_stealing() -> None:
    start = play(VARIANTS["isola"].start(), "d6/d5")
    assert refusal(start, "d2/d5") == "d5 is stolen"
    assert refusal(start, "d2") == "after d2 you must steal a square"
    assert refusal(start, "/d5") == "you must move before you steal"


def test_a_move_is_a_list_of_squares() -> None:
    for junk, message in [
        ("a3/a1", "a move is a list of squares, not a3/a1"),
        ((True, 0), "square number True is not on the board"),
        ((99, 0), "square number 99 is not on the board"),
        ((-1, 0), "square number -1 is not on the board"),
        ((10**5000, 0), "square number a huge number is not on the board"),
    ]:
        with pytest.raises(IllegalMove) as refused:
            START.play(junk)  # type: ignore[arg-type]
        assert str(refused.value) == message
    with pytest.raises(IllegalMove, match="a3/a1 is a whole turn already"):
        START.play((*START.parse("a3/a1"), START.find_cell("a2")))


def test_columns_after_z_have_two_letters() -> None:
    start = VARIANTS["isola"].start(size=27)
    assert start.cell_name(26) == "aa1"
    assert play(start, "o27/aa1").describe()["blocked"] == [26]


def test_open_starts_can_be_blocked() -> None:
    after = play(VARIANTS["classic"].start(), "c7/c8")
    assert after.describe()["protected"] == []


def test_fixed_starts_can_be_entered_but_not_blocked() -> None:
    start = VARIANTS["classic"].start(starts="fixed")
    assert refusal(start, "c7/c8") == "c8 is a start square: it can't be blocked"
    assert [start.cell_name(cell) for cell in start.describe()["protected"]] == ["d1", "c8"]
    gone = play(play(start, "c7/a1"), "d2/a2")
    assert play(gone, "c8/a3").rows()[0] == "..1..."


def test_where_nothing_can_be_blocked_the_step_is_the_turn() -> None:
    position = Isola.from_picture(
        """
        X A X
        . X X
        X B X
        """,
        starts="fixed",
    )
    assert [position.notate(move) for move in position.legal_moves()] == ["a2"]
    assert position.next_cells(position.parse("a2")) == []
    after = play(position, "a2")
    assert after.rows() == ["X.X", "AXX", "XBX"]
    assert after.outcome() == Outcome(0, Reason.NO_MOVES, 1)


def test_impossible_boards_are_refused() -> None:
    for rows, message in [
        (["..", ".."], "each player has one pawn on the board"),
        (["11", ".2"], "each player has one pawn on the board"),
        (["1.", ".2."], "the rows of a board are equally long"),
        (["1?", ".2"], "? is not one of 1 2 X ."),
        ([], "a board has 1 to 99 rows and columns"),
        ([""], "a board has 1 to 99 rows and columns"),
        ("12", "a board is a list of rows, each a text"),
        (["1" + "." * 98 + "2"], "a board has 1 to 99 rows and columns"),
    ]:
        data = json.loads(json.dumps({"game": "classic", "board": rows, "to_move": 0}))
        with pytest.raises(InvalidPosition) as refused:
            Classic.from_dict(data)
        assert str(refused.value) == message
    with pytest.raises(InvalidPosition, match="a fixed start square can't be blocked"):
        Classic.from_picture("X 1\n2 .", starts="fixed")
    with pytest.raises(InvalidPosition, match="starts is one of open, fixed, not shut"):
        Classic.from_picture(". 1\n2 .", starts="shut")
    with pytest.raises(InvalidPosition, match="to_move is 0 or 1, not 2"):
        Classic.from_picture(". 1\n2 .", to_move=2)
    with pytest.raises(InvalidPosition, match="a classic position has no passes"):
        Classic.from_picture(". 1\n2 .", passes=1)
    with pytest.raises(InvalidPosition, match="the board is too small for two pawns"):
        Isola.start(size=1)
