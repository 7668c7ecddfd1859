"""Slider for the rivals, on boards of up to 7 x 7: H moves right, V moves up."""

from functools import lru_cache

import numpy as np

from benchmarks.rivals.compiled import compiled, count, lowest

SIZE_LIMIT = 7
SIZE, LAST = 0, 1  # places in the first row of the tables; LAST + side is the far edge
NOT_FIRST, NOT_LAST, FULL = 3, 4, 5
TO_GO = 1  # the second and third rows: steps that a piece of each side needs from a cell
OFF, PASS = 63, 62
STEP, STUCK, TEMPO = 10, 6, 5


def board(position):
    side, pieces = position.to_move, position.pieces
    return pieces[side], pieces[1 - side], position.blocked, side + 2 * position.passes


@lru_cache(maxsize=64)
def tables(grid, blocked):
    size, full = grid.width, grid.full
    if size > SIZE_LIMIT:
        raise ValueError(f"boards have at most {SIZE_LIMIT} squares a side here")
    column = sum(1 << row * size for row in range(size))
    row = (1 << size) - 1
    numbers = np.zeros((3, 64), np.int64)
    numbers[0, :3] = size, column << size - 1, row << size * (size - 1)
    numbers[0, 3:6] = full & ~column, full & ~(column << size - 1), full
    for player in (0, 1):
        numbers[TO_GO + player] = _steps_to_go(size, blocked, player)
    return numbers


def _steps_to_go(size, blocked, player):
    """For each cell, how many steps lead off an otherwise empty board; walls are walked around."""
    far = np.full(64, 3 * size, np.int64)
    for _ in range(2 * size):
        for cell in range(size * size):
            place = cell % size, cell // size
            if blocked >> cell & 1:
                continue
            if place[player] == size - 1:
                far[cell] = 1
                continue
            ahead = cell + (1, size)[player]
            beside = [cell + way for way in _sideways(place[1 - player], size, player)]
            far[cell] = min(far[cell], *(far[other] + 1 for other in (ahead, *beside)))
    return far


def _sideways(at, size, player):
    way = (size, 1)[player]
    return [step for step, is_open in ((-way, at > 0), (way, at < size - 1)) if is_open]


def read_move(position, origin, target):
    if origin == PASS:
        return ()
    return origin, position.off if target == OFF else target


@compiled
def after(a, b, c, d, move):
    origin, target = move & 127, move >> 7
    side = d & 1
    if origin == PASS:
        return b, a, c, (side ^ 1) + ((d >> 1) + 1) * 2
    one = np.int64(1)
    mine = a & ~(one << origin)
    if target != OFF:
        mine |= one << target
    return b, mine, c, side ^ 1


@compiled
def outcome(a, b, d):
    if b == 0:
        return -1
    if a == 0:
        return 1
    return 0 if d >> 1 >= 2 else 2


@compiled
def moves_of(a, b, c, d, tables, moves):
    """Pieces that leave the board come first, then steps ahead, then sideways; or a pass."""
    one, total, side, size = np.int64(1), 0, d & 1, tables[0, SIZE]
    free = tables[0, FULL] & ~(a | b | c)
    ahead = one if side == 0 else size
    left = a & tables[0, LAST + side]
    while left:
        moves[total] = lowest(left) | OFF << 7
        total += 1
        left &= left - 1
    left = free & (a & ~tables[0, LAST + side]) << ahead
    while left:
        target = lowest(left)
        moves[total] = (target - ahead) | target << 7
        total += 1
        left &= left - 1
    for turn in range(2):
        left = free & sideways(a, side, turn, tables)
        by = size if side == 0 else one
        while left:
            target = lowest(left)
            moves[total] = (target + by if turn == 0 else target - by) | target << 7
            total += 1
            left &= left - 1
    if total == 0:
        moves[0] = PASS
        total = 1
    return total


@compiled
def sideways(pieces, side, turn, tables):
    """Where pieces get to by a step down or up for H, left or right for V."""
    size = tables[0, SIZE]
    if side == 0:
        return pieces >> size if turn == 0 else pieces << size & tables[0, FULL]
    return pieces >> 1 & tables[0, NOT_LAST] if turn == 0 else pieces << 1 & tables[0, NOT_FIRST]


@compiled
def to_go(pieces, others, side, tables):
    """Steps that the pieces still need, ten for each, and more where something is in the way."""
    total = np.int64(0)
    ahead = np.int64(1) if side == 0 else tables[0, SIZE]
    inside = pieces & ~tables[0, LAST + side]
    total += STUCK * count(inside << ahead & others)
    total += STUCK // 2 * count(inside << ahead & pieces)
    while pieces:
        total += STEP * tables[TO_GO + side, lowest(pieces)]
        pieces &= pieces - 1
    return total


@compiled
def evaluate(a, b, d, tables):
    side = d & 1
    return to_go(b, a, side ^ 1, tables) - to_go(a, b, side, tables) + TEMPO
