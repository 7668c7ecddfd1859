"""Tasks that a process does again and again, whatever goes wrong in one of them."""

import logging
import time
from collections.abc import Callable
from threading import Thread

logger = logging.getLogger(__name__)


class Ticker:
    """Does something every so many seconds, in a thread of its own."""

    def __init__(self, seconds: float, task: Callable[[], None]) -> None:
        self._seconds = seconds
        self._task = task
        self._is_stopped = False

    def start(self) -> None:
        Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        self._is_stopped = True

    def _run(self) -> None:
        while not self._is_stopped:
            try:
                self._task()
            except Exception:
                logger.exception("a task that is repeated")
            time.sleep(self._seconds)
