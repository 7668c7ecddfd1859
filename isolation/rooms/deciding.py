"""What every decision shares: what it returns, and who may do what.

A decision is a pure function of a room as it is, a visitor, the time, and what the visitor wants.
It returns drafts of events, or raises Refused. `journal.py` makes events of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from isolation.rooms.errors import Refused
from isolation.rooms.game import Game, GameStart, Seat
from isolation.rooms.log import Draft
from isolation.rooms.room import Room, Visitor


@dataclass(frozen=True, slots=True)
class Decided:
    """What is to be stored, all or nothing; and what the visitor is told besides the version."""

    drafts: list[Draft] = field(default_factory=list)
    successor: GameStart | None = None  # the next game of the room, with those who sit there
    seated: list[Draft] = field(default_factory=list)
    answer: Mapping[str, Any] = field(default_factory=dict)


def player_of(room: Room, visitor: Visitor, game_id: str) -> int:
    """The player that a visitor is in the latest game; at one screen the one to move."""
    check_latest(room, game_id)
    players = room.game.players_of(visitor.identity)
    if not players:
        raise Refused("not_yours")
    return room.game.to_move if len(players) == 2 else players[0]


def check_latest(room: Room, game_id: str) -> None:
    if room.game.id != game_id:
        raise Refused("over", why="replaced")


def check_turn(game: Game, visitor: Visitor, ply: int) -> None:
    if game.outcome:
        raise Refused("over")
    check_ply(game, ply)
    if game.is_on and game.to_move not in game.players_of(visitor.identity):
        raise Refused("not_your_turn")


def check_ply(game: Game, ply: int) -> None:
    if ply != game.ply:
        raise Refused("stale", ply=ply, now=game.ply)


def check_asked(room: Room, visitor: Visitor) -> None:
    if visitor.is_bot and room.is_held:
        raise Refused("not_your_turn", why="unasked")


def seat_draft(player: int, seat: Seat) -> Draft:
    data = {"seat": player, "identity": seat.identity, "name": seat.name}
    return "seat", {**data, "bot": True} if seat.is_bot else data


def nanoseconds(seconds: float) -> int:
    return max(1, round(seconds * 1e9))
