"""Rooms as clients see them: all of one, who is there, and how lobby and watch page list it."""

from collections.abc import Iterable, Mapping
from typing import Any

from isolation.rooms.game import Game
from isolation.rooms.kinds import Kind, Reply
from isolation.rooms.leaving import claim_in
from isolation.rooms.ports import Attendance, ChatLine
from isolation.rooms.room import Room
from isolation.rooms.views import boards, games

Seen = tuple[Room, Attendance]


def snapshot(
    room: Room, attendance: Attendance, now: float, is_stopped: bool = False
) -> dict[str, Any]:
    """All that anybody may know about a room."""
    return {
        **games.snapshot(room.game, now, is_stopped),
        "kind": room.row.kind,
        "features": features(room.kind),
        "public": room.row.is_public,
        "score": room.player_score(),
        "games": [*room.earlier, room.game.id],
        "presence": presence(room, attendance, now),
    }


def own(room: Room, identity: str) -> dict[str, Any]:
    """What a room is to one visitor."""
    return {"you": room.played_by(identity), "directs": room.is_directed_by(identity)}


def features(kind: Kind) -> dict[str, bool]:
    """What a page needs to know of a kind of room, to show just what can be done there."""
    return {
        "takeback": kind.takeback is not None,
        "draw": kind.draw in (Reply.ASKED, Reply.AGREED),
        "rematch": kind.rematch is not None,
        "player_chat": kind.has_player_chat,
        "spectator_chat": kind.has_spectator_chat,
        "one_screen": kind.is_one_screen,
    }


def state(room: Room, now: float, is_stopped: bool, since: int) -> dict[str, Any]:
    """The state of the latest game; `since` is the version that it follows."""
    told = games.state(room.game, now, is_stopped)
    return {**told, "score": room.player_score(), "since": since}


def moved(room: Room, before: Game, game: Game, now: float, is_stopped: bool) -> dict[str, Any]:
    """A move; the last one of a game changes the score, too."""
    told = games.moved(before, game, now, is_stopped)
    return {**told, "score": room.player_score()} if game.outcome else told


def asked(game: Game) -> dict[str, Any]:
    """In a contest: the player to move may take a turn."""
    return {**_named(game), "ply": game.ply}


def rematch(game: Game) -> dict[str, Any]:
    """A player wants another game."""
    return {**_named(game), "player": game.rematch_offer}


def _named(game: Game) -> dict[str, Any]:
    return {"room": game.start.room, "game": game.id, "v": game.v}


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


def lobby(lists: Mapping[str, Iterable[Seen]]) -> dict[str, Any]:
    """The public rooms, by list."""
    return {name: [listed(*seen) for seen in rooms] for name, rooms in lists.items()}


def with_bots(lobby: dict[str, Any], bots: list[dict[str, Any]]) -> dict[str, Any]:
    """The lobby, and the bots that are online."""
    return {**lobby, "bots": bots}


def watched(changed: list[dict[str, Any]], gone: list[str]) -> dict[str, Any]:
    """Boards of the watch page that look different, and rooms that left it."""
    return {"changed": changed, "gone": gone}


def chat(room: str, line: ChatLine) -> dict[str, Any]:
    """Something that was just said."""
    return {"room": room, **chat_line(line)}


def chat_line(line: ChatLine) -> dict[str, Any]:
    return {"at": line.at, "name": line.name, "text": line.text, "player": line.player}


def counted(rooms: Iterable[Room]) -> dict[str, int]:
    """Of these rooms: games that are on, games that wait for a player."""
    games = [room.game for room in rooms]
    return {
        "playing": sum(game.is_on for game in games),
        "waiting": sum(not game.is_on and not game.outcome for game in games),
    }
