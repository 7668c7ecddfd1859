"""Endings: every code has a sentence, and every sentence, old or new, reads back as its code."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation.rules import GameRecord, Outcome, Reason, ending_words, read_ending, read_record
from isolation.rules.endings import MAX_LINE, SENTENCES, checked_ending, lost_by_fault
from isolation.rules.record_text import write_record


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome(0, Reason.NO_MOVES, 1), "Player 2 has no moves"),
        (Outcome(1, Reason.ALL_OFF, 1), "Player 2 brought all pieces off the board"),
        (Outcome(None, Reason.TWO_PASSES), "two passes in a row"),
        (Outcome(None, Reason.REPETITION), "the same position for the third time"),
        (Outcome(1, Reason.DISCARDS, 0), "Player 1 had four turns in a row discarded"),
        (Outcome(1, Reason.RESIGNED, 0), "Player 1 resigned"),
        (Outcome(1, Reason.TIME, 0), "Player 1 ran out of time"),
        (Outcome(None, Reason.LEFT, 1), "Player 2 left the game"),
        (Outcome(1, Reason.FAULT, 0), "Player 1 made a fault"),
        (Outcome(1, Reason.FAULT, 0, "it hangs: why?"), "Player 1 made a fault: it hangs: why?"),
        (Outcome(None, Reason.AGREED), "a draw was agreed"),
        (Outcome(None, Reason.ABORTED), "aborted"),
        (Outcome(0, Reason.ABANDONED, 1), "Player 2 abandoned the game"),
        (Outcome(0, Reason.UNSTATED), "unstated"),
        (Outcome(0, Reason.OTHER, detail="Zeit"), "Zeit"),
    ],
)
def test_each_code_has_a_sentence_that_reads_back(outcome: Outcome, words: str) -> None:
    assert ending_words(outcome) == words
    assert read_ending(words, outcome.winner) == outcome


def test_every_code_has_a_sentence() -> None:
    assert list(SENTENCES) == list(Reason)


@pytest.mark.parametrize(
    ("text", "winner", "outcome"),
    [
        ("no move left", 0, Outcome(0, Reason.NO_MOVES, 1)),
        ("no move left", 1, Outcome(1, Reason.NO_MOVES, 0)),
        ("all pieces off the board", 1, Outcome(1, Reason.ALL_OFF, 1)),
        ("four discarded turns in a row", 1, Outcome(1, Reason.DISCARDS, 0)),
        ("no move left", None, Outcome(None, Reason.OTHER, detail="no move left")),
        ("Player 1 made a fault: ", 1, Outcome(1, Reason.OTHER, detail="Player 1 made a fault: ")),
        ("player 1 resigned", 1, Outcome(1, Reason.OTHER, detail="player 1 resigned")),
        ("", 1, Outcome(1, Reason.UNSTATED)),
    ],
)
def test_older_sentences_and_strange_ones(text: str, winner: Any, outcome: Outcome) -> None:
    assert read_ending(text, winner) == outcome


def test_a_known_sentence_in_other_words_is_its_code() -> None:
    told = Outcome(0, Reason.OTHER, detail="Player 2 resigned")
    assert GameRecord.begin("classic").end(told).outcome == Outcome(0, Reason.RESIGNED, 1)


def test_why_a_bot_lost_fits_into_a_record() -> None:
    outcome = lost_by_fault(1, "Traceback:\n\x00" + "x" * 500)
    assert len(ending_words(outcome)) == MAX_LINE
    record = GameRecord.begin("classic").end(outcome)
    assert read_record(write_record(record)).outcome == outcome
    assert lost_by_fault(0) == Outcome(1, Reason.FAULT, 0)


@st.composite
def endings(draw: st.DrawFn) -> Outcome:
    """Any outcome that a record can hold."""
    reason = draw(st.sampled_from(list(Reason)))
    sentence = SENTENCES[reason]
    player = draw(st.sampled_from([0, 1])) if sentence.names_player else None
    line = st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=150)
    detail = (
        draw(line | st.sampled_from(["no move left", " a", "a "])) if sentence.has_detail else ""
    )
    return checked_ending(Outcome(draw(st.sampled_from([0, 1, None])), str(reason), player, detail))


@given(endings())
def test_every_ending_survives_being_written(outcome: Outcome) -> None:
    record = GameRecord.begin("slider").end(outcome)
    assert record.outcome == outcome
    assert read_record(write_record(record)) == record
    data = record.to_dict()
    assert GameRecord.from_dict(data) == record
    for name in ("reason", "player"):
        del data[name]
    assert GameRecord.from_dict(data) == record


def test_the_codes_count_where_the_sentence_is_foreign() -> None:
    data = GameRecord.begin("linear").to_dict() | {"result": "0-1", "reason": "time", "player": 0}
    for sentence in ("", "Zeit abgelaufen", "Player 1 resigned"):
        record = GameRecord.from_dict({**data, "termination": sentence})
        assert record.outcome == Outcome(1, Reason.TIME, 0)
