"""Decisions about moves. Pure."""

from collections.abc import Sequence
from typing import Any

from isolation.rooms.deciding import (
    Decided,
    check_asked,
    check_latest,
    check_turn,
    nanoseconds,
    player_of,
)
from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.log import Draft
from isolation.rooms.room import Room, Visitor
from isolation.rules import IllegalMove
from isolation.rules.variants import Fault


def move(
    room: Room, visitor: Visitor, now: float, game_id: str, ply: int, text: str, move_id: str
) -> Decided:
    """Make a move. One that was accepted before is accepted again, and made only once."""
    check_latest(room, game_id)
    game = room.game
    if not game.players_of(visitor.identity):
        raise Refused("not_yours")
    if move_id in game.moves_made:
        return Decided(answer={"repeated": True})
    check_turn(game, visitor, ply)
    check_asked(room, visitor)
    data: dict[str, Any] = {"move": text, "id": move_id}
    if game.asked == ply:  # how long a bot in a contest took since it was asked
        data["calls"] = [nanoseconds(now - game.asked_at)]
    return Decided(turn(game, data))


def thought(room: Room, thinking_about: Game, text: str, spent: float) -> Decided:
    """Make the computer's move, unless the game has gone another way meanwhile."""
    game = room.game
    if game.id != thinking_about.id or game.record.turns != thinking_about.record.turns:
        return Decided()
    if game.outcome or room.is_held:
        return Decided()
    data: dict[str, Any] = {"move": text, "id": f"computer {game.v}", "spent": spent}
    if room.kind.is_directed:
        data["calls"] = [nanoseconds(spent)]
    return Decided(turn(game, data))


def turn(game: Game, data: dict[str, Any]) -> list[Draft]:
    """A move, and the passes of players who have nothing else to do after it."""
    record = game.record
    try:
        passes = record.passes_after(record.position.parse(data["move"]))
    except IllegalMove:
        passes = 0  # the fold says why
    return [("move", data), *_passes(game, game.ply + 1, passes)]


def forced(room: Room) -> list[Draft]:
    """The passes that are due at once: after a takeback, or where a game starts with one."""
    game = room.game
    if not (game.is_on and game.record.must_pass):
        return []
    return _passes(game, game.ply, len(game.record.with_passes().turns) - game.ply)


def _passes(game: Game, ply: int, passes: int) -> list[Draft]:
    return [
        ("move", {"move": "pass", "id": f"pass {at} {game.v}"}) for at in range(ply, ply + passes)
    ]


def fault(
    room: Room,
    visitor: Visitor,
    now: float,
    game_id: str,
    ply: int,
    why: str = "",
    calls: Sequence[int] = (),
) -> Decided:
    """A bot owns up to a turn that it couldn't take: it costs what the game says."""
    player = player_of(room, visitor, game_id)
    check_turn(room.game, visitor, ply)
    check_asked(room, visitor)
    return Decided(faulted(room.game, player, why, calls))


def faulted(game: Game, player: int, why: str, calls: Sequence[int]) -> list[Draft]:
    data = {"player": player, "why": why, "calls": list(calls)}
    is_lost = game.record.variant.fault is Fault.LOSE
    return [("fault" if is_lost else "discard", data)]
