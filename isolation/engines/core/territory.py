"""What a position of classic and isola is worth: who is nearer to how many cells.

The functions take the struct of the core in walkers.py.
"""

import numpy as np

from isolation.engines.core.bits import popcount
from isolation.engines.core.tables import compiled
from isolation.engines.scores import MATE

TERRITORY, CONTESTED, STEPS, REACH, TEMPO = range(5)  # weights
WORD, ROWS = range(2)  # kinds of board: one word for all cells, or a word for each row


@compiled
def count(word):
    return np.int64(popcount(word))


@compiled
def spread(s, word):
    """A one-word set and all its king neighbours."""
    one, width = np.uint64(1), np.uint64(s.width)
    wide = word | ((word & s.inner_right) << one) | ((word & s.inner_left) >> one)
    return wide | (wide << width) | (wide >> width)


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
def keeps_shut(s, me, opponent):
    """Whether an opponent who has no exit gets none when the other steps: it can block its own."""
    if s.blockable[me]:
        return True
    across, along = abs(me % s.width - opponent % s.width), abs(me // s.width - opponent // s.width)
    return max(across, along) > 1


@compiled
def evaluate_word(s, me, opponent, ply):
    here, there = s.bit_of[me], s.bit_of[opponent]
    free = s.words[0] & ~(here | there)
    mine, theirs = spread(s, here) & free, spread(s, there) & free
    if mine == 0:
        return np.int64(ply - MATE)
    if theirs == 0 and keeps_shut(s, me, opponent):
        return np.int64(MATE - ply - 1)
    steps = count(mine) - count(theirs)
    reach = count(spread(s, mine) & free) - count(spread(s, theirs) & free)
    territory, contested = np.int64(0), np.int64(0)
    while mine | theirs:
        territory += count(mine) - count(theirs)
        both = mine & theirs
        contested += count(both)
        free &= ~(mine | theirs)
        mine, theirs = spread(s, mine) & free, spread(s, theirs & ~both) & free
    return weigh(s, territory, contested, steps, reach)


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
def evaluate_rows(s, me, opponent, ply):
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
    turn = 0
    while True:
        a_first, a_last = max(1, a_first - 1), min(height, a_last + 1)
        b_first, b_last = max(1, b_first - 1), min(height, b_last + 1)
        a = grow(s, s.mine, a_first, a_last)
        b = grow(s, s.theirs, b_first, b_last)
        if turn == 0:
            if a == 0:
                return np.int64(ply - MATE)
            if b == 0 and keeps_shut(s, me, opponent):
                return np.int64(MATE - ply - 1)
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
    return weigh(s, territory, contested, steps, reach)


@compiled
def evaluate(s, me, opponent, ply):
    """A guess at the value for the side to move; a sure loss where it can not step."""
    if s.kind == WORD:
        return evaluate_word(s, me, opponent, ply)
    return evaluate_rows(s, me, opponent, ply)
