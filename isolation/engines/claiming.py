"""The engine for linear: perfect play from Grundy numbers, for every length.

The free squares between claims and their neighbours fall into separate runs, and a run of n squares
is worth G(n) = mex over the square claimed of G(left part) xor G(right part). Who moves from a sum
of runs whose xor is not 0 wins, by leaving one whose xor is 0.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from random import Random

from isolation.engines.engine import (
    FULL_STRENGTH,
    OVER,
    Decision,
    Engine,
    Handicap,
    Limits,
    Note,
    Report,
)
from isolation.engines.scores import GUESS, MATE
from isolation.rules import Position


@lru_cache(maxsize=1)
def grundy_numbers(length: int = 99) -> tuple[int, ...]:
    """G(0) to G(length)."""
    values: list[int] = []
    for n in range(length + 1):
        reached = {values[max(0, left - 1)] ^ values[max(0, n - left - 2)] for left in range(n)}
        values.append(next(value for value in range(n + 2) if value not in reached))
    return tuple(values)


def worth(position: Position) -> int:
    """The xor over the runs of free squares: 0 means that the player to move has lost."""
    total = 0
    numbers = grundy_numbers()
    cells = position.next_cells()
    for _, run in groupby(enumerate(cells), key=lambda pair: pair[1] - pair[0]):
        total ^= numbers[len(list(run))]
    return total


class ClaimingEngine(Engine):
    """Knows the answer at once. A depth limit is how many free squares it can see through."""

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
        note: Note | None = None,
    ) -> list[Decision]:
        moves = position.legal_moves()
        if not moves:
            raise ValueError(OVER)
        # Where all moves lose, the longest game is the best chance for a mistake.
        judged = sorted((self._judge(position, move) for move in moves), key=lambda d: -d.score)
        lot = Random(f"{handicap.seed} {position.rows()}")
        if len(moves) > (limits.depth or len(moves)) or lot.randrange(256) < handicap.blind:
            judged = [replace(decision, score=0) for decision in lot.sample(judged, len(judged))]
        if limits.moves and len(limits.moves) < len(moves):
            judged = [_alone(decision) for decision in judged if decision.move in limits.moves]
        for number, decision in enumerate(judged[:lines], start=1):
            if report:
                report(number, decision)
        return judged[:lines]

    @staticmethod
    def _judge(position: Position, move: tuple[int, ...]) -> Decision:
        after = position.after(move)
        most = 1 + len(after.next_cells())  # plies: every claim uses up a square at least
        score = MATE - most if worth(after) == 0 else most - MATE
        return Decision(move, score, 1, 1, (move,))


def _alone(decision: Decision) -> Decision:
    """Other moves are left out: that this one loses doesn't prove the position lost."""
    return replace(decision, score=max(decision.score, -GUESS))
