"""What clients are told: enough to draw every position without knowing any rules."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from isolation.rooms.game import Note
from isolation.rooms.views import boards
from isolation.rules import VARIANTS, GameRecord
from isolation.rules.position import PIECES, VERBS
from tests.playing import random_move, random_options

ROOT = Path(__file__).parents[1]


def random_record(key: str, seed: int) -> GameRecord:
    lot = Random(seed)
    record = GameRecord.begin(key, random_options(key, lot))
    for _ in range(40):
        if record.outcome:
            break
        record = record.play(random_move(record.position, lot))
    return record


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("key", VARIANTS)
def test_the_coordinates_of_the_text_can_be_told_from_steps(key: str, seed: int) -> None:
    position = random_record(key, seed).positions[0]
    own = boards.coordinates(position)
    for cell in range(position.grid.width * position.grid.height):
        row, column = divmod(cell, position.grid.width)
        steps = zip(own["origin"], own["right"], own["up"], strict=True)
        place = tuple(start + column * right + row * up for start, right, up in steps)
        assert position.native(cell) == (place if len(place) > 1 else place[0])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("key", VARIANTS)
def test_every_position_can_be_told_from_what_turns_change(key: str, seed: int) -> None:
    record = random_record(key, seed)
    told = boards.history(record)
    blocked = int(told["board"]["blocked"], 16)
    assert len(told["turns"]) == len(record.turns)
    for turn, position in zip(told["turns"], record.positions[1:], strict=True):
        blocked = (blocked | int(turn["block"], 16)) & ~int(turn["unblock"], 16)
        assert blocked == position.blocked
        assert turn["pieces"] == position.describe()["pieces"]
        assert turn["to_move"] == position.to_move
    assert [turn["move"] for turn in told["turns"]] == record.notation()


@pytest.mark.parametrize("plies", [0, 1, 199, 200, 201, 450])
def test_a_long_game_is_told_in_parts(plies: int) -> None:
    lot, record = Random(3), GameRecord.begin("slider", {"size": 10})
    while len(record.turns) < plies:
        record = record.play(random_move(record.position, lot)).with_passes()
        if record.outcome:
            record = GameRecord.begin("slider", {"size": 10})
    notes = {7: Note((12,), "slow")}
    parts = list(boards.history_text(record, notes))
    assert json.loads("".join(parts)) == boards.history(record, notes)
    assert len(parts) == 2 + len(record.turns) // boards.TURNS_IN_PART


def test_a_discarded_turn_changes_who_moves_and_nothing_else() -> None:
    told = boards.history(GameRecord.begin("isola").discard())["turns"]
    assert told[0]["move"] == "discard"
    assert told[0]["cells"] == []
    assert (told[0]["block"], told[0]["unblock"], told[0]["to_move"]) == ("0", "0", 1)


@pytest.mark.parametrize("key", VARIANTS)
def test_what_is_done_is_told_in_codes_that_have_words(key: str) -> None:
    record = random_record(key, 1)
    script = (ROOT / "static" / "js" / "tasks.js").read_text()
    for position in record.positions:
        told = boards.choices(position)
        codes = {told["verb"], told.get("next_verb", told["verb"])}
        assert codes <= set(VERBS)
        assert all(re.search(rf"^  {code}: {{ task", script, re.MULTILINE) for code in codes)
        assert told.get("piece", position.piece) in PIECES
        assert f"{position.piece}: " in script
    verbs = {verb for turn in boards.history(record)["turns"] for verb in turn["verbs"]}
    assert verbs <= set(VERBS)
