"""Full solvers over the plain rules: slow, and right because they look at everything."""

from collections import deque
from functools import cache

from isolation.rules import Position


@cache
def distance(position: Position) -> int:
    """Plies to the end under best play, in games without ties: positive if the mover wins."""
    values = [distance(position.after(move)) for move in position.legal_moves()]
    if not values:
        return 0
    lost = [-value for value in values if value <= 0]
    return 1 + min(lost) if lost else -(1 + max(values))


def mover_wins(position: Position) -> bool:
    return distance(position) > 0


def solve_cyclic(start: Position) -> dict[Position, int]:
    """1, 0 or -1 for the mover of every position that can be reached, cycles being ties."""
    children: dict[Position, list[Position]] = {}
    pending = [start]
    while pending:
        position = pending.pop()
        if position not in children:
            children[position] = [position.after(move) for move in position.legal_moves()]
            pending += children[position]
    values = _ends(children)
    parents: dict[Position, list[Position]] = {}
    for position, after in children.items():
        for child in after:
            parents.setdefault(child, []).append(position)
    unsolved = {position: len(after) for position, after in children.items()}
    queue = deque(position for position, value in values.items() if value)
    while queue:
        child = queue.popleft()
        for parent in parents.get(child, ()):
            if parent in values:
                continue
            unsolved[parent] -= 1
            if values[child] < 0 or unsolved[parent] == 0:
                values[parent] = -1 if values[child] > 0 else 1
                queue.append(parent)
    return {position: values.get(position, 0) for position in children}


def _ends(children: dict[Position, list[Position]]) -> dict[Position, int]:
    values = {}
    for position in children:
        outcome = position.outcome()
        if outcome:
            mover = position.to_move
            values[position] = 0 if outcome.winner is None else 1 if outcome.winner == mover else -1
    return values
