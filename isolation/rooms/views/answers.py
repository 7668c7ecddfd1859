"""What those who did or asked for something are answered."""

from collections.abc import Iterable, Mapping
from typing import Any

from isolation.rooms.game import Game
from isolation.rooms.ports import ChatLine
from isolation.rooms.room import Room
from isolation.rooms.views import rooms as views

Told = tuple[str, dict[str, Any]]  # an event and its payload


def made(room: Room) -> dict[str, Any]:
    """A new room with its first game."""
    return {"room": room.id, "game": room.game.id}


def joined(player: int, game: str) -> dict[str, Any]:
    """Who somebody is who has sat down, and in which game."""
    return {"player": player, "game": game}


def acted(game: Game, more: Mapping[str, Any]) -> dict[str, Any]:
    """Where a game stands after what was done, and what else came of it."""
    return {"v": game.v, "ply": game.ply, **more}


def repeated(game: Game) -> dict[str, Any]:
    """A move that was made already."""
    return acted(game, {"repeated": True})


def entered(
    room: Room, snapshot: dict[str, Any], identity: str, lines: Iterable[ChatLine]
) -> dict[str, Any]:
    """All there is to know for somebody who comes in."""
    return {**_own(room, snapshot, identity), "chat": [views.chat_line(line) for line in lines]}


def caught_up(now: dict[str, Any], missed: Iterable[Told]) -> dict[str, Any]:
    """What a client has missed, as it was told."""
    return {**now, "missed": [{"event": event, "payload": told} for event, told in missed]}


def shown_again(
    now: dict[str, Any], room: Room, snapshot: dict[str, Any], identity: str
) -> dict[str, Any]:
    """All of a room, for a client that missed more than can be told."""
    return {**now, "snapshot": _own(room, snapshot, identity)}


def _own(room: Room, snapshot: dict[str, Any], identity: str) -> dict[str, Any]:
    return {**snapshot, **views.own(room, identity)}
