"""Classic and isola for the rivals: boards of at most 62 cells, as in 6 x 8 and 7 x 7."""

from functools import lru_cache

import numpy as np

from benchmarks.rivals.compiled import compiled, count, lowest
from isolation.rules.grid import bits

CELLS = 62
NO_BLOCK = 62  # stands for the block where nothing can be blocked
NEAR, WIDE, PLAN = 0, 1, 2  # rows of the tables; the third holds what follows
WIDTH, NOT_FIRST, NOT_LAST = 0, 1, 2
HUG = -1  # a reach: blocks next to the enemy only, others where there are none

MOBILITY = np.array([-400, -150, -60, -20, 0, 12, 22, 30, 36])


def board(position):
    player = position.to_move
    return position.empty, position.pawn(player), position.pawn(1 - player), position.protected


@lru_cache(maxsize=64)
def tables(grid, blocked):
    if grid.width * grid.height > CELLS:
        raise ValueError(f"boards have at most {CELLS} squares here")
    numbers = np.zeros((3, 64), np.int64)
    for cell, near in enumerate(grid.king):
        wide = near
        for other in bits(near):
            wide |= grid.king[other]
        numbers[NEAR, cell], numbers[WIDE, cell] = near, wide & ~(1 << cell)
    first = sum(1 << row * grid.width for row in range(grid.height))
    numbers[PLAN, :3] = grid.width, grid.full & ~first, grid.full & ~(first << grid.width - 1)
    return numbers


def read_move(position, step, block):
    return (step,) if block == NO_BLOCK else (step, block)


@compiled
def after(a, b, c, d, move):
    one = np.int64(1)
    step, block = move & 127, move >> 7
    return (a | one << b) & ~(one << step | one << block), c, step, d


@compiled
def wins_at_once(a, b, c, d, tables):
    """A step after which the enemy has one exit left, or none; with the block that closes it."""
    one = np.int64(1)
    exits = tables[NEAR, c] & (a | one << b)
    if count(exits) > 3:  # the enemy's, with the cell I leave
        return np.int64(-1)
    targets = tables[NEAR, b] & a
    while targets:
        step = lowest(targets)
        targets &= targets - 1
        left = exits & ~(one << step)
        if count(left) == 1 and not left & d:
            return step | lowest(left) << 7
        if left == 0:
            blocks = (a | one << b) & ~(one << step | d)
            return step | (lowest(blocks) if blocks else np.int64(NO_BLOCK)) << 7
    return np.int64(-1)


@compiled
def can_move(a, b, tables):
    return tables[NEAR, b] & a != 0


@compiled
def moves_of(a, b, c, d, reach, tables, moves):
    """Blocks next to the enemy come first, then those two away, then the rest.

    Where only near blocks are listed, one far block is, too, if there is any: a player whose near
    blocks all hurt itself must not believe that it has to play one.
    """
    one, total = np.int64(1), 0
    near, wide = tables[NEAR, c], tables[WIDE, c]
    steps = tables[NEAR, b] & a
    for ring in range(3):
        if reach == HUG and total:
            break
        left = steps
        while left:
            step = lowest(left)
            left &= left - 1
            blocks = (a | one << b) & ~(one << step | d)
            if blocks == 0 and ring == 0:
                moves[total] = step | NO_BLOCK << 7
                total += 1
            blocks &= near if ring == 0 else wide & ~near if ring == 1 else ~wide
            if reach > 0 and ring >= reach:
                blocks = harmless(blocks & ~tables[WIDE, step] & ~(one << b))
            while blocks:
                moves[total] = step | lowest(blocks) << 7
                total += 1
                blocks &= blocks - 1
        if reach > 0 and ring >= reach:
            break
    return total


@compiled
def harmless(blocks):
    return blocks & -blocks


@compiled
def grow(cells, tables):
    """These cells and all next to them."""
    width = tables[PLAN, WIDTH]
    row = cells | cells << 1 & tables[PLAN, NOT_FIRST] | cells >> 1 & tables[PLAN, NOT_LAST]
    return row | row << width | row >> width


@compiled
def evaluate(a, b, c, tables):
    """Mobility, mobility two steps ahead, and the cells that each pawn is first to reach."""
    mine, theirs = tables[NEAR, b] & a, tables[NEAR, c] & a
    score = MOBILITY[count(mine)] - MOBILITY[count(theirs)]
    free = a & ~(mine | theirs)
    lead = count(mine & ~theirs) - count(theirs & ~mine)
    mine, theirs = grow(mine, tables) & a, grow(theirs, tables) & a
    score += 6 * (count(mine) - count(theirs))
    mine &= free
    theirs &= free
    while mine | theirs:
        lead += count(mine & ~theirs) - count(theirs & ~mine)
        free &= ~(mine | theirs)
        mine, theirs = grow(mine, tables) & free, grow(theirs, tables) & free
    return score + 2 * lead + 6
