"""WebSockets as Engine.IO gets them: frames that end somewhere, and queues that do.

Engine.IO's queues hold any number of packets for a client that never reads, and eventlet puts
together messages of any number of fragments. Both have an end here, set where Engine.IO looks up
its parts.
"""

import socket
from contextlib import suppress
from typing import Any

import eventlet
import socketio
from engineio.async_drivers import eventlet as driver
from engineio.packet import Packet
from eventlet.queue import Queue
from eventlet.websocket import FailedConnectionError, RFC6455WebSocket

from isolation.web.edge.shares import MESSAGE

MOST_PACKETS = 1000  # that wait for one client
MOST_BYTES = 1_000_000
JOIN_S = 10.0  # for a new connection to say who it is
# How a connection ends that has had all its answers: "service restart". What its client sent and
# wasn't answered is not done, and can be sent again elsewhere.
RESTART = 1012
GOING_AWAY = 1001  # the same, but something may have been done without an answer


class BoundedQueue(Queue):  # type: ignore[misc]
    """What waits to be sent to a client. When it's too much, the client is cut off and resyncs."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._bytes = 0
        self.hang_up: Any = None  # ends the connection; known once it's a WebSocket

    def put(self, item: Any, *arguments: Any, **more: Any) -> None:
        is_full = self.qsize() >= MOST_PACKETS or self._bytes + _size(item) > MOST_BYTES
        if item is not None and is_full:
            if self.hang_up:
                self.hang_up()
            return
        self._bytes += _size(item)
        super().put(item, *arguments, **more)

    def join(self) -> None:
        """Nobody waits for a client to read what is left: Engine.IO would, for good."""

    def _get(self) -> Any:
        item = super()._get()
        self._bytes -= _size(item)
        return item


def _size(packet: Any) -> int:
    data = getattr(packet, "data", None)
    return len(data) if isinstance(data, str | bytes) else 64


class BoundedWebSocket(RFC6455WebSocket):  # type: ignore[misc]
    """A message may come in pieces, but not in endless ones."""

    def _recv_frame(self, message: Any = None) -> Any:
        self.socket.begin_frame()
        frame = super()._recv_frame(message)
        if sum(map(len, frame.data)) > self.max_frame_length or len(frame.data) > MOST_PACKETS:
            raise FailedConnectionError(1009, "The message is too long.")
        return frame

    def close(self, close_data: Any = None) -> None:
        """End it. One that we send away is read until its client has hung up.

        Closing a socket with something left to read would take back what it was sent last.
        """
        code = self.socket.leaves_with
        if code is None:
            super().close(close_data)
            return
        self._send_closing_frame(ignore_send_errors=True, close_data=(code, ""))
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def wait(self) -> Any:
        """The next message. Engine.IO fails on one that's no packet, and leaves things behind."""
        message = super().wait()
        try:
            Packet(encoded_packet=message)
        except (ValueError, RecursionError):
            self.close(close_data=(1007, "This is no packet."))
            return None
        return message


class WebSockets(driver.WebSocketWSGI):  # type: ignore[misc]
    """One request to become a WebSocket."""

    def __init__(self, handler: Any, server: Any) -> None:
        super().__init__(handler, server)
        self.support_legacy_versions = False
        self._queue = handler.__self__.queue

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        # Compressed frames could unfold to anything.
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        visitor = environ["eventlet.input"].get_socket()
        self._queue.hang_up = visitor.hang_up
        eventlet.spawn_after(JOIN_S, lambda: visitor.has_joined or visitor.hang_up())
        return super().__call__(environ, start_response)

    def _handle_hybi_request(self, environ: dict[str, Any]) -> Any:
        made = super()._handle_hybi_request(environ)
        made.__class__ = BoundedWebSocket  # eventlet names its own class there
        return made


def use_bounded_parts(server: socketio.Server) -> None:
    """Have Engine.IO make its queues and WebSockets from the classes above."""
    engine = server.eio
    engine._async = {**engine._async, "queue": BoundedQueue, "websocket": WebSockets}

    def hear(sid: str, data: Any) -> None:
        # Messages are handled one after another: the client may be gone when its last is due.
        visitor = visitor_of(server, sid)
        if visitor and visitor.leaves_with is None:
            visitor.share.charge(MESSAGE)
            server._handle_eio_message(sid, data or "")  # Engine.IO makes None of "null"

    engine.on("message", hear)


def visitor_of(server: socketio.Server, sid: str) -> Any:
    """The FairSocket behind an Engine.IO session, or None if that's over."""
    environ = server.environ.get(sid)
    return environ["eventlet.input"].get_socket() if environ else None
