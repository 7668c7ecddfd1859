"""A Monte Carlo tree search: UCT whose playouts end at once in the evaluation of a leaf's moves.

Every leaf is expanded fully, each child begins with its evaluation as one visit, and wins and
losses are proven up the tree. Kept independent of isolation/engines on purpose: see the package.

Run: python -m benchmarks.rivals.mcts
"""

from math import exp, log, sqrt

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

NODES_LIMIT = 1 << 21
DEEPEST = 200
CURIOSITY = 0.35
SCALE = 60.0  # the evaluation that is worth about three wins of four
FIRST, COUNT, MOVE, VISITS, PROVEN = range(5)  # columns of `tree`; PROVEN is 1 if its mover wins
STOP, USED, PLAYOUTS, PAST = range(4)  # places in `control`
REACH = 2


@compiled
def chance(score):
    return 1.0 / (1.0 + exp(-score / SCALE))


@compiled
def select(node, tree, points):
    """The child to visit: the best mean, with a bonus where few visits were made."""
    best, choice = -1.0, tree[node, FIRST]
    bonus = CURIOSITY * sqrt(log(tree[node, VISITS] + 1.0))
    for child in range(tree[node, FIRST], tree[node, FIRST] + tree[node, COUNT]):
        if tree[child, PROVEN] == 1:
            return child
        if tree[child, PROVEN] == -1:
            continue
        visits = tree[child, VISITS]
        value = points[child] / visits + bonus / sqrt(visits)
        if value > best:
            best, choice = value, child
    return choice


@compiled
def expand(node, kind, a, b, c, d, tables, tree, points, moves, control):
    """Add all children of a node, and return its value for the player to move."""
    reach = 0 if node == 0 else REACH
    total = moves_of(kind, a, b, c, d, reach, tables, moves)
    if total == 0:
        tree[node, PROVEN] = 1
        return 0.0
    first, best = control[USED], 0.0
    control[USED] += total
    tree[node, FIRST], tree[node, COUNT] = first, total
    for index in range(total):
        child = first + index
        w, x, y, z = after(kind, a, b, c, d, moves[index])
        tree[child, COUNT], tree[child, MOVE], tree[child, VISITS] = 0, moves[index], 1
        tree[child, PROVEN] = judge(kind, w, x, y, z, tables)
        value = 1 - chance(evaluate(kind, w, x, y, z, tables))
        points[child] = value if tree[child, PROVEN] == 0 else (1 + tree[child, PROVEN]) / 2
        best = max(best, points[child])
    prove(node, tree)
    return best


@compiled
def judge(kind, a, b, c, d, tables):
    """1 where the player to move has lost, -1 where that player wins at once, 0 otherwise."""
    ended = outcome(kind, a, b, c, d)
    if ended != 2:
        return -ended
    if kind == SLIDER:
        return 0
    if not can_move(kind, a, b, c, d, tables):
        return 1
    return -1 if wins_at_once(kind, a, b, c, d, tables) >= 0 else 0


@compiled
def prove(node, tree):
    """A node is lost for who moved there if one reply wins, and won if all replies lose."""
    is_won = True
    for child in range(tree[node, FIRST], tree[node, FIRST] + tree[node, COUNT]):
        if tree[child, PROVEN] == 1:
            tree[node, PROVEN] = -1
            return
        is_won &= tree[child, PROVEN] == -1
    if is_won:
        tree[node, PROVEN] = 1


@compiled
def play_out(kind, a, b, c, d, tables, tree, points, moves, control, path, trail):
    """Walk down to a leaf, expand it, and take its value back up."""
    node, depth, value = 0, 0, -1.0
    trail[0] = 0
    while tree[node, COUNT] and depth < DEEPEST:
        node = select(node, tree, points)
        a, b, c, d = after(kind, a, b, c, d, tree[node, MOVE])
        depth += 1
        trail[depth] = node
        if kind == SLIDER:
            key, end = key_of(a, b, c, d), control[PAST] + depth
            path[end] = key
            for at in range(end - 2, -1, -2):
                if path[at] == key:
                    value = 0.5
            if value >= 0:
                break
    if value < 0:
        ended = outcome(kind, a, b, c, d)
        if ended != 2:
            value = (ended + 1) / 2
        elif tree[node, PROVEN]:
            value = (1 - tree[node, PROVEN]) / 2
        else:
            value = expand(node, kind, a, b, c, d, tables, tree, points, moves, control)
    for at in range(depth, -1, -1):
        value = 1 - value
        tree[trail[at], VISITS] += 1
        points[trail[at]] += value
        if at < depth:
            prove(trail[at], tree)


@compiled
def grow_tree(kind, a, b, c, d, tables, tree, points, moves, control, path, trail):
    """Play out until stopped, or until the tree is full or proven."""
    path[control[PAST]] = key_of(a, b, c, d)
    while control[USED] < NODES_LIMIT - MOST_MOVES and not tree[0, PROVEN]:
        play_out(kind, a, b, c, d, tables, tree, points, moves, control, path, trail)
        control[PLAYOUTS] += 1
        if control[STOP]:
            return


class Sampler:
    """The tree of one search; nothing is kept for the next."""

    def __init__(self) -> None:
        self.tree = np.zeros((NODES_LIMIT, 5), np.int64)
        self.points = np.zeros(NODES_LIMIT)
        self.moves = np.zeros(MOST_MOVES, np.int64)
        self.control = np.zeros(4, np.int64)
        self.path = np.zeros(1024 + DEEPEST, np.int64)
        self.trail = np.zeros(DEEPEST + 1, np.int64)

    def begin(self) -> None:
        self.control[STOP] = 0

    def stop(self) -> None:
        self.control[STOP] = 1

    def forget(self) -> None:
        """Nothing to forget."""

    def think(self, position, past):
        kind, board, tables = setup(position)
        self.tree[0] = 0
        self.points[0] = 0
        keys = past_keys(position, past)
        self.path[: len(keys)] = keys
        self.control[USED], self.control[PLAYOUTS], self.control[PAST] = 1, 0, len(keys)
        win = wins_at_once(kind, *board, tables)
        if win >= 0:
            yield 1, 30_000, read_move(position, int(win)), 1
            return
        grow_tree(
            kind, *board, tables, self.tree, self.points,
            self.moves, self.control, self.path, self.trail,
        )  # fmt: skip
        score, move = self._answer()
        yield 1, score, read_move(position, move), int(self.control[PLAYOUTS])

    def _answer(self):
        first, total = self.tree[0, FIRST], self.tree[0, COUNT]
        children = self.tree[first : first + total]
        shares = self.points[first : first + total] / children[:, VISITS]
        best = int(np.argmax(children[:, VISITS] + 1e9 * children[:, PROVEN]))
        return int(2000 * (shares[best] - 0.5)), int(children[best, MOVE])


if __name__ == "__main__":
    serve("mcts", Sampler())
