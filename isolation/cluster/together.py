"""All that a process shares over Redis, put together."""

from collections.abc import Callable

from redis.exceptions import RedisError

from isolation.cluster.address import shown
from isolation.cluster.bus import RedisBus
from isolation.cluster.counting import SharedCounts
from isolation.cluster.directory import RedisDirectory
from isolation.cluster.figures import Figures
from isolation.cluster.lease import RedisLease
from isolation.cluster.link import Link
from isolation.cluster.listing import RedisListing
from isolation.cluster.members import Members
from isolation.cluster.presence import RedisPresence
from isolation.cluster.searches import Searches
from isolation.rooms.ports import Beat, Shared, World


class Together:
    """One process among several."""

    def __init__(
        self, address: str, process: str, world: World, beating: Callable[[], list[Beat]]
    ) -> None:
        """`beating` are the processes that are alive by the store."""
        self._address = address
        self.link = Link(address, process)
        self.members = Members(self.link, world.now, beating)
        self.counts = SharedCounts(address, self.link)
        self.figures = Figures(self.link, self.members)
        self._presence = RedisPresence(self.link, self.members, world.now)
        self._lease = RedisLease(self.link, self.members)
        self.shared = Shared(
            RedisBus(self.link, world),
            self._presence,
            self._lease,
            RedisListing(self.link, world.now),
            RedisDirectory(self.link, self.members, world),
        )

    def searches(self) -> Searches:
        """Those who search for all processes."""
        return Searches(self._address, self.link.process)

    def start(self) -> None:
        """Or ConnectionError; or LookupError, where the others use another Redis."""
        self.link.reach()
        if not self._meet():
            raise LookupError(
                f"other processes use this database, but not the Redis at {shown(self._address)}"
            )
        self.link.start()
        self.members.start()
        self._presence.start()

    def _meet(self) -> bool:
        try:
            return self.members.meet()
        except (RedisError, OSError) as error:
            raise ConnectionError(self.link.complaint(error)) from error

    def close(self) -> None:
        self.figures.close()
        self._lease.close()
        self._presence.close()
        self.members.close()
        self.link.close()
