"""Counts what visitors create, in all processes together: the limits library on Redis."""

import math
import time

from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis.exceptions import RedisError

from isolation.cluster.connecting import TIMEOUT_S
from isolation.cluster.link import PREFIX, Link


class SharedCounts:
    """So many of a kind in a while, for each visitor or address."""

    def __init__(self, address: str, link: Link) -> None:
        storage = RedisStorage(
            address,
            key_prefix=f"{PREFIX}limits",
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
        )
        self._limiter = MovingWindowRateLimiter(storage)
        self._link = link

    def wait(self, kind: str, who: str, most: int, seconds: int) -> int | None:
        """Count one more: the seconds to wait if that's too many, or 0; None if Redis is away."""
        item = RateLimitItemPerSecond(most, seconds)
        try:
            if self._link.ask(lambda _: self._limiter.hit(item, kind, who)):
                return 0
            window = self._link.ask(lambda _: self._limiter.get_window_stats(item, kind, who))
        except (RedisError, OSError):
            return None
        return max(1, math.ceil(window.reset_time - time.time()))
