"""The board of knights: sets of cells in two words, who can meet whom, and longest paths.

What it says of a position is exact: of tokens that can never meet, by longest paths; and of
positions where one player can mirror the other to the end.
"""

import numpy as np
from numba import from_dtype, int64, njit, uint64

from isolation.engines.core.bits import lowest, popcount
from isolation.engines.core.counters import COUNTERS
from isolation.engines.core.tables import compiled, mix
from isolation.engines.scores import MATE

MAX_CELLS = 128
MAX_PLY = 130
NOWHERE = 127  # where a token is that has not been placed yet

SPACE = np.dtype(
    [
        ("reach", np.uint64, (MAX_CELLS, 2)),  # the cells a jump away
        ("inner", np.uint64, (4, 2)),  # the cells not within 1 and 2 of the last and first column
        ("row", np.uint64),  # how many places further the next row is
        ("two_rows", np.uint64),
        ("even", np.uint64, 2),  # the cells of one of the two colours
        ("weights", np.int32, 4),
        ("noise", np.int64),  # how a weak player errs, see tables.py
        ("blind", np.int64),
        ("seed", np.uint64),
        ("cells", np.int32),
        ("counters", np.int64, COUNTERS),
        ("budget", np.int64, 2),  # of a longest path: positions spent, and allowed
        ("excluded", np.int32, 64),  # root moves that are not to be searched
        ("moves", np.int32, (MAX_PLY, MAX_CELLS)),
        ("ranks", np.int32, (MAX_PLY, MAX_CELLS)),
        ("killers", np.int32, (MAX_PLY, 2)),
        ("history", np.int32, (2, 2, MAX_CELLS)),
        ("line", np.int32, (MAX_PLY, MAX_PLY)),
        ("line_length", np.int32, MAX_PLY),
    ],
    align=True,
)

SPENT, ALLOWED = 0, 1
OUT_OF_BUDGET = -1


@compiled
def count(low, high):
    return np.int64(popcount(low)) + np.int64(popcount(high))


@compiled
def hashed(low, high, me, opponent):
    return mix(low ^ mix(high ^ np.uint64(me << 48 | opponent << 56)))


@compiled
def without(low, high, cell):
    one = np.uint64(1)
    if cell < 64:
        return low & ~(one << np.uint64(cell)), high
    return low, high & ~(one << np.uint64(cell - 64))


@compiled
def has(low, high, cell):
    word = low if cell < 64 else high
    return (word >> np.uint64(cell & 63)) & np.uint64(1) != 0


@compiled
def first_of(low, high):
    return np.int64(lowest(low)) if low else np.int64(lowest(high)) + 64


@compiled
def up(low, high, by):
    """The cells so many places higher in number."""
    return low << by, high << by | low >> (np.uint64(64) - by)


@compiled
def down(low, high, by):
    return low >> by | high << (np.uint64(64) - by), high >> by


@compiled
def around(s, low, high):
    """All cells a jump away from any of these, and maybe some beyond the board.

    All jumps at once by shifting the words sideways, then up and down: there is no branch.
    """
    one, two = np.uint64(1), np.uint64(2)
    a_low, a_high = up(low & s.inner[0, 0], high & s.inner[0, 1], one)
    b_low, b_high = down(low & s.inner[1, 0], high & s.inner[1, 1], one)
    near_low, near_high = a_low | b_low, a_high | b_high
    a_low, a_high = up(low & s.inner[2, 0], high & s.inner[2, 1], two)
    b_low, b_high = down(low & s.inner[3, 0], high & s.inner[3, 1], two)
    far_low, far_high = a_low | b_low, a_high | b_high
    a_low, a_high = up(near_low, near_high, s.two_rows)
    b_low, b_high = down(near_low, near_high, s.two_rows)
    c_low, c_high = up(far_low, far_high, s.row)
    d_low, d_high = down(far_low, far_high, s.row)
    return a_low | b_low | c_low | d_low, a_high | b_high | c_high | d_high


@compiled
def jumps(s, low, high, token):
    """Where a token can go: anywhere as long as it is not placed."""
    if token == NOWHERE:
        return low, high
    return s.reach[token, 0] & low, s.reach[token, 1] & high


@compiled
def flood(s, low, high, from_low, from_high):
    """These cells and all that can be reached from them."""
    region_low, region_high = from_low, from_high
    while from_low | from_high:
        from_low, from_high = around(s, from_low, from_high)
        from_low &= low & ~region_low
        from_high &= high & ~region_high
        region_low |= from_low
        region_high |= from_high
    return region_low, region_high


@compiled
def are_apart(s, low, high, me, opponent):
    """Whether no free cell can be reached by both, however they jump."""
    if me == NOWHERE or opponent == NOWHERE:
        return False
    their_low, their_high = s.reach[opponent, 0] & low, s.reach[opponent, 1] & high
    from_low, from_high = s.reach[me, 0] & low, s.reach[me, 1] & high
    region_low, region_high = from_low, from_high
    while from_low | from_high:
        if region_low & their_low | region_high & their_high:
            return False
        from_low, from_high = around(s, from_low, from_high)
        from_low &= low & ~region_low
        from_high &= high & ~region_high
        region_low |= from_low
        region_high |= from_high
    return True


@njit(int64(from_dtype(SPACE), uint64, uint64, int64, int64), nogil=True, cache=True)
def longest_path(s, low, high, cell, floor):
    """How many jumps can be made from a cell: exact where it is more than `floor`.

    Anything else is at most the truth; OUT_OF_BUDGET if that is spent.
    """
    near_low, near_high = s.reach[cell, 0] & low, s.reach[cell, 1] & high
    if near_low | near_high == 0:
        return np.int64(0)
    s.budget[SPENT] += 1
    if s.budget[SPENT] > s.budget[ALLOWED]:
        return np.int64(OUT_OF_BUDGET)
    low, high = flood(s, low, high, near_low, near_high)
    # Jumps change the colour each time: there are at most as many as the rarer colour allows.
    even = count(low & s.even[0], high & s.even[1])
    odd = count(low, high) - even
    other, same = (odd, even) if has(s.even[0], s.even[1], cell) else (even, odd)
    bound = min(2 * other, 2 * same + 1)
    if bound <= floor:
        return np.int64(0)
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
        found = longest_path(s, rest_low, rest_high, to, np.int64(max(floor, best) - 1))
        if found == OUT_OF_BUDGET:
            return np.int64(OUT_OF_BUDGET)
        best = max(best, found + 1)
        if best >= bound:
            break
    return best


@compiled
def race(s, low, high, me, opponent, ply, allowed):
    """The exact score once the tokens are apart, or 0 if it takes too long to find."""
    s.budget[SPENT], s.budget[ALLOWED] = 0, allowed
    mine = longest_path(s, low, high, me, np.int64(-1))
    if mine == OUT_OF_BUDGET:
        return np.int64(0)
    theirs = longest_path(s, low, high, opponent, np.int64(-1))
    if theirs == OUT_OF_BUDGET:
        return np.int64(0)
    if mine > theirs:
        return np.int64(MATE - ply - 2 * theirs - 1)
    return np.int64(ply + 2 * mine - MATE)


@compiled
def mirror_move(s, low, high, me, opponent):
    """The cell opposite to the opponent, if from there all its moves can be mirrored; else -1.

    What is free then lies symmetric around the centre, which is not free itself: whatever cell the
    opponent jumps to, the opposite one is free, so it is the opponent who runs out of moves.
    """
    if opponent == NOWHERE:
        return np.int64(-1)
    to = np.int64(s.cells - 1 - opponent)
    near_low, near_high = jumps(s, low, high, me)
    if not has(near_low, near_high, to):
        return np.int64(-1)
    low, high = without(low, high, to)
    for cell in range((s.cells + 1) // 2):
        opposite = s.cells - 1 - cell
        if has(low, high, cell) and (opposite == cell or not has(low, high, opposite)):
            return np.int64(-1)
        if has(low, high, opposite) and not has(low, high, cell):
            return np.int64(-1)
    return to


@compiled
def mirror_root(space, low, high, me, opponent):
    """The winning mirror move, or -1."""
    return mirror_move(space[0], low, high, me, opponent)


@compiled
def race_root(space, low, high, me, opponent, allowed):
    """Once the tokens are apart: the exact score and the best move; 0 where it is not known."""
    s = space[0]
    if not are_apart(s, low, high, me, opponent):
        return np.int64(0), np.int64(-1)
    score = race(s, low, high, me, opponent, 0, allowed)
    best, best_to = np.int64(-1), np.int64(-1)
    near_low, near_high = jumps(s, low, high, me)
    while score and near_low | near_high:
        to = first_of(near_low, near_high)
        near_low, near_high = without(near_low, near_high, to)
        rest_low, rest_high = without(low, high, to)
        s.budget[SPENT], s.budget[ALLOWED] = 0, allowed
        path = longest_path(s, rest_low, rest_high, to, np.int64(-1))
        if path == OUT_OF_BUDGET:
            return np.int64(0), np.int64(-1)
        if path > best:
            best, best_to = path, to
    return score, best_to
