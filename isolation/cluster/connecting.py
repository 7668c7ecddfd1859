"""Addresses of Redis, and clients that never wait long."""

from urllib.parse import urlsplit

from redis import ConnectionError as LostError
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

TIMEOUT_S = 1.0  # for each answer of Redis


def shown(url: str) -> str:
    """An address without what's secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2] or parts.path}"


def connect(url: str, timeout: float = TIMEOUT_S) -> Redis:
    """A client that never waits long; ValueError for an address that isn't one."""
    return Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=timeout,
        socket_connect_timeout=TIMEOUT_S,
        # Once more at once, on a new connection: Redis may have been restarted since the last call.
        retry=Retry(NoBackoff(), 1, supported_errors=(LostError,)),
    )
