"""Games as clients see them: who plays, the clocks, offers, the result; and what a move changes."""

from dataclasses import replace
from typing import Any

from isolation.engines.levels import LEVELS
from isolation.rooms.game import Game
from isolation.rooms.views.boards import board, choices, turn
from isolation.rules import GameRecord, Move, Outcome
from isolation.rules.endings import ending_words
from isolation.rules.record import RESULTS
from isolation.rules.words import printable


def players(game: Game) -> list[dict[str, Any]]:
    return [
        {
            "kind": seat.kind,
            "name": seat.shown_name,
            "level": seat.level,
            "level_name": seat.level and LEVELS[game.start.variant][seat.level - 1].name,
            "taken": seat.is_taken,
            "bot": seat.is_bot,
        }
        for seat in game.seats
    ]


def outcome(ended: Outcome | None, is_aborted: bool = False) -> dict[str, Any] | None:
    """How a game ended, in codes and values; `message` is a courtesy."""
    if not ended:
        return None
    return {
        "winner": ended.winner,
        "reason": str(ended.reason),
        "player": ended.player,
        "detail": ended.detail,
        "message": ending_words(ended),
        "result": "aborted" if is_aborted else RESULTS[ended.winner],
        "aborted": is_aborted,
    }


def clocks(game: Game, now: float, is_stopped: bool) -> dict[str, Any]:
    left = game.time_left(now)
    return {
        "left": [round(seconds, 3) for seconds in left] if game.start.clock else None,
        "running": game.is_clock_running and not is_stopped,
    }


def offers(game: Game) -> dict[str, Any]:
    return {"draw_offer": game.draw_offer, "takeback_offer": game.takeback_offer}


def state(game: Game, now: float, is_stopped: bool = False) -> dict[str, Any]:
    """All but the board and the moves: what most events change."""
    return {
        "room": game.start.room,
        "game": game.id,
        "v": game.v,
        "ply": game.ply,
        "to_move": game.to_move,
        "players": players(game),
        **clocks(game, now, is_stopped),
        **offers(game),
        "rematch_offer": game.rematch_offer,
        "asked": game.asked,
        "outcome": outcome(game.outcome, game.is_aborted),
    }


def snapshot(game: Game, now: float, is_stopped: bool = False) -> dict[str, Any]:
    """Everything about a game."""
    start, record = game.start, game.record
    return {
        **state(game, now, is_stopped),
        "number": start.number,
        "variant": start.variant,
        "options": dict(start.options),
        "clock": start.clock.to_dict() if start.clock else None,
        "start": start.position,
        "board": board(record.position),
        "moves": " ".join(record.notation()),
        "last": last_move(game),
        "choices": choices(record.position) if game.is_on else None,
        "has_draws": record.variant.has_draws,
        "turns_board": record.variant.position.turns_board,
    }


def last_move(game: Game) -> list[int]:
    turns = game.record.turns
    return list(turns[-1]) if turns and not isinstance(turns[-1], str) else []


def moved(before: Game, game: Game, now: float, is_stopped: bool = False) -> dict[str, Any]:
    """What the latest move changes."""
    position = game.record.position
    note = game.notes.get(before.ply)
    return {
        "room": game.start.room,
        "game": game.id,
        "v": game.v,
        "ply": game.ply,
        **turn(before.record.position, game.record.turns[-1], position, note),
        **clocks(game, now, is_stopped),
        **offers(game),
        "choices": choices(position) if game.is_on else None,
        "outcome": outcome(game.outcome, game.is_aborted),
    }


def diagram(record: GameRecord, last: Move, has_passed: bool) -> dict[str, Any]:
    """A board to try things on, after what was tried."""
    position, ended = record.position, record.outcome
    return {
        "board": board(position),
        "choices": None if ended else choices(position),
        "to_move": position.to_move,
        "last": list(last),
        "passed": has_passed,
        "outcome": outcome(ended),
    }


def record(game: Game) -> GameRecord:
    """The record with the names of the players. An aborted game has no result."""
    tags = {
        f"Player{player + 1}": printable(seat.shown_name)
        for player, seat in enumerate(game.seats)
        if seat.shown_name
    }
    ending = None if game.is_aborted else game.record.ending
    return replace(game.record, tags=tags, ending=ending)


def exported(game: Game, room: str | None) -> dict[str, Any]:
    """A game with all its moves; `room` only for those who may know it."""
    return {
        "id": game.id,
        "room": room,
        "number": game.start.number,
        "created": game.start.created,
        "clock": game.start.clock.to_dict() if game.start.clock else None,
        "aborted": game.is_aborted,
        **record(game).to_dict(),
    }
