"""Recorded games replay to the result they were recorded with; every kind of game has one."""

from pathlib import Path

import pytest

from isolation.rules import VARIANTS, read_record, write_record

GAMES = sorted((Path(__file__).parent / "games").glob("*.txt"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_record(text)
    assert record.ending is None, "the moves alone must end it"
    assert f'[Result "{record.result}"]' in text
    assert record.result != "*"
    assert read_record(write_record(record)) == record


def test_every_kind_of_game_is_recorded() -> None:
    recorded = {read_record(path.read_text(encoding="utf-8")).variant.key for path in GAMES}
    assert recorded == set(VARIANTS)
