"""Slider solved backwards: what every position of a board is worth, and how soon it's over.

A player's pieces are a set of cells, and sets are numbered so that those with fewer steps to go
come first. A table has a row for each set of H, two lines in it, for H and V to move, and a column
for each set of V. An entry is the number of plies to the end: odd if the player to move wins, even
if the player to move loses, 0 for a tie. Pieces never go back, so the table is a grid of blocks,
each with the same steps to go, and a block needs only itself and blocks solved before.
"""

import numpy as np
from numba import boolean, int32, int64, njit, uint8, uint64

TIE = 0
OFF = 0  # the number of the empty set: all pieces have left, and the game is won
LONGEST = 254  # plies that an entry can hold

_SETS = uint64[::1]
_STEPS = int32[:, ::1]
_CELLS = uint64[:, ::1]


@njit(boolean(int64, uint64, _STEPS, _CELLS), nogil=True, cache=True)
def can_move(own, others, steps, cells):
    """Whether any step of a set of pieces leads to a cell that the others leave free."""
    for i in range(steps.shape[1]):
        if steps[own, i] < 0:
            return False
        if not cells[own, i] & others:
            return True
    return False


@njit(
    int64(uint8[:, :, ::1], int64, int64, int64, uint64, _STEPS, _CELLS),
    nogil=True,
    cache=True,
)
def entry_of(table, side, h, v, others, steps, cells):
    """What the moves of a player make of a position; -1 where there are none."""
    soonest, latest, has_tie, has_move = 255, 0, False, False
    own = v if side else h
    for i in range(steps.shape[1]):
        after = steps[own, i]
        if after < 0:
            break
        if cells[own, i] & others:
            continue
        has_move = True
        if after == OFF:
            return np.int64(1)
        plies = table[h, 0, after] if side else table[after, 1, v]
        if plies == TIE:
            has_tie = True
        elif plies & 1:
            latest = max(latest, plies)
        else:
            soonest = min(soonest, plies)
    if soonest < 255:
        return np.int64(soonest + 1)
    if not has_move:
        return np.int64(-1)
    return np.int64(TIE if has_tie else latest + 1)


@njit(boolean(_STEPS, int64, int64, int64), nogil=True, cache=True)
def is_dead(dead, h, side, v):
    for i in range(dead.shape[0]):
        if dead[i, 0] == h and dead[i, 1] == side and dead[i, 2] == v:
            return True
    return False


@njit(
    int64(
        uint8[:, :, ::1],
        *(_SETS, _STEPS, _CELLS, _SETS, _STEPS, _CELLS),
        *(int64, int64, int64, _STEPS),
    ),
    nogil=True,
    cache=True,
)
def solve_row(table, h_sets, h_steps, h_cells, v_sets, v_steps, v_cells, h, left, right, dead):
    """Work through a part of a row once: how many entries changed, -1 if one has no room."""
    changes = 0
    for side in range(2):
        for v in range(left, right):
            if h_sets[h] & v_sets[v]:
                continue
            if side == 0:
                plies = entry_of(table, side, h, v, v_sets[v], h_steps, h_cells)
            else:
                plies = entry_of(table, side, h, v, h_sets[h], v_steps, v_cells)
            if plies < 0:  # a pass, and a tie if the other player can't move either
                if side == 0:
                    goes_on = can_move(v, h_sets[h], v_steps, v_cells)
                else:
                    goes_on = can_move(h, v_sets[v], h_steps, h_cells)
                after = table[h, 1 - side, v]
                plies = after + 1 if goes_on and after != TIE else TIE
            if plies != table[h, side, v] and not is_dead(dead, h, side, v):
                if plies > LONGEST:
                    return np.int64(-1)
                table[h, side, v] = plies
                changes += 1
    return np.int64(changes)


@njit(
    boolean(
        uint8[:, :, ::1],
        *(_SETS, _STEPS, _CELLS, _SETS, _STEPS, _CELLS),
        *(int64[:, ::1], _STEPS),
    ),
    nogil=True,
    cache=True,
)
def solve_blocks(table, h_sets, h_steps, h_cells, v_sets, v_steps, v_cells, blocks, dead):
    """Fill in blocks (first and last row, first and last column) until nothing changes.

    An entry that changes again only finds a quicker way, so what comes of it is exact. Positions
    that are dead are ties whatever their moves do. False if a game takes too long for an entry.
    """
    is_stale = np.ones(table.shape[0], dtype=np.bool_)
    for block in range(blocks.shape[0]):
        top, bottom, left, right = blocks[block]
        is_stale[top:bottom] = True
        is_stable = False
        while not is_stable:
            is_stable = True
            for h in range(top, bottom):
                if not is_stale[h]:
                    continue
                changes = solve_row(
                    table,
                    *(h_sets, h_steps, h_cells, v_sets, v_steps, v_cells),
                    *(h, left, right, dead),
                )
                if changes < 0:
                    return False
                is_stale[h] = changes > 0
                if changes > 0:
                    is_stable = False
                    for i in range(h_steps.shape[1]):  # sideways, steps lead back here too
                        if h_steps[h, i] >= top:
                            is_stale[h_steps[h, i]] = True
    return True
