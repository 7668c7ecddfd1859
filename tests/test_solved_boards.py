"""Values of small boards that are known from elsewhere, found by plain search over the rules."""

import pytest

from isolation.rules import VARIANTS
from isolation.rules.classic import Classic
from isolation.rules.knights import Knights
from isolation.rules.linear import Linear
from tests.solving import mover_wins

GRUNDY = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]


@pytest.mark.parametrize("starts", ["open", "fixed"])
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (3, 4), (4, 3)])
def test_first_player_wins_small_classic(rows: int, columns: int, starts: str) -> None:
    assert mover_wins(Classic.start(width=columns, height=rows, starts=starts))


@pytest.mark.parametrize(("width", "height"), [(3, 3), (3, 4), (4, 3), (4, 4)])
def test_second_player_wins_small_knights(width: int, height: int) -> None:
    assert not mover_wins(Knights.start(width=width, height=height))


def grundy(length: int) -> int:
    """mex over the square claimed of G(left part) xor G(right part), by its definition."""
    values: list[int] = []
    for n in range(length + 1):
        reached = {
            values[max(0, claimed - 2)] ^ values[max(0, n - claimed - 1)]
            for claimed in range(1, n + 1)
        }
        values.append(next(value for value in range(n + 2) if value not in reached))
    return values[length]


def test_the_grundy_numbers_of_the_theory() -> None:
    assert [grundy(n) for n in range(14)] == GRUNDY


@pytest.mark.parametrize("length", range(1, 20))
def test_linear_is_won_where_its_grundy_number_is_not_zero(length: int) -> None:
    assert mover_wins(Linear.start(length=length)) == (grundy(length) != 0)


def test_the_only_winning_first_claim_on_13_squares_is_7() -> None:
    start = VARIANTS["linear"].start()
    winning = [move for move in start.legal_moves() if not mover_wins(start.after(move))]
    assert [start.notate(move) for move in winning] == ["7"]
