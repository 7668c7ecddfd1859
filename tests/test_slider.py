"""Slider: the figures of its text, leaving the board, passing, ties, and what is refused."""

from dataclasses import replace

import pytest

from isolation.rules import (
    PASS,
    VARIANTS,
    GameRecord,
    IllegalMove,
    InvalidOption,
    InvalidPosition,
    Outcome,
    Position,
    Reason,
)
from isolation.rules.slider import Slider

FIGURE_1 = """
    + + + H + +
    + + H V + +
    + + H + B +
    + + + + + +
    + + + + + +
    V + + + + +
"""
FIGURE_3 = """
    + + + + + +
    + + H + + +
    + + B V + +
    + + + + + +
    + + + + + +
    + + + + + +
"""


def places(position: Position, cells: list[int]) -> set[object]:
    return {position.native(cell) for cell in cells}


def test_figure_1_is_as_its_sentence_says() -> None:
    look = (position := Slider.from_picture(FIGURE_1)).describe()
    assert places(position, look["pieces"][0]) == {(3, 5), (2, 4), (2, 3)}
    assert places(position, look["pieces"][1]) == {(3, 4), (0, 0)}
    assert places(position, look["blocked"]) == {(4, 3)}


def test_figure_2_the_start() -> None:
    assert VARIANTS["slider"].start().picture() == "\n".join(
        [
            "H + + + + +",
            "H + + + + +",
            "H + + + + +",
            "H + + + + +",
            "H + + + + +",
            "+ V V V V V",
        ]
    )
    assert VARIANTS["slider"].start(first="V").to_move == 1


def test_figure_3_the_moves_of_both() -> None:
    horizontal = Slider.from_picture(FIGURE_3)
    assert places(horizontal, horizontal.next_cells(horizontal.parse("c5"))) == {(2, 5), (3, 4)}
    vertical = Slider.from_picture(FIGURE_3, to_move=1)
    assert places(vertical, vertical.next_cells(vertical.parse("d4"))) == {(3, 4), (4, 3)}


@pytest.mark.parametrize(("to_move", "moves"), [(1, 3), (0, 4)])
def test_figure_3_how_soon_each_leaves(to_move: int, moves: int) -> None:
    """The fewest moves in which the player to move wins while the other only waits."""
    position = Slider.from_picture(FIGURE_3, to_move)
    frontier = {position}
    for count in range(1, 10):
        frontier = {after for now in frontier for after in map(now.after, now.legal_moves())}
        if any(after.outcome() == Outcome(to_move, Reason.ALL_OFF, to_move) for after in frontier):
            assert count == moves
            return
        frontier = {after.discarded() for after in frontier}
    pytest.fail("nobody left the board")


def test_a_piece_leaves_over_its_own_edge() -> None:
    position = Slider.from_picture("+ + H\n+ + +\nV + H")
    assert {position.notate(move) for move in position.legal_moves()} == {
        "c3-off",
        "c3-c2",
        "c1-off",
        "c1-c2",
    }
    after = position.play(position.parse("c3-off"))
    assert after.picture() == "+ + +\n+ + +\nV + H"
    assert after.describe()["off"] == 9


def test_no_piece_left_wins() -> None:
    position = Slider.from_picture("V + H\n+ + +\n+ + +", to_move=1)
    assert position.play(position.parse("a3-off")).outcome() == Outcome(1, Reason.ALL_OFF, 1)


def test_a_pass_is_forced_or_forbidden() -> None:
    vertical = Slider.from_picture("+ B +\nH V B\nB + +", to_move=1)
    assert vertical.legal_moves() == [PASS]
    assert vertical.task() == "pass"
    assert vertical.outcome() is None
    after = vertical.play(vertical.parse("pass"))
    assert (after.to_move, after.to_dict()["passes"]) == (0, 1)
    with pytest.raises(IllegalMove, match="you can't pass: you must move a piece"):
        after.play(PASS)
    moved = after.play(after.parse("a2-a3"))
    assert moved.to_dict()["passes"] == 0


def test_two_passes_in_a_row_are_a_tie() -> None:
    position = Slider.from_picture("B B +\nH V B\nB + +")
    once = position.play(PASS)
    assert once.outcome() is None
    twice = once.play(PASS)
    assert twice.outcome() == Outcome(None, Reason.TWO_PASSES)
    assert twice.legal_moves() == []


def test_a_tie_by_two_passes_in_a_whole_game() -> None:
    """All the squares beside the pieces are blocked: nobody can ever move."""
    blocks = [(0, 0), *((1, row) for row in range(1, 6)), *((column, 1) for column in range(1, 6))]
    record = GameRecord.begin("slider", {"blocks": blocks})
    record = record.play(PASS).play(PASS)
    assert record.outcome == Outcome(None, Reason.TWO_PASSES)
    assert (record.notation(), record.result) == (["pass", "pass"], "1/2-1/2")


def test_the_record_plays_forced_passes() -> None:
    stuck = Slider.from_picture("+ B + +\nH V B +\nB + + +\n+ + + +", to_move=1)
    record = GameRecord.begin("slider", position=stuck)
    assert record.must_pass
    passed = record.with_passes()
    assert (passed.notation(), passed.position.to_move, passed.must_pass) == (["pass"], 0, False)
    assert passed.with_passes() is passed
    nobody = Slider.from_picture("B B + +\nH V B +\nB + + +\n+ + + +")
    tied = GameRecord.begin("slider", position=nobody).with_passes()
    assert (tied.notation(), tied.result, tied.must_pass) == (["pass", "pass"], "1/2-1/2", False)


def test_nobody_passes_in_a_game_that_is_over() -> None:
    stuck = Slider.from_picture("+ B + +\nH V B +\nB + + +\n+ + + +", to_move=1)
    record = GameRecord.begin("slider", position=stuck).end(Outcome(0, Reason.RESIGNED, 1))
    assert not record.must_pass
    assert not GameRecord.begin("linear", {"length": 3}).replay(["2"]).must_pass


def test_the_third_repetition_is_a_tie() -> None:
    """V goes to and fro in the bottom row while H goes up and down in column b."""
    record = GameRecord.begin("slider", {"size": 4}).replay(["a2-b2", "b1-a1"])
    circle = ["b2-b3", "a1-b1", "b3-b2", "b1-a1"]
    record = record.replay(circle)
    assert record.outcome is None
    # The position after a2-b2 has been there twice by now: before and after the first circle.
    record = record.replay(circle[:2])
    assert record.outcome is None
    record = record.replay(circle[2:3])
    assert record.outcome == Outcome(None, Reason.REPETITION)
    assert record.result == "1/2-1/2"
    with pytest.raises(IllegalMove, match="the game is over"):
        record.play(record.position.parse("b1-a1"))


def test_a_repetition_counts_the_player_and_not_the_passes() -> None:
    """The same pieces with the other to move are another position; a pass before makes none."""
    position = Slider.from_picture("+ B +\nH V B\nB + +", to_move=1)
    passed = position.play(PASS)
    assert passed.repetition_key == replace(passed, passes=0).repetition_key
    assert passed.repetition_key != position.repetition_key


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b3-b4", "b3 holds no piece of yours"),
        ("b1-b2", "b1 holds no piece of yours"),
        ("a2-b2", "b2 is blocked"),
        ("a2-a3", "a3 is occupied"),
        ("a3-a5", "a5 is not on the board"),
        ("a3-c3", "c3 is out of reach: H moves one square up, down or right"),
        ("a3-off", "a piece leaves the board over the right edge only"),
        ("a3", "after a3 you must choose where it goes"),
        ("pass", "you can't pass: you must move a piece"),
        ("off-a3", "off holds no piece of yours"),
    ],
)
def test_refusals_in_words(text: str, message: str) -> None:
    position = VARIANTS["slider"].start(size=4, blocks=["b2"])
    with pytest.raises(IllegalMove) as refused:
        position.play(position.parse(text))
    assert str(refused.value) == message


def test_a_piece_that_can_not_move() -> None:
    position = Slider.from_picture("B + +\nH B +\n+ H V")
    with pytest.raises(IllegalMove, match="the piece on b1 can't move"):
        position.play(position.parse("b1-b2"))


def test_blocks_are_given_as_places_or_names() -> None:
    variant = VARIANTS["slider"]
    start = variant.start(blocks=[[1, 2], "d4", "2,2"])
    assert places(start, start.describe()["blocked"]) == {(1, 2), (3, 3), (2, 2)}
    assert variant.check({"blocks": ["d4", (3, 3)]})["blocks"] == ((3, 3),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 3}, "size must be a number from 4 to 10, not 3"),
        ({"size": 11}, "size must be a number from 4 to 10, not 11"),
        ({"first": "X"}, "first must be H or V, not X"),
        ({"blocks": [(0, 3)]}, "block 0,3 is where a piece starts"),
        ({"blocks": [(6, 3)]}, "block 6,3 is not on the board"),
    ],
)
def test_options_out_of_range(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        VARIANTS["slider"].start(**options)
    assert str(refused.value) == message


def test_impossible_boards_are_refused() -> None:
    for picture, passes, message in [
        ("+ H\n+ +\n+ V", 0, "a slider board is square"),
        ("+ +\n+ +", 0, "only one player can have left the board"),
        ("H H\n+ V", 0, "each player has 1 pieces at the most"),
        ("+ H\nV +", 1, "a player who can move can't have passed"),
    ]:
        with pytest.raises(InvalidPosition) as refused:
            Slider.from_picture(picture, passes=passes)
        assert str(refused.value) == message
