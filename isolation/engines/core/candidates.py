"""Which moves of classic and isola are tried, and in what order.

A turn is a step and a block, hundreds of pairs in all. Blocks near the opponent come first, and
the others are tried wherever the near ones all lose. What a step and a block are worth by
themselves is found once a node and added up for each pair. (Counting the cells two steps away as
well made the order worse: 43 % [35, 52] of 120 games. A history of pairs: 50 % [44, 57] of 200.)
"""

import numpy as np

from isolation.engines.core.ground import (
    NONE,
    any_block,
    is_far,
    is_open,
    open_steps,
)
from isolation.engines.core.tables import compiled, promote

EXIT = 16  # the rank of a step, for each way on that it leaves
BESIDE = 256  # the rank of a block that touches the opponent


@compiled
def harmless(s, me, opponent):
    """A cell that is far from both tokens, or NONE: blocking it is as good as not blocking."""
    for i in range(s.cells):
        cell = s.outer[i]
        if not (is_open(s, cell) and s.blockable[cell]):
            continue
        if is_far(s, cell, me, 2) and is_far(s, cell, opponent, 2):
            return np.int64(cell)
    return np.int64(NONE)


@compiled
def is_candidate(s, block, opponent, far, radius):
    """Whether `list_moves` gives this block."""
    return block == far or not is_far(s, block, opponent, radius)


@compiled
def list_blocks(s, me, opponent, side, radius):
    """The blocks so near the opponent and a harmless one, with their ranks; how many there are."""
    history = s.history[side, 1]
    total = 0
    near_count = s.degree[opponent] if radius == 1 else s.near_count[opponent]
    for j in range(near_count):
        block = np.int64(s.near[opponent, j])
        if s.blockable[block] and is_open(s, block):
            s.blocks[total] = block
            s.block_ranks[total] = history[block] + (BESIDE if j < s.degree[opponent] else 0)
            total += 1
    far = harmless(s, me, opponent)
    if far != NONE:
        s.blocks[total] = far
        s.block_ranks[total] = history[far]
        total += 1
    return total


@compiled
def list_moves(s, me, opponent, side, ply, best, radius):
    """The moves worth trying first, with their ranks; how many there are."""
    moves, ranks, history = s.moves[ply], s.ranks[ply], s.history[side]
    blocks = list_blocks(s, me, opponent, side, radius)
    total = 0
    for i in range(s.degree[me]):
        to = np.int64(s.step[me, i])
        if to == opponent or not is_open(s, to):
            continue
        base = history[0, to] + EXIT * open_steps(s, to, opponent)
        before = total
        for j in range(blocks):
            block = np.int64(s.blocks[j])
            if block != to:
                moves[total] = to << 10 | block
                ranks[total] = base + s.block_ranks[j]
                total += 1
        if total == before:
            moves[total] = to << 10 | any_block(s, to, opponent)
            ranks[total] = base
            total += 1
    promote(s, ply, total, best)
    return total


@compiled
def next_far_move(s, me, opponent, far, radius, at):
    """The place of the next move, from this place on, that `list_moves` leaves out; -1 for none.

    The place of a move is its step times the number of cells, plus its block.
    """
    cells = s.cells
    while at < s.degree[me] * cells:
        to, block = s.step[me, at // cells], at % cells
        if to == opponent or not is_open(s, to):
            at += cells - block
            continue
        if (
            block != to
            and block != opponent
            and s.blockable[block]
            and is_open(s, block)
            and not is_candidate(s, block, opponent, far, radius)
        ):
            return at
        at += 1
    return -1
