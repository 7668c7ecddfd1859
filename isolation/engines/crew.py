"""Threads that search the same position beside the one that answers ("lazy SMP").

They share its table and nothing else. What they find there makes its own search faster.
"""

from collections.abc import Callable
from threading import Thread
from typing import Any, Self

from numpy.typing import NDArray

from isolation.engines.core.counters import ABORTED, FIRST, MAY_STOP, NODES, STOP
from isolation.engines.core.tables import NO_MOVE
from isolation.engines.scores import MATE

Search = Callable[[NDArray[Any], int, int, int], int]


class Crew:
    """So many threads, at work until the block is left or they have looked that deep."""

    def __init__(self, search: Search, space: NDArray[Any], threads: int, depth: int) -> None:
        self._search = search
        self._depth = depth
        self._spaces = [space.copy() for _ in range(threads)]
        self._threads = [
            Thread(target=self._run, args=(own, 1 + number % 2), daemon=True)
            for number, own in enumerate(self._spaces)
        ]

    @property
    def nodes(self) -> int:
        return sum(int(space[0]["counters"][NODES]) for space in self._spaces)

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        for space in self._spaces:
            space[0]["counters"][STOP] = 1
        for thread in self._threads:
            thread.join()

    def _run(self, space: NDArray[Any], first: int) -> None:
        """Search deeper and deeper, every other thread a ply ahead: so they find new things."""
        counters = space[0]["counters"]
        counters[MAY_STOP] = 1
        for depth in range(first, self._depth + 1):
            self._search(space, depth, -MATE, MATE)
            if counters[ABORTED]:
                return
            line = space[0]["line"][0]
            counters[FIRST] = line[0] if space[0]["line_length"][0] else NO_MOVE
