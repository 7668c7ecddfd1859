"""How much of the server's time each connection and each address may use.

The currency is seconds of the event loop: what is read and asked for is charged at what it costs
to handle, roughly. Every connection has a small share of its own, which nobody can use up for it;
beyond that it draws on the share of its address. One that has used up both waits. Knows no sockets.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many seconds of the loop at once, and so many a second after that."""

    burst: float
    per_second: float


# A move costs about 0.3 ms, a page with all its files about 70 ms.
CONNECTION = Allowance(burst=0.1, per_second=0.005)
MAX_ADDRESSES = 10_000
UNKNOWN = ""  # the address of somebody a proxy speaks for, before it has said who
NEWCOMER = 0.02  # what a connection begins with: opening many gains nothing
ADDRESS = Allowance(burst=3.0, per_second=0.3)
FLOOD = Allowance(burst=0.8, per_second=0.05)  # what one connection may draw on its address
DEEPEST_DEBT = -1.0  # of an address: what it takes to be heard again 4 s after a flood
GUARANTEED = 0.25  # of each second, for all connections of one address together

CONNECT = 0.0005
REQUEST = 0.002
MESSAGE = 0.0003
LOOK = 0.003  # what a room, the lobby or a new game costs beyond that
READ = 0.00002
BYTE = 0.0000003  # eventlet unmasks WebSocket frames byte by byte


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

    bucket: Bucket
    connections: int = 0


@dataclass(slots=True)
class Share:
    """What one connection may use."""

    address: Address
    clock: Callable[[], float]
    bucket: Bucket = field(init=False)
    flood: Bucket = field(init=False)  # what it may yet draw on its address

    def __post_init__(self) -> None:
        now = self.clock()
        shared = self.address.bucket
        shared.refill(ADDRESS.burst, ADDRESS.per_second, now)
        shared.left = max(DEEPEST_DEBT, shared.left - CONNECT)
        self.bucket = Bucket(NEWCOMER if shared.left > 0 else 0.0, now)
        self.flood = Bucket(FLOOD.burst, now)

    def charge(self, seconds: float) -> None:
        """Use some of it."""
        self.bucket.left -= seconds
        self._settle()

    @property
    def is_flooding(self) -> bool:
        """Whether it has drawn on its address for too much, and too long."""
        self.flood.refill(FLOOD.burst, FLOOD.per_second, self.clock())
        return self.flood.left < 0

    def wait(self) -> float:
        """The seconds until this connection may go on."""
        self._settle()
        return max(0.0, -self.bucket.left / self._per_second())

    def _settle(self) -> None:
        """What the connection doesn't have comes from its address, while that has any."""
        now, own, shared = self.clock(), self.bucket, self.address.bucket
        own.refill(CONNECTION.burst, self._per_second(), now)
        shared.refill(ADDRESS.burst, ADDRESS.per_second, now)
        if own.left < 0 < shared.left:
            shared.left += own.left
            self.flood.refill(FLOOD.burst, FLOOD.per_second, now)
            self.flood.left += own.left
            own.left = 0.0

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
        self._addresses: dict[str, Address] = {}

    def open(self, host: str) -> Share | Unlimited:
        """The share of a new connection."""
        if host == UNKNOWN:
            return Unlimited()
        address = self._addresses.get(host)
        if address is None:
            self._tidy()
            address = self._addresses[host] = Address(Bucket(ADDRESS.burst, self._clock()))
        address.connections += 1
        return Share(address, self._clock) if self._is_limited else Unlimited()

    def close(self, host: str) -> None:
        """A connection is gone. Its address is remembered for as long as it's in debt."""
        if host != UNKNOWN:
            self._addresses[host].connections -= 1

    def admits(self, host: str) -> bool:
        """Whether one more connection from there is heard at all."""
        address = self._addresses.get(host)
        if address is None or not self._is_limited:
            return True
        address.bucket.refill(ADDRESS.burst, ADDRESS.per_second, self._clock())
        return address.bucket.left > DEEPEST_DEBT / 2

    def connections(self, host: str) -> int:
        address = self._addresses.get(host)
        return address.connections if address else 0

    def _tidy(self) -> None:
        if len(self._addresses) < MAX_ADDRESSES:
            return
        for host, address in list(self._addresses.items()):
            if not address.connections:
                del self._addresses[host]
