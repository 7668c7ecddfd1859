"""Races of knights: what bounds call decided is so, whether or not the tokens can still meet."""

from random import Random

import numpy as np
from numba import njit

from isolation.engines.core.races import prove_loss, prove_win
from isolation.engines.jumping import WORD, JumpingEngine
from isolation.engines.scores import proven_plies
from isolation.rules.grid import mask_of
from isolation.rules.knights import Knights
from tests.solving import distance

BOARDS = ((4, 4), (5, 4), (4, 5), (5, 5), (6, 3), (11, 9))
PROOFS = 40  # of wins, and of losses


@njit
def prove(space, low, high, me, opponent):  # type: ignore[no-untyped-def]
    return (
        prove_win(space[0], low, high, me, opponent, 0),
        prove_loss(space[0], low, high, me, opponent, 0),
    )


def draw(lot: Random) -> Knights:
    """Two tokens and up to 13 free cells around them."""
    start = Knights.start(*lot.choice(BOARDS))
    grid = start.grid
    left, bottom = (lot.randint(0, size - min(size, 5)) for size in (grid.width, grid.height))
    cells = [
        grid.cell(column, row)
        for column in range(left, min(left + 5, grid.width))
        for row in range(bottom, min(bottom + 5, grid.height))
    ]
    lot.shuffle(cells)
    opened = mask_of(cells[: 2 + lot.randint(4, 13)])
    pieces = (1 << cells[0], 1 << cells[1])
    return Knights(grid, pieces=pieces, blocked=grid.full & ~opened, to_move=0)


def test_what_bounds_decide_agrees_with_a_full_solver() -> None:
    lot, engine = Random(8), JumpingEngine()
    wins = losses = 0
    while min(wins, losses) < PROOFS:
        position = draw(lot)
        space = engine._lay_out(position, ())
        win, loss = prove(
            space,
            np.uint64(position.empty & WORD),
            np.uint64(position.empty >> 64),
            *engine._tokens,
        )
        truth = distance(position)
        distance.cache_clear()
        if win:
            assert 0 < truth <= (proven_plies(int(win)) or 0)
            wins += 1
        if loss:
            assert (proven_plies(int(loss)) or 0) <= truth <= 0
            losses += 1
