"""Levels: named, in order, legal at every one, and errors that look human."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.proofs import DRAW
from isolation.engines.all_games import AllGames
from isolation.engines.levels import LEVELS, find_level
from isolation.rules import VARIANTS, InvalidOption
from isolation.rules.classic import Classic
from tests.playing import SMALL, play_at_random, random_options

ENGINE = AllGames()


def test_every_game_has_its_levels() -> None:
    assert list(LEVELS) == list(VARIANTS)
    assert {game: len(levels) for game, levels in LEVELS.items()} == {
        "classic": 8,
        "knights": 8,
        "isola": 8,
        "slider": 8,
        "linear": 5,
    }
    for levels in LEVELS.values():
        assert len({level.name for level in levels}) == len(levels)
        assert (levels[-1].noise, levels[-1].blind) == (0, 0)


@pytest.mark.parametrize("game", VARIANTS)
def test_every_level_plays_legal_moves(game: str) -> None:
    for number, level in enumerate(LEVELS[game], start=1):
        lot = Random(number)
        for plies in (0, 1, 2, 9):
            position = play_at_random(VARIANTS[game].start(), plies, lot)
            if level.limits.seconds or position.outcome():
                continue
            position.play(level.choose(ENGINE, position, seed=plies).move)


ALL_MOVES_LOSE = """
X X X X X X
X . X X X X
X X 1 2 . X
X X X X X X
X X X X X X
X X X X . X
X X X X X X
X X X X . X
"""


def test_every_level_moves_where_every_move_loses() -> None:
    position = Classic.from_picture(ALL_MOVES_LOSE)
    for level in LEVELS["classic"][:-1]:
        for seed in range(1, 60):
            position.play(level.choose(ENGINE, position, seed=seed).move)


@given(st.sampled_from(list(VARIANTS)), st.randoms(use_true_random=False), st.integers(0, 60))
@settings(max_examples=60)
def test_every_level_moves_in_any_position(game: str, lot: Random, plies: int) -> None:
    """From the opening to the last turn before the end, on public boards and on tiny ones."""
    starts = (SMALL[game](lot), VARIANTS[game].start(**random_options(game, lot)))
    positions = [play_at_random(start, plies, lot) for start in starts]
    positions.append(DRAW[game](lot, lot.randint(1, 6))[-1])
    for position in positions:
        for level in LEVELS[game]:
            limits = replace(level.limits, seconds=None, nodes=level.limits.nodes or 300)
            if not position.outcome():
                handicap = level.handicap(lot.randrange(1, 1 << 30))
                position.play(ENGINE.choose(position, limits, handicap=handicap).move)


def test_a_level_is_found_by_number() -> None:
    assert find_level("classic", 1).name == "Newcomer"
    assert find_level("linear", 5).name == "Master"
    for number in (0, 9, "1", None, True, 1.0):
        with pytest.raises(InvalidOption, match="level must be a number from 1 to 8"):
            find_level("classic", number)


def test_thinking_takes_a_natural_while() -> None:
    lot = Random(1)
    position = VARIANTS["classic"].start()
    for level in LEVELS["classic"]:
        delays = [level.delay(position, lot) for _ in range(50)]
        assert 0.3 < min(delays) < max(delays) < 2
