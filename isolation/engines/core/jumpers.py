"""The search core for knights: tokens jump, and every cell they have stood on is gone.

The free cells are two words that a call passes on, so there is nothing to take back after a move.
A position is those words and the two tokens: who is to move need not be known.

Scores count from the side to move. A score beyond PROVEN is a proof: it comes from real ends of
the game, from races that are decided (races.py), and from mirroring the opponent.
"""

import numpy as np
from numba import from_dtype, int64, njit, uint64

from isolation.engines.core.bits import lowest
from isolation.engines.core.counters import (
    ABORTED,
    FIRST,
    MAY_STOP,
    NODE_LIMIT,
    NODES,
    STOP,
)
from isolation.engines.core.domains import OPENING, chase, judge, phase_of
from isolation.engines.core.leaps import (
    NOWHERE,
    SPACE,
    count,
    first_of,
    hashed,
    jumps,
    linked_cells,
    mirror_move,
    without,
)
from isolation.engines.core.races import decide
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
from isolation.engines.scores import MATE

DECIDE_DEPTH = 2  # how much must be left to search before it's worth asking who wins a race
OPEN_DEPTH = 4  # the same on an open board, where asking at 2 costs a quarter of the speed
MIRROR_PLY = 2  # positions are symmetric at the beginning of a game, if ever


@compiled
def list_moves(s, low, high, me, side, ply):
    """The moves with their ranks: those that did well elsewhere, and that have many ways on."""
    moves, ranks, history = s.moves[ply], s.ranks[ply], s.history[side]
    near_low, near_high = jumps(s, low, high, me)
    total = 0
    while near_low | near_high:
        to = first_of(near_low, near_high)
        near_low, near_high = without(near_low, near_high, to)
        exits = count(s.reach[to, 0] & low, s.reach[to, 1] & high)
        moves[total] = to << 10 | me
        ranks[total] = history[0, to] + 64 * exits
        total += 1
    return total


@compiled
def try_leaves(s, low, high, me, opponent, side, alpha, beta, ply):
    """The best move, judged one ply deep."""
    key = hashed(low, high, me, opponent) if s.blind else np.uint64(0)
    total = list_moves(s, low, high, me, side, ply)
    if total == 0:
        return np.int64(ply - MATE)
    their_low, their_high = jumps(s, low, high, opponent)
    linked, phase = linked_cells(s, low, high), phase_of(low, high)  # one cell off is near enough
    best, late, has_overlooked = np.int64(-MATE), 0, False
    for i in range(total):
        move = pick(s.moves[ply], s.ranks[ply], i, total)
        to = move >> 10
        if ply == 0 and is_excluded(s, move):
            continue
        if late > 0 and s.blind and is_overlooked(s, key, move):
            has_overlooked = True
            continue
        late += 1
        s.counters[NODES] += 1
        left_low, left_high = without(low, high, to)
        mine_low, mine_high = s.reach[to, 0] & left_low, s.reach[to, 1] & left_high
        rest_low, rest_high = without(their_low, their_high, to)
        if rest_low | rest_high == 0:
            value = np.int64(MATE - ply - 1)
        elif opponent == NOWHERE:
            value = np.int64(count(mine_low, mine_high))
        elif mine_low | mine_high == 0:
            value = np.int64(ply + 2 - MATE)  # nothing the opponent does gives a cell back
        else:
            rest = left_low, left_high
            value = judge(s, rest, mine_low, mine_high, rest_low, rest_high, linked, phase) + chase(
                s, to, opponent
            )
        if s.noise:
            value = misjudged(s, value, hashed(left_low, left_high, opponent, to))
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                s.line[ply, 0] = move
                s.line_length[ply] = 1
                if value >= beta:
                    break
    return believed(best, has_overlooked)


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
        uint64,
        uint64,
        int64,
        int64,
        int64,
        int64,
        int64,
        int64,
        int64,
    ),
    nogil=True,
    cache=True,
)
def search(s, table, low, high, me, opponent, side, depth, alpha, beta, ply):
    """Negamax with a null window after the first move. Depth is at least 1."""
    s.line_length[ply] = 0
    counters = s.counters
    counters[NODES] += 1
    if counters[MAY_STOP] and (counters[STOP] or counters[NODES] >= counters[NODE_LIMIT]):
        counters[ABORTED] = 1
        return np.int64(0)
    alpha, beta = max(alpha, ply - MATE), min(beta, MATE - ply - 1)
    if alpha >= beta:
        return np.int64(alpha)
    near_low, near_high = jumps(s, low, high, me)
    if ply > 0 and count(near_low, near_high) == 1:
        depth += 1  # an only move costs nothing to follow
    if depth <= 1:
        return try_leaves(s, low, high, me, opponent, side, alpha, beta, ply)
    key = hashed(low, high, me, opponent)
    best_move = counters[FIRST] if ply == 0 else NO_MOVE
    stored = probe(table, key) if ply > 0 else np.uint64(0)
    if stored:
        value = stored_score(stored, ply)
        if settles(stored, depth, value, alpha, beta):
            return value
        best_move = stored_move(stored)
    if ply > 0 and s.noise | s.blind == 0:
        value, is_decided = np.int64(0), False
        least = DECIDE_DEPTH if count(low, high) < OPENING else OPEN_DEPTH
        if depth >= least and me != NOWHERE and opponent != NOWHERE:
            value, is_decided = decide(s, low, high, me, opponent, ply, depth)
        if ply <= MIRROR_PLY and mirror_move(s, low, high, me, opponent) >= 0:
            value, is_decided = np.int64(MATE - ply - count(low, high)), True
        if is_decided:
            store(table, key, depth, EXACT, value, NO_MOVE, ply)
            return value
    total = list_moves(s, low, high, me, side, ply)
    promote(s, ply, total, best_move)
    if total == 0:
        return np.int64(ply - MATE)
    first_alpha = alpha
    best, best_move, late = np.int64(-MATE), NO_MOVE, 0
    has_overlooked = False
    for i in range(total):
        move = pick(s.moves[ply], s.ranks[ply], i, total)
        if ply == 0 and is_excluded(s, move):
            continue
        if late > 0 and s.blind and is_overlooked(s, key, move):
            has_overlooked = True
            continue
        to = np.int64(move >> 10)
        left_low, left_high = without(low, high, to)
        less = reduction(depth, late)
        bottom = -beta if late == 0 else -alpha - 1
        value = -search(
            s,
            table,
            left_low,
            left_high,
            opponent,
            to,
            np.int64(1 - side),
            np.int64(depth - 1 - less),
            np.int64(bottom),
            np.int64(-alpha),
            np.int64(ply + 1),
        )
        if late > 0 and value > alpha and (less > 0 or value < beta):
            value = -search(
                s,
                table,
                left_low,
                left_high,
                opponent,
                to,
                np.int64(1 - side),
                np.int64(depth - 1),
                np.int64(-beta),
                np.int64(-alpha),
                np.int64(ply + 1),
            )
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
    if ply > 0:
        store(table, key, depth, flag, best, best_move, ply)
    return best


@compiled
def search_root(space, table, low, high, me, opponent, depth, alpha, beta):
    """The same from Python: the struct comes as an array of one."""
    return search(space[0], table, low, high, me, opponent, 0, depth, alpha, beta, 0)


@njit(int64(uint64[:, ::1], uint64, uint64, int64, int64, int64), nogil=True, cache=True)
def perft(reach, low, high, me, opponent, depth):
    """How many sequences of moves there are."""
    one = np.uint64(1)
    near_low, near_high = low, high
    if me != NOWHERE:
        near_low &= reach[me, 0]
        near_high &= reach[me, 1]
    if depth == 1:
        return count(near_low, near_high)
    total = np.int64(0)
    while near_low:
        to = np.int64(lowest(near_low))
        left = low & ~(one << np.uint64(to))
        total += perft(reach, left, high, opponent, to, depth - 1)
        near_low &= near_low - one
    while near_high:
        bit = np.int64(lowest(near_high))
        left = high & ~(one << np.uint64(bit))
        total += perft(reach, low, left, opponent, bit + 64, depth - 1)
        near_high &= near_high - one
    return total
