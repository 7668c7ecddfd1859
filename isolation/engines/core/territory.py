"""What a position of classic and isola is worth: who is nearer to how many cells.

The functions take the struct in ground.py.
"""

import numpy as np

from isolation.engines.core.ground import WORD, count, spread, winning_move
from isolation.engines.core.tables import NO_MOVE, compiled
from isolation.engines.scores import MATE

TERRITORY, CONTESTED, STEPS, REACH, TEMPO = range(5)  # weights


@compiled
def weigh(s, territory, contested, steps, reach):
    w = s.weights
    return (
        w[TERRITORY] * territory
        + w[CONTESTED] * contested
        + w[STEPS] * steps
        + w[REACH] * reach
        + w[TEMPO]
    )


@compiled
def terms_of_word(s, me, opponent):
    here, there = s.bit_of[me], s.bit_of[opponent]
    free = s.words[0] & ~(here | there)
    mine, theirs = spread(s, here) & free, spread(s, there) & free
    can_step = mine != 0
    steps = count(mine) - count(theirs)
    reach = count(spread(s, mine) & free) - count(spread(s, theirs) & free)
    territory, contested = np.int64(0), np.int64(0)
    while mine | theirs:
        territory += count(mine) - count(theirs)
        both = mine & theirs
        contested += count(both)
        free &= ~(mine | theirs)
        mine, theirs = spread(s, mine) & free, spread(s, theirs & ~both) & free
    return can_step, territory, contested, steps, reach


@compiled
def grow(s, area, first, last):
    """Spread the rows of an area from `first` to `last` into the free cells around, in place."""
    one = np.uint64(1)
    for row in range(first, last + 1):
        word = area[row]
        s.wide[row] = word | (word << one) | (word >> one)
    total = np.int64(0)
    above = np.uint64(0)
    for row in range(first, last + 1):
        here = s.wide[row]
        below = s.wide[row + 1] if row < last else np.uint64(0)
        area[row] = (above | here | below) & s.free[row]
        total += count(area[row])
        above = here
    return total


@compiled
def terms_of_rows(s, me, opponent):
    """The same as for one word, with rows 1 to height of the working areas in use."""
    height = s.height
    for row in range(height):
        s.free[row + 1] = s.words[row]
        s.mine[row + 1] = 0
        s.theirs[row + 1] = 0
    my_row, their_row = s.word_of[me] + 1, s.word_of[opponent] + 1
    s.free[my_row] &= ~s.bit_of[me]
    s.free[their_row] &= ~s.bit_of[opponent]
    s.mine[my_row] = s.bit_of[me]
    s.theirs[their_row] = s.bit_of[opponent]
    a_first = a_last = my_row
    b_first = b_last = their_row
    steps, reach = np.int64(0), np.int64(0)
    territory, contested = np.int64(0), np.int64(0)
    turn, can_step = 0, False
    while True:
        a_first, a_last = max(1, a_first - 1), min(height, a_last + 1)
        b_first, b_last = max(1, b_first - 1), min(height, b_last + 1)
        a = grow(s, s.mine, a_first, a_last)
        b = grow(s, s.theirs, b_first, b_last)
        if turn == 0:
            can_step = a != 0
            steps = a - b
        elif turn == 1:
            reach = a - b + steps
        if a + b == 0:
            break
        territory += a - b
        for row in range(b_first, b_last + 1):
            both = s.mine[row] & s.theirs[row]
            if both:
                contested += count(both)
                s.theirs[row] &= ~both
            s.free[row] &= ~s.theirs[row]
        for row in range(a_first, a_last + 1):
            s.free[row] &= ~s.mine[row]
        turn += 1
    return can_step, territory, contested, steps, reach


@compiled
def terms(s, me, opponent):
    """Whether the side to move can step; and territory, contested, steps and reach."""
    if s.kind == WORD:
        return terms_of_word(s, me, opponent)
    return terms_of_rows(s, me, opponent)


@compiled
def evaluate(s, me, opponent, ply):
    """A guess at the value for the side to move; exact where it can't step, or wins at once."""
    if winning_move(s, me, opponent) != NO_MOVE:
        return np.int64(MATE - ply - 1)
    can_step, territory, contested, steps, reach = terms(s, me, opponent)
    if not can_step:
        return np.int64(ply - MATE)
    return np.int64(weigh(s, territory, contested, steps, reach))
