"""A thread that looks at a search from time to time, while the core runs without a break."""

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Self

PERIOD = 0.05  # seconds between two looks


class Watch:
    """Calls `look` until the block is left. What must not happen meanwhile takes `lock`."""

    def __init__(self, look: Callable[[], None], is_needed: bool) -> None:
        self.lock = Lock()
        self._look = look
        self._is_needed = is_needed
        self._is_over = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        if self._is_needed:
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        if self._is_needed:
            self._thread.join()

    def _run(self) -> None:
        while not self._is_over.wait(PERIOD):
            with self.lock:
                self._look()
