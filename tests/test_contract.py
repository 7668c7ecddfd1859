"""What every game of the variants table promises, on random positions of all of them."""

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation.rules import (
    PASS,
    VARIANTS,
    GameRecord,
    IllegalMove,
    InvalidPosition,
    Move,
    Position,
    position_from_dict,
    read_record,
    write_record,
)
from tests.playing import games, lots, positions, random_move, random_options, records


@given(positions())
def test_positions_do_not_change(position: Position) -> None:
    before = copy.deepcopy(position)
    for move in position.legal_moves()[:20]:
        position.play(move)
    assert position == before
    for field in fields(position):
        with pytest.raises(FrozenInstanceError):
            setattr(position, field.name, None)


@given(positions())
def test_equal_positions_are_one_key(position: Position) -> None:
    other = pickle.loads(pickle.dumps(position))
    assert other == position
    assert len({position, other}) == 1
    assert other.grid is position.grid


@given(positions())
def test_notation_round_trip(position: Position) -> None:
    for move in position.legal_moves()[:100]:
        text = position.notate(move)
        assert position.parse(text) == move
        assert position.parse(f"  {text.upper()} ") == move
        assert text.split() == [text]


@given(positions())
def test_json_round_trip(position: Position) -> None:
    data = json.loads(json.dumps(position.to_dict()))
    assert position_from_dict(data) == position
    assert json.loads(json.dumps(position.describe()))["game"] == position.game


@given(positions())
def test_picture_round_trip(position: Position) -> None:
    extras = {name: getattr(position, name) for name in position.extras}
    again = type(position).from_picture(position.picture(), position.to_move, **extras)
    assert again == position


@given(positions())
def test_native_coordinates_round_trip(position: Position) -> None:
    for cell in range(0, position.cell_count, 7):
        place = json.loads(json.dumps(position.native(cell)))
        assert position.from_native(place) == cell
    for place in (None, (0, 99), (99, 0), (-1, 0), [], 10**6, -1, "a1", (0, 0, 0)):
        with pytest.raises(IllegalMove, match="is not on the board"):
            position.from_native(place)


@given(positions())
def test_next_cells_agrees_with_legal_moves(position: Position) -> None:
    moves = position.legal_moves()
    followers: dict[Move, set[int]] = {PASS: set()}
    for move in moves:
        for length in range(len(move) + 1):
            followers.setdefault(move[:length], set())
        for length in range(len(move)):
            followers[move[:length]].add(move[length])
    for prefix, cells in list(followers.items())[:400]:
        assert position.next_cells(prefix) == sorted(cells)
    assert all(not position.next_cells(move) for move in moves[:200])


@given(positions(), lots)
def test_play_takes_the_legal_moves_and_no_other(position: Position, lot: Random) -> None:
    moves = set(position.legal_moves())
    for _ in range(50):
        length = lot.randint(0, position.cells_per_move + 1)
        move = tuple(lot.randint(-1, position.cell_count) for _ in range(length))
        if move in moves:
            assert position.play(move) == position.after(move)
        else:
            with pytest.raises(IllegalMove, match=r"\w{2}"):
                position.play(move)


@given(positions())
def test_over_means_no_move_and_no_move_means_over(position: Position) -> None:
    outcome = position.outcome()
    assert (outcome is None) == bool(position.legal_moves())
    assert len(position.legal_moves()) == position.count_moves()
    if outcome:
        assert outcome.winner in (0, 1, None)
        assert outcome.reason
        assert position.next_cells() == []
        with pytest.raises(IllegalMove, match="the game is over"):
            position.play(PASS)


@given(positions())
def test_turns_alternate(position: Position) -> None:
    for move in position.legal_moves()[:20]:
        assert position.after(move).to_move == 1 - position.to_move
    assert position.discarded().to_move == 1 - position.to_move
    assert position.discarded().discarded() == position


@given(games, lots)
def test_every_game_ends(game: str, lot: Random) -> None:
    record = GameRecord.begin(game, random_options(game, lot))
    cells = record.position.cell_count
    while not record.outcome:
        record = record.play(random_move(record.position, lot))
        assert len(record.turns) <= 40 * cells
    assert record.result in ("1-0", "0-1", "1/2-1/2")


@given(records())
def test_records_replay(record: GameRecord) -> None:
    position = record.positions[0]
    for text, expected in zip(record.notation(), record.positions[1:], strict=True):
        position = position.play(position.parse(text))
        assert position == expected
    assert read_record(write_record(record)) == record
    assert GameRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


@given(records())
def test_what_is_used_up_stays_so(record: GameRecord) -> None:
    for before, after in pairwise(record.positions):
        assert before.blocked & ~after.blocked == 0


JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.text()
    | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner)
    ),
    max_leaves=8,
)


def complaint(call: Callable[..., object], *arguments: object) -> str | None:
    """What a call that refuses says; any other exception is a failure of the test."""
    try:
        call(*arguments)
    except (IllegalMove, InvalidPosition) as error:
        return str(error)
    return None


def reads_well(text: str) -> bool:
    return text.isprintable() and 2 < len(text) < 200


@given(positions(), JUNK)
def test_junk_is_refused_in_words(position: Position, junk: Any) -> None:
    for call in (position.play, position.next_cells, position.notate, position.parse):
        words = complaint(call, junk)
        if words is None:
            assert junk in ((), []) or set(map(type, junk)) == {int} or isinstance(junk, str)
        else:
            assert reads_well(words)


@given(games, JUNK)
def test_junk_positions_are_refused_in_words(game: str, junk: Any) -> None:
    position = VARIANTS[game].start()
    for name in [*position.to_dict(), "colour"]:
        data = position.to_dict() | {name: junk}
        words = complaint(position_from_dict, data)
        if words is None:
            assert position_from_dict(data).to_dict() == data
        else:
            assert reads_well(words)
    for data in (junk, {}, {"game": game}, {"game": game, "board": ["."]}):
        assert reads_well(complaint(position_from_dict, data) or "")
