"""What the log says of trouble: an outage is a few lines, a traceback comes once a minute."""

import logging
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from isolation.rooms.errors import Refused
from isolation.rooms.ports import StoreDownError
from isolation.rooms.subjects import FORMAT, Subjects

logger = logging.getLogger(__name__)

AGAIN_SECONDS = 60.0  # between two lines about the same trouble
QUIET_SECONDS = 3.0  # without a failure, before the database counts as back
RETRY_SECONDS = 2  # what clients are told to wait

Now = Callable[[], float]


def store_down() -> Refused:
    """What people are told while the database can't be used."""
    return Refused("store_down", seconds=RETRY_SECONDS)


class Outages:
    """Told by the store what fails and what works; tells the log when that changes.

    A database may be read but not written, or fail every other time. So only a successful write
    after a quiet while ends an outage; the heartbeat makes one every two seconds.
    """

    def __init__(self, now: Now = time.monotonic) -> None:
        self._now = now
        self._began: float | None = None  # None while all is well
        self._told = 0.0  # when the log last had a line
        self._last_failed = 0.0
        self._back: float | None = None  # the first success since then
        self._failures = 0

    def failed(self, reason: str) -> None:
        now = self._now()
        if self._began is None:
            self._began, self._told, self._failures = now, now, 0
            logger.error("the database can't be used: %s", reason)
        self._failures += 1
        self._last_failed, self._back = now, None
        if now - self._told >= AGAIN_SECONDS:
            self._told = now
            logger.error(
                "the database still can't be used after %.0f s; %s: %s",
                now - self._began,
                self._count(),
                reason,
            )

    def worked(self) -> None:
        """Something was written."""
        if self._began is None:
            return
        now = self._now()
        if self._back is None:
            self._back = now
        if now - self._last_failed >= QUIET_SECONDS:
            seconds = self._back - self._began
            logger.warning("the database is back after %.0f s; %s", seconds, self._count())
            self._began = None

    def _count(self) -> str:
        return f"{self._failures} operation{'s' * (self._failures != 1)} failed"


@dataclass
class _Seen:
    """A traceback that is in the log already."""

    at: float
    words: str
    more: int = 0  # times that it came again since


class RepeatFilter(logging.Filter):
    """Drops tracebacks that were logged just now, and all of an outage, which has its own lines."""

    def __init__(self, now: Now = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._seen: dict[object, _Seen] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        if isinstance(error, StoreDownError) or isinstance(error.__cause__, StoreDownError):
            return False
        key, now = _place(error), self._now()
        seen = self._seen.get(key)
        if seen and now - seen.at < AGAIN_SECONDS:
            seen.more += 1
            return False
        words = record.getMessage()
        if seen and seen.more:
            record.msg, record.args = f"{words} ({seen.more} more since the last)", ()
        self._seen[key] = _Seen(now, f"{words}: {type(error).__name__}")
        return True

    def report(self) -> None:
        """Say how often tracebacks came again, and forget those that didn't for a while."""
        now = self._now()
        for key, seen in list(self._seen.items()):
            if now - seen.at < AGAIN_SECONDS:
                continue
            if seen.more:
                logger.error("%s (%d more since the last)", seen.words, seen.more)
                self._seen[key] = _Seen(now, seen.words)
            else:
                del self._seen[key]


def _place(error: BaseException) -> object:
    """Two errors with the same place have the same traceback."""
    frames = traceback.walk_tb(error.__traceback__)
    return type(error), tuple((frame.f_code, line) for frame, line in frames)


def install_log() -> RepeatFilter:
    """Send what is logged to stderr, without repetitions."""
    repeats = RepeatFilter()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(FORMAT))
    handler.addFilter(repeats)
    handler.addFilter(Subjects())
    logging.getLogger().addHandler(handler)
    for name in ("socketio.server", "engineio.server"):
        # Where their level is set, these two add no handlers of their own.
        logging.getLogger(name).setLevel(logging.ERROR)
    return repeats
