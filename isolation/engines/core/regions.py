"""Classic and isola once the pawns are walled apart: how long each can go on in its own region.

From then on a turn is two turns in one. The step defends in one's own region, the block attacks in
the other's, and neither has anything to do with the other: nobody ever gains by blocking at home.
So each region is a game of its own, in which the defender steps and the attacker takes a cell, and
what counts is how many steps the defender can make. Who runs out of steps first has lost.
"""

import numpy as np
from numba import int64, njit, uint64

from isolation.engines.core.bits import lowest, popcount
from isolation.engines.core.tables import compiled, mix

UNKNOWN = -1
SPENT, ALLOWED = 0, 1  # the budget of a search, in positions

YES, NO, OUT_OF_BUDGET = 1, 0, -1


@njit(int64(uint64[::1], uint64[:, ::1], int64[::1], uint64, int64, int64), nogil=True, cache=True)
def can_make(king, table, budget, free, cell, steps):
    """Whether the defender, to step, can make so many steps: 1 or 0, or -1 out of budget.

    `free` are the open cells of the region, without the one the pawn is on.
    """
    one = np.uint64(1)
    if steps <= 0:
        return YES
    exits = king[cell] & free
    if exits == 0 or np.int64(popcount(free)) < steps:
        return NO
    if steps == 1:
        return YES
    budget[SPENT] += 1
    if budget[SPENT] > budget[ALLOWED]:
        return OUT_OF_BUDGET
    key = mix(free ^ mix(np.uint64(cell + 1)))
    at = key & np.uint64(table.shape[0] - 1)
    known_yes, known_no = np.uint64(0), np.uint64(255)
    if table[at, 0] == key and table[at, 1] == free:
        known_yes, known_no = table[at, 2] & np.uint64(255), table[at, 2] >> np.uint64(8)
        if known_yes >= np.uint64(steps):
            return YES
        if known_no <= np.uint64(steps):
            return NO
    answer = NO
    while exits and answer == NO:
        to = np.int64(lowest(exits))
        exits &= exits - one
        left = (free | one << np.uint64(cell)) & ~(one << np.uint64(to))
        # The attacker takes what is next to the pawn first: that is what hurts.
        answer = YES
        for near in (True, False):
            taken = left & king[to] if near else left & ~king[to]
            while taken and answer == YES:
                gone = taken & -taken
                taken ^= gone
                answer = can_make(king, table, budget, left & ~gone, to, steps - 1)
            if answer != YES:
                break
        if answer == OUT_OF_BUDGET:
            return OUT_OF_BUDGET
    if answer == YES:
        known_yes = max(known_yes, np.uint64(steps))
    else:
        known_no = min(known_no, np.uint64(steps))
    table[at, 0], table[at, 1] = key, free
    table[at, 2] = known_yes | known_no << np.uint64(8)
    return answer


@compiled
def steps_left(king, table, budget, free, cell):
    """How many steps the defender, to step, can make against the best attack, or UNKNOWN."""
    steps = 0
    while True:
        answer = can_make(king, table, budget, free, cell, steps + 1)
        if answer == OUT_OF_BUDGET:
            return UNKNOWN
        if answer == NO:
            return steps
        steps += 1


@compiled
def best_step(king, table, budget, free, cell):
    """Where the defender should step, and how many steps there are in all; UNKNOWN steps if so."""
    one = np.uint64(1)
    best, best_to = -1, -1
    exits = king[cell] & free
    while exits:
        to = np.int64(lowest(exits))
        exits &= exits - one
        left = (free | one << np.uint64(cell)) & ~(one << np.uint64(to))
        worst, _ = best_theft(king, table, budget, left, to)
        if worst == UNKNOWN:
            return UNKNOWN, -1
        if 1 + worst > best:
            best, best_to = 1 + worst, to
    return max(best, 0), best_to


@compiled
def best_theft(king, table, budget, free, cell):
    """How many steps the best theft leaves the defender on a cell, and which; UNKNOWN if so."""
    fewest, best = 1000, -1
    taken = free
    while taken:
        gone = taken & -taken
        taken ^= gone
        steps = steps_left(king, table, budget, free & ~gone, cell)
        if steps == UNKNOWN:
            return UNKNOWN, -1
        if steps < fewest:
            fewest, best = steps, np.int64(lowest(gone))
    return (0, -1) if best < 0 else (fewest, best)
