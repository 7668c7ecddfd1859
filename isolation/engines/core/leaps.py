"""The board of knights: sets of cells in two words, who can meet whom, and longest paths.

What it says of a position is exact: of tokens that can never meet, by longest paths; and of
positions where one player can mirror the other to the end.
"""

import numpy as np

from isolation.engines.core.bits import lowest, popcount
from isolation.engines.core.counters import COUNTERS
from isolation.engines.core.tables import compiled, mix

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
        ("weights", np.int32, 8),
        ("noise", np.int64),  # how a weak player errs, see tables.py
        ("blind", np.int64),
        ("seed", np.uint64),
        ("cells", np.int32),
        ("counters", np.int64, COUNTERS),
        ("budget", np.int64, 2),  # of a longest path: positions spent, and allowed
        ("rings", np.uint64, (MAX_CELLS + 1, 2)),  # what a token reaches within so many jumps
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
def linked_cells(s, low, high):
    """The cells with at least two free ones a jump away, with three, and with four."""
    one, two = np.uint64(1), np.uint64(2)
    none = np.uint64(0)
    a_low, a_high, b_low, b_high = none, none, none, none
    c_low, c_high, d_low, d_high = none, none, none, none
    for turn in range(8):
        if turn & 3 == 0:
            x_low, x_high = up(low & s.inner[0, 0], high & s.inner[0, 1], one)
        elif turn & 3 == 1:
            x_low, x_high = down(low & s.inner[1, 0], high & s.inner[1, 1], one)
        elif turn & 3 == 2:
            x_low, x_high = up(low & s.inner[2, 0], high & s.inner[2, 1], two)
        else:
            x_low, x_high = down(low & s.inner[3, 0], high & s.inner[3, 1], two)
        rows = s.two_rows if turn & 2 == 0 else s.row
        if turn < 4:
            x_low, x_high = up(x_low, x_high, rows)
        else:
            x_low, x_high = down(x_low, x_high, rows)
        d_low, d_high = d_low | c_low & x_low, d_high | c_high & x_high
        c_low, c_high = c_low | b_low & x_low, c_high | b_high & x_high
        b_low, b_high = b_low | a_low & x_low, b_high | a_high & x_high
        a_low, a_high = a_low | x_low, a_high | x_high
    return b_low, b_high, c_low, c_high, d_low, d_high


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
