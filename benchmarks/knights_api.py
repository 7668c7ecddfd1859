"""Random playouts through the knights API: bit boards against the obvious board of lists.

Both play the same games, chosen by the same seed, in one run; the figure is their ratio.
Run: python -m benchmarks.knights_api [games]
"""

import random
import sys
import time
from typing import Any, Self

from isolation import Isolation
from isolation.isolation import _HEIGHT, _STRIDE, _WIDTH, Action


class ListIsolation:
    """The same API on a list of rows, with bounds checked cell by cell."""

    def __init__(
        self,
        board: list[list[bool]] | None = None,
        ply_count: int = 0,
        locs: tuple[int | None, int | None] = (None, None),
    ) -> None:
        self.board = board or [[True] * _WIDTH for _ in range(_HEIGHT)]
        self.ply_count = ply_count
        self.locs = locs

    def player(self) -> int:
        return self.ply_count % 2

    def is_open(self, cell: int) -> bool:
        y, x = divmod(cell, _STRIDE)
        return 0 <= x < _WIDTH and 0 <= y < _HEIGHT and self.board[y][x]

    def liberties(self, loc: int | None) -> list[int]:
        if loc is None:
            cells = [y * _STRIDE + x for y in range(_HEIGHT) for x in range(_WIDTH)]
        else:
            cells = [loc + action for action in Action]
        return [cell for cell in cells if self.is_open(cell)]

    def actions(self) -> list[int]:
        loc = self.locs[self.player()]
        if loc is None:
            return self.liberties(None)
        return [action for action in Action if self.is_open(loc + action)]

    def terminal_test(self) -> bool:
        return not all(self.liberties(loc) for loc in self.locs)

    def result(self, action: int) -> Self:
        player = self.player()
        loc = self.locs[player]
        target = action if loc is None else loc + action
        if not self.is_open(target):
            raise RuntimeError("Invalid move: target cell blocked")
        board = [list(row) for row in self.board]
        y, x = divmod(target, _STRIDE)
        board[y][x] = False
        locs = (self.locs[0], target) if player else (target, self.locs[1])
        return type(self)(board, self.ply_count + 1, locs)


def playouts(start: Any, games: int) -> tuple[float, int]:
    """Seconds taken, and plies played, for some random games."""
    lot = random.Random(7)
    plies = 0
    begun = time.perf_counter()
    for _ in range(games):
        state = start
        while not state.terminal_test():
            state = state.result(lot.choice(state.actions()))
        plies += state.ply_count
    return time.perf_counter() - begun, plies


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    ratios = []
    for _ in range(5):
        fast, fast_plies = playouts(Isolation(), games)
        slow, slow_plies = playouts(ListIsolation(), games)
        if fast_plies != slow_plies:
            raise SystemExit("the two implementations played different games")
        ratios.append(slow / fast)
    print(f"plies per round: {fast_plies}")
    print(f"bit board over lists: {sorted(ratios)[2]:.2f} times as fast (median of 5 rounds)")


if __name__ == "__main__":
    main()
