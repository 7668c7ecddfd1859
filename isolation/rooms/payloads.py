"""What clients are told of a game: JSON that a board can draw without knowing any rules.

A snapshot is all of it. A move event is what a move changes, and small on the largest board: cells
for the first step, and for the second the word "open" where any open cell will do.
"""

from typing import Any

from isolation.engines.levels import LEVELS
from isolation.rooms.game import Game
from isolation.rules import Position

OPEN = "open"  # any cell that is open once the first step is made, but the one stepped to


def choices(position: Position) -> dict[str, Any]:
    """The legal choices: `first` cells, and what may follow each: `then`."""
    first = position.next_cells()
    if not first:
        return {"first": [], "then": None, "task": "pass"}
    tasks = {"task": position.task()}
    if position.cells_per_move == 1:
        return {"first": first, "then": None, **tasks}
    tasks["next_task"] = position.task((first[0],))
    if position.has_open_second:
        return {"first": first, "then": OPEN, **tasks}
    return {"first": first, "then": {cell: position.next_cells((cell,)) for cell in first}, **tasks}


def board(position: Position) -> dict[str, Any]:
    """What a board shows; blocked cells as a hexadecimal bit set, cell 0 being the lowest bit."""
    return {**position.describe(), "blocked": f"{position.blocked:x}"}


def players(game: Game) -> list[dict[str, Any]]:
    shown = []
    for seat in game.seats:
        level = seat.level and LEVELS[game.start.variant][seat.level - 1].name
        name = seat.name or (level or "")
        shown.append({"kind": seat.kind, "name": name, "level": seat.level, "taken": seat.is_taken})
    return shown


def outcome(game: Game) -> dict[str, Any] | None:
    ended = game.outcome
    if not ended:
        return None
    return {
        "winner": ended.winner,
        "reason": str(ended.reason),
        "result": game.result,
        "aborted": game.is_aborted,
    }


def state(game: Game, now: float) -> dict[str, Any]:
    """All but the board and the moves: what most events change."""
    left = game.time_left(now)
    return {
        "game": game.start.id,
        "v": game.v,
        "ply": game.ply,
        "to_move": game.to_move,
        "players": players(game),
        "left": [round(seconds, 3) for seconds in left] if game.start.clock else None,
        "running": game.is_clock_running,
        "draw_offer": game.draw_offer,
        "takeback_offer": game.takeback_offer,
        "outcome": outcome(game),
    }


def snapshot(game: Game, now: float) -> dict[str, Any]:
    """Everything about a game."""
    return {
        **state(game, now),
        "room": game.start.room,
        "number": game.start.number,
        "variant": game.start.variant,
        "options": dict(game.start.options),
        "clock": game.start.clock.to_dict() if game.start.clock else None,
        "board": board(game.record.position),
        "moves": " ".join(game.record.notation()),
        "last": last_move(game),
        "choices": choices(game.record.position) if game.is_on else None,
    }


def last_move(game: Game) -> list[int]:
    turns = game.record.turns
    return list(turns[-1]) if turns and not isinstance(turns[-1], str) else []


def moved(before: Game, game: Game, now: float) -> dict[str, Any]:
    """What the latest move changes."""
    position = game.record.position
    old = before.record.position.blocked
    left = game.time_left(now)
    return {
        "game": game.start.id,
        "v": game.v,
        "ply": game.ply,
        "move": before.record.position.notate(game.record.turns[-1]),  # type: ignore[arg-type]
        "cells": last_move(game),
        "pieces": position.describe()["pieces"],
        "block": f"{position.blocked & ~old:x}",
        "unblock": f"{old & ~position.blocked:x}",
        "to_move": position.to_move,
        "left": [round(seconds, 3) for seconds in left] if game.start.clock else None,
        "running": game.is_clock_running,
        "draw_offer": game.draw_offer,
        "takeback_offer": game.takeback_offer,
        "choices": choices(position) if game.is_on else None,
        "outcome": outcome(game),
    }
