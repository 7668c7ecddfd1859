"""Weak players in plain Python: greedy, minimax three plies deep, and plain UCT.

Full strength has to win at least 98 % against each. They take the time they take.

Run: python -m benchmarks.opponents greedy|minimax|uct, or through benchmarks.gauntlet
"""

import sys
from collections.abc import Iterator
from math import log, sqrt
from random import Random

from benchmarks.rivals.lines import Thought, serve
from isolation.engines.plain import evaluate
from isolation.engines.simple import greedy_move
from isolation.rules import Move, Position
from isolation.rules.position import PASS

DEPTH = 3
PLAYOUTS = 300
MAX_PLAYOUT = 60


def greedy(position: Position, lot: Random) -> Move:
    return greedy_move(position, lot)


def minimax(position: Position, lot: Random) -> Move:
    """Full-width alpha-beta, three plies deep, or two where there are hundreds of moves."""
    depth = DEPTH if position.count_moves() < 100 else 2
    moves = position.legal_moves()
    lot.shuffle(moves)
    best, best_move = -1e9, moves[0]
    for move in moves:
        value = -_value(position.after(move), depth - 1, -1e9, -best)
        if value > best:
            best, best_move = value, move
    return best_move


def _value(position: Position, depth: int, alpha: float, beta: float) -> float:
    outcome = position.outcome()
    if outcome:
        sign = 0 if outcome.winner is None else 1 if outcome.winner == position.to_move else -1
        return sign * (10_000 + depth)
    if depth == 0:
        return evaluate(position)
    for move in position.legal_moves():
        alpha = max(alpha, -_value(position.after(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


class Node:
    """A position in the search tree of UCT."""

    def __init__(self, position: Position, lot: Random) -> None:
        self.position = position
        self.untried = position.legal_moves()
        lot.shuffle(self.untried)
        self.children: list[tuple[Move, Node]] = []
        self.visits = 0
        self.wins = 0.0  # of the player who has just moved


def uct(position: Position, lot: Random) -> Move:
    root = Node(position, lot)
    for _ in range(PLAYOUTS):
        path, node = [root], root
        while not node.untried and node.children:
            node = max((child for _, child in node.children), key=lambda c: _bound(c, node))
            path.append(node)
        if node.untried:
            move = node.untried.pop()
            child = Node(node.position.after(move), lot)
            node.children.append((move, child))
            path.append(child)
        result = _play_out(path[-1].position, lot)
        for visited in path:
            visited.visits += 1
            mover = 1 - visited.position.to_move
            visited.wins += 0.5 if result is None else float(result == mover)
    return max(root.children, key=lambda pair: pair[1].visits)[0]


def _bound(child: Node, parent: Node) -> float:
    return child.wins / child.visits + sqrt(2 * log(parent.visits) / child.visits)


def _play_out(position: Position, lot: Random) -> int | None:
    for _ in range(MAX_PLAYOUT):
        outcome = position.outcome()
        if outcome:
            return outcome.winner
        move = PASS
        while cells := position.next_cells(move):
            move = (*move, lot.choice(cells))
        position = position.after(move)
    return None


OPPONENTS = {"greedy": greedy, "minimax": minimax, "uct": uct}


class Opponent:
    """One of them as a program that speaks lines."""

    def __init__(self, name: str) -> None:
        self.choose, self.lot = OPPONENTS[name], Random(name)
        self.is_asked = False

    def begin(self) -> None:
        self.is_asked = True

    def stop(self) -> None:
        """They answer as soon as they can."""

    def forget(self) -> None:
        """Nothing to forget."""

    def think(self, position: Position, past: list[Position]) -> Iterator[Thought]:
        if self.is_asked:  # otherwise it's only to be loaded
            self.is_asked = False
            yield 1, 0, self.choose(position, self.lot), 1


if __name__ == "__main__":
    serve(sys.argv[1], Opponent(sys.argv[1]))
