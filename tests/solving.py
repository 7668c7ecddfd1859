"""Full solvers over the plain rules: slow, and right because they look at everything."""

from collections import Counter, deque
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from isolation.rules import Move, Position


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


class Exact(NamedTuple):
    """The value for the player to move, and in how many plies the game ends under best play."""

    sign: int  # 1 for a win, -1 for a loss, 0 for a tie
    plies: int = 0

    def before(self) -> "Exact":
        """The value of the move that leads here, for the player who makes it."""
        return Exact(-self.sign, self.plies + 1)


def best_of(values: Sequence[Exact]) -> Exact:
    """The quickest win, else a tie, else the slowest loss."""
    return max(values, key=lambda value: (value.sign, -value.sign * value.plies))


def solve_moves(position: Position, history: Sequence[Position] = ()) -> dict[Move, Exact]:
    """What each legal move is worth to the player who makes it."""
    after = {move: position.after(move) for move in position.legal_moves()}
    if position.repetition_limit is None:
        values = {move: distance(child) for move, child in after.items()}
        return {
            move: Exact(1 if value > 0 else -1, abs(value)).before()
            for move, value in values.items()
        }
    solved = solve_cyclic(position, history)
    return {move: solved[child].before() for move, child in after.items()}


def solve_cyclic(start: Position, history: Sequence[Position] = ()) -> dict[Position, Exact]:
    """The value of every position that can be reached, where the same one for the third time ties.

    A player who can win never needs to come back to a position. So what has occurred twice before
    is a tie, and everything else is as if the game had no past.
    """
    seen = Counter(position.repetition_key for position in (*history, start))
    children: dict[Position, list[Position]] = {}
    pending = [start]
    while pending:
        position = pending.pop()
        if position not in children:
            is_tie = seen[position.repetition_key] >= 2 and position != start
            children[position] = [] if is_tie else [*map(position.after, position.legal_moves())]
            pending += children[position]
    values = _decided(children)
    if (
        seen[start.repetition_key] >= 2
    ):  # come back to, it's a tie; its own moves are another matter
        values = _decided({**children, start: []})
    return {position: values.get(position, Exact(0)) for position in children}


def _decided(children: dict[Position, list[Position]]) -> dict[Position, Exact]:
    """Wins and losses, worked out backwards from the ends of the game, the nearest first."""
    values = _ends(children)
    parents: dict[Position, list[Position]] = {}
    for position, after in children.items():
        for child in after:
            parents.setdefault(child, []).append(position)
    unsolved = {position: len(after) for position, after in children.items()}
    queue = deque(values)
    while queue:
        child = queue.popleft()
        for parent in parents.get(child, ()):
            unsolved[parent] -= 1
            if parent not in values and (values[child].sign < 0 or unsolved[parent] == 0):
                values[parent] = values[child].before()
                queue.append(parent)
    return values


def _ends(children: dict[Position, list[Position]]) -> dict[Position, Exact]:
    values = {}
    for position in children:
        outcome = position.outcome()
        if outcome and outcome.winner is not None:
            values[position] = Exact(1 if outcome.winner == position.to_move else -1)
    return values
