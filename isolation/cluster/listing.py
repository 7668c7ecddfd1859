"""Lists of public rooms on Redis: sorted sets, by when a room was put there."""

from collections.abc import Callable

from redis.exceptions import RedisError

from isolation.cluster.link import Link, channel

MOST = 1000  # rooms on a list
SITE = channel("lobby")  # where changes are told


class RedisListing:
    """The lists as all processes keep them."""

    def __init__(self, link: Link, now: Callable[[], float]) -> None:
        self._link = link
        self._now = now
        self._known: dict[str, dict[str, None]] = {}  # as we last saw each list
        self._changed: Callable[[], None] = lambda: None

    def listen(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._link.follow(SITE, self._hear)
        self._link.on_return(changed)

    def _hear(self, sender: str) -> None:
        if sender != self._link.process:
            self._changed()

    def keep(self, name: str, room: str, is_listed: bool) -> bool:
        known = self._known.setdefault(name, {})
        is_news = is_listed != (room in known)
        key = channel("list", name)
        if is_listed:
            # Again and again: another process may have taken it off by what it knew then.
            known[room] = None
            self._link.send("ZADD", key, "NX", self._now(), room)
        elif is_news:
            del known[room]
            self._link.send("ZREM", key, room)
        if is_news:
            self._link.send("ZREMRANGEBYRANK", key, 0, -MOST - 1)
            self._link.publish(SITE, self._link.process)
        return is_news

    def latest(self, name: str, most: int) -> list[str]:
        try:
            rooms = self._link.ask(lambda redis: redis.zrange(channel("list", name), -most, -1))
        except (RedisError, OSError):
            return list(self._known.get(name, ()))[-most:]
        self._known[name] = dict.fromkeys(rooms)
        return list(rooms)
