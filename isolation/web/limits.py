"""Rate limits: a bucket of tokens for each visitor and each address, filled at a steady rate."""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

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
MAX_BUCKETS = 20_000


class Limiter:
    """Remembers the buckets that were used lately."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, who: str) -> None:
        """Take a token, or Refused with the seconds to wait."""
        rate, now, key = RATES[kind], self._clock(), (kind, who)
        tokens, then = self._buckets.pop(key, (rate.burst, now))
        tokens = min(rate.burst, tokens + (now - then) * rate.per_second)
        is_allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if is_allowed else tokens, now)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        if not is_allowed:
            seconds = max(1, math.ceil((1 - tokens) / rate.per_second))
            message = f"too fast: wait {seconds} s and try again"
            raise Refused("rate", message, seconds=seconds)
