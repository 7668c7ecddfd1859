"""The wire: one short handler for each event, from a table; every event is answered.

The handlers are python-socketio's own, not Flask's: an event needs no request context.
"""

import logging
import time
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
from isolation.web.edge.shares import LOOK, Share, Unlimited
from isolation.web.identity import COOKIE, Identities
from isolation.web.limits import Limiter
from isolation.web.metrics import Metrics
from isolation.web.outages import store_down
from isolation.web.schema import (
    MAX_CHAT,
    MAX_NAME,
    MAX_WHY,
    Field,
    anything,
    flag,
    identifier,
    line_of,
    list_of,
    move_text,
    nanoseconds,
    number,
    one_of,
    read,
)
from isolation.web.streams import Streams

logger = logging.getLogger(__name__)

GUEST = "Guest"
MAX_ROOMS = 40  # that one connection may look at
LOBBY = "lobby"
WATCH = "watch"
MAX_CALLS = 2  # of a bot for one turn
# Other events are "other".
LIMITED = {"create": "create", "contest": "create", "rematch": "create", "chat": "chat"}
COSTLY = {"create", "contest", "enter", "join", "lobby", "watch"}
BOARD_EVENTS = ("moved", "snapshot", "state")  # after which a board looks different


@dataclass
class Connection:
    """One open socket."""

    sid: str
    visitor: Visitor
    address: str
    share: Share | Unlimited
    rooms: set[str] = field(default_factory=set)
    is_watching: bool = False  # all public boards at once


class Sockets:
    """Hears what clients send, and tells them what happens: the Audience of the rooms."""

    def __init__(
        self,
        server: socketio.Server,
        identities: Identities,
        limiter: Limiter | None,
        metrics: Metrics,
    ) -> None:
        self._server = server
        self._identities = identities
        self._limiter = limiter
        self._metrics = metrics
        self._connections: dict[str, Connection] = {}
        self._is_lobby_stale = False
        self._stale_presence: set[str] = set()
        self._stale_boards: set[str] = set()
        self.rooms: Rooms  # these two are set once all exist
        self.streams: Streams
        server.on("connect", self._connect)
        server.on("disconnect", self._disconnect)
        server.on("*", self._handle)

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
            with suppress(Refused):  # a name that can not be is no reason to stay out
                name = line_of(MAX_NAME)("name", auth["name"])
        address = str(environ.get("REMOTE_ADDR", ""))
        visitor = environ["eventlet.input"].get_socket()
        if visitor.has_joined:
            raise socketio.exceptions.ConnectionRefusedError("once is enough")
        visitor.has_joined = True
        self._connections[sid] = Connection(sid, Visitor(identity, name), address, visitor.share)

    def _disconnect(self, sid: str, *_: object) -> None:
        connection = self._connections.pop(sid, None)
        for room in list(connection.rooms) if connection else ():
            self.rooms.leave(connection.visitor, room, sid)  # type: ignore[union-attr]

    # Hearing.

    def _handle(self, event: str, sid: str, *data: object) -> dict[str, Any]:
        begun = time.perf_counter()
        try:
            connection = self._connections.get(sid)
            if connection is None:
                raise Refused("unknown", "this connection is closing")
            self._limit(event, connection)
            if event in COSTLY:
                connection.share.charge(LOOK)
            if event not in EVENTS:
                names = ", ".join(EVENTS)
                raise Refused("unknown_event", f"there is no such event: there are {names}")
            fields, handler = EVENTS[event]
            values = read(fields, data[0] if len(data) == 1 else data or {})
            answer = handler(self, connection, **values)
        except Refused as refusal:
            return self._refuse(refusal)
        except StoreDownError:
            return self._refuse(store_down())
        except Exception:
            logger.exception("event %.40r", event)
            return {"error": {"code": "internal", "message": "the server could not do that"}}
        if event == "move":
            self._metrics.moved(time.perf_counter() - begun)
        return {"ok": True, **answer}

    def _refuse(self, refusal: Refused) -> dict[str, Any]:
        self._metrics.refused(refusal.code)
        error = {"code": refusal.code, "message": refusal.message}
        snapshot = refusal.details.pop("snapshot", None)
        found: dict[str, Any] = {"error": {**error, **refusal.details}}
        return {**found, "snapshot": snapshot} if snapshot else found

    def _limit(self, event: str, connection: Connection) -> None:
        if self._limiter:
            kind = LIMITED.get(event, "other")
            self._limiter.take(kind, connection.visitor.identity)
            if kind == "create":
                self._limiter.take("create_address", connection.address)

    def _create(self, connection: Connection, **values: Any) -> dict[str, Any]:
        room = self.rooms.create(connection.visitor, **values)
        return {"room": room.id, "game": room.game.start.id}

    def _contest(self, connection: Connection, **values: Any) -> dict[str, Any]:
        room = self.rooms.contest(connection.visitor, **values)
        return {"room": room.id, "game": room.game.start.id}

    def _enter(self, connection: Connection, room: str) -> dict[str, Any]:
        self._check_room_for(connection, room)
        # Told first, asked second: whatever happens in between is not missed.
        self._server.enter_room(connection.sid, _all(room))
        connection.rooms.add(room)
        try:
            snapshot = self.rooms.enter(connection.visitor, room, connection.sid)
        except BaseException:
            self._leave(connection, room)
            raise
        if connection.sid not in self._connections:  # gone while the store was asked
            self.rooms.leave(connection.visitor, room, connection.sid)
            raise Refused("unknown", "this connection is closing")
        self._place(connection, room, bool(snapshot["you"]) or snapshot["directs"])
        return {"snapshot": snapshot}

    @staticmethod
    def _check_room_for(connection: Connection, room: str) -> None:
        if room not in connection.rooms and len(connection.rooms) >= MAX_ROOMS:
            raise Refused("too_many", f"{MAX_ROOMS} rooms at a time are enough")

    def _place(self, connection: Connection, room: str, is_player: bool) -> None:
        here, there = (_players, _stands) if is_player else (_stands, _players)
        self._server.enter_room(connection.sid, here(room))
        self._server.leave_room(connection.sid, there(room))

    def _leave(self, connection: Connection, room: str) -> dict[str, Any]:
        for name in (_all(room), _players(room), _stands(room)):
            self._server.leave_room(connection.sid, name)
        connection.rooms.discard(room)
        self.rooms.leave(connection.visitor, room, connection.sid)
        return {}

    def _join(self, connection: Connection, room: str) -> dict[str, Any]:
        self._check_room_for(connection, room)
        player = self.rooms.join(connection.visitor, room)
        for other in self._connections.values():
            if other.visitor.identity == connection.visitor.identity and room in other.rooms:
                self._place(other, room, is_player=True)
        return {"player": player, **self._enter(connection, room)}

    def _rename(self, connection: Connection, name: str) -> dict[str, Any]:
        connection.visitor = Visitor(connection.visitor.identity, name)
        return {"name": name}

    def _watch_lobby(self, connection: Connection) -> dict[str, Any]:
        self._server.enter_room(connection.sid, LOBBY)
        return {"lobby": self._lobby()}

    def _lobby(self) -> dict[str, Any]:
        return {**self.rooms.lobby(), "bots": self.streams.online()}

    def _leave_lobby(self, connection: Connection) -> dict[str, Any]:
        self._server.leave_room(connection.sid, LOBBY)
        return {}

    def _watch(self, connection: Connection) -> dict[str, Any]:
        self._server.enter_room(connection.sid, WATCH)
        connection.is_watching = True
        return {"live": self.rooms.live()}

    def _leave_watch(self, connection: Connection) -> dict[str, Any]:
        self._server.leave_room(connection.sid, WATCH)
        connection.is_watching = False
        return {}

    # Telling.

    def tell(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self._server.emit(event, payload, room=_all(room))
        self.streams.tell(room, event, payload)
        if event in BOARD_EVENTS:
            self._stale_boards.add(room)

    def tell_players(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self._server.emit(event, payload, room=_players(room))
        self.streams.tell(room, event, payload)

    def tell_stands(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self._server.emit(event, payload, room=_stands(room))

    def lobby_changed(self) -> None:
        self._is_lobby_stale = True

    def presence_changed(self, room: str) -> None:
        self._stale_presence.add(room)

    def tell_changes(self) -> None:
        """Tell who is where, and the lobby, to those who look, if that has changed.

        A thousand who come at once would else be a million messages.
        """
        rooms, self._stale_presence = self._stale_presence, set()
        for room in rooms:
            presence = self.rooms.presence(room)
            if presence:
                self.tell(room, "presence", presence)
        self._tell_boards(rooms)
        if self._is_lobby_stale:
            self._is_lobby_stale = False
            self._server.emit("lobby", self._lobby(), room=LOBBY)

    def _tell_boards(self, left: set[str]) -> None:
        """To those who watch: boards that look different, games that can be seen no longer."""
        rooms, self._stale_boards = self._stale_boards | left, set()
        if not any(connection.is_watching for connection in list(self._connections.values())):
            return
        boards = {room: self.rooms.miniature(room) for room in rooms}
        shown = [board for board in boards.values() if board]
        # Nobody hears of a room that is not public.
        gone = [room for room, board in boards.items() if not board and self.rooms.is_public(room)]
        if shown or gone:
            self._server.emit("boards", {"changed": shown, "gone": gone}, room=WATCH)


def _all(room: str) -> str:
    return f"room {room}"


def _players(room: str) -> str:
    return f"players {room}"


def _stands(room: str) -> str:
    return f"stands {room}"


def _cookie(environ: Mapping[str, Any]) -> str | None:
    try:
        morsel = SimpleCookie(environ.get("HTTP_COOKIE", "")).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None


_ROOM = Field("room", identifier)
_GAME = Field("game", identifier)
_CALLS = Field("calls", list_of(nanoseconds, MAX_CALLS))

Handler = Callable[..., dict[str, Any]]


def _in_rooms(name: str) -> Handler:
    """A handler that passes the checked fields on to the rooms."""

    def handle(sockets: Sockets, connection: Connection, **values: Any) -> dict[str, Any]:
        answer: dict[str, Any] = getattr(sockets.rooms, name)(connection.visitor, *values.values())
        return answer

    return handle


EVENTS: dict[str, tuple[tuple[Field, ...], Handler]] = {
    "create": (
        (
            Field("variant", anything),
            Field("options", anything, None),
            Field("opponent", one_of("friend", "computer", "local", "computers"), "friend"),
            Field("level", anything, None),
            Field("second_level", anything, None),
            Field("side", anything, "random"),
            Field("clock", anything, None),
            Field("public", flag, default=False),
        ),
        Sockets._create,
    ),
    "enter": ((_ROOM,), Sockets._enter),
    "leave": ((_ROOM,), Sockets._leave),
    "join": ((_ROOM,), Sockets._join),
    "move": (
        (_GAME, Field("ply", number), Field("move", move_text), Field("id", identifier)),
        _in_rooms("move"),
    ),
    "contest": (
        (
            Field("variant", anything),
            Field("options", anything, None),
            Field("seats", anything),
            Field("public", flag, default=False),
        ),
        Sockets._contest,
    ),
    "ask": ((_GAME, Field("ply", number)), _in_rooms("ask")),
    "answer": (
        (
            _GAME,
            Field("ply", number),
            Field("api", one_of("move", "competitor")),
            Field("answers", list_of(anything, MAX_CALLS)),
            _CALLS,
            Field("id", identifier),
        ),
        _in_rooms("answer"),
    ),
    "fault": (
        (_GAME, Field("ply", number), Field("why", line_of(MAX_WHY)), _CALLS),
        _in_rooms("own_fault"),
    ),
    "stop": ((_GAME,), _in_rooms("stop")),
    "resign": ((_GAME,), _in_rooms("resign")),
    "abort": ((_GAME,), _in_rooms("abort")),
    "claim": ((_GAME, Field("result", one_of("win", "draw"))), _in_rooms("claim")),
    "draw": ((_GAME, Field("action", one_of("offer", "accept", "decline"))), _in_rooms("draw")),
    "takeback": (
        (_GAME, Field("action", one_of("propose", "accept", "decline"))),
        _in_rooms("takeback"),
    ),
    "rematch": ((_GAME,), _in_rooms("rematch")),
    "chat": ((_ROOM, Field("text", line_of(MAX_CHAT))), _in_rooms("say")),
    "rename": ((Field("name", line_of(MAX_NAME)),), Sockets._rename),
    "lobby": ((), Sockets._watch_lobby),
    "leave_lobby": ((), Sockets._leave_lobby),
    "watch": ((), Sockets._watch),
    "leave_watch": ((), Sockets._leave_watch),
}
