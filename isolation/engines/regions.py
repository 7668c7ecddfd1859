"""Endgames of classic and isola in which the pawns are walled apart, solved region by region."""

import numpy as np

from isolation.engines.core.regions import UNKNOWN, best_step, best_theft
from isolation.engines.engine import Decision
from isolation.engines.scores import MATE
from isolation.rules import Move
from isolation.rules.grid import bits
from isolation.rules.pawns import PawnPosition

TABLE_SIZE = 1 << 16
BUDGET = 400_000  # positions for each of the two regions


class RegionSolver:
    """Knows the exact answer, or that it can't be had cheaply."""

    def __init__(self) -> None:
        self._table = np.zeros((TABLE_SIZE, 3), dtype=np.uint64)

    def solve(self, position: PawnPosition, budget: int = BUDGET) -> Decision | None:
        """The best move where the pawns can never meet, or None where the budget is too small."""
        if position.protected or position.cell_count > 64:
            return None
        mine = self._region(position, position.to_move)
        theirs = self._region(position, 1 - position.to_move)
        if mine & theirs or mine & position.pieces[1 - position.to_move]:
            return None
        self._table.fill(0)
        king = np.array(position.grid.king, dtype=np.uint64)
        me, opponent = position.pawn(position.to_move), position.pawn(1 - position.to_move)
        spent = np.array([0, budget], dtype=np.int64)
        my_steps, to = best_step(king, self._table, spent, np.uint64(mine), me)
        spent[0] = 0
        left, theft = best_theft(king, self._table, spent, np.uint64(theirs), opponent)
        if UNKNOWN in (my_steps, left) or to < 0:
            return None
        block = theft if theft >= 0 else bits(position.empty & ~(1 << to) | 1 << me)[0]
        return self._decide((int(to), int(block)), int(my_steps), int(left), int(spent[0]))

    @staticmethod
    def _decide(move: Move, my_steps: int, their_steps: int, nodes: int) -> Decision:
        """Who runs out of steps first has lost; the player to move is the first to step."""
        if my_steps > their_steps:
            plies = 2 * their_steps + 1
            return Decision(move, MATE - plies, plies, nodes, (move,))
        plies = 2 * my_steps
        return Decision(move, plies - MATE, plies, nodes, (move,))

    @staticmethod
    def _region(position: PawnPosition, player: int) -> int:
        """The open cells that a pawn can reach, whatever the other one does."""
        ground = position.grid.full & ~position.blocked
        region = frontier = position.pieces[player]
        while frontier:
            reached = 0
            for cell in bits(frontier):
                reached |= position.grid.king[cell]
            frontier = reached & ground & ~region
            region |= frontier
        return region & ~position.pieces[player]
