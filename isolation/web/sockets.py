"""The sockets: who is connected, and an answer to every event that they send.

The handlers are python-socketio's own, not Flask's: an event needs no request context.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any

import socketio

from isolation.rooms.errors import Refused
from isolation.rooms.ports import StoreDownError
from isolation.rooms.room import Visitor
from isolation.rooms.service import Rooms
from isolation.rooms.subjects import note
from isolation.web.audience import Audience
from isolation.web.commands import EVENTS, Command
from isolation.web.edge.shares import LOOK, Share, Unlimited
from isolation.web.fields import Fields, read
from isolation.web.identity import COOKIE, Identities
from isolation.web.limits import OTHER, Limiter
from isolation.web.messages import InRoom, Rename
from isolation.web.metrics import Metrics
from isolation.web.outages import store_down
from isolation.web.refusals import error_of

logger = logging.getLogger(__name__)

GUEST = "Guest"
MAX_ROOMS = 40  # that one connection may look at


@dataclass
class Connection:
    """One open socket."""

    sid: str
    visitor: Visitor
    address: str
    share: Share | Unlimited
    rooms: set[str] = field(default_factory=set)

    def identity(self) -> str:
        return self.visitor.identity


class Sockets:
    """Hears what clients send, and answers."""

    def __init__(
        self,
        server: socketio.Server,
        audience: Audience,
        rooms: Rooms,
        lobby: Callable[[], dict[str, Any]],
        identities: Identities,
        limiter: Limiter | None,
        metrics: Metrics,
    ) -> None:
        self._audience = audience
        self._rooms = rooms
        self._lobby = lobby  # what it shows
        self._identities = identities
        self._limiter = limiter
        self._metrics = metrics
        self._connections: dict[str, Connection] = {}
        self._unanswered: Counter[str] = Counter()  # events of a connection
        self._own: dict[str, Callable[[Connection, Any], dict[str, Any]]] = {
            "enter": self._enter,
            "leave": self._leave,
            "join": self._join,
            "rename": self._rename,
            "lobby": self._enter_lobby,
            "leave_lobby": self._leave_lobby,
            "watch": self._watch,
            "leave_watch": self._leave_watch,
        }
        audience.on_seat(self._place)
        server.on("connect", self._connect)
        server.on("disconnect", self._disconnect)
        server.on("*", self._hear)

    @property
    def count(self) -> int:
        return len(self._connections)

    # Coming and going.

    def _connect(self, sid: str, environ: Mapping[str, Any], auth: object = None) -> None:
        identity = self._identities.read(_cookie(environ))
        if identity is None:
            raise socketio.exceptions.ConnectionRefusedError("open a page of this site first")
        name = GUEST
        if isinstance(auth, Mapping) and "name" in auth:
            with suppress(Refused):  # a name that can't be is no reason to stay out
                name = read(Rename, {"name": auth["name"]}).name
        address = str(environ.get("REMOTE_ADDR", ""))
        visitor = environ["eventlet.input"].get_socket()
        if visitor.has_joined:
            raise socketio.exceptions.ConnectionRefusedError("once is enough")
        visitor.has_joined = True
        self._connections[sid] = Connection(sid, Visitor(identity, name), address, visitor.share)

    def _disconnect(self, sid: str, *_: object) -> None:
        connection = self._connections.pop(sid, None)
        self._audience.forget(sid)
        for room in list(connection.rooms) if connection else ():
            self._rooms.leave(connection.visitor, room, sid)  # type: ignore[union-attr]

    # Hearing.

    def is_asking(self, sid: str) -> bool:
        """Whether something that this connection sent hasn't been answered yet."""
        return sid in self._unanswered

    def _hear(self, event: str, sid: str, *data: object) -> dict[str, Any]:
        self._unanswered[sid] += 1
        try:
            return self._handle(event, sid, *data)
        finally:
            self._unanswered[sid] -= 1
            if not self._unanswered[sid]:
                del self._unanswered[sid]

    def _handle(self, event: str, sid: str, *data: object) -> dict[str, Any]:
        begun = time.perf_counter()
        try:
            connection = self._connections.get(sid)
            if connection is None:
                raise Refused("unknown", why="connection")
            command = EVENTS.get(event)
            self._limit(command.rate if command else OTHER, connection)
            if command is None:
                names = {"names": ", ".join(EVENTS)}
                raise Refused("unknown_event", allowed=list(EVENTS), words=names)
            note(self._room_in(data), connection.identity)
            answer = self._do(command, connection, data[0] if len(data) == 1 else data or {})
        except Refused as refusal:
            return self._refuse(refusal)
        except StoreDownError:
            return self._refuse(store_down())
        except Exception:
            logger.exception("event %.40r", event)
            return {"error": error_of(Refused("internal"))}
        if event == "move":
            self._metrics.moved(time.perf_counter() - begun)
        return {"ok": True, **answer}

    def _room_in(self, data: tuple[object, ...]) -> Callable[[], str | None]:
        """For the log: the room that an event is about, by its own id or by that of a game."""

        def look() -> str | None:
            fields = data[0] if data and isinstance(data[0], Mapping) else {}
            return fields.get("room") or self._rooms.journal.room_in_memory(str(fields.get("game")))

        return look

    def _refuse(self, refusal: Refused) -> dict[str, Any]:
        self._metrics.refused(refusal.code)
        snapshot = refusal.details.get("snapshot")
        error = {"error": error_of(refusal)}
        return {**error, "snapshot": snapshot} if snapshot else error

    def _limit(self, kind: str, connection: Connection) -> None:
        if self._limiter:
            self._limiter.charge(kind, connection.visitor.identity, connection.address)

    def _do(self, command: Command, connection: Connection, data: object) -> dict[str, Any]:
        if command.is_costly:
            connection.share.charge(LOOK)
        fields = read(command.fields, data)
        if command.act:
            return command.act(self._rooms, connection.visitor, fields)
        return self._own[command.name](connection, fields)

    # What concerns the connection itself.

    def _enter(self, connection: Connection, fields: InRoom) -> dict[str, Any]:
        room = fields.room
        self._check_room_for(connection, room)
        # Told first, asked second: whatever happens in between is not missed.
        self._audience.enter(connection.sid, room)
        connection.rooms.add(room)
        try:
            snapshot = self._rooms.enter(connection.visitor, room, connection.sid)
        except BaseException:
            self._leave(connection, fields)
            raise
        if connection.sid not in self._connections:  # gone while the store was asked
            self._rooms.leave(connection.visitor, room, connection.sid)
            raise Refused("unknown", why="connection")
        self._audience.place(connection.sid, room, bool(snapshot["you"]) or snapshot["directs"])
        return {"snapshot": snapshot}

    @staticmethod
    def _check_room_for(connection: Connection, room: str) -> None:
        if room not in connection.rooms and len(connection.rooms) >= MAX_ROOMS:
            raise Refused("too_many", why="rooms", most=MAX_ROOMS)

    def _leave(self, connection: Connection, fields: InRoom) -> dict[str, Any]:
        room = fields.room
        self._audience.leave(connection.sid, room)
        connection.rooms.discard(room)
        self._rooms.leave(connection.visitor, room, connection.sid)
        return {}

    def _join(self, connection: Connection, fields: InRoom) -> dict[str, Any]:
        room = fields.room
        self._check_room_for(connection, room)
        player = self._rooms.join(connection.visitor, room)
        return {"player": player, **self._enter(connection, fields)}

    def _place(self, room: str, identity: str) -> None:
        """Somebody has sat down, maybe in another tab: all their tabs belong to the players."""
        for connection in self._connections.values():
            if connection.visitor.identity == identity and room in connection.rooms:
                self._audience.place(connection.sid, room, is_player=True)

    def _rename(self, connection: Connection, fields: Rename) -> dict[str, Any]:
        connection.visitor = Visitor(connection.visitor.identity, fields.name)
        return {"name": fields.name}

    def _enter_lobby(self, connection: Connection, _: Fields) -> dict[str, Any]:
        self._audience.enter_lobby(connection.sid)
        return {"lobby": self._lobby()}

    def _leave_lobby(self, connection: Connection, _: Fields) -> dict[str, Any]:
        self._audience.leave_lobby(connection.sid)
        return {}

    def _watch(self, connection: Connection, _: Fields) -> dict[str, Any]:
        self._audience.watch(connection.sid)
        return {"live": self._rooms.live()}

    def _leave_watch(self, connection: Connection, _: Fields) -> dict[str, Any]:
        self._audience.leave_watch(connection.sid)
        return {}


def _cookie(environ: Mapping[str, Any]) -> str | None:
    try:
        morsel = SimpleCookie(environ.get("HTTP_COOKIE", "")).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None
