"""Rate limits: a bucket of tokens for each visitor and each address, filled at a steady rate.

What is created is counted for all processes together, where there are several. If that can't be
done, each process goes by its own buckets.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from isolation.rooms.errors import Refused


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: float
    per_second: float


RATES = {
    "create": Rate(20, 0.2),
    "create_address": Rate(300, 5),  # a school may be behind one
    "chat": Rate(8, 0.5),
    "other": Rate(100, 30),
}
OTHER = "other"
CREATE = "create"
CHAT = "chat"
TOKEN = "token"  # noqa: S105
CHALLENGE = "challenge"
FREE = "free"
# What a command of each kind takes a token from: its visitor's bucket, its address's bucket.
BUCKETS: dict[str, tuple[str | None, str | None]] = {
    OTHER: ("other", None),
    CREATE: ("create", "create_address"),
    CHAT: ("chat", None),
    TOKEN: (None, "create_address"),
    CHALLENGE: ("create", None),
    FREE: (None, None),
}
MAX_BUCKETS = 20_000
SHARED = ("create", "create_address")


class Counts(Protocol):
    """Counts for all processes together."""

    def wait(self, kind: str, who: str, most: int, seconds: int) -> int | None:
        """Count one more: the seconds to wait if that's too many, or 0; None if it can't count."""


class Limiter:
    """Remembers the buckets that were used lately."""

    def __init__(self, clock: Callable[[], float], shared: Counts | None = None) -> None:
        self._clock = clock
        self._shared = shared
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def charge(self, kind: str, visitor: str, address: str) -> None:
        """Take the tokens that a command of this kind costs, or Refused."""
        for bucket, who in zip(BUCKETS[kind], (visitor, address), strict=True):
            if bucket:
                self.take(bucket, who)

    def take(self, kind: str, who: str) -> None:
        """Take a token, or Refused with the seconds to wait."""
        if seconds := self._wait(kind, who):
            raise Refused("rate", seconds=seconds)

    def _wait(self, kind: str, who: str) -> int:
        """The seconds until there's a token, or 0: then it's taken."""
        if self._shared and kind in SHARED:
            rate = RATES[kind]
            window = round(rate.burst / rate.per_second)
            wait = self._shared.wait(kind, who, round(rate.burst), window)
            if wait is not None:
                return wait
        return self._wait_here(kind, who)

    def _wait_here(self, kind: str, who: str) -> int:
        rate, now, key = RATES[kind], self._clock(), (kind, who)
        tokens, then = self._buckets.pop(key, (rate.burst, now))
        tokens = min(rate.burst, tokens + (now - then) * rate.per_second)
        is_allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if is_allowed else tokens, now)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        return 0 if is_allowed else max(1, math.ceil((1 - tokens) / rate.per_second))
