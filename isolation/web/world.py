"""Time, tasks and patience of eventlet."""

import logging
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from contextvars import copy_context
from typing import Any

import eventlet

from isolation.rooms.ports import Beat
from isolation.store.trouble import OutOfPatience
from isolation.web.sitetime import SiteTime

logger = logging.getLogger(__name__)

# More than PostgreSQL gives a statement, and less than people are ready to wait for a refusal.
STORE_S = 2.3

# Of Linux, and counts while the machine sleeps: others go on meanwhile.
_TICKING = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class GreenWorld:
    """Setting this machine's clock changes nothing while we run."""

    def __init__(self) -> None:
        self._time = SiteTime(time.time(), _ticks())

    def now(self) -> float:
        return self._time.now(_ticks())

    def adopt(self, clock: float, since: float, others: Iterable[Beat]) -> None:
        """Take over the site's time, before anyone plays by ours."""
        self._time.adopt(clock, since, _ticks(), others)

    def go_on_from(self, at: float | None) -> None:
        self._time.go_on_from(at, _ticks())

    def follow(self, clock: float, since: float) -> None:
        self._time.follow(clock, since, _ticks())

    def sleep(self, seconds: float) -> None:
        eventlet.sleep(seconds)

    def spawn(self, task: Any, *arguments: Any) -> None:
        # What it logs is about the same room and visitor as whatever asked for it.
        eventlet.spawn_n(copy_context().run, _logged, task, *arguments)


def _ticks() -> float:
    return time.clock_gettime(_TICKING)


def patience() -> AbstractContextManager[object]:
    """Ends a call to a store that hangs, wherever in it that is."""
    limit: AbstractContextManager[object] = eventlet.Timeout(STORE_S, OutOfPatience())
    return limit


def _logged(task: Any, *arguments: Any) -> None:
    try:
        task(*arguments)
    except Exception:
        logger.exception("a background task")
