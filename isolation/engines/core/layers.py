"""Classic and isola solved backwards, by the number of squares that are blocked.

A turn blocks one square. So all positions with so many blocked squares follow from those with one
more. A layer has a row of words for each set of blocked squares: the word of a square has a bit for
each square where the opponent can stand so that the player to move, on the first, has lost.
"""

import numpy as np
from numba import int64, njit, uint32, void

MAX_CELLS = 30  # squares that aren't blocked when the solving begins: bits of a word


@njit(
    void(uint32[:, ::1], uint32[:, ::1], uint32[::1], int64[:, ::1], int64, int64, int64),
    nogil=True,
    cache=True,
)
def solve_layer(layer, next_layer, near, choose, cells, blocked, is_last):
    """Fill in a layer. In the last one only those who can't step any more have lost."""
    one, full = np.uint32(1), np.uint32((1 << cells) - 1)
    free = np.zeros(cells, dtype=np.int64)
    taken = np.zeros(cells + 1, dtype=np.int64)
    low, high = np.zeros(cells + 1, dtype=np.int64), np.zeros(cells + 2, dtype=np.int64)
    good = np.zeros(cells, dtype=np.uint32)
    word = np.int64((1 << blocked) - 1)
    for number in range(layer.shape[0]):
        count, held = 0, 0
        for cell in range(cells):
            if word >> cell & 1:
                taken[held] = cell
                held += 1
            else:
                free[count] = cell
                count += 1
        opened = full & ~np.uint32(word)
        if is_last:
            for i in range(count):
                a = free[i]
                row = np.uint32(0)
                for j in range(count):
                    bit = one << np.uint32(free[j])
                    if i != j and not near[a] & opened & ~bit:
                        row |= bit
                layer[number, a] = row
        else:
            # The sets are numbered in the order of their words, each by what's below and above
            # the square that is added to it.
            for i in range(held):
                low[i + 1] = low[i] + choose[taken[i], i + 1]
            high[held] = 0
            for i in range(held - 1, -1, -1):
                high[i] = high[i + 1] + choose[taken[i], i + 2]
            for i in range(count):
                good[free[i]] = 0
            for i in range(count):
                x = free[i]
                below = x - i  # blocked squares before x
                after = next_layer[low[below] + choose[x, below + 1] + high[below]]
                for j in range(count):
                    good[free[j]] |= after[free[j]]
            for i in range(count):
                layer[number, free[i]] = 0
            for j in range(count):
                b = free[j]
                bit, goal = one << np.uint32(b), good[b]
                for i in range(count):
                    if i != j and not near[free[i]] & goal:
                        layer[number, free[i]] |= bit
        smallest = word & -word  # the next larger word with as many bits
        if smallest == 0:
            return
        ripple = word + smallest
        word = ((ripple ^ word) >> 2) // smallest | ripple
