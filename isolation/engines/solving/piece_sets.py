"""All ways in which a slider player's pieces can stand, numbered for `core/retrograde.py`."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from math import comb

import numpy as np
from numpy.typing import NDArray

from isolation.rules.grid import Grid, bits, mask_of
from isolation.rules.slider import STEPS

LARGEST = 8  # squares along each side: a set is one word


@dataclass(frozen=True, eq=False)
class PieceSets:
    """The sets of up to so many pieces of a player, those with fewer steps to go first."""

    masks: NDArray[np.uint64]
    steps: NDArray[np.int32]  # for each set and step the set after it, then -1
    cells: NDArray[np.uint64]  # for each step the cell it leads to, none off the board
    numbers: dict[int, int]  # of each mask
    bounds: tuple[tuple[int, int], ...]  # of the sets that are equally far along their way

    @property
    def kernel(self) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint64]]:
        return self.masks, self.steps, self.cells

    def level(self, number: int) -> tuple[int, int]:
        """The bounds around a set: none of its pieces goes forward between these."""
        return next(bound for bound in self.bounds if bound[0] <= number < bound[1])


def count_sets(cells: int, most: int) -> int:
    """How many sets of at most so many pieces there are."""
    return sum(comb(cells, pieces) for pieces in range(most + 1))


@lru_cache(maxsize=8)
def piece_sets(board: Grid, blocked: int, player: int, most: int) -> PieceSets:
    left = [board.width - board.column_row(cell)[player] for cell in bits(board.full)]
    ground = bits(board.full & ~blocked)

    def to_go(cells: tuple[int, ...]) -> tuple[int, list[int]]:
        steps = sorted(left[cell] for cell in cells)
        return sum(steps), steps

    sets = [cells for pieces in range(most + 1) for cells in combinations(ground, pieces)]
    sets.sort(key=to_go)
    masks = [mask_of(cells) for cells in sets]
    numbers = {mask: number for number, mask in enumerate(masks)}
    steps = np.full((len(sets), max(1, 3 * most)), -1, dtype=np.int32)
    targets = np.zeros(steps.shape, dtype=np.uint64)
    reach = [
        [1 << cell for cell in bits(near)] + [0] * (left[at] == 1)
        for at, near in enumerate(board.reach(STEPS[player]))
    ]
    for number, (mask, cells) in enumerate(zip(masks, sets, strict=True)):
        count = 0
        for cell in cells:
            for target in reach[cell]:
                if not target & (mask | blocked):
                    steps[number, count] = numbers[mask ^ 1 << cell | target]
                    targets[number, count] = target
                    count += 1
    sizes = [len(list(level)) for _, level in groupby(sets, key=to_go)]
    ends = np.cumsum(sizes).tolist()
    bounds = tuple((end - size, end) for end, size in zip(ends, sizes, strict=True))
    return PieceSets(np.array(masks, dtype=np.uint64), steps, targets, numbers, bounds)
