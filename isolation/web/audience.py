"""Tells everyone who is connected what happens in the rooms: their Audience.

Knows who listens where, but no room. What has to be looked up in one is only marked as stale here,
and told by `pulse`.
"""

from collections.abc import Callable, Mapping
from typing import Any

import socketio

LOBBY = "lobby"
WATCH = "watch"  # all public boards at once
BOARD_EVENTS = ("moved", "snapshot", "state")  # after which a board looks different

Payload = Mapping[str, Any]
Listener = Callable[[str, str, Payload], None]  # room, event, payload


class Audience:
    """All connections, by the rooms they're in, and listeners that aren't connections."""

    def __init__(self, server: socketio.Server) -> None:
        self._server = server
        self._listeners: list[Listener] = []
        self._place: Callable[[str, str], None] = lambda room, identity: None
        self._in_lobby: set[str] = set()
        self._watching: set[str] = set()
        self._stale_presence: set[str] = set()  # rooms where people came or went
        self._stale_boards: set[str] = set()  # rooms whose board looks different
        self._is_lobby_stale = False

    def add_listener(self, listener: Listener) -> None:
        """Have something called with all that a room's players are told."""
        self._listeners.append(listener)

    def on_seat(self, place: Callable[[str, str], None]) -> None:
        """Have something called with a room and somebody who plays there from now on."""
        self._place = place

    # Who listens where.

    def enter(self, sid: str, room: str) -> None:
        self._server.enter_room(sid, _all(room))

    def place(self, sid: str, room: str, is_player: bool) -> None:
        """Among the players of a room, or in the stands."""
        here, there = (_players, _stands) if is_player else (_stands, _players)
        self._server.enter_room(sid, here(room))
        self._server.leave_room(sid, there(room))

    def leave(self, sid: str, room: str) -> None:
        for name in (_all(room), _players(room), _stands(room)):
            self._server.leave_room(sid, name)

    def enter_lobby(self, sid: str) -> None:
        self._server.enter_room(sid, LOBBY)
        self._in_lobby.add(sid)

    def leave_lobby(self, sid: str) -> None:
        self._server.leave_room(sid, LOBBY)
        self._in_lobby.discard(sid)

    def watch(self, sid: str) -> None:
        self._server.enter_room(sid, WATCH)
        self._watching.add(sid)

    def leave_watch(self, sid: str) -> None:
        self._server.leave_room(sid, WATCH)
        self._watching.discard(sid)

    def forget(self, sid: str) -> None:
        """A connection has closed; the server itself takes it out of all rooms."""
        self._in_lobby.discard(sid)
        self._watching.discard(sid)

    def seated(self, room: str, identity: str) -> None:
        self._place(room, identity)

    @property
    def has_onlookers(self) -> bool:
        return bool(self._in_lobby or self._watching)

    @property
    def has_lobby(self) -> bool:
        """Whether anyone looks at the lobby."""
        return bool(self._in_lobby)

    @property
    def is_watching(self) -> bool:
        """Whether anyone watches all boards."""
        return bool(self._watching)

    # Telling at once.

    def tell(self, room: str, event: str, payload: Payload) -> None:
        self._server.emit(event, payload, room=_all(room))
        self._tell_listeners(room, event, payload)
        if event in BOARD_EVENTS:
            self._stale_boards.add(room)

    def tell_players(self, room: str, event: str, payload: Payload) -> None:
        self._server.emit(event, payload, room=_players(room))
        self._tell_listeners(room, event, payload)

    def tell_stands(self, room: str, event: str, payload: Payload) -> None:
        self._server.emit(event, payload, room=_stands(room))

    def tell_lobby(self, payload: Payload) -> None:
        self._server.emit("lobby", payload, room=LOBBY)

    def tell_watching(self, payload: Payload) -> None:
        self._server.emit("boards", payload, room=WATCH)

    def _tell_listeners(self, room: str, event: str, payload: Payload) -> None:
        for listener in self._listeners:
            listener(room, event, payload)

    # Telling soon.

    def lobby_changed(self) -> None:
        self._is_lobby_stale = True

    def presence_changed(self, room: str) -> None:
        self._stale_presence.add(room)

    def take_presence(self) -> set[str]:
        """The rooms where people came or went since this was last asked."""
        rooms, self._stale_presence = self._stale_presence, set()
        return rooms

    def take_boards(self) -> set[str]:
        """The rooms whose board looks different since this was last asked."""
        rooms, self._stale_boards = self._stale_boards, set()
        return rooms

    def take_lobby(self) -> bool:
        """Whether the lobby changed since this was last asked."""
        is_stale, self._is_lobby_stale = self._is_lobby_stale, False
        return is_stale


def _all(room: str) -> str:
    return f"room {room}"


def _players(room: str) -> str:
    return f"players {room}"


def _stands(room: str) -> str:
    return f"stands {room}"
