"""The search core for knights: tokens jump, and every cell they have stood on is gone.

The free cells are two words that a call passes on, so there is nothing to take back after a move.
A position is those words and the two tokens: who is to move need not be known.

Scores count from the side to move. A score beyond PROVEN is exact: it comes from real ends of the
game, from longest paths once the tokens can never meet, and from mirroring the opponent.
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
from isolation.engines.core.leaps import (
    NOWHERE,
    SPACE,
    around,
    count,
    first_of,
    has,
    hashed,
    jumps,
    linked_cells,
    mirror_move,
    without,
)
from isolation.engines.core.races import most_jumps, prove_loss, prove_win, race
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

APART_DEPTH = 2  # how much must be left to search before it is worth asking who can meet whom
MARGIN = 20
EXACT_DEPTH = 4
APART_BUDGET = 2  # positions to be looked at for a longest path within the search
MIRROR_PLY = 2  # positions are symmetric at the beginning of a game, if ever

STEPS, REACH, WORN, LINKS, ROOM, LATE_ROOM, CHASE = range(7)  # weights
CONFINED = 12
OPENING, ENDING = 78, 46  # free cells when territory begins to count


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
def divide(s, low, high, mine_low, mine_high, their_low, their_high):
    """Which cells each player can be first at, and how many more of mine are two jumps away.

    The sets given are the cells one jump away. Of equal distance they belong to the second player.
    """
    free_low, free_high = low & ~(mine_low | their_low), high & ~(mine_high | their_high)
    mine_low &= ~their_low
    mine_high &= ~their_high
    all_mine_low, all_mine_high = mine_low, mine_high
    all_their_low, all_their_high = their_low, their_high
    reach, is_second = np.int64(0), True
    while mine_low | mine_high | their_low | their_high:
        mine_low, mine_high = around(s, mine_low, mine_high)
        their_low, their_high = around(s, their_low, their_high)
        if is_second:
            is_second = False
            reach = count(mine_low & low, mine_high & high) - count(
                their_low & low, their_high & high
            )
        their_low &= free_low
        their_high &= free_high
        free_low &= ~their_low
        free_high &= ~their_high
        mine_low &= free_low
        mine_high &= free_high
        free_low &= ~mine_low
        free_high &= ~mine_high
        all_mine_low |= mine_low
        all_mine_high |= mine_high
        all_their_low |= their_low
        all_their_high |= their_high
    return all_mine_low, all_mine_high, all_their_low, all_their_high, reach


@compiled
def weigh(s, steps, reach, mine, theirs, links, phase):
    """What counts of a division of the board, in sixteenths."""
    w = s.weights
    confined = min(mine, CONFINED) - min(theirs, CONFINED)
    return (
        w[STEPS] * steps
        + w[REACH] * reach
        + w[WORN] * phase * (mine - theirs)
        + w[LINKS] * phase * links
        + (w[ROOM] + w[LATE_ROOM] * phase) * confined
    )


@compiled
def judge(s, low, high, mine_low, mine_high, their_low, their_high, linked, phase):
    """What a position is worth for the player who has just moved.

    The sets are the cells one jump away. What counts is how many cells a player can be first at,
    over the whole board, and how well these are linked.
    """
    steps = count(mine_low, mine_high) - count(their_low, their_high)
    mine_low, mine_high, their_low, their_high, reach = divide(
        s, low, high, mine_low, mine_high, their_low, their_high
    )
    links = (
        count(mine_low & linked[2], mine_high & linked[3])
        - count(their_low & linked[2], their_high & linked[3])
        + count(mine_low & linked[4], mine_high & linked[5])
        - count(their_low & linked[4], their_high & linked[5])
    )
    mine, theirs = count(mine_low, mine_high), count(their_low, their_high)
    return np.int64(weigh(s, steps, reach, mine, theirs, links, phase))


@compiled
def decide(s, low, high, me, opponent, ply, depth):
    """Who wins for certain, or a guess once the tokens can never meet: score, and whether any."""
    mine_low, mine_high = jumps(s, low, high, me)
    their_low, their_high = jumps(s, low, high, opponent)
    theirs_low, theirs_high, ours_low, ours_high, reach = divide(
        s, low, high, their_low, their_high, mine_low, mine_high
    )
    ahead = most_jumps(s, ours_low, ours_high, me)
    behind = most_jumps(s, theirs_low, theirs_high, opponent)
    near_low, near_high = around(s, ours_low, ours_high)
    is_apart = (
        near_low & theirs_low
        | near_high & theirs_high
        | their_low & ours_low
        | their_high & ours_high
    ) == 0
    margin = 0 if is_apart else MARGIN
    if ahead > behind + margin:
        value = prove_win(s, low, high, me, opponent, ply)
        if value:
            return value, True
    elif behind >= ahead + margin:
        value = prove_loss(s, low, high, me, opponent, ply)
        if value:
            return value, True
    if not is_apart:
        return np.int64(0), False
    value = np.int64(0)
    if depth >= EXACT_DEPTH:
        value = race(s, low, high, me, opponent, ply, APART_BUDGET * depth * depth)
    if value == 0:
        value = np.int64(20 * (ahead - behind))
    return value, True


@compiled
def try_leaves(s, low, high, me, opponent, side, alpha, beta, ply):
    """The best move, judged one ply deep."""
    key = hashed(low, high, me, opponent) if s.blind else np.uint64(0)
    total = list_moves(s, low, high, me, side, ply)
    if total == 0:
        return np.int64(ply - MATE)
    their_low, their_high = jumps(s, low, high, opponent)
    linked = linked_cells(s, low, high)
    phase = min(max(OPENING - count(low, high), 0), OPENING - ENDING)
    is_even = has(s.even[0], s.even[1], opponent)
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
            value = np.int64(s.weights[STEPS] * count(mine_low, mine_high) >> 4)
        elif mine_low | mine_high == 0:
            value = np.int64(ply + 2 - MATE)  # nothing the opponent does gives a cell back
        else:
            value = judge(s, left_low, left_high, mine_low, mine_high, rest_low, rest_high, linked, phase)
            # Only the player to move with both tokens on one colour can take a cell off the other.
            is_chased = has(s.even[0], s.even[1], to) == is_even
            value += -s.weights[CHASE] if is_chased else s.weights[CHASE]
            value >>= 4
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
        depth += 1
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
        if depth >= APART_DEPTH and me != NOWHERE and opponent != NOWHERE:
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
