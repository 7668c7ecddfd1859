"""Which of two knights can jump for longer: bounds that decide most races, exact paths for others.

A safe path is one on which the opponent is too late for every cell. Its owner can jump that often
whatever happens, and the opponent has only what's left of the board: if that's too little, the
game is decided long before the tokens are apart.

By themselves, bounds and the stop once apart didn't show in a match: 52.5 % [45, 60] over 120 games
at 30 ms. Dead ends and larger budgets were only matched together with other changes.
"""

import numpy as np
from numba import from_dtype, int64, njit, uint64

from isolation.engines.core.counters import NODES
from isolation.engines.core.domains import divide
from isolation.engines.core.leaps import (
    NOWHERE,
    SPACE,
    around,
    count,
    first_of,
    flood,
    has,
    jumps,
    linked_cells,
    without,
)
from isolation.engines.core.tables import compiled
from isolation.engines.scores import MATE

SPENT, ALLOWED = 0, 1
OUT_OF_BUDGET = -1
ALL = 1 << 20  # more jumps than there are
EXACT_DEPTH = 4  # how much must be left to search before exact paths are worth it
MOST_POSITIONS = 6000  # to be looked at for a race: about 2 ms
MUCH = 20  # how far ahead a bound must be for a safe path to be worth looking for
LEAD = 20  # what a jump ahead is worth where nobody knows the exact paths


@compiled
def most_jumps(s, low, high, cell):
    """At most as many jumps as the rarer colour allows: each one changes the colour."""
    even = count(low & s.even[0], high & s.even[1])
    odd = count(low, high) - even
    other, same = (odd, even) if has(s.even[0], s.even[1], cell) else (even, odd)
    return min(2 * other, 2 * same + 1)


@compiled
def without_ends(s, low, high, cell):
    """The cells that aren't dead ends, and whether any are: a path visits one, at its end."""
    with_low, with_high = low, high
    if cell < 64:
        with_low |= np.uint64(1) << np.uint64(cell)
    else:
        with_high |= np.uint64(1) << np.uint64(cell - 64)
    two_low, two_high, _, _, _, _ = linked_cells(s, with_low, with_high)
    has_ends = (low & ~two_low | high & ~two_high) != 0
    return low & two_low, high & two_high, has_ends


@compiled
def most_from(s, low, high, cell):
    """At most as many jumps as a token can make among these cells."""
    low, high = flood(s, low, high, s.reach[cell, 0] & low, s.reach[cell, 1] & high)
    return most_jumps(s, low, high, cell)


@njit(int64(from_dtype(SPACE), uint64, uint64, int64, int64, int64), nogil=True, cache=True)
def longest_path(s, low, high, cell, floor, goal):
    """How many jumps can be made from a cell: exact where it is more than `floor`, up to `goal`.

    Anything else is at most the truth; OUT_OF_BUDGET if that is spent.
    """
    near_low, near_high = s.reach[cell, 0] & low, s.reach[cell, 1] & high
    if near_low | near_high == 0:
        return np.int64(0)
    s.budget[SPENT] += 1
    if s.budget[SPENT] > s.budget[ALLOWED]:
        return np.int64(OUT_OF_BUDGET)
    low, high = flood(s, low, high, near_low, near_high)
    bound = most_jumps(s, low, high, cell)
    core_low, core_high = low, high  # without dead ends, then without what's a dead end now, ...
    for ends in range(1, 4):
        core_low, core_high, has_ends = without_ends(s, core_low, core_high, cell)
        if bound <= floor or not has_ends:
            break
        bound = min(bound, most_jumps(s, core_low, core_high, cell) + ends)
    if bound <= floor:
        return np.int64(0)
    bound = min(bound, goal)
    best = np.int64(0)
    while near_low | near_high:
        # The cell with the fewest ways on comes first: it is the one most easily lost.
        to, fewest = np.int64(-1), np.int64(99)
        ways_low, ways_high = near_low, near_high
        while ways_low | ways_high:
            way = first_of(ways_low, ways_high)
            ways_low, ways_high = without(ways_low, ways_high, way)
            onward = count(s.reach[way, 0] & low, s.reach[way, 1] & high)
            if onward < fewest:
                to, fewest = way, onward
        near_low, near_high = without(near_low, near_high, to)
        rest_low, rest_high = without(low, high, to)
        found = longest_path(
            s, rest_low, rest_high, to, np.int64(max(floor, best) - 1), np.int64(goal - 1)
        )
        if found == OUT_OF_BUDGET:
            return np.int64(OUT_OF_BUDGET)
        best = max(best, found + 1)
        if best >= bound:
            break
    return best


@compiled
def spread(s, low, high, token):
    """Note what a token can reach within 0, 1, 2, ... jumps; the last of these is everything."""
    rings = s.rings
    region_low, region_high = np.uint64(0), np.uint64(0)
    from_low, from_high = s.reach[token, 0] & low, s.reach[token, 1] & high
    last = 0
    rings[0, 0], rings[0, 1] = region_low, region_high
    while from_low | from_high:
        region_low |= from_low
        region_high |= from_high
        last += 1
        rings[last, 0], rings[last, 1] = region_low, region_high
        from_low, from_high = around(s, from_low, from_high)
        from_low &= low & ~region_low
        from_high &= high & ~region_high
    return last


@compiled
def safe_path(s, low, high, cell, last, late):
    """A path on which the opponent is too late for every cell, and what's free without it.

    The opponent has made as many jumps as we, or `late` (0 or 1) more, when we choose our next.
    """
    rings, length = s.rings, 0
    while True:
        now, then = min(length + late, last), min(length + 1 + late, last)
        near_low = s.reach[cell, 0] & low & ~rings[now, 0]
        near_high = s.reach[cell, 1] & high & ~rings[now, 1]
        if near_low | near_high == 0:
            return length, low, high
        open_low, open_high = low & ~rings[then, 0], high & ~rings[then, 1]
        to, fewest = np.int64(-1), np.int64(99)
        while near_low | near_high:
            way = first_of(near_low, near_high)
            near_low, near_high = without(near_low, near_high, way)
            onward = count(s.reach[way, 0] & open_low, s.reach[way, 1] & open_high)
            if onward == 0:
                onward = 98  # a dead end
            if onward < fewest:
                to, fewest = way, onward
        low, high = without(low, high, to)
        cell = to
        length += 1


@compiled
def prove_win(s, low, high, me, opponent, ply):
    """The score if the player to move has a safe path that outlasts the opponent, or 0."""
    last = spread(s, low, high, opponent)
    mine, rest_low, rest_high = safe_path(s, low, high, me, last, 0)
    theirs = most_from(s, rest_low, rest_high, opponent)
    return np.int64(MATE - ply - 2 * theirs - 1 if mine > theirs else 0)


@compiled
def prove_loss(s, low, high, me, opponent, ply):
    """The same for the opponent of the player to move."""
    last = spread(s, low, high, me)
    theirs, rest_low, rest_high = safe_path(s, low, high, opponent, last, 1)
    mine = most_from(s, rest_low, rest_high, me)
    return np.int64(ply + 2 * mine - MATE if theirs >= mine else 0)


@compiled
def race(s, low, high, me, opponent, ply, allowed):
    """A proven score once the tokens are apart, or 0 if it takes too long to find."""
    share = allowed // 3
    s.budget[SPENT], s.budget[ALLOWED] = 0, share
    theirs = longest_path(s, low, high, opponent, np.int64(-1), np.int64(ALL))
    s.budget[ALLOWED] += share
    if theirs != OUT_OF_BUDGET:
        mine = longest_path(s, low, high, me, theirs, np.int64(theirs + 1))
        if mine == OUT_OF_BUDGET:
            return np.int64(0)
        if mine > theirs:
            return np.int64(MATE - ply - 2 * theirs - 1)
        return np.int64(ply + 2 * min(theirs, most_from(s, low, high, me)) - MATE)
    mine = longest_path(s, low, high, me, np.int64(-1), np.int64(ALL))
    if mine == OUT_OF_BUDGET:
        return np.int64(0)
    s.budget[ALLOWED] += share
    theirs = longest_path(s, low, high, opponent, np.int64(mine - 1), mine)
    if theirs == OUT_OF_BUDGET:
        return np.int64(0)
    if theirs >= mine:
        return np.int64(ply + 2 * mine - MATE)
    return np.int64(MATE - ply - 2 * mine + 1)


@compiled
def decide(s, low, high, me, opponent, ply, depth):
    """A score, and whether it is one: a proof, or a guess once the tokens can never meet.

    Apart, each goes its own way, and there is nothing to gain from searching their moves in turn.
    Only one of two proofs can succeed: a safe path lies in its owner's domain, and what the other
    is left with contains the other's.
    """
    mine_low, mine_high = jumps(s, low, high, me)
    their_low, their_high = jumps(s, low, high, opponent)
    theirs_low, theirs_high, ours_low, ours_high = divide(
        s, low, high, their_low, their_high, mine_low, mine_high
    )
    ahead = most_jumps(s, ours_low, ours_high, me)
    behind = most_jumps(s, theirs_low, theirs_high, opponent)
    near_low, near_high = around(s, ours_low, ours_high)
    is_apart = (
        near_low & theirs_low
        | near_high & theirs_high
        | their_low & ours_low
        | their_high & ours_high
    ) == 0
    margin = 0 if is_apart else MUCH
    if ahead > behind + margin:
        value = prove_win(s, low, high, me, opponent, ply)
        if value:
            return value, True
    elif behind >= ahead + margin:
        value = prove_loss(s, low, high, me, opponent, ply)
        if value:
            return value, True
    if not is_apart:
        return np.int64(0), False
    value = np.int64(0)
    if depth >= EXACT_DEPTH:
        value = race(s, low, high, me, opponent, ply, min(6 * depth * depth, MOST_POSITIONS))
        s.counters[NODES] += s.budget[SPENT]
    if value == 0:
        value = np.int64(LEAD * (ahead - behind))
    return value, True


@compiled
def race_root(space, low, high, me, opponent, allowed):
    """Once the tokens are apart: the exact score and the best move; 0 where it is not known."""
    s = space[0]
    if me == NOWHERE or opponent == NOWHERE:
        return np.int64(0), np.int64(-1)
    mine_low, mine_high = flood(s, low, high, s.reach[me, 0] & low, s.reach[me, 1] & high)
    if s.reach[opponent, 0] & mine_low | s.reach[opponent, 1] & mine_high:
        return np.int64(0), np.int64(-1)
    s.budget[SPENT], s.budget[ALLOWED] = 0, allowed
    theirs = longest_path(s, low, high, opponent, np.int64(-1), np.int64(ALL))
    if theirs == OUT_OF_BUDGET:
        return np.int64(0), np.int64(-1)
    best, best_to = np.int64(-1), np.int64(-1)
    near_low, near_high = jumps(s, low, high, me)
    while near_low | near_high:
        to = first_of(near_low, near_high)
        near_low, near_high = without(near_low, near_high, to)
        rest_low, rest_high = without(low, high, to)
        s.budget[SPENT] = 0
        path = longest_path(s, rest_low, rest_high, to, best, np.int64(ALL))
        if path == OUT_OF_BUDGET:
            return np.int64(0), np.int64(-1)
        if path > best:
            best, best_to = path, to
    mine = best + 1
    if mine > theirs:
        return np.int64(MATE - 2 * theirs - 1), best_to
    return np.int64(2 * mine - MATE), best_to
