"""The search core for classic and isola: a pawn steps, and a cell is blocked.

All working memory is one C-like struct, so that a recursive call passes a pointer and no more.

Scores count from the side to move. A score beyond PROVEN is exact: only real ends of the game make
one, and a position is called lost only after every move, near and far, has been searched. Blocks
near the opponent come first; the others are tried wherever the near ones all lose.
"""

import numpy as np
from numba import from_dtype, int64, njit, uint64

from isolation.engines.core.bits import lowest
from isolation.engines.core.counters import (
    ABORTED,
    COUNTERS,
    FIRST,
    MAY_STOP,
    NODE_LIMIT,
    NODES,
    STOP,
)
from isolation.engines.core.tables import (
    EXACT,
    LOWER,
    NO_MOVE,
    UPPER,
    believed,
    compiled,
    is_excluded,
    is_overlooked,
    keep_line,
    misjudged,
    pick,
    probe,
    promote,
    remember_refutation,
    settles,
    store,
    stored_move,
    stored_score,
)
from isolation.engines.core.territory import ROWS as ROWS
from isolation.engines.core.territory import WORD, count, evaluate
from isolation.engines.scores import MATE, PROVEN

MAX_CELLS = 729
WELL_ORDERED = 8  # moves that are taken in order next to the leaves, where order costs more
MAX_PLY = 128
MAX_SIDE = 27
NEAR = 25  # candidate blocks: the 24 cells two steps around the opponent, and a harmless one
NONE = 1023  # the block of a turn that has none
WIDEST = 8 * NEAR


SPACE = np.dtype(
    [
        ("words", np.uint64, MAX_SIDE),  # the cells that are not blocked
        ("word_of", np.int16, MAX_CELLS),
        ("bit_of", np.uint64, MAX_CELLS),
        ("step", np.int16, (MAX_CELLS, 8)),
        ("degree", np.int16, MAX_CELLS),
        ("near", np.int16, (MAX_CELLS, 24)),
        ("near_count", np.int16, MAX_CELLS),
        ("outer", np.int16, MAX_CELLS),  # every cell, those at the edge first
        ("blockable", np.uint8, MAX_CELLS),
        ("reach", np.uint64, 64),  # of WORD: the cells a step away
        ("zobrist", np.uint64, (4, MAX_CELLS)),
        ("weights", np.int32, 8),
        ("noise", np.int64),  # how a weak player errs, see tables.py
        ("blind", np.int64),
        ("seed", np.uint64),
        ("inner_left", np.uint64),  # of WORD: all cells but the leftmost column
        ("inner_right", np.uint64),
        ("kind", np.int32),
        ("width", np.int32),
        ("height", np.int32),
        ("cells", np.int32),
        ("counters", np.int64, COUNTERS),
        ("excluded", np.int32, 64),  # root moves that are not to be searched
        ("moves", np.int32, (MAX_PLY, WIDEST)),
        ("ranks", np.int32, (MAX_PLY, WIDEST)),
        ("killers", np.int32, (MAX_PLY, 2)),
        ("history", np.int32, (2, 2, MAX_CELLS)),
        ("line", np.int32, (MAX_PLY, MAX_PLY)),
        ("line_length", np.int32, MAX_PLY),
        ("mine", np.uint64, MAX_SIDE + 2),
        ("theirs", np.uint64, MAX_SIDE + 2),
        ("free", np.uint64, MAX_SIDE + 2),
        ("wide", np.uint64, MAX_SIDE + 2),
    ],
    align=True,
)


@compiled
def is_open(s, cell):
    return (s.words[s.word_of[cell]] & s.bit_of[cell]) != 0


@compiled
def far_apart(s, a, b):
    return abs(a // s.width - b // s.width) > 2 or abs(a % s.width - b % s.width) > 2


@compiled
def harmless(s, me, opponent):
    """A cell that is far from both tokens, or NONE: blocking it is as good as not blocking."""
    for i in range(s.cells):
        cell = s.outer[i]
        if not (is_open(s, cell) and s.blockable[cell]):
            continue
        if far_apart(s, cell, me) and far_apart(s, cell, opponent):
            return np.int64(cell)
    return np.int64(NONE)


@compiled
def open_steps(s, cell, opponent):
    if s.kind == WORD:
        return count(s.reach[cell] & s.words[0] & ~s.bit_of[opponent])
    total = np.int64(0)
    for i in range(s.degree[cell]):
        target = s.step[cell, i]
        if target != opponent and is_open(s, target):
            total += 1
    return total


@compiled
def is_candidate(s, block, opponent, far):
    """Whether `list_moves` gives this block."""
    return block == far or not far_apart(s, block, opponent)


@compiled
def list_moves(s, me, opponent, side, ply, best):
    """The moves worth trying first, with their ranks; how many there are."""
    moves, ranks, history = s.moves[ply], s.ranks[ply], s.history[side]
    total = 0
    far = harmless(s, me, opponent)
    for i in range(s.degree[me]):
        to = s.step[me, i]
        if to == opponent or not is_open(s, to):
            continue
        base = history[0, to] + 16 * open_steps(s, to, opponent)
        found = total
        for j in range(s.near_count[opponent]):
            block = s.near[opponent, j]
            if block != to and s.blockable[block] and is_open(s, block):
                moves[total] = to << 10 | block
                ranks[total] = base + history[1, block] + (256 if j < s.degree[opponent] else 0)
                total += 1
        if far != NONE and far != to:
            moves[total] = to << 10 | far
            ranks[total] = base + history[1, far]
            total += 1
        if total == found:
            total += list_any(s, me, opponent, to, moves, ranks, total, base)
    promote(s, ply, total, best)
    return total


@compiled
def list_any(s, me, opponent, to, moves, ranks, at, base):
    """One move with any block at all, where none is near or harmless; the step alone if none is."""
    block = NONE
    for cell in range(s.cells):
        if cell != to and cell != opponent and s.blockable[cell] and is_open(s, cell):
            block = cell
            break
    moves[at] = to << 10 | block
    ranks[at] = base
    return 1


@compiled
def next_far_move(s, me, opponent, far, at):
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
            and not is_candidate(s, block, opponent, far)
        ):
            return at
        at += 1
    return -1


@compiled
def reduction(depth, late):
    """How many plies less deep a move is searched that comes late in the order."""
    if depth < 3 or late < 3:
        return 0
    return min(depth - 2, 1 + (late >= 10) + (late >= 40))


@njit(
    int64(
        from_dtype(SPACE), uint64[:, ::1], int64, int64, int64, int64, int64, int64, int64, uint64
    ),
    nogil=True,
    cache=True,
)
def search(s, table, me, opponent, side, depth, alpha, beta, ply, key):
    """Negamax with a null window after the first move. Depth is at least 1.

    It calls no compiled function but itself that calls it back: numba can not keep such a pair on
    disk. That is why it is long.
    """
    s.line_length[ply] = 0
    counters = s.counters
    counters[NODES] += 1
    if counters[MAY_STOP] and (counters[STOP] or counters[NODES] >= counters[NODE_LIMIT]):
        counters[ABORTED] = 1
        return np.int64(0)
    if ply >= MAX_PLY - 2:
        return evaluate(s, me, opponent, ply)
    alpha, beta = max(alpha, ply - MATE), min(beta, MATE - ply - 1)
    if alpha >= beta:
        return np.int64(alpha)
    best_move = counters[FIRST] if ply == 0 else NO_MOVE
    stored = probe(table, key) if depth > 1 and ply > 0 else np.uint64(0)
    if stored:
        value = stored_score(stored, ply)
        if settles(stored, depth, value, alpha, beta):
            return value
        best_move = stored_move(stored)
    total = list_moves(s, me, opponent, side, ply, best_move)
    if total == 0:
        return np.int64(ply - MATE)
    first_alpha = alpha
    best, best_move = np.int64(-MATE), NO_MOVE
    late, i, place, far = 0, 0, -1, np.int64(NONE)
    has_overlooked = False
    while True:
        if i < total:
            if depth > 1 or i < WELL_ORDERED:
                move = pick(s.moves[ply], s.ranks[ply], i, total)
            else:
                move = np.int64(s.moves[ply, i])
            i += 1
        else:
            # Near blocks all lose: none of the others is left out before this counts as lost.
            if s.blind:
                has_overlooked = True
            if best > -PROVEN or s.blind:
                break
            if place < 0:
                far = harmless(s, me, opponent)
            place = next_far_move(s, me, opponent, far, place + 1)
            if place < 0:
                break
            move = np.int64(s.step[me, place // s.cells] << 10 | place % s.cells)
        if ply == 0 and is_excluded(s, move):
            continue
        if late > 0 and is_overlooked(s, key, move):
            has_overlooked = True
            continue
        to, block = move >> 10, move & 1023
        child = key ^ s.zobrist[side, me] ^ s.zobrist[side, to] ^ s.zobrist[3, 0]
        if block != NONE:
            s.words[s.word_of[block]] ^= s.bit_of[block]
            child ^= s.zobrist[2, block]
        if depth <= 1:
            counters[NODES] += 1
            s.line_length[ply + 1] = 0
            value = misjudged(s, -evaluate(s, opponent, to, ply + 1), child)
        else:
            less = reduction(depth, late)
            low = -beta if late == 0 else -alpha - 1
            value = -search(
                s, table, opponent, to, 1 - side, depth - 1 - less, low, -alpha, ply + 1, child
            )
            if late > 0 and value > alpha and (less > 0 or value < beta):
                value = -search(
                    s, table, opponent, to, 1 - side, depth - 1, -beta, -alpha, ply + 1, child
                )
        if block != NONE:
            s.words[s.word_of[block]] ^= s.bit_of[block]
        if counters[ABORTED]:
            return np.int64(0)
        late += 1
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                keep_line(s, ply, move, value)
                if value >= beta:
                    break
    best = believed(best, has_overlooked)
    if best >= beta:
        flag = LOWER
        remember_refutation(s, side, ply, best_move, depth)
    elif best > first_alpha:
        flag = EXACT
    else:
        flag = UPPER
    if depth > 1 and ply > 0:
        store(table, key, depth, flag, best, best_move, ply)
    return best


@compiled
def search_root(space, table, me, opponent, side, depth, alpha, beta, key):
    """The same from Python: the struct comes as an array of one."""
    return search(space[0], table, me, opponent, side, depth, alpha, beta, 0, key)


@njit(int64(uint64[::1], uint64, int64, int64, int64), nogil=True, cache=True)
def perft_word(reach, free, me, opponent, depth):
    """How many sequences of moves there are on a board of one word where all cells can be blocked.

    `free` are the cells that are neither blocked nor under the opponent.
    """
    one = np.uint64(1)
    steps = reach[me] & free
    if depth == 1:
        return count(steps) * (count(free) - 1)
    total = np.int64(0)
    while steps:
        to = np.int64(lowest(steps))
        step = one << np.uint64(to)
        blocks = free & ~step
        after = (free | one << np.uint64(opponent)) & ~step
        while blocks:
            block = blocks & -blocks
            total += perft_word(reach, after & ~block, opponent, to, depth - 1)
            blocks ^= block
        steps &= steps - one
    return total


@njit(int64(from_dtype(SPACE), int64, int64, int64), nogil=True, cache=True)
def perft_pawns(s, me, opponent, depth):
    """How many sequences of moves there are in classic and isola."""
    cells = s.cells
    total, blocks = np.int64(0), np.int64(0)
    for cell in range(cells):
        if cell != opponent and s.blockable[cell] and is_open(s, cell):
            blocks += 1
    for i in range(s.degree[me]):
        to = np.int64(s.step[me, i])
        if to == opponent or not is_open(s, to):
            continue
        left = blocks - s.blockable[to]
        if depth == 1:
            total += max(left, 1)
        elif left == 0:
            total += perft_pawns(s, opponent, to, depth - 1)
        else:
            for block in range(cells):
                if block == to or block == opponent or not s.blockable[block]:
                    continue
                if is_open(s, block):
                    s.words[s.word_of[block]] ^= s.bit_of[block]
                    total += perft_pawns(s, opponent, to, depth - 1)
                    s.words[s.word_of[block]] ^= s.bit_of[block]
    return total


@compiled
def perft_root(space, me, opponent, depth):
    """The count of move sequences by the core, to be compared with that of the rules."""
    s = space[0]
    if s.kind == WORD and s.blockable[: s.cells].all():
        free = s.words[0] & ~s.bit_of[opponent]
        return perft_word(s.reach.copy(), free, me, opponent, depth)
    return perft_pawns(s, me, opponent, depth)
