"""What clients are told of a game: JSON that a board can draw without knowing any rules.

A snapshot is all of it. A move event is what a move changes, and small on the largest board: cells
for the first step, and for the second the word "open" where any open cell will do.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from isolation.engines.levels import LEVELS
from isolation.rooms.game import Game, Note
from isolation.rules import GameRecord, Move, Position, find_variant
from isolation.rules.record import Turn

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
    return {
        **position.describe(),
        "blocked": f"{position.blocked:x}",
        "coordinates": coordinates(position),
    }


def coordinates(position: Position) -> dict[str, Any]:
    """The game's own coordinates: of cell 0, and what a step right and a step up add to them."""
    origin = _numbers(position.native(0))
    steps = {"right": 1, "up": position.grid.width if position.grid.height > 1 else 0}
    return {
        "words": find_variant(position.game).coordinates,
        "origin": origin,
        **{
            name: [there - here for here, there in zip(origin, _numbers(place), strict=True)]
            for name, place in ((name, position.native(step)) for name, step in steps.items())
        },
    }


def _numbers(native: Any) -> list[int]:
    return list(native) if isinstance(native, tuple) else [native]


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


def turn(
    before: Position, played: Turn, after: Position, note: Note | None = None
) -> dict[str, Any]:
    """What a turn changes on the board; of a bot, how long it took, and what was wrong."""
    found = {
        "move": played if isinstance(played, str) else before.notate(played),
        "cells": [] if isinstance(played, str) else list(played),
        "verbs": [] if isinstance(played, str) else _verbs(before, played),
        "pieces": after.describe()["pieces"],
        "block": f"{after.blocked & ~before.blocked:x}",
        "unblock": f"{before.blocked & ~after.blocked:x}",
        "to_move": after.to_move,
    }
    if note and note.calls:
        found["calls"] = list(note.calls)
    if note and note.fault:
        found["fault"] = note.fault
    return found


def _verbs(position: Position, move: Move) -> list[str]:
    """What was done, in a word for each cell."""
    return [position.task(move[:at]).split()[0] for at in range(len(move))]


def history(record: GameRecord, notes: Sequence[Note] = ()) -> dict[str, Any]:
    """The board at the beginning, and what each turn changed: every position of a game."""
    steps = zip(record.positions, record.turns, record.positions[1:], strict=False)
    return {
        "board": board(record.positions[0]),
        "turns": [
            turn(before, played, after, note)
            for (before, played, after), note in zip_longest(steps, notes)
        ],
    }


def moved(before: Game, game: Game, now: float) -> dict[str, Any]:
    """What the latest move changes."""
    position = game.record.position
    left = game.time_left(now)
    return {
        "game": game.start.id,
        "v": game.v,
        "ply": game.ply,
        **turn(before.record.position, game.record.turns[-1], position, game.notes[-1]),
        "left": [round(seconds, 3) for seconds in left] if game.start.clock else None,
        "running": game.is_clock_running,
        "draw_offer": game.draw_offer,
        "takeback_offer": game.takeback_offer,
        "choices": choices(position) if game.is_on else None,
        "outcome": outcome(game),
    }
