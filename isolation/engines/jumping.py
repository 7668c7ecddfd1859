"""The engine for knights: what is known of the game, and the compiled core for the rest."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.jumpers import perft, search_root
from isolation.engines.core.leaps import MAX_CELLS, NOWHERE, SPACE, mirror_root
from isolation.engines.core.races import race_root
from isolation.engines.deepening import UNLIMITED, Deepening
from isolation.engines.engine import Decision, Limits
from isolation.engines.scores import MATE, proven_plies
from isolation.rules import Move, Position
from isolation.rules.grid import Grid, mask_of

WEIGHTS = (80, -5, 8, 96, 5, 1600)  # steps, worn, links, room, late room, chase
SMALL = 12  # the centre of boards that the search can solve, where that is no good place
WORD = (1 << 64) - 1
MAX_WIDTH = 31  # two rows are shifted within a word
POSITIONS_A_SECOND = 2_000_000  # about what the search for longest paths looks at


@lru_cache(maxsize=8)
def _layout(board: Grid) -> NDArray[Any]:
    """The struct of a board, to be copied for each search."""
    space = np.zeros(1, dtype=SPACE)
    s = space[0]
    s["cells"] = board.width * board.height
    for cell, reach in enumerate(board.knight):
        s["reach"][cell] = reach & WORD, reach >> 64
    s["row"], s["two_rows"] = board.width, 2 * board.width
    columns = [board.column_row(cell)[0] for cell in range(s["cells"])]
    for at, (first, last) in enumerate(((0, 1), (1, 0), (0, 2), (2, 0))):
        inner = mask_of(
            cell for cell, column in enumerate(columns) if first <= column < board.width - last
        )
        s["inner"][at] = inner & WORD, inner >> 64
    even = mask_of(cell for cell in range(s["cells"]) if sum(board.column_row(cell)) % 2 == 0)
    s["even"] = even & WORD, even >> 64
    return space


class JumpingEngine(Deepening):
    """Alpha-beta with the cells in mind that each token can be first at."""

    def __init__(self, weights: Sequence[int] | None = None) -> None:
        super().__init__()
        self._weights = weights or WEIGHTS

    @staticmethod
    def has_room(position: Position) -> bool:
        """Whether the core can hold a board of this size: two words, less a cell for nowhere."""
        return position.cell_count < MAX_CELLS and position.grid.width <= MAX_WIDTH

    def _known(self, position: Position, limits: Limits) -> Decision | None:
        """What needs no search: the centre, a game that can be mirrored, tokens that are apart."""
        centre, has_centre = divmod(position.cell_count, 2)
        if position.empty == position.grid.full and has_centre and centre > SMALL:
            # From the centre, whoever is placed a jump away from it can be mirrored to the end.
            return Decision((centre,), 0, 1, 1, ((centre,),))
        space = self._lay_out(position, ())
        if (to := mirror_root(space, *self._words, *self._tokens)) >= 0:
            return _certain((int(to),), MATE - position.empty.bit_count(), 1)
        if limits.depth is not None:
            return None
        allowed = min(limits.nodes or UNLIMITED, int((limits.seconds or 10.0) * POSITIONS_A_SECOND))
        score, to = race_root(space, *self._words, *self._tokens, allowed // 20)
        return _certain((int(to),), int(score), int(space[0]["budget"][0])) if to >= 0 else None

    def _lay_out(self, position: Position, history: Sequence[Position]) -> NDArray[Any]:
        space = _layout(position.grid).copy()
        space[0]["weights"][: len(self._weights)] = self._weights
        self._words = np.uint64(position.empty & WORD), np.uint64(position.empty >> 64)
        mine, theirs = position.pieces[position.to_move], position.pieces[1 - position.to_move]
        self._tokens = _token(mine), _token(theirs)
        return space

    def _search(self, space: NDArray[Any], depth: int, alpha: int, beta: int) -> int:
        return int(search_root(space, self._table, *self._words, *self._tokens, depth, alpha, beta))

    def perft(self, position: Position, depth: int) -> int:
        reach = self._lay_out(position, ())[0]["reach"].copy()
        return int(perft(reach, *self._words, *self._tokens, depth))

    def _encode(self, move: Move) -> int:
        return move[0] << 10 | self._tokens[0]

    def _decode(self, move: int) -> Move:
        return (move >> 10,)


def _certain(move: Move, score: int, nodes: int) -> Decision:
    return Decision(move, score, abs(proven_plies(score) or 0), nodes, (move,))


def _token(mask: int) -> int:
    return mask.bit_length() - 1 if mask else NOWHERE
