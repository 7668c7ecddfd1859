"""Game records: text and JSON, discarded turns, endings, and what is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation.rules import (
    DISCARD,
    GameRecord,
    IllegalMove,
    InvalidRecord,
    Outcome,
    Reason,
    read_record,
    write_record,
)

SLIDER = """\
[Game "slider"]
[Size "4"]
[Blocks "1,1 2,2"]
[First "V"]
[Player1 "Ann \\"the wall\\" \\\\ Bee"]
[Date "2026.11.16"]
[Result "1-0"]
[Termination "Player 2 resigned"]

1. b1-a1 a2-a1 1-0
"""


def test_a_record_is_written_as_text() -> None:
    record = GameRecord.begin("isola", {"size": 9}, {"Player1": "Ann", "Player2": "Bob"})
    record = record.replay(["e8/e7", "e2/e3", "d7/d6"])
    assert write_record(record) == (
        '[Game "isola"]\n[Size "9"]\n[Starts "open"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n'
        '[Result "*"]\n\n1. e8/e7 e2/e3 2. d7/d6 *\n'
    )


def test_the_linear_sample_as_text() -> None:
    record = GameRecord.begin("linear").replay(["7", "4", "10", "1", "12"])
    assert write_record(record).endswith(
        '[Result "1-0"]\n[Termination "Player 2 has no moves"]\n\n1. 7 4 2. 10 1 3. 12 1-0\n'
    )
    assert read_record(write_record(record)) == record


def test_a_record_is_read_from_text() -> None:
    text = SLIDER.replace("b1-a1 a2-a1", "b1-a1 a2-b2").replace("1,1 2,2", "b3 2,2")
    record = read_record(text)
    assert record.options == {"size": 4, "blocks": ((1, 2), (2, 2)), "first": "V"}
    assert record.tags == {"Player1": 'Ann "the wall" \\ Bee', "Date": "2026.11.16"}
    assert record.notation() == ["b1-a1", "a2-b2"]
    assert record.outcome == Outcome(0, Reason.RESIGNED, 1)
    assert read_record(write_record(record)) == record


def test_the_reader_is_lenient_about_form() -> None:
    text = (
        '\ufeff[Game "linear"]\r\n\r\n1.7 {the only winning claim} 4 ; a comment\r\n'
        "2... 10 1 3. 12\r\n"
    )
    record = read_record(text)
    assert record.notation() == ["7", "4", "10", "1", "12"]
    assert record.outcome == Outcome(0, Reason.NO_MOVES, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'a record begins with its game, like [Game "classic"]'),
        ("1. c7/d4 *", 'a record begins with its game, like [Game "classic"]'),
        ('[Game "chess"]\n\n*', "there is no game chess"),
        ("[Game classic]\n\n*", 'line 1 is not a header like [Game "classic"]'),
        ('[Game "classic"]\n[Game "isola"]', "line 2 gives Game a second time"),
        ('[Game "isola"]\n[Size "8"]\n\n*', "size must be an odd number from 7 to 27, not 8"),
        ('[Game "isola"]\n[Size "٩"]\n\n*', "size must be an odd number from 7 to 27, not ٩"),
        ('[Game "classic"]\n\n1. c7/d4 d2', "move 1 of Player 2, d2: after d2 you must block"),
        ('[Game "classic"]\n\n1. c7/c9', "move 1 of Player 1, c7/c9: c9 is not on the board"),
        ('[Game "classic"]\n\n1. discard', "a turn can't be discarded in classic"),
        ('[Game "classic"]\n\n1-0 c7/d4', "c7/d4 comes after the result 1-0"),
        ('[Game "classic"]\n[Result "2-0"]\n\n*', "a result is one of 1-0, 0-1, 1/2-1/2, *"),
        ('[Game "classic"]\n[Result "1-0"]\n\n0-1', "the result is 1-0 in the header and 0-1"),
        (
            '[Game "linear"]\n[Length "3"]\n\n1. 2 0-1',
            "the result is given as 0-1, but the moves end 1-0",
        ),
        ('[Game "linear"]\n[Length "3"]\n\n1. 2 1', "move 1 of Player 2, 1: the game is over"),
    ],
)
def test_bad_texts_are_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        read_record(text)
    assert message in str(refused.value)


def test_a_discarded_turn_passes_the_move_and_replays() -> None:
    record = GameRecord.begin("isola").replay(["d6/d5"]).discard()
    assert record.position.to_move == 0
    assert record.position.pieces == record.positions[1].pieces
    assert record.notation() == ["d6/d5", DISCARD]
    record = record.replay(["e6/d6", "d2/c1"])
    assert read_record(write_record(record)) == record
    assert GameRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_four_discarded_turns_in_a_row_lose() -> None:
    record = GameRecord.begin("isola")
    for text in ["d6/a1", "d2/a2", "d5/a3", "d3/a4"]:
        record = record.replay([text])
    steps = ["c5/b1", "b5/c1", "c5/d1", "b5/e1"]
    for text in steps[:3]:
        record = record.replay([text, DISCARD])
    assert record.outcome is None
    record = record.replay([steps[3]])
    assert record.outcome is None
    record = record.discard()
    assert record.outcome == Outcome(0, Reason.DISCARDS, 1)
    assert read_record(write_record(record)) == record


def test_discards_of_both_players_count_apart() -> None:
    record = GameRecord.begin("isola")
    for _ in range(6):
        record = record.discard()
    assert record.outcome is None
    assert record.discard().outcome == Outcome(1, Reason.DISCARDS, 0)


def test_an_ending_outside_the_rules() -> None:
    record = GameRecord.begin("classic").end(Outcome(None, Reason.AGREED))
    assert (record.result, record.outcome) == ("1/2-1/2", Outcome(None, Reason.AGREED))
    assert read_record(write_record(record)) == record
    with pytest.raises(IllegalMove, match="the game is over"):
        record.play((0, 1))
    with pytest.raises(IllegalMove, match="the game is over"):
        record.end(Outcome(0, Reason.RESIGNED, 1))


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (Outcome(2, Reason.RESIGNED, 1), "the winner is 0, 1 or None, not 2"),
        (Outcome(0, "again"), "there is no reason again: reasons are no_moves, "),
        (Outcome(0, Reason.RESIGNED), "the player of resigned is 0 or 1, not None"),
        (Outcome(0, Reason.RESIGNED, 2), "the player of resigned is 0 or 1, not 2"),
        (Outcome(None, Reason.AGREED, 1), "the player of agreed is None, not 1"),
        (Outcome(0, Reason.TIME, 1, "by far"), "time has no detail"),
        (Outcome(0, Reason.OTHER, detail="two\nlines"), "detail must be up to 200 characters"),
        (Outcome(0, Reason.FAULT, 1, "x" * 199), "termination must be up to 200 characters"),
    ],
)
def test_endings_that_no_record_can_hold(outcome: Outcome, message: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        GameRecord.begin("classic").end(outcome)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": "c7/d4"}, "moves can't be c7/d4"),
        ({"moves": [3]}, "a move is written as text, not 3"),
        ({"moves": [None]}, "a move is written as text, not None"),
        ({"options": []}, "options can't be a list"),
        ({"options": {"size": 9}}, "classic has no option size (it has: starts)"),
        ({"tags": {"Result": "1-0"}}, "Result is written by the record itself"),
        ({"tags": {"starts": "open"}}, "starts is written by the record itself"),
        ({"tags": {"a b": "x"}}, "a b is not a tag: a tag is a word like Player1"),
        ({"tags": {"Site": "two\nlines"}}, "Site must be up to 200 characters on one line"),
        ({"tags": {"Site": 3}}, "Site must be up to 200 characters on one line"),
        ({"result": 1}, "result can't be 1"),
        ({"result": "won"}, "a result is one of"),
        ({"result": "1-0", "termination": 3}, "termination can't be 3"),
        ({"result": "1-0", "reason": "magic"}, "there is no reason magic"),
        ({"result": "1-0", "reason": 3}, "reason can't be 3"),
        ({"result": "1-0", "reason": "time", "player": "1"}, "the player of time is 0 or 1, not 1"),
        ({"colour": "red"}, "a record has no colour"),
        ({"game": None}, "game can't be None"),
        ({"game": "chess"}, "there is no game chess"),
    ],
)
def test_bad_objects_are_refused_in_words(change: dict[str, Any], message: str) -> None:
    data = GameRecord.begin("classic").to_dict() | change
    with pytest.raises(InvalidRecord) as refused:
        GameRecord.from_dict(data)
    assert message in str(refused.value)


@pytest.mark.parametrize("junk", [None, 3, "7", {}, 10**400])
def test_junk_is_refused_in_words(junk: Any) -> None:
    record = GameRecord.begin("linear")
    with pytest.raises(IllegalMove):
        record.play(junk)
    for refuse in (record.end, record.replay):
        with pytest.raises(InvalidRecord):
            refuse(junk)
    if not isinstance(junk, str):
        with pytest.raises(InvalidRecord, match="a record is a text"):
            read_record(junk)
    for outcome in (Outcome(0, ""), Outcome([1], "x")):  # type: ignore[arg-type]
        with pytest.raises(InvalidRecord):
            record.end(outcome)


def test_braces_that_are_never_closed_take_no_time() -> None:
    assert read_record('[Game "linear"]\n\n1. 7 ' + "{" * 400_000).notation() == ["7"]


@given(st.text())
def test_any_text_is_a_record_or_refused(text: str) -> None:
    for record_text in (text, f'[Game "slider"]\n{text}', f'[Game "linear"]\n\n{text}'):
        try:
            record = read_record(record_text)
        except InvalidRecord:
            continue
        assert read_record(write_record(record)) == record


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=200))
def test_any_name_can_be_a_tag(name: str) -> None:
    if not name.isprintable():
        return
    record = GameRecord.begin("knights", tags={"Player1": name})
    assert read_record(write_record(record)).tags == {"Player1": name}
