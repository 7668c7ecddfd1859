"""What clients are told: enough to draw every position without knowing any rules."""

from random import Random

import pytest

from isolation.rooms import payloads
from isolation.rules import VARIANTS, GameRecord
from tests.playing import random_move, random_options


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
    own = payloads.coordinates(position)
    for cell in range(position.grid.width * position.grid.height):
        row, column = divmod(cell, position.grid.width)
        steps = zip(own["origin"], own["right"], own["up"], strict=True)
        place = tuple(start + column * right + row * up for start, right, up in steps)
        assert position.native(cell) == (place if len(place) > 1 else place[0])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("key", VARIANTS)
def test_every_position_can_be_told_from_what_turns_change(key: str, seed: int) -> None:
    record = random_record(key, seed)
    told = payloads.history(record)
    blocked = int(told["board"]["blocked"], 16)
    assert len(told["turns"]) == len(record.turns)
    for turn, position in zip(told["turns"], record.positions[1:], strict=True):
        blocked = (blocked | int(turn["block"], 16)) & ~int(turn["unblock"], 16)
        assert blocked == position.blocked
        assert turn["pieces"] == position.describe()["pieces"]
        assert turn["to_move"] == position.to_move
    assert [turn["move"] for turn in told["turns"]] == record.notation()


def test_a_discarded_turn_changes_who_moves_and_nothing_else() -> None:
    told = payloads.history(GameRecord.begin("isola").discard())["turns"]
    assert told[0]["move"] == "discard"
    assert told[0]["cells"] == []
    assert (told[0]["block"], told[0]["unblock"], told[0]["to_move"]) == ("0", "0", 1)
