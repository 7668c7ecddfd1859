"""A plain alpha-beta engine: iterative deepening, a table, killers and history, a full window.

No reductions, no null moves, no exact endgames. It looks at all of the pawns' blocks for the first
two plies, then at those within two of the enemy, and at the last ply at those next to it. Kept
independent of isolation/engines on purpose: see the package.

Run: python -m benchmarks.rivals.alphabeta
"""

import numpy as np

from benchmarks.rivals.boards import (
    MOST_MOVES,
    SLIDER,
    after,
    can_move,
    evaluate,
    key_of,
    moves_of,
    outcome,
    past_keys,
    read_move,
    setup,
    wins_at_once,
)
from benchmarks.rivals.compiled import compiled
from benchmarks.rivals.lines import serve

DEPTHS = 60
WIN = 30_000
SURE = WIN - 500  # scores beyond this are counted to the end of the game
TABLE_BITS = 20
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
STOP, NODES, BEST, SCORE, PAST, REACH, FULL_PLIES, WIDTH = range(8)  # places in `control`
KEY, DATA = 0, 1
FIRST = np.int64(1 << 40)  # the rank of the table's move
KILLER = np.int64(1 << 30)
UNKNOWN = np.int64(1 << 20)


@compiled
def order_moves(kind, a, b, c, d, looks, ply, first, total, tables, memory, moves, ranks):
    """Give each move a rank: the table's move, killers, then history and how it looks."""
    history, killers = memory[0], memory[1 + ply]
    for index in range(total):
        move = moves[index]
        rank = -index + history[move & 0x1FFF]
        if looks:
            w, x, y, z = after(kind, a, b, c, d, move)
            rank = rank // 4 - 16 * evaluate(kind, w, x, y, z, tables)
        if move == first:
            rank += FIRST
        elif move == killers[0] or move == killers[1]:
            rank += KILLER
        ranks[index] = rank


@compiled
def take_best(index, total, moves, ranks):
    """Swap the best of the moves that remain into place."""
    best = index
    for other in range(index + 1, total):
        if ranks[other] > ranks[best]:
            best = other
    move, rank = moves[best], ranks[best]
    moves[best], ranks[best] = moves[index], ranks[index]
    moves[index], ranks[index] = move, rank
    return move


@compiled
def remember(slot, key, depth, ply, best, score, alpha, beta, table):
    bound = AT_LEAST if score >= beta else AT_MOST if score <= alpha else EXACT
    if score > SURE:
        score += ply
    elif score < -SURE:
        score -= ply
    table[slot, KEY] = key
    table[slot, DATA] = (score + 32768) << 24 | depth << 18 | bound << 16 | best


@compiled
def recall(data, depth, ply, alpha, beta):
    """The score that the table has, if it's deep enough and settles this window."""
    score, bound = (data >> 24) - 32768, data >> 16 & 3
    if score > SURE:
        score -= ply
    elif score < -SURE:
        score += ply
    settles = bound == EXACT or (score >= beta if bound == AT_LEAST else score <= alpha)
    return score if settles and data >> 18 & 63 >= depth else UNKNOWN


@compiled
def reward(move, depth, ply, memory):
    killers = memory[1 + ply]
    if killers[0] != move:
        killers[1], killers[0] = killers[0], move
    history = memory[0]
    history[move & 0x1FFF] += depth * depth
    if history[move & 0x1FFF] > 1 << 20:
        for index in range(history.size):
            history[index] >>= 1


@compiled
def is_repeated(key, ply, control, path):
    end = control[PAST] + ply
    path[end] = key
    for at in range(end - 2, -1, -2):
        if path[at] == key:
            return True
    return False


@compiled
def leaf(kind, a, b, c, d, ply, tables):
    """The value of a board that isn't searched further."""
    ended = outcome(kind, a, b, c, d)
    if ended != 2:
        return ended * (WIN - ply)
    if wins_at_once(kind, a, b, c, d, tables) >= 0:
        return np.int64(WIN - ply - 1)
    if kind != SLIDER and not can_move(kind, a, b, c, d, tables):
        return np.int64(ply - WIN)
    return evaluate(kind, a, b, c, d, tables)


@compiled
def search(kind, a, b, c, d, depth, ply, alpha, beta, tables, table, memory, lists, control, path):
    """The value for the player to move. Once `control[STOP]` is set it means nothing."""
    control[NODES] += 1
    ended = outcome(kind, a, b, c, d)
    if ended != 2:
        return ended * (WIN - ply)
    win = wins_at_once(kind, a, b, c, d, tables)
    if win >= 0:
        if ply == 0:
            control[BEST] = win
        return np.int64(WIN - ply - 1)
    key = key_of(a, b, c, d)
    if kind == SLIDER and is_repeated(key, ply, control, path) and ply:
        return np.int64(0)
    moves, ranks = lists[ply, 0], lists[ply, 1]
    slot, first = key & (table.shape[0] - 1), np.int64(-1)
    if table[slot, KEY] == key:
        first = table[slot, DATA] & 0xFFFF
        known = recall(table[slot, DATA], depth, ply, alpha, beta)
        if ply and known != UNKNOWN:
            return known
    reach = 0 if ply < control[FULL_PLIES] else control[REACH]
    if depth == 1:
        reach = min(reach, 1)
    total = moves_of(kind, a, b, c, d, reach, tables, moves)
    if total == 0:
        return np.int64(ply - WIN)
    is_cut = control[WIDTH] < total
    is_sorted = depth > 1 or is_cut  # sorting takes longer than the leaves that it saves
    looks = depth >= 5 or is_cut
    if is_sorted:
        order_moves(kind, a, b, c, d, looks, ply, first, total, tables, memory, moves, ranks)
    best, floor, best_move = np.int64(-WIN), alpha, moves[0]
    for index in range(min(total, control[WIDTH])):
        move = take_best(index, total, moves, ranks) if is_sorted else moves[index]
        w, x, y, z = after(kind, a, b, c, d, move)
        if depth == 1:  # without a call, which took a tenth of the time
            control[NODES] += 1
            score = -leaf(kind, w, x, y, z, ply + 1, tables)
        else:
            score = -search(
                kind, w, x, y, z, depth - 1, ply + 1, -beta, -floor,
                tables, table, memory, lists, control, path,
            )  # fmt: skip
            if control[STOP]:
                return np.int64(0)
        if score > best:
            best, best_move = score, move
            if ply == 0:
                control[BEST], control[SCORE] = move, score
        floor = max(floor, score)
        if floor >= beta:
            reward(move, depth, ply, memory)
            break
    remember(slot, key, depth, ply, best_move, best, alpha, beta, table)
    return best


class Searcher:
    """What a search keeps from move to move.

    Pawns' blocks are all listed for `full_plies`, and those within `reach` of the enemy beyond. Of
    all moves the search goes through the `width` that look best.
    """

    def __init__(self, reach: int = 2, full_plies: int = 2, width: int = MOST_MOVES) -> None:
        self.settings = reach, full_plies, width
        self.table = np.zeros((1 << TABLE_BITS, 2), np.int64)
        self.memory = np.zeros((DEPTHS + 2, 1 << 13), np.int64)
        self.lists = np.zeros((DEPTHS + 2, 2, MOST_MOVES), np.int64)
        self.path = np.zeros(1024, np.int64)
        self.control = np.zeros(8, np.int64)

    def begin(self) -> None:
        self.control[STOP] = 0

    def forget(self) -> None:
        self.table[:] = 0

    def stop(self) -> None:
        self.control[STOP] = 1

    def think(self, position, past):
        """Deepen until `stop`; yields each depth's score and move. Depth 1 is always finished."""
        kind, board, tables = setup(position)
        self.memory[1:, :2] = -1
        self.memory[0] >>= 3
        keys, control = past_keys(position, past), self.control
        self.path[: len(keys)] = keys
        control[PAST] = len(keys)
        control[NODES], control[BEST] = 0, -1
        control[REACH], control[FULL_PLIES], control[WIDTH] = self.settings
        for depth in range(1, DEPTHS):
            stopped, control[STOP] = control[STOP], control[STOP] * (depth > 1)
            score = search(
                kind, *board, depth, 0, np.int64(-WIN), np.int64(WIN),
                tables, self.table, self.memory, self.lists, control, self.path,
            )  # fmt: skip
            control[STOP] |= stopped
            move = read_move(position, int(control[BEST]))
            yield depth, int(control[SCORE]), move, int(control[NODES])
            if control[STOP] or abs(score) > SURE:
                return


if __name__ == "__main__":
    serve("alphabeta", Searcher())
