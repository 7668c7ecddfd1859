"""Clients of Redis that never wait long."""

from redis import ConnectionError as LostError
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from isolation.cluster.address import problem

TIMEOUT_S = 1.0  # for each answer of Redis


def connect(url: str, timeout: float = TIMEOUT_S) -> Redis:
    """A client that never waits long; ValueError, without any secret, for a bad address."""
    if wrong := problem(url):
        raise ValueError(wrong)
    try:
        client = Redis.from_url(
            url,
            decode_responses=True,
            socket_timeout=timeout,
            socket_connect_timeout=TIMEOUT_S,
            # Once more at once, on a new connection: Redis may have been restarted since.
            retry=Retry(NoBackoff(), 1, supported_errors=(LostError,)),
        )
        pool = client.connection_pool
        pool.connection_class(**pool.connection_kwargs)  # which says now what it would say later
    except (TypeError, ValueError):  # the text may hold a password
        raise ValueError("it has an option that Redis doesn't know") from None
    return client
