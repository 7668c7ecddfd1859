"""Knights for the rivals: rows of 11 cells and 2 that aren't there, in two words of 59 bits.

With two cells beyond each row a jump over the edge lands on one that's never empty, so a set of
cells jumps by plain shifts.
"""

import numpy as np

from benchmarks.rivals.compiled import compiled, count, lowest
from isolation.rules.grid import bits

WIDTH, HEIGHT, STRIDE = 11, 9, 13
HALF = 59
LOW = (1 << HALF) - 1
TWO_AWAY, TERRITORY, TEMPO = 3, 5, 6


def _place(cell):
    return cell // WIDTH * STRIDE + cell % WIDTH


def board(position):
    empty = sum(1 << _place(cell) for cell in bits(position.empty))
    mine, theirs = (
        _place(mask.bit_length() - 1) if mask else -1
        for mask in (position.pieces[position.to_move], position.pieces[1 - position.to_move])
    )
    return empty & LOW, empty >> HALF, mine, theirs


def tables(grid, blocked):
    if (grid.width, grid.height) != (WIDTH, HEIGHT):
        raise ValueError("the board has 11 columns and 9 rows here")
    return np.zeros((1, 1), np.int64)


def read_move(position, place, _):
    return (place // STRIDE * WIDTH + place % STRIDE,)


@compiled
def after(a, b, c, d, move):
    one = np.int64(1)
    if move < HALF:
        return a & ~(one << move), b, d, move
    return a, b & ~(one << (move - HALF)), d, move


@compiled
def jump(low, high):
    """All cells a jump away from these: 11, 15, 25 or 27 places up or down."""
    up = low << 11 | low << 15 | low << 25 | low << 27
    over = low >> 48 | low >> 44 | low >> 34 | low >> 32
    up_high = high << 11 | high << 15 | high << 25 | high << 27
    down = low >> 11 | low >> 15 | low >> 25 | low >> 27
    under = high << 48 | high << 44 | high << 34 | high << 32
    down_high = high >> 11 | high >> 15 | high >> 25 | high >> 27
    return (up | down | under) & LOW, (up_high | over | down_high) & LOW


@compiled
def cell_of(place):
    one = np.int64(1)
    if place < HALF:
        return one << place, np.int64(0)
    return np.int64(0), one << (place - HALF)


@compiled
def targets(a, b, c):
    if c < 0:
        return a, b
    low, high = cell_of(c)
    low, high = jump(low, high)
    return low & a, high & b


@compiled
def can_move(a, b, c):
    low, high = targets(a, b, c)
    return low | high != 0


@compiled
def moves_of(a, b, c, moves):
    low, high = targets(a, b, c)
    total = 0
    while low:
        moves[total] = lowest(low)
        total += 1
        low &= low - 1
    while high:
        moves[total] = lowest(high) + HALF
        total += 1
        high &= high - 1
    return total


@compiled
def evaluate(a, b, c, d):
    """Mobility, cells two jumps away, and the cells that each token is first to reach."""
    if c < 0:
        return np.int64(0)
    mine, mine_high = cell_of(c)
    theirs, theirs_high = cell_of(d)
    score, low, high, round_ = np.int64(TEMPO), a, b, 0
    while mine | mine_high | theirs | theirs_high:
        mine, mine_high = jump(mine, mine_high)
        theirs, theirs_high = jump(theirs, theirs_high)
        if round_ < 2:
            lead = count(mine & a) + count(mine_high & b)
            lead -= count(theirs & a) + count(theirs_high & b)
            score += lead * (8 if round_ == 0 else TWO_AWAY)
        mine &= low
        mine_high &= high
        theirs &= low
        theirs_high &= high
        lead = count(mine & ~theirs) + count(mine_high & ~theirs_high)
        lead -= count(theirs & ~mine) + count(theirs_high & ~mine_high)
        score += TERRITORY * lead
        low &= ~(mine | theirs)
        high &= ~(mine_high | theirs_high)
        round_ += 1
    return score
