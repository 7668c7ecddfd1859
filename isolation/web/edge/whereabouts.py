"""Which of Socket.IO's rooms each client is in, so that leaving takes no search.

The library looks for a client that leaves in all rooms, and each client is a room: 10,000 who hang
up at once would keep the server busy for half a minute.
"""

from typing import Any

import socketio


class Whereabouts(socketio.Manager):  # type: ignore[misc]
    """Who is where. There is only one namespace."""

    def __init__(self) -> None:
        super().__init__()
        self._rooms_of: dict[str, set[str | None]] = {}

    def basic_enter_room(
        self, sid: str, namespace: str, room: str | None, eio_sid: str | None = None
    ) -> None:
        super().basic_enter_room(sid, namespace, room, eio_sid)
        self._rooms_of.setdefault(sid, set()).add(room)

    def basic_leave_room(self, sid: str, namespace: str, room: str | None) -> None:
        super().basic_leave_room(sid, namespace, room)
        self._rooms_of.get(sid, set()).discard(room)

    def basic_close_room(self, room: str, namespace: str) -> None:
        for sid, _ in list(self.get_participants(namespace, room)):
            self.basic_leave_room(sid, namespace, room)

    def basic_disconnect(self, sid: str, namespace: str, **_: Any) -> None:
        for room in self._rooms_of.pop(sid, ()):
            super().basic_leave_room(sid, namespace, room)
        self.callbacks.pop(sid, None)
        for pending in (self.pending_connect, self.pending_disconnect):
            if sid in pending.get(namespace, ()):
                pending[namespace].remove(sid)
                if not pending[namespace]:
                    del pending[namespace]
