"""The way to Redis, by itself: it comes back however often it has failed."""

from collections.abc import Iterator
from typing import Any

import pytest
from redis.exceptions import RedisError

from isolation.cluster import link as module
from isolation.cluster.link import Link, channel
from tests.redis_server import RedisServer, redis_server
from tests.waiting import wait_until


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


def test_it_returns_after_many_attempts(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN_S", 0.001)
    attempts: list[int] = []
    heard: list[str] = []
    returned: list[int] = []
    link = Link(redis.address, "me")
    silenced = link._silenced

    def counted() -> Any:
        attempts.append(1)
        return silenced()

    def is_heard(text: str) -> bool:
        link.publish(channel("room", "x"), text)
        return text in heard

    monkeypatch.setattr(link, "_silenced", counted)
    link.on_return(lambda: returned.append(1))
    link.start()
    link.follow(channel("room", "x"), heard.append)
    wait_until(lambda: is_heard("before"))
    redis.stop()
    wait_until(lambda: not link.is_hearing)
    while len(attempts) < 300:  # more than a pool of connections has places
        link.publish(channel("room", "x"), "lost")
    assert not returned
    redis.start()
    wait_until(lambda: returned and link.is_hearing)
    wait_until(lambda: is_heard("after"))
    link.close()


def test_few_wait_for_a_redis_that_hangs(redis: RedisServer) -> None:
    link = Link(redis.address, "me")
    link.start()
    assert link.ask(lambda client: client.ping())
    redis.suspend()
    asked: list[int] = []

    def question(client: Any) -> Any:
        asked.append(1)
        return client.ping()

    for _ in range(20):
        with pytest.raises((RedisError, OSError)):
            link.ask(question)
    assert len(asked) == 1
    wait_until(lambda: not link.is_hearing)
    with pytest.raises(RedisError):
        link.ask(question)
    assert len(asked) == 1
    redis.resume()
    wait_until(lambda: link.is_answering)
    assert link.ask(question)
    link.close()
