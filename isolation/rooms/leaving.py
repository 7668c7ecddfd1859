"""Decisions that end a game before its rules do. Pure."""

from isolation.rooms.clock import grace
from isolation.rooms.deciding import Decided, player_of
from isolation.rooms.errors import Refused
from isolation.rooms.game import CLOCKS_START, Game
from isolation.rooms.ports import Attendance
from isolation.rooms.room import Room, Visitor


def resign(room: Room, visitor: Visitor, now: float, game_id: str) -> Decided:
    return Decided([("resign", {"player": player_of(room, visitor, game_id)})])


def abort(room: Room, visitor: Visitor, now: float, game_id: str) -> Decided:
    return Decided([("abort", {"player": player_of(room, visitor, game_id)})])


def claim(
    room: Room,
    visitor: Visitor,
    now: float,
    game_id: str,
    result: str,
    attendance: Attendance,
) -> Decided:
    """Claim the win, or a draw, against an opponent who has been away for long."""
    player, game = player_of(room, visitor, game_id), room.game
    other = game.seats[1 - player].identity
    gone = attendance.gone_since(other)
    if gone is None or other == visitor.identity:
        raise Refused("present")
    if grace(game.start.clock) is None:
        raise Refused("too_early", why="clock")
    wait = claim_in(game, gone, now)
    if wait is None:
        raise Refused("too_early", why="beginning")
    if wait > 0:
        raise Refused("too_early", seconds=round(wait, 1))
    return Decided([("claim", {"player": player, "result": result, "gone": gone})])


def claim_in(game: Game, gone: float | None, now: float) -> float | None:
    """In how many seconds the game can be claimed against somebody who has been gone since then.

    None if it can't. Time that passed before this turn is held against nobody.
    """
    allowed = grace(game.start.clock)
    if gone is None or allowed is None or game.ply < CLOCKS_START:
        return None
    return max(0.0, max(gone, game.turn_began) + allowed - now)
