"""What engines call proven is true: a sample of `benchmarks/proofs.py`, and cases drawn by hand."""

from random import Random

import pytest

from benchmarks.proofs import Tally, cases, crowded, examine, examine_game, examine_part
from isolation.engines.all_games import AllGames
from isolation.engines.engine import Engine, Handicap, Limits
from isolation.engines.levels import LEVELS
from isolation.engines.plain import PlainEngine
from isolation.engines.scores import GUESS, PROVEN
from isolation.rules import VARIANTS
from isolation.rules.classic import Classic

ENGINE = AllGames()


@pytest.mark.parametrize("game", VARIANTS)
def test_claims_agree_with_a_full_solver(game: str) -> None:
    tally = Tally()
    for case in cases(game, 20, most=5):
        examine(tally, case, ENGINE, PlainEngine(), seeds=2)
    assert tally.mistakes == []
    assert tally.claims > 200


@pytest.mark.parametrize("engine", [ENGINE, PlainEngine()], ids=["all", "plain"])
@pytest.mark.parametrize("game", VARIANTS)
def test_no_loss_is_claimed_of_some_moves_alone(game: str, engine: Engine) -> None:
    tally, lot = Tally(), Random(3)
    for case in cases(game, 40, most=5):
        examine_part(tally, case, engine, lot)
    assert tally.mistakes == []
    assert tally.claims > 10


@pytest.mark.parametrize("engine", [ENGINE, crowded()], ids=["one thread", "four threads"])
@pytest.mark.parametrize("game", VARIANTS)
def test_what_is_kept_of_earlier_searches_stays_true(game: str, engine: Engine) -> None:
    tally, lot = Tally(), Random(4)
    for case in cases(game, 12, most=5):
        examine_game(tally, case, engine, lot)
    assert tally.mistakes == []
    assert tally.claims > 30


@pytest.mark.parametrize("game", VARIANTS)
def test_a_score_is_a_proof_or_well_inside(game: str) -> None:
    for case in cases(game, 30, most=5):
        for level in LEVELS[game]:
            if not level.limits.seconds:
                score = level.choose(ENGINE, case.position, case.history, seed=1).score
                assert abs(score) <= GUESS or abs(score) >= PROVEN


def test_misjudging_neither_hides_nor_makes_a_win() -> None:
    """The opponent has one exit left: only a player who sees it closed has proof."""
    position = Classic.from_picture("2 . X .\nX X X .\n. . . .\n. . 1 .")
    for number in (3, 4):
        for seed in range(1, 30):
            decision = LEVELS["classic"][number - 1].choose(ENGINE, position, seed=seed)
            assert decision.proven == 1


def test_a_loss_is_not_proven_while_moves_are_overlooked() -> None:
    """Of 16 moves one wins: a player who doesn't see it must not call the position lost."""
    position = Classic.from_picture(". X X\n. 1 2\nX . .")
    handicaps = [Handicap(blind=120, seed=seed) for seed in range(1, 100)]
    decisions = [ENGINE.choose(position, Limits(depth=8), handicap=errs) for errs in handicaps]
    claims = {decision.proven for decision in decisions}
    assert None in claims
    assert all(claim is None or claim >= 3 for claim in claims)
