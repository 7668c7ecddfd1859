"""The search core for slider: two races across each other, each in the other's way.

A position that has been there before, in the game or on the way to it in the search, counts as a
tie. So a forced win never goes through one, and is a win however the game came here.
"""

import numpy as np
from numba import from_dtype, int64, njit, uint64

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
from isolation.engines.scores import MATE

MAX_SIZE = 10
MAX_CELLS = MAX_SIZE * MAX_SIZE
MAX_PLY = 128
MOST_PAST = 256
WIDEST = 3 * (MAX_SIZE - 1)
PASS = 1022 << 10 | 1022

EMPTY, BLOCKED = 2, 3  # what a cell holds, beside a piece of player 0 or 1
DISTANCE, BARRED, STUCK, TEMPO, PIECE = range(5)  # weights

SPACE = np.dtype(
    [
        ("board", np.uint8, MAX_CELLS + 1),  # the last cell is off the board, and always empty
        ("pieces", np.int16, (2, MAX_SIZE)),
        ("piece_count", np.int32, 2),
        ("step", np.int16, (2, MAX_CELLS, 3)),  # the forward step of each player first
        ("step_count", np.int16, (2, MAX_CELLS)),
        ("distance", np.int16, (2, MAX_CELLS + 1)),  # steps to get off the board
        ("zobrist", np.uint64, (4, MAX_CELLS + 1)),
        ("weights", np.int32, 8),
        ("noise", np.int64),  # how a weak player errs, see tables.py
        ("blind", np.int64),
        ("seed", np.uint64),
        ("cells", np.int32),
        ("counters", np.int64, COUNTERS),
        ("excluded", np.int32, 64),
        (
            "past",
            np.uint64,
            MOST_PAST,
        ),  # keys of the positions that a reversible move could bring back
        ("past_count", np.int32),
        ("path", np.uint64, MAX_PLY),
        ("moves", np.int32, (MAX_PLY, WIDEST)),
        ("ranks", np.int32, (MAX_PLY, WIDEST)),
        ("killers", np.int32, (MAX_PLY, 2)),
        ("history", np.int32, (2, 2, MAX_CELLS + 1)),
        ("line", np.int32, (MAX_PLY, MAX_PLY)),
        ("line_length", np.int32, MAX_PLY),
    ],
    align=True,
)


@compiled
def standing(s, player):
    """How well a player stands: few steps to go, the way ahead free, pieces that can move."""
    w = s.weights
    total = np.int64(w[PIECE] * s.piece_count[player])
    for i in range(s.piece_count[player]):
        cell = s.pieces[player, i]
        total -= w[DISTANCE] * s.distance[player, cell]
        ahead = s.board[s.step[player, cell, 0]]
        if ahead == 1 - player or ahead == BLOCKED:
            total -= w[BARRED]
            if s.board[s.step[player, cell, 1]] != EMPTY and (
                s.step_count[player, cell] == 2 or s.board[s.step[player, cell, 2]] != EMPTY
            ):
                total -= w[STUCK]
    return total


@compiled
def evaluate(s, side):
    return standing(s, side) - standing(s, 1 - side) + s.weights[TEMPO]


@compiled
def list_moves(s, side, ply, best):
    """All moves with their ranks: forward first. None means a pass."""
    moves, ranks, history = s.moves[ply], s.ranks[ply], s.history[side]
    total = 0
    for i in range(s.piece_count[side]):
        cell = s.pieces[side, i]
        for j in range(s.step_count[side, cell]):
            to = s.step[side, cell, j]
            if s.board[to] == EMPTY:
                moves[total] = cell << 10 | to
                ranks[total] = history[0, cell] + history[1, to] + (512 if j == 0 else 0)
                total += 1
    promote(s, ply, total, best)
    return total


@compiled
def put(s, side, source, target):
    """Move a piece; off the board it is last in its list, and no longer counted."""
    pieces = s.pieces[side]
    s.board[source] = EMPTY
    for i in range(s.piece_count[side]):
        if pieces[i] == source:
            if target == s.cells:
                s.piece_count[side] -= 1
                pieces[i] = pieces[s.piece_count[side]]
            else:
                pieces[i] = target
                s.board[target] = side
            return


@compiled
def take_back(s, side, source, target):
    pieces = s.pieces[side]
    s.board[source] = side
    if target == s.cells:
        pieces[s.piece_count[side]] = source
        s.piece_count[side] += 1
        return
    s.board[target] = EMPTY
    for i in range(s.piece_count[side]):
        if pieces[i] == target:
            pieces[i] = source
            return


@compiled
def has_been(s, ply, key):
    for at in range(ply - 2, -1, -2):
        if s.path[at] == key:
            return True
    for i in range(s.past_count):
        if s.past[i] == key:
            return True
    return False


@compiled
def reduction(depth, late):
    """How many plies less deep a move is searched that comes late in the order."""
    if depth < 3 or late < 4:
        return 0
    return min(depth - 2, 1 + (late >= 10))


@njit(
    int64(from_dtype(SPACE), uint64[:, ::1], int64, int64, int64, int64, int64, int64, uint64),
    nogil=True,
    cache=True,
)
def search(s, table, side, passes, depth, alpha, beta, ply, key):
    """Negamax with a null window after the first move. Depth is at least 1."""
    s.line_length[ply] = 0
    counters = s.counters
    counters[NODES] += 1
    if counters[MAY_STOP] and (counters[STOP] or counters[NODES] >= counters[NODE_LIMIT]):
        counters[ABORTED] = 1
        return np.int64(0)
    if ply >= MAX_PLY - 2:
        return evaluate(s, side)
    alpha, beta = max(alpha, ply - MATE), min(beta, MATE - ply - 1)
    if alpha >= beta:
        return np.int64(alpha)
    s.path[ply] = key
    slot = key ^ s.zobrist[3, passes]
    best_move = counters[FIRST] if ply == 0 else NO_MOVE
    stored = probe(table, slot) if depth > 1 and ply > 0 else np.uint64(0)
    if stored:
        value = stored_score(stored, ply)
        if settles(stored, depth, value, alpha, beta):
            return value
        best_move = stored_move(stored)
    total = list_moves(s, side, ply, best_move)
    if total == 0:
        s.moves[ply, 0] = PASS
        total = 1
    first_alpha = alpha
    best, best_move = np.int64(-MATE), NO_MOVE
    late, has_overlooked = 0, False
    moves, ranks = s.moves[ply], s.ranks[ply]
    for i in range(total):
        move = pick(moves, ranks, i, total)
        if ply == 0 and is_excluded(s, move):
            continue
        if late > 0 and is_overlooked(s, key, move):
            has_overlooked = True
            continue
        source, target = move >> 10, move & 1023
        child = key ^ s.zobrist[2, 0]
        after_passes = passes + 1
        if move != PASS:
            put(s, side, source, target)
            child ^= s.zobrist[side, source]
            if target != s.cells:
                child ^= s.zobrist[side, target]
            after_passes = 0
        s.line_length[ply + 1] = 0
        if s.piece_count[side] == 0:
            value = np.int64(MATE - ply - 1)
        elif after_passes == 2 or has_been(s, ply + 1, child):
            value = np.int64(0)
        elif depth <= 1:
            counters[NODES] += 1
            value = misjudged(s, -evaluate(s, 1 - side), child)
        else:
            less = reduction(depth, late)
            low = -beta if late == 0 else -alpha - 1
            value = -search(
                s, table, 1 - side, after_passes, depth - 1 - less, low, -alpha, ply + 1, child
            )
            if late > 0 and value > alpha and (less > 0 or value < beta):
                value = -search(
                    s, table, 1 - side, after_passes, depth - 1, -beta, -alpha, ply + 1, child
                )
        if move != PASS:
            take_back(s, side, source, target)
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
        if best_move != PASS:
            remember_refutation(s, side, ply, best_move, depth)
    elif best > first_alpha:
        flag = EXACT
    else:
        flag = UPPER
    if depth > 1 and ply > 0:
        store(table, slot, depth, flag, best, best_move, ply)
    return best


@compiled
def search_root(space, table, side, passes, depth, alpha, beta, key):
    """The same from Python: the struct comes as an array of one."""
    return search(space[0], table, side, passes, depth, alpha, beta, 0, key)


@njit(int64(from_dtype(SPACE), int64, int64, int64, int64), nogil=True, cache=True)
def perft(s, side, passes, depth, ply):
    """How many sequences of moves there are, by the core's own idea of what a move is."""
    if passes == 2 or s.piece_count[0] == 0 or s.piece_count[1] == 0:
        return np.int64(0)
    moves = list_moves(s, side, ply, NO_MOVE)
    if depth == 1:
        return np.int64(max(moves, 1))
    if moves == 0:
        return perft(s, 1 - side, passes + 1, depth - 1, ply + 1)
    total = np.int64(0)
    for i in range(moves):
        move = np.int64(s.moves[ply, i])
        put(s, side, move >> 10, move & 1023)
        total += perft(s, 1 - side, np.int64(0), depth - 1, ply + 1)
        take_back(s, side, move >> 10, move & 1023)
    return total


@compiled
def perft_root(space, side, passes, depth):
    return perft(space[0], side, passes, depth, 0)
