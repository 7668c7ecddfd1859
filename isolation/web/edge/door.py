"""The listening socket, as eventlet's server sees it: it always accepts, and never too much.

eventlet ends its accept loop for good when accepting fails, as it does once file descriptors run
out, and it reads from a socket that always has data without ever giving way. Both are settled here,
with sockets of our own.
"""

import os
import resource
import socket
from collections import OrderedDict
from contextlib import suppress
from typing import Any

import eventlet
from eventlet.greenio import GreenSocket
from eventlet.hubs import trampoline
from eventlet.patcher import original

from isolation.web.edge import shares
from isolation.web.edge.shares import UNKNOWN, Share, Shares, Unlimited

DESCRIPTORS = 65_536  # that are asked for, where the system allows it
RESERVED = 64  # descriptors for everything but visitors: the database, engines, files
SHARE_OF_ADDRESS = 0.6  # of all places, for one address
WAITING_PER_ADDRESS = 256  # connections that are not in the middle of a request
FOREVER_S = 86400.0
PAUSE_S = 0.05  # after accepting failed
SHY_S = 0.0001  # per visitor, that we leave the next one to processes with fewer
MOST_SHY_S = 0.01
GIVE_WAY = 16  # connections turned away in a row
AHEAD_BYTES = 2048  # that a WebSocket reads at once, if so many have come
MOST_BYTES = 8192  # read in one go
SEND_BUFFER = 131_072
PATIENCE_S = 6.0  # that a connection may be held back before it's cut off


def raise_descriptor_limit() -> int:
    """Ask for more file descriptors; how many there are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return int(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


class FairSocket(GreenSocket):  # type: ignore[misc]
    """A visitor's socket: gives way after every read, and waits when its share is used up."""

    def __init__(self, raw: Any, host: str, share: Share | Unlimited, door: "Door") -> None:
        super().__init__(raw)
        self.host = host
        self.share = share
        self.has_joined = False  # whether it's a player's or spectator's, and known
        self.has_ended = False  # whether the visitor has hung up
        self.leaves_with: int | None = None  # the code that a WebSocket is closed with, when it is
        self._reads_ahead = False
        self._ahead = b""  # what was read and not asked for yet
        self._door = door
        self._is_cut_off = False  # then what it has sent already is of no interest
        self.close = self._close

    def recv(self, bufsize: int, flags: int = 0) -> bytes:
        if not self._ahead:
            self.take_turn()
        if self._is_cut_off:
            return b""
        if not self._ahead:
            most = max(bufsize, AHEAD_BYTES) if self._reads_ahead else bufsize
            self._ahead = super().recv(min(most, MOST_BYTES), flags)
            self.share.charge(shares.READ + shares.BYTE * len(self._ahead))
        data, self._ahead = self._ahead[:bufsize], self._ahead[bufsize:]
        return data

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        self.take_turn()
        if self._is_cut_off:
            return 0
        count: int = super().recv_into(buffer, nbytes, flags)
        self.has_ended = count == 0
        self.share.charge(shares.READ + shares.BYTE * count)
        return count

    def begin_frame(self) -> None:
        """A frame of a WebSocket takes several reads: from here on, one turn for all of them.

        What has come is read at once, and frames that came along take turns like any other.
        """
        self._reads_ahead = True
        if self._ahead:
            self.take_turn()
            self.share.charge(shares.READ)

    def take_turn(self) -> bool:
        """Let the others have a turn, or several. Whether the visitor is still there."""
        wait = self.share.wait()
        if self.share.is_flooding or wait > PATIENCE_S:
            self.hang_up()
        eventlet.sleep(0 if self._is_cut_off else wait)
        return not (self._is_cut_off or (wait and self._has_left()))

    def _has_left(self) -> bool:
        """Whether the visitor hung up while waiting: then there's nobody to answer."""
        try:
            return bool(self.fd.recv(1, socket.MSG_PEEK) == b"")
        except BlockingIOError:
            return False
        except OSError:
            return True

    def hang_up(self) -> None:
        """End the connection, whatever is being read from it or written to it."""
        self._is_cut_off = True
        with suppress(OSError):
            self.fd.shutdown(socket.SHUT_RDWR)

    @property
    def is_last_request(self) -> bool:
        """Whether the next request should go over another connection."""
        return self._door.is_closed

    def belong_to(self, host: str) -> bool:
        """Whether the visitor of this address, whom a proxy speaks for, may go on."""
        return self._door.reassign(self, host)

    def set_waiting(self, is_waiting: bool) -> None:
        """Whether it's between two requests: then it may have to make room for others."""
        self._door.set_waiting(self, is_waiting)

    def _close(self) -> None:
        """Close it for real: a file over it that couldn't be flushed would keep it open."""
        self._door.forget(self)
        descriptor = self.fd.detach()
        if descriptor >= 0:
            os.close(descriptor)


class _Closed(BaseException):
    """Raised where the next visitor is waited for, when there won't be one."""


class Door:
    """Hands out FairSockets. Where places run out, those who have asked for nothing go first."""

    def __init__(
        self,
        listener: Any,
        places: int,
        all_shares: Shares,
        is_behind_proxy: bool = False,
        is_shared: bool = False,
    ) -> None:
        self._listener = listener
        self._is_shared = is_shared  # with other processes
        self._is_behind_proxy = is_behind_proxy
        self._places = max(1, places - RESERVED)
        self._shares = all_shares
        self._open: set[FairSocket] = set()
        self._waiting: dict[str, OrderedDict[FairSocket, None]] = {}  # by address, longest first
        self._turned_away = 0
        self._acceptor: Any = None  # the green thread that waits for the next visitor
        self.is_closed = False
        self.family = listener.family
        self.getsockname = listener.getsockname

    @property
    def count(self) -> int:
        return len(self._open)

    def accept(self) -> tuple[FairSocket, Any]:
        """The next visitor. Never fails: what is wrong now is tried again."""
        while True:
            try:
                client, address = self._next()
            except OSError:
                eventlet.sleep(PAUSE_S)
                continue
            # Who a proxy speaks for is known once it has sent the head of a request.
            visitor = self._admit(client, UNKNOWN if self._is_behind_proxy else str(address[0]))
            if visitor:
                eventlet.sleep(0)
                return visitor, address
            self._turned_away += 1
            if self._turned_away % GIVE_WAY == 0:
                eventlet.sleep(0)

    def _next(self) -> tuple[Any, Any]:
        """The next connection. Once the door is closed there is none, and this never returns."""
        if not self.is_closed:
            self._acceptor = eventlet.getcurrent()
            try:
                accept = self._accept_shared if self._is_shared else self._listener.accept
                client, address = accept()
                return client, address
            except _Closed:
                pass
            finally:
                self._acceptor = None
        while True:  # whatever wakes it
            eventlet.sleep(FOREVER_S)

    def _accept_shared(self) -> Any:
        """The next connection that no other process takes.

        All are woken, and the same one would nearly always be first. So each holds back the longer
        the more visitors it has, and those who have fewer catch up.
        """
        while True:
            trampoline(self._listener.fd, read=True)
            eventlet.sleep(min(MOST_SHY_S, SHY_S * len(self._open)))
            with suppress(BlockingIOError):
                client, address = self._listener.fd.accept()
                return GreenSocket(client), address

    def close(self) -> None:
        """Accept nobody any more; those who share the listener do. Who's inside stays.

        Nothing may wait for the listener when it's closed: it's open elsewhere, so the kernel would
        go on to report visitors, and under a number that another file has by then.
        """
        if self.is_closed:
            return
        self.is_closed = True
        if self._acceptor:
            eventlet.kill(self._acceptor, _Closed)
        self._listener.close()

    def dismiss_idle(self) -> None:
        """Let everyone go who isn't in the middle of a request."""
        for host in list(self._waiting):
            while self._dismiss(host):
                pass

    def _admit(self, client: Any, host: str) -> FairSocket | None:
        if not self._make_room(host):
            client.close()
            return None
        raw = original("socket").socket(fileno=client.fd.detach())
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        visitor = FairSocket(raw, host, self._shares.open(host), self)
        self._open.add(visitor)
        self.set_waiting(visitor, is_waiting=True)
        return visitor

    def _make_room(self, host: str) -> bool:
        """Whether there's a place for one more from there; somebody who waits may have to go."""
        if not self._shares.admits(host):
            return False
        own = self._waiting.get(host, ())
        if len(own) >= WAITING_PER_ADDRESS and host != UNKNOWN:
            self._dismiss(host)
        if self._is_crowded(host):
            return self._dismiss(host)
        if len(self._open) < self._places:
            return True
        crowded = max(self._waiting, key=lambda one: len(self._waiting[one]), default=host)
        return self._dismiss(crowded)

    def _is_crowded(self, host: str) -> bool:
        return self._shares.connections(host) >= max(1, int(self._places * SHARE_OF_ADDRESS))

    def reassign(self, visitor: FairSocket, host: str) -> bool:
        """Charge a connection to another address from now on, if that has a place for it."""
        if host == visitor.host:
            return True
        if not self._shares.admits(host) or self._is_crowded(host):
            return False
        self.set_waiting(visitor, is_waiting=False)
        self._shares.close(visitor.host)
        visitor.host, visitor.share = host, self._shares.open(host)
        return True

    def _dismiss(self, host: str) -> bool:
        """Let the one who has waited longest go."""
        waiting = self._waiting.get(host)
        if not waiting:
            return False
        visitor = next(iter(waiting))
        visitor.hang_up()
        self.forget(visitor)
        return True

    def set_waiting(self, visitor: FairSocket, is_waiting: bool) -> None:
        waiting = self._waiting.setdefault(visitor.host, OrderedDict())
        waiting.pop(visitor, None)
        if is_waiting and visitor in self._open:
            waiting[visitor] = None
        if not waiting:
            del self._waiting[visitor.host]

    def forget(self, visitor: FairSocket) -> None:
        if visitor in self._open:
            self._open.discard(visitor)
            self.set_waiting(visitor, is_waiting=False)
            self._shares.close(visitor.host)
