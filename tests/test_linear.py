"""Linear: the sample game of its text move by move, and what is refused."""

import pytest

from isolation.rules import VARIANTS, GameRecord, IllegalMove, InvalidPosition, Outcome, Reason
from isolation.rules.linear import Linear
from isolation.terminal.script import ranges

SAMPLE = ["7", "4", "10", "1", "12"]
AVAILABLE = ["1-13", "1-5,9-13", "1-2,9-13", "1-2,12-13", "12-13", "none"]


def test_the_sample_game() -> None:
    record = GameRecord.begin("linear").replay(SAMPLE)
    shown = [ranges([cell + 1 for cell in now.next_cells()]) for now in record.positions]
    assert shown == AVAILABLE
    assert record.position.picture() == "2 . . 2 . . 1 . . 1 . 1 ."
    assert record.outcome == Outcome(0, Reason.NO_MOVES, 1)


def test_the_players_choose_who_goes_first() -> None:
    assert VARIANTS["linear"].start().to_move == 0
    assert VARIANTS["linear"].start(first=2).to_move == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7", "square 7 is claimed already"),
        ("6", "square 6 is next to 7, which is claimed"),
        ("8", "square 8 is next to 7, which is claimed"),
        ("0", "0 is not on the board"),
        ("14", "14 is not on the board"),
        ("99999999999999999999", "99999999999999999999 is not on the board"),
        ("seven", "seven is not a square: squares are 1 to 13"),
        ("٣", "٣ is not a square: squares are 1 to 13"),
        ("²", "² is not a square: squares are 1 to 13"),
        ("pass", "you can't pass: you must claim a square"),
        ("", "write a move like 1"),
    ],
)
def test_refusals_in_words(text: str, message: str) -> None:
    position = Linear.from_picture(". . . . . . 1 . . . . . .", to_move=1)
    with pytest.raises(IllegalMove) as refused:
        position.play(position.parse(text))
    assert str(refused.value) == message


def test_impossible_boards_are_refused() -> None:
    for picture, message in [
        (". 1 2 .", "neighbouring squares can't both be claimed"),
        (". X .", "a linear board has no blocked squares"),
        (". 1\n. .", "a linear board is a single row"),
        ("1 . . .", "the players claim squares in turn: the one to move has as many or one less"),
        ("2 . 2 .", "the players claim squares in turn: the one to move has as many or one less"),
    ]:
        with pytest.raises(InvalidPosition) as refused:
            Linear.from_picture(picture)
        assert str(refused.value) == message
