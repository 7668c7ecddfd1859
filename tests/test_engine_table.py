"""The transposition table: what it keeps, what it forgets, and that nobody can tell afterwards."""

from random import Random

import numpy as np
import pytest

from isolation.engines.all_games import COMPILED, AllGames
from isolation.engines.core.tables import (
    EXACT,
    LAST_AGE,
    LAST_EPOCH,
    NO_MOVE,
    probe,
    store,
    stored_depth,
    stored_move,
    stored_score,
)
from isolation.engines.engine import Decision, Handicap, Limits, Progress, Resources, StopFlag
from isolation.engines.sliding import SlidingEngine
from isolation.engines.table import Table
from isolation.engines.walking import WalkingEngine
from isolation.rules import VARIANTS, Position, read_fen
from isolation.rules.slider import Slider
from tests.playing import play_at_random
from tests.solving import best_of, solve_moves

SHORT = Limits(seconds=0.05)


def fill(table: Table, key: int, depth: int = 3, move: int = 5, score: int = 7) -> None:
    store(table.words, np.uint64(key), depth, EXACT, score, move, 0)


def knows(table: Table, key: int) -> bool:
    return bool(probe(table.words, np.uint64(key)))


@pytest.mark.parametrize("move", [NO_MOVE, 0, 1022 << 10 | 1022, 728 << 10 | 1023])
def test_an_entry_comes_back_whole(move: int) -> None:
    table = Table(1)
    for _ in range(40):
        table.keep("here")
    fill(table, 99, 120, move, -29990)
    word = probe(table.words, np.uint64(99))
    assert (stored_depth(word), stored_move(word), stored_score(word, 0)) == (120, move, -29990)


def test_it_takes_the_memory_it_may() -> None:
    for megabytes, entries in ((1, 1 << 16), (3, 1 << 17), (64, 1 << 22)):
        assert len(Table(megabytes).words) == entries + 1


def test_what_is_cleared_is_gone() -> None:
    """Also after so many times that the epochs begin again."""
    table = Table(1)
    fill(table, 1)
    for _ in range(LAST_EPOCH + 2):
        assert knows(table, 1) or table.fullness == 0
        table.clear()
        assert not knows(table, 1)
    fill(table, 1)
    assert knows(table, 1)


def test_the_same_realm_is_kept() -> None:
    table = Table(1)
    assert not table.keep("here")
    fill(table, 1)
    for _ in range(2 * LAST_AGE):
        assert table.keep("here")
        assert knows(table, 1)
    assert not table.keep("there")
    assert not knows(table, 1)


def test_older_entries_make_room() -> None:
    """Of three keys for the same two places, the deepest stays as long as it's not too old."""
    table = Table(1)
    keys = [1, 1 + (1 << 16), 1 + (1 << 17)]
    table.keep("here")
    fill(table, keys[0], depth=9)
    fill(table, keys[1], depth=5)
    fill(table, keys[2], depth=5)
    assert [knows(table, key) for key in keys] == [True, False, True]
    for _ in range(3):
        table.keep("here")
    fill(table, keys[1], depth=5)
    assert [knows(table, key) for key in keys] == [False, True, True]


def test_it_says_how_full_it_is() -> None:
    table = Table(1)
    assert table.fullness == 0
    for key in range(250):
        fill(table, key)
    assert table.fullness == 250
    table.clear()
    assert table.fullness == 0


def game_of(game: str, plies: int) -> list[Position]:
    lot = Random(5)
    positions = [VARIANTS[game].start()]
    while len(positions) < plies:
        positions.append(play_at_random(positions[-1], 1, lot))
    return positions


@pytest.mark.parametrize("game", COMPILED)
def test_steps_forward_and_back_keep_it(game: str) -> None:
    engine, positions = COMPILED[game](), game_of(game, 8)
    engine.choose(positions[4], SHORT, positions[:4])
    epoch = engine.memory._epoch
    for at in (5, 6, 3, 7, 2):
        engine.choose(positions[at], SHORT, positions[:at])
        assert engine.memory._epoch == epoch
    engine.forget()
    assert engine.memory._epoch > epoch


def test_another_board_clears_it() -> None:
    engine = WalkingEngine()
    for epoch, position in enumerate(
        (
            VARIANTS["isola"].start(size=7),
            VARIANTS["isola"].start(size=9),
            VARIANTS["isola"].start(size=9, starts="fixed"),
        )
    ):
        engine.choose(position, SHORT)
        assert engine.memory._epoch == epoch + 2


@pytest.mark.parametrize("game", COMPILED)
def test_limited_searches_are_repeatable_after_any_others(game: str) -> None:
    engine, position = AllGames(), game_of(game, 4)[-1]
    for limits, handicap in (
        (Limits(nodes=5_000), Handicap()),
        (Limits(depth=4), Handicap()),
        (Limits(depth=3), Handicap(noise=50, blind=30, seed=7)),
    ):
        first = engine.analyse(position, limits, 2, handicap=handicap)
        engine.choose(position, SHORT)
        engine.choose(VARIANTS["isola"].start(), SHORT)
        again = engine.analyse(position, limits, 2, handicap=handicap)
        essence = [(line.line, line.score, line.nodes) for line in first]
        assert [(line.line, line.score, line.nodes) for line in again] == essence


def test_all_games_share_one_table_of_the_size_that_was_set() -> None:
    engine = AllGames()
    engine.use(Resources(hash_mb=2))
    for game in COMPILED:
        engine.choose(VARIANTS[game].start(), Limits(depth=2))
    tables = {id(compiled.memory) for compiled in engine._compiled.values()}
    assert len(tables) == 1
    engine.use(Resources(hash_mb=5))
    for compiled in engine._compiled.values():
        assert len(compiled._table) == (1 << 18) + 1


def walked(*moves: str) -> list[Position]:
    positions: list[Position] = [Slider.from_picture("+ + +\nH + +\n+ + V")]
    for text in moves:
        positions.append(positions[-1].play(positions[-1].parse(text)))
    return positions


def test_a_position_that_came_twice_ends_what_was_found_before() -> None:
    """A win found earlier may lead through it; one found since doesn't."""
    there_and_back = ("a2-a1", "c1-b1", "a1-a2", "b1-c1")
    positions = walked(*there_and_back)
    engine = SlidingEngine(knows_solved=False)
    epochs = []
    for at in (0, 2, 3, 4, 4, 3, 2, 4):
        engine.choose(positions[at], SHORT, positions[:at])
        epochs.append(engine.memory._epoch)
    first = epochs[0]
    # The start comes back at 4. What's found then avoids it, until there's a search before it.
    assert epochs == [first] * 3 + [first + 1] * 5
    engine.choose(positions[0], SHORT)
    engine.choose(positions[4], SHORT, positions[:4])
    assert engine.memory._epoch > first + 1


@pytest.mark.parametrize(
    ("fen", "twice"),
    [
        ("x-1/1o1/1x1 o", "x-1/1xo/3 o"),
        ("1x-/3/-1o x", "2-/1x1/-o1 x"),
        ("2x/x1o/-2 o", "3/xox/-2 o"),
        ("2x/x1o/-2 o", "x1x/1o1/-2 o"),
    ],
)
def test_a_win_is_no_win_once_it_leads_to_a_third_time(fen: str, twice: str) -> None:
    """Found without a past, it leads through a position that has been there twice later on."""
    position, before = read_fen("slider", fen), read_fen("slider", twice)
    engine = SlidingEngine(knows_solved=False)
    assert (engine.choose(position, Limits(seconds=20)).proven or 0) > 0  # which ends it at once
    assert best_of(list(solve_moves(position, [before, before]).values())).sign == 0
    assert engine.choose(position, SHORT, [before, before]).proven is None


def test_notes_tell_that_a_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """And that it's worth less than expected, or more, before it's searched again."""
    monkeypatch.setattr("isolation.engines.deepening.NOTE_SECONDS", 0.0)
    monkeypatch.setattr("isolation.engines.deepening.WINDOW", 1)
    flag = StopFlag()
    seen: set[str] = set()

    def see(what: str) -> None:
        seen.add(what)
        if seen >= {"goes on", "at most", "at least"}:
            flag.set()

    def report(number: int, line: Decision) -> None:
        see("at least" if line.is_least else "a line")

    def note(progress: Progress) -> None:
        assert progress.seldepth >= 1
        assert progress.nodes > 0
        see("goes on" if progress.most is None else "at most")

    limits = Limits(seconds=60, stop=flag)  # far longer than it takes
    WalkingEngine().analyse(VARIANTS["classic"].start(), limits, report=report, note=note)
    assert seen == {"a line", "goes on", "at most", "at least"}
