"""The gauntlet: its sequential test, its match runner, and rivals that keep to the rules."""

import sys
from argparse import Namespace
from random import Random

import pytest

from benchmarks.gauntlet import play_match
from benchmarks.matches import opening
from benchmarks.programs import RIVALS, Fault, Program, find_program
from benchmarks.sprt import Sprt, log_likelihood_ratio, most_likely

STARTS: list[tuple[str, dict[str, object]]] = [
    ("classic", {}),
    ("isola", {"starts": "fixed"}),
    ("knights", {}),
    ("slider", {"blocks": ((2, 2), (3, 1))}),
]


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes longer than these few moves do without."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def test_even_pairs_speak_for_neither_of_two_shares_around_a_half() -> None:
    assert log_likelihood_ratio([5, 0, 20, 0, 5], 0.45, 0.55) == pytest.approx(0, abs=1e-6)


def test_chances_add_up_and_have_the_share_asked_for() -> None:
    chances = most_likely([3, 1, 10, 2, 8], 0.4)
    assert sum(chances) == pytest.approx(1)
    shares = (0, 0.25, 0.5, 0.75, 1)
    assert sum(map(float.__mul__, chances, map(float, shares))) == pytest.approx(0.4)


def test_wins_only_weigh_as_their_chances_do() -> None:
    """Where all pairs are won, a share of 0.6 explains each 1.2 times as well as one of 0.5."""
    assert log_likelihood_ratio([0, 0, 0, 0, 10], 0.5, 0.6) == pytest.approx(1.82, abs=0.02)


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([0, 0, 3, 0, 1], None),
        ([10, 0, 60, 0, 40], 0.6),
        ([40, 0, 60, 0, 10], 0.5),
        ([25, 0, 60, 0, 25], 0.5),
    ],
)
def test_a_verdict_comes_with_enough_pairs(pairs: list[int], verdict: float | None) -> None:
    assert Sprt(0.5, 0.6).verdict(pairs) == verdict


def test_swapping_sides_turns_the_ratio_around() -> None:
    pairs = [4, 1, 9, 2, 7]
    ratio = log_likelihood_ratio(pairs, 0.45, 0.55)
    assert log_likelihood_ratio(pairs[::-1], 0.45, 0.55) == pytest.approx(-ratio)


@pytest.mark.parametrize("rival", RIVALS)
def test_rivals_play_legal_moves(rival: str) -> None:
    with find_program(rival) as program:
        for game, options in STARTS:
            if game not in RIVALS[rival]:
                continue
            record = opening(game, options, 4, Random(rival))
            program.begin(game, options)
            for _ in range(4):
                record = record.play(program.choose(record, 1, 60_000)).with_passes()


def test_plain_opponents_play_every_game() -> None:
    record = opening("linear", {"length": "random"}, 1, Random(2))
    with find_program("greedy") as program:
        program.begin("linear", {"length": "random"})
        record.play(program.choose(record, 1, 60_000))


def chosen() -> Namespace:
    return Namespace(pairs=1, ms=1, margin=60_000, plies=2, seed=1, sprt=None, quiet=True)


def test_a_match_counts_both_games_of_a_pair() -> None:
    options = {"blocks": ((2, 2),), "size": 4}
    with find_program("alphabeta") as ours, find_program("mcts") as theirs:
        tally = play_match(ours, theirs, "slider", chosen(), options)
    assert tally.score.games == 2
    assert sum(tally.pairs) == 1
    assert not tally.faults


STUBBORN = """
for line in iter(input, "quit"):
    word = line.split()[0]
    answers = {"ugi": "ugiok", "isready": "readyok", "go": "bestmove a1/a1"}
    print(answers.get(word, "info string"), flush=True)
"""


def test_an_illegal_move_loses_the_game() -> None:
    command = [sys.executable, "-c", STUBBORN]
    programs = Program("one", command), Program("other", command)
    tally = play_match(*programs, "classic", chosen(), {})
    for program in programs:
        program.close()
    assert tally.pairs == [0, 0, 1, 0, 0]
    assert [fault.split(" said")[0] for fault in tally.faults] == ["one", "other"]


def test_a_program_that_ends_is_a_fault() -> None:
    program = Program("gone", [sys.executable, "-c", "pass"])
    with pytest.raises(Fault, match="gone ended"):
        program.begin("classic", {})
    program.close()
