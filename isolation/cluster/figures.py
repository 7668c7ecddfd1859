"""What each process counts, on Redis, so that any of them can tell for all."""

import json
from collections.abc import Callable
from typing import Any

from redis.exceptions import RedisError

from isolation.cluster.link import Link, channel
from isolation.cluster.members import Members
from isolation.cluster.ticking import Ticker

EVERY_S = 5.0
KEY = channel("figures")


class Figures:
    """Posts our figures now and then, and reads those of the others."""

    def __init__(self, link: Link, members: Members) -> None:
        self._link = link
        self._members = members
        self._count: Callable[[], Any] = dict
        self._ticker = Ticker(EVERY_S, self._post)

    def start(self, count: Callable[[], Any]) -> None:
        self._count = count
        self._ticker.start()

    def close(self) -> None:
        self._ticker.stop()
        self._link.send("HDEL", KEY, self._link.process)

    def _post(self) -> None:
        self._link.send("HSET", KEY, self._link.process, json.dumps(self._count()))

    def of_others(self) -> dict[str, Any]:
        """By process; only ours are there while Redis is away."""
        try:
            posted = self._link.ask(lambda redis: redis.hgetall(KEY))
        except (RedisError, OSError):
            return {}
        for process in posted.keys() - {self._link.process}:
            if not self._members.is_alive(process):
                self._link.send("HDEL", KEY, process)
        living = (one for one in posted if self._members.is_alive(one))
        return {one: json.loads(posted[one]) for one in living if one != self._link.process}
