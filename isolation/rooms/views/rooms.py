"""Rooms as clients see them: all of one, who is there, and how lobby and watch page list it."""

from typing import Any

from isolation.rooms.leaving import claim_in
from isolation.rooms.ports import Attendance, ChatLine
from isolation.rooms.room import Room
from isolation.rooms.views import boards, games


def snapshot(
    room: Room, attendance: Attendance, now: float, is_stopped: bool = False
) -> dict[str, Any]:
    """All that anybody may know about a room."""
    return {
        **games.snapshot(room.game, now, is_stopped),
        "kind": room.row.kind,
        "features": room.kind.features,
        "public": room.row.is_public,
        "score": room.player_score(),
        "games": [*room.earlier, room.game.id],
        "presence": presence(room, attendance, now),
    }


def own(room: Room, identity: str) -> dict[str, Any]:
    """What a room is to one visitor."""
    return {"you": room.played_by(identity), "directs": room.is_directed_by(identity)}


def state(room: Room, now: float, is_stopped: bool = False) -> dict[str, Any]:
    return {**games.state(room.game, now, is_stopped), "score": room.player_score()}


def presence(room: Room, attendance: Attendance, now: float) -> dict[str, Any]:
    gone = [attendance.gone_since(seat.identity) for seat in room.game.seats]
    waits = [claim_in(room.game, since, now) for since in gone]
    return {
        "room": room.id,
        "players": [since is None for since in gone],
        "claim_in": [None if wait is None else round(wait, 1) for wait in waits],
        "watchers": watchers(room, attendance),
    }


def now(room: Room, attendance: Attendance, now: float, is_stopped: bool) -> dict[str, Any]:
    """What changes without an event of the game."""
    clocks = games.clocks(room.game, now, is_stopped)
    return {"v": room.game.v, "presence": presence(room, attendance, now), **clocks}


def synced(
    now: dict[str, Any],
    missed: list[tuple[str, dict[str, Any]]] | None,
    snapshot: dict[str, Any] | None,
) -> dict[str, Any]:
    """What brings a client up to date: what it missed, or all there is."""
    if missed is None:
        return {**now, "snapshot": snapshot}
    return {**now, "missed": [{"event": event, "payload": told} for event, told in missed]}


def watchers(room: Room, attendance: Attendance) -> int:
    """How many are there who don't play."""
    playing = {seat.identity for seat in room.game.seats} & set(attendance.present)
    return len(attendance.present) - len(playing)


def listed(room: Room, attendance: Attendance) -> dict[str, Any]:
    """A room as the lobby lists it."""
    start = room.game.start
    return {
        "room": room.id,
        "variant": start.variant,
        "options": dict(start.options),
        "clock": start.clock.to_dict() if start.clock else None,
        "players": games.players(room.game),
        "ply": room.game.ply,
        "watchers": watchers(room, attendance),
    }


def miniature(room: Room, attendance: Attendance) -> dict[str, Any]:
    """A game as one sees it from afar."""
    game = room.game
    return {
        **listed(room, attendance),
        "game": game.id,
        "board": boards.board(game.record.position),
        "to_move": game.to_move,
        "last": games.last_move(game),
        "outcome": games.outcome(game.outcome, game.is_aborted),
    }


def chat_line(line: ChatLine) -> dict[str, Any]:
    return {"at": line.at, "name": line.name, "text": line.text, "player": line.player}
