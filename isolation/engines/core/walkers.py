"""The search core for classic and isola: a pawn steps, and a cell is blocked.

Scores count from the side to move. A score beyond PROVEN is exact: only real ends of the game make
one, and a position is called lost only after every move, near and far, has been searched.
"""

import numpy as np
from numba import from_dtype, int64, njit, uint64

from isolation.engines.core.bits import lowest
from isolation.engines.core.candidates import (
    harmless,
    list_moves,
    next_far_move,
)
from isolation.engines.core.counters import (
    ABORTED,
    EXCLUDED,
    FIRST,
    MAY_STOP,
    NODE_LIMIT,
    NODES,
    STOP,
)
from isolation.engines.core.ground import (
    MAX_PLY,
    NONE,
    SPACE,
    WORD,
    count,
    is_open,
    winning_move,
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
    remember_refutation,
    settles,
    store,
    stored_move,
    stored_score,
)
from isolation.engines.core.territory import evaluate
from isolation.engines.scores import MATE, PROVEN

WELL_ORDERED = 8  # moves that are taken in order next to the leaves, where order costs more
NEXT_TO_LEAVES = 2  # plies before them, where a guess that is good enough ends the search
MARGIN = 60  # by how much it must be, for each of these plies
HOPELESS = 180  # how far below the window the last ply isn't searched
CROWDED = 18  # open cells, with which the end is near enough to be searched to the full


@compiled
def may_guess(s, alpha, beta):
    """Whether nothing is lost if a guess takes the place of a search.

    Together with fewer blocks on the last ply this won 60 % [52, 67] of 150 games.
    """
    if s.noise or s.blind or beta - alpha != 1 or abs(beta) >= PROVEN:
        return False
    return s.kind != WORD or count(s.words[0]) > CROWDED


@compiled
def is_clear(guess, depth, alpha, beta):
    """Whether a guess is so far outside the window that a search would hardly bring it back."""
    if abs(guess) >= PROVEN:
        return False
    return guess - MARGIN * depth >= beta or (depth == 1 and guess + HOPELESS <= alpha)


@compiled
def reduction(depth, late):
    """How many plies less deep a move is searched that comes late in the order."""
    if depth < 3 or late < 3:
        return 0
    return min(depth - 2, 1 + (late >= 10) + (late >= 40))


@njit(
    int64(
        from_dtype(SPACE),
        uint64[:, ::1],
        int64,
        int64,
        int64,
        int64,
        int64,
        int64,
        int64,
        uint64,
    ),
    nogil=True,
    cache=True,
)
def search(s, table, me, opponent, side, depth, alpha, beta, ply, key):
    """Negamax with a null window after the first move. Depth is at least 1.

    It calls no compiled function but itself that calls it back: numba can't keep such a pair on
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
    errs = s.noise | s.blind != 0
    if ply > 0 and not errs:
        move = winning_move(s, me, opponent)
        if move != NO_MOVE:
            s.line_length[ply + 1] = 0
            keep_line(s, ply, move, np.int64(MATE - ply - 1))
            return np.int64(MATE - ply - 1)
        if depth <= NEXT_TO_LEAVES and may_guess(s, alpha, beta):
            guess = evaluate(s, me, opponent, ply)
            if is_clear(guess, depth, alpha, beta):
                return guess
    # Next to the leaves, blocks that don't touch the opponent rarely matter.
    radius = 1 if depth <= 1 and not errs else 2
    total = list_moves(s, me, opponent, side, ply, best_move, radius)
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
            if (best > -PROVEN or s.blind) and not (ply == 0 and counters[EXCLUDED] < 0):
                break
            if place < 0:
                far = harmless(s, me, opponent)
            place = next_far_move(s, me, opponent, far, radius, place + 1)
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
                s,
                table,
                opponent,
                to,
                1 - side,
                depth - 1 - less,
                low,
                -alpha,
                ply + 1,
                child,
            )
            if late > 0 and value > alpha and (less > 0 or value < beta):
                value = -search(
                    s,
                    table,
                    opponent,
                    to,
                    1 - side,
                    depth - 1,
                    -beta,
                    -alpha,
                    ply + 1,
                    child,
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
