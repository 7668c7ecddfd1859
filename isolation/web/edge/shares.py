"""How much of the server's time each connection and each address may use.

The currency is seconds of the event loop: what is read and asked for is charged at what it costs
to handle, roughly. Every connection earns a small share of its own, which nobody can use up for it.
Beyond that it stands in line at its address, and then at the site, both of which serve so much a
second and no more: so many connections that want something at once come one after another, and in
between there's time for everybody else. Knows no sockets.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many seconds of the loop at once, and so many a second after that."""

    burst: float
    per_second: float


# A move costs about 0.3 ms, a page with all its files about 25 ms.
CONNECTION = Allowance(burst=0.1, per_second=0.01)  # 30 events a second
GUARANTEED = 0.2  # a second, for what all connections of one address earn together
ADDRESS = Allowance(burst=0.1, per_second=0.5)
SITE = Allowance(burst=0.1, per_second=0.7)
FLOOD = Allowance(burst=0.8, per_second=0.05)  # what one connection may have beyond its own
LATE_S = 0.03  # by which the loop may be late before the site serves more slowly
SLOWEST = 0.25  # of its usual pace
LONGEST_LINE = 5.0  # seconds of waiting, beyond which an address isn't heard
MAX_ADDRESSES = 10_000
UNKNOWN = ""  # the address of somebody a proxy speaks for, before it has said who

CONNECT = 0.0005
REQUEST = 0.001
MESSAGE = 0.0003
LOOK = 0.003  # what a room, the lobby or a new game costs beyond that
READ = 0.00002
BYTE = 0.0000003  # eventlet unmasks WebSocket frames byte by byte


@dataclass(slots=True)
class Line:
    """Those who wait to be served, one after another. `free_at` is when all of them have been."""

    allowance: Allowance
    pace: float = 1.0  # less than that while the loop is late
    free_at: float = 0.0

    def wait(self, now: float) -> float:
        """The seconds that the last one in the line still has to wait."""
        return max(0.0, self.free_at - now)

    def join(self, seconds: float, now: float) -> float:
        """Stand in line for so much; the seconds until it's one's turn."""
        per_second = self.allowance.per_second * self.pace
        rested = now - self.allowance.burst / per_second
        self.free_at = max(self.free_at, rested) + seconds / per_second
        return self.wait(now)


@dataclass(slots=True)
class Bucket:
    """Seconds that are left, as of a moment."""

    left: float
    at: float

    def refill(self, burst: float, per_second: float, now: float) -> None:
        self.left = min(burst, self.left + (now - self.at) * per_second)
        self.at = now


@dataclass(slots=True)
class Address:
    """What the connections of one address share."""

    line: Line = field(default_factory=lambda: Line(ADDRESS))
    connections: int = 0


@dataclass(slots=True)
class Share:
    """What one connection may use."""

    address: Address
    site: Line
    clock: Callable[[], float]
    own: Bucket = field(init=False)
    flood: Bucket = field(init=False)  # what it may yet have beyond its own

    def __post_init__(self) -> None:
        now = self.clock()
        self.own = Bucket(0.0, now)
        self.flood = Bucket(FLOOD.burst, now)
        # Its address pays for its coming: the connection may be gone before it has earned that.
        self.address.line.join(CONNECT, now)
        self.site.join(CONNECT, now)

    def charge(self, seconds: float) -> None:
        """Use some of it: what isn't there is owed."""
        self.own.left -= seconds

    @property
    def is_flooding(self) -> bool:
        """Whether it has had too much beyond its own, for too long."""
        return self.flood.left < 0

    def wait(self) -> float:
        """Settle what is owed; the seconds until the connection may go on."""
        now, own, rate = self.clock(), self.own, self._per_second()
        own.refill(CONNECTION.burst, rate, now)
        self.flood.refill(FLOOD.burst, FLOOD.per_second, now)
        if own.left >= 0:
            return 0.0
        owed, in_line = -own.left, max(self.address.line.wait(now), self.site.wait(now))
        if owed / rate <= in_line:
            return owed / rate  # it will have earned that sooner
        own.left = 0.0
        self.flood.left -= owed
        return max(self.address.line.join(owed, now), self.site.join(owed, now))

    def _per_second(self) -> float:
        return min(CONNECTION.per_second, GUARANTEED / max(1, self.address.connections))


class Unlimited:
    """The share of a connection where only friends come."""

    is_flooding = False

    def charge(self, seconds: float) -> None: ...

    def wait(self) -> float:
        return 0.0


class Shares:
    """The shares of all connections, by address. `is_limited` is False where only friends come."""

    def __init__(self, clock: Callable[[], float], is_limited: bool = True) -> None:
        self._clock = clock
        self._is_limited = is_limited
        self._site = Line(SITE)
        self._addresses: dict[str, Address] = {}

    def open(self, host: str) -> Share | Unlimited:
        """The share of a new connection."""
        if host == UNKNOWN:
            return Unlimited()
        address = self._addresses.get(host)
        if address is None:
            self._tidy()
            address = self._addresses[host] = Address()
        address.connections += 1
        return Share(address, self._site, self._clock) if self._is_limited else Unlimited()

    def close(self, host: str) -> None:
        """A connection is gone. Its address is remembered for as long as there's room."""
        if host != UNKNOWN:
            self._addresses[host].connections -= 1

    def admits(self, host: str) -> bool:
        """Whether one more connection from there is heard at all."""
        address = self._addresses.get(host)
        if address is None or not self._is_limited:
            return True
        return address.line.wait(self._clock()) < LONGEST_LINE

    def adapt(self, late: float) -> None:
        """Serve more slowly while the loop is late: this machine may be slower than ours, or busy.

        What connections earn for themselves stays as it is.
        """
        pace = self._site.pace
        self._site.pace = max(SLOWEST, pace / 2) if late > LATE_S else min(1.0, pace * 1.1)

    def connections(self, host: str) -> int:
        address = self._addresses.get(host)
        return address.connections if address else 0

    def _tidy(self) -> None:
        if len(self._addresses) < MAX_ADDRESSES:
            return
        for host, address in list(self._addresses.items()):
            if not address.connections:
                del self._addresses[host]
