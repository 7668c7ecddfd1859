"""Leases on Redis: a key with the name of the process that holds it.

While Redis is out of reach everybody gets them. What is done under a lease is harmless if done
twice: the log takes only one of the moves.
"""

from contextlib import suppress

from redis.exceptions import RedisError

from isolation.cluster.link import Link, channel
from isolation.cluster.members import Members

LONGEST_S = 600  # for one that's never given back

# Deletes a key if it's ours.
GIVE_BACK = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
"""


class RedisLease:
    """Lets one process at a time do something."""

    def __init__(self, link: Link, members: Members) -> None:
        self._link = link
        self._members = members
        self._held: set[str] = set()

    def close(self) -> None:
        """Let others go on with whatever we did."""
        for key in list(self._held):
            self.give_back(key)

    def take(self, key: str) -> bool:
        is_taken = self._take(key)
        if is_taken:
            self._held.add(key)
        return is_taken

    def _take(self, key: str) -> bool:
        name, process = channel("lease", key), self._link.process
        ask = self._link.ask
        with suppress(RedisError, OSError):
            if ask(lambda redis: redis.set(name, process, nx=True, ex=LONGEST_S)):
                return True
            holder = ask(lambda redis: redis.get(name))
            if holder is not None and holder != process and self._members.is_alive(str(holder)):
                return False
            ask(lambda redis: redis.set(name, process, ex=LONGEST_S))
        return True

    def give_back(self, key: str) -> None:
        self._held.discard(key)
        self._link.send("EVAL", GIVE_BACK, 1, channel("lease", key), self._link.process)
