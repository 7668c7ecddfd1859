"""Decisions of somebody who directs a contest: a game between bots, turn by turn. Pure."""

from collections.abc import Sequence
from typing import Any

from isolation.bots.apis import APIS, after_answers
from isolation.bots.faults import BotFault
from isolation.rooms.deciding import Decided, check_latest, check_ply, check_turn
from isolation.rooms.errors import Refused
from isolation.rooms.moving import faulted, turn
from isolation.rooms.room import Room, Visitor


def ask(room: Room, visitor: Visitor, now: float, game_id: str, ply: int) -> Decided:
    """Let the player to move take a turn."""
    _check_owner(room, visitor, game_id)
    game = room.game
    if game.outcome:
        raise Refused("over")
    check_ply(game, ply)
    if not game.is_on:
        raise Refused("waiting")
    return Decided([] if game.asked == ply else [("asked", {"ply": ply})])


def answer(
    room: Room,
    visitor: Visitor,
    now: float,
    game_id: str,
    ply: int,
    api: str,
    answers: Sequence[Any],
    calls: Sequence[int],
    move_id: str,
) -> Decided:
    """What the owner's own bot is asked next, once it has answered this; or it moves."""
    _check_owner(room, visitor, game_id)
    game = room.game
    if move_id in game.moves_made:
        return Decided(answer={"repeated": True})
    check_turn(game, visitor, ply)
    if game.start.variant not in APIS[api].games:
        games = APIS[api].games
        words = {"games": ", ".join(games)}
        raise Refused("invalid", why="api", field="api", problem="wrong", words=words)
    try:
        reply = after_answers(api, game.record.position, answers)
    except BotFault as fault:
        drafts = faulted(game, game.to_move, str(fault), calls)
        return Decided(drafts, answer={"fault": str(fault)})
    if isinstance(reply, dict):
        return Decided(answer={"request": reply})
    text = game.record.position.notate(reply)
    return Decided(turn(game, {"move": text, "id": move_id, "calls": list(calls)}))


def fault(
    room: Room,
    visitor: Visitor,
    now: float,
    game_id: str,
    ply: int,
    why: str,
    calls: Sequence[int],
) -> Decided:
    """The owner's own bot couldn't answer at all."""
    _check_owner(room, visitor, game_id)
    check_turn(room.game, visitor, ply)
    return Decided(faulted(room.game, room.game.to_move, why, calls))


def stop(room: Room, visitor: Visitor, now: float, game_id: str) -> Decided:
    """End a contest that isn't wanted any more."""
    _check_owner(room, visitor, game_id)
    return Decided([("stop", {})])


def _check_owner(room: Room, visitor: Visitor, game_id: str) -> None:
    check_latest(room, game_id)
    if not room.is_directed_by(visitor.identity):
        raise Refused("not_yours", why="contest")
