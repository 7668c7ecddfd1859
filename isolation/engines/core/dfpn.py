"""Depth-first proof-number search: is a position won or lost, whatever the opponent does?

Each position has two numbers for the player to move: how much is still to be shown for a win
(`phi`) and for a loss (`delta`). The search always goes on where least is missing, so it finds long
forced wins that a search of even depth never gets to. Squares only get fewer: there are no circles.
"""

import numpy as np
from numba import int32, int64, njit, types, uint64, void

from isolation.engines.core.bits import lowest, popcount

NODES, LIMIT, STOP, BEST, PAWNS = range(5)  # counters
NEVER = 1 << 22  # what can't be shown: larger than any sum that is let grow
MAX_CELLS = 128
MAX_PLY = 130
WIDEST = 512

SPACE = types.Tuple(
    (
        uint64[:, ::1],  # near: for each cell two words
        uint64[:, ::1],  # keys of the pieces of both players, and of blocked cells
        uint64[:, ::1],  # the table: key, and both numbers
        int64[::1],  # counters
        int32[:, ::1],  # moves at each ply
        int32[:, ::1],  # phi of what they lead to
        int32[:, ::1],  # delta
    )
)


@njit(void(uint64[:, ::1], uint64, int64, int64), nogil=True, cache=True)
def keep(table, key, phi, delta):
    """The newest takes the second place of two; what is decided stays in the first."""
    at = (key & np.uint64((table.shape[0] >> 1) - 1)) << np.uint64(1)
    if table[at, 0] != key:
        first_phi = np.int64(table[at, 1] >> np.uint64(32))
        if first_phi == 0 or first_phi >= NEVER:
            at += np.uint64(1)
    table[at, 0] = key
    table[at, 1] = np.uint64(phi) << np.uint64(32) | np.uint64(delta)


@njit(uint64(uint64[:, ::1], uint64), nogil=True, cache=True)
def look_up(table, key):
    """Both numbers in a word, or 0."""
    at = (key & np.uint64((table.shape[0] >> 1) - 1)) << np.uint64(1)
    if table[at, 0] == key:
        return table[at, 1]
    if table[at + np.uint64(1), 0] == key:
        return table[at + np.uint64(1), 1]
    return np.uint64(0)


@njit(uint64(int64), nogil=True, cache=True)
def bit(cell):
    return np.uint64(1) << np.uint64(cell & 63)


@njit(uint64(uint64, int64, int64), nogil=True, cache=True)
def without(word, cell, half):
    """A word of the open cells, without one of them."""
    if cell >> 6 != half:
        return word
    return word & ~bit(cell)


@njit(int64(SPACE, int64, int64, int64, int64, int64, uint64, int64, int64), nogil=True, cache=True)
def add_child(space, ply, total, to, gone, opponent, key, mine, theirs):
    """One move, with what is known or guessed of the position after it: the new total.

    `mine` and `theirs` are the steps that the players will have.
    """
    _, zobrist, table, _, moves, phis, deltas = space
    moves[ply, total] = to << 10 | gone
    stored = look_up(table, key ^ zobrist[2, gone])
    if stored:
        phis[ply, total] = np.int64(stored >> np.uint64(32))
        deltas[ply, total] = np.int64(stored & np.uint64(0xFFFFFFFF))
    else:
        phis[ply, total] = NEVER if theirs == 0 else 1 + mine
        deltas[ply, total] = theirs
    return total + 1


@njit(uint64(SPACE, uint64, int64, int64, int64), nogil=True, cache=True)
def turned(space, key, me, opponent, to):
    """The key after a step, before a cell is gone. The player to move is always the first."""
    zobrist = space[1]
    key ^= zobrist[0, me] ^ zobrist[1, opponent]
    return key ^ zobrist[0, opponent] ^ zobrist[1, to]


@njit(int64(SPACE, uint64, uint64, int64, int64, int64, uint64), nogil=True, cache=True)
def list_jumps(space, low, high, me, opponent, ply, key):
    near = space[0]
    total = 0
    for half in range(2):
        jumps = near[me, half] & without(high if half else low, opponent, half)
        while jumps:
            to = np.int64(lowest(jumps)) + 64 * half
            jumps &= jumps - np.uint64(1)
            mine = theirs = np.int64(0)
            for part in range(2):
                word = without(high if part else low, me, part)
                mine += np.int64(popcount(near[to, part] & without(word, opponent, part)))
                theirs += np.int64(popcount(near[opponent, part] & without(word, to, part)))
            after = turned(space, key, me, opponent, to)
            total = add_child(space, ply, total, to, me, opponent, after, mine, theirs)
    return np.int64(total)


@njit(uint64(uint64[:, ::1], uint64, int64, int64), nogil=True, cache=True)
def mating_steps(near, opened, me, opponent):
    """The steps after which the opponent has one exit at the most, which is then blocked."""
    found = np.uint64(0)
    steps = near[me, 0] & opened & ~bit(opponent)
    exits = near[opponent, 0] & opened
    while steps:
        step = steps & (~steps + np.uint64(1))
        steps ^= step
        if popcount(exits & ~step) <= np.uint64(1):
            found |= step
    return found


@njit(int64(SPACE, uint64, int64, int64, int64, uint64), nogil=True, cache=True)
def list_turns(space, opened, me, opponent, ply, key):
    """The turns of a pawn that don't lose at once; one alone, if it wins at once."""
    near, moves, phis, deltas = space[0], space[4], space[5], space[6]
    mates = mating_steps(near, opened, me, opponent)
    if mates:
        to = np.int64(lowest(mates))
        exits = near[opponent, 0] & opened & ~bit(to)
        gone = np.int64(lowest(exits)) if exits else me
        moves[ply, 0], phis[ply, 0], deltas[ply, 0] = to << 10 | gone, NEVER, 0
        return np.int64(1)
    total = 0
    steps = near[me, 0] & opened & ~bit(opponent)
    while steps:
        to = np.int64(lowest(steps))
        steps &= steps - np.uint64(1)
        # A block changes only one thing about a mate that threatens: whether its step is there.
        threats = mating_steps(near, opened, opponent, to)
        if popcount(threats) > np.uint64(1):
            continue
        blocks = threats if threats else opened & ~bit(to) & ~bit(opponent)
        exits = near[opponent, 0] & opened & ~bit(to)
        own = near[to, 0] & opened & ~bit(opponent)
        after = turned(space, key, me, opponent, to)
        while blocks:
            block = np.int64(lowest(blocks))
            blocks &= blocks - np.uint64(1)
            mask = ~bit(block)
            if bit(block) & own and mating_steps(near, opened & mask, opponent, to):
                continue
            mine, theirs = np.int64(popcount(own & mask)), np.int64(popcount(exits & mask))
            total = add_child(space, ply, total, to, block, opponent, after, mine, theirs)
    return np.int64(total)


@njit(
    types.UniTuple(int64, 2)(SPACE, uint64, uint64, int64, int64, int64, uint64, int64, int64),
    nogil=True,
    cache=True,
)
def prove(space, low, high, me, opponent, ply, key, phi_limit, delta_limit):
    """Search until one of the numbers reaches its limit; (0, NEVER) is a win, the reverse a loss.

    `low` and `high` are the cells that aren't blocked, those of the pieces among them.
    """
    _, zobrist, table, counters, moves, phis, deltas = space
    counters[NODES] += 1
    if counters[PAWNS]:
        total = list_turns(space, low, me, opponent, ply, key)
    else:
        total = list_jumps(space, low, high, me, opponent, ply, key)
    while True:
        best, phi, second = -1, NEVER, NEVER
        hardest, unsettled = 0, 0
        for i in range(total):
            if deltas[ply, i] < phi:
                best, phi, second = i, np.int64(deltas[ply, i]), phi
            elif deltas[ply, i] < second:
                second = np.int64(deltas[ply, i])
            if phis[ply, i] > 0:
                unsettled += 1
                hardest = max(hardest, np.int64(phis[ply, i]))
        # Not the sum: hundreds of blocks lead to much the same, and would count hundredfold.
        delta = 0 if unsettled == 0 else min(NEVER, hardest + (unsettled - 1) // 8)
        if phi == 0:
            phi, delta = np.int64(0), np.int64(NEVER)
        elif total == 0 or unsettled == 0:
            phi, delta = np.int64(NEVER), np.int64(0)
        is_over = counters[STOP] or counters[NODES] >= counters[LIMIT]
        if phi == 0 or delta == 0 or phi >= phi_limit or delta >= delta_limit or is_over:
            keep(table, key, phi, delta)
            if ply == 0:
                counters[BEST] = moves[0, best] if best >= 0 else -1
            return np.int64(phi), np.int64(delta)
        move = np.int64(moves[ply, best])
        to, gone = move >> 10, move & 1023
        after = turned(space, key, me, opponent, to) ^ zobrist[2, gone]
        room = delta_limit - delta + np.int64(phis[ply, best])
        child_phi, child_delta = prove(
            space,
            *(without(low, gone, 0), without(high, gone, 1)),
            *(opponent, to, ply + 1, after),
            *(min(room, np.int64(NEVER)), min(phi_limit, second + 1 + second // 4)),
        )
        phis[ply, best], deltas[ply, best] = child_phi, child_delta
