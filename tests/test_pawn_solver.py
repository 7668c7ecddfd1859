"""The solver of classic and isola, against a plain search over the rules."""

from random import Random

import pytest

from benchmarks.proofs import draw_classic, draw_isola
from isolation.engines.solving.pawns import NotSolvable, PawnSolver
from isolation.rules.classic import Classic
from isolation.rules.pawns import PawnPosition
from tests.solving import best_of, distance, solve_moves


def some_positions(count: int) -> list[PawnPosition]:
    lot, found = Random(15), list[PawnPosition]()
    while len(found) < count:
        for position in (*draw_classic(lot, 5), *draw_isola(lot, 5)):
            if isinstance(position, PawnPosition) and not position.protected:
                found += [] if position.outcome() else [position]
    return found


def test_values_distances_and_best_moves() -> None:
    for position in some_positions(60):
        moves = solve_moves(position)
        solution = PawnSolver(position).solve()
        best = best_of(list(moves.values()))
        assert tuple(solution.value) == tuple(best)
        assert set(solution.best) == {move for move in moves if moves[move] == best}
        distance.cache_clear()


@pytest.mark.parametrize(
    ("width", "height", "plies"), [(3, 3, 5), (3, 4, 7), (4, 3, 7), (4, 4, 11)]
)
def test_the_first_player_wins_small_boards(width: int, height: int, plies: int) -> None:
    assert tuple(PawnSolver(Classic.start(width, height)).solve().value) == (1, plies)


def test_a_position_that_is_too_large_is_refused() -> None:
    with pytest.raises(NotSolvable, match="fixed start squares"):
        PawnSolver(Classic.start(3, 3, "fixed"))
    with pytest.raises(NotSolvable, match="35 squares are open"):
        PawnSolver(Classic.start(5, 7))
    with pytest.raises(NotSolvable, match="looking 2 plies ahead"):
        PawnSolver(Classic.start(5, 5), memory=10_000).solve()
