"""Boards and what turns change on them: enough to draw every position without knowing any rules.

What can be chosen is small on the largest board: cells for the first step, and for the second the
word "open" where any open cell will do.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from isolation.rooms.game import Note
from isolation.rules import GameRecord, Move, Position, find_variant
from isolation.rules.grid import bits
from isolation.rules.record import Turn

OPEN = "open"  # any cell that is open once the first step is made, but the one stepped to
TURNS_IN_PART = 20


def choices(position: Position) -> dict[str, Any]:
    """The legal choices: `first` cells, and what may follow each: `then`.

    What is done with each is told by a code (`verb`, `next_verb`); `task` says it in English.
    """
    first = position.next_cells()
    if not first:
        return {"first": [], "then": None, "verb": "pass", "task": "pass"}
    tasks = {"verb": position.verb(), "piece": position.piece, "task": position.task()}
    if position.cells_per_move == 1:
        return {"first": first, "then": None, **tasks}
    prefix = (first[0],)
    tasks |= {"next_verb": position.verb(prefix), "next_task": position.task(prefix)}
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


def turn(
    before: Position, played: Turn, after: Position, note: Note | None = None
) -> dict[str, Any]:
    """What a turn changes on the board; for a bot, how long it took, and what was wrong."""
    told = {
        "move": played if isinstance(played, str) else before.notate(played),
        "cells": [] if isinstance(played, str) else list(played),
        "verbs": [] if isinstance(played, str) else _verbs(before, played),
        "pieces": [bits(mask) for mask in after.pieces],
        "block": f"{after.blocked & ~before.blocked:x}",
        "unblock": f"{before.blocked & ~after.blocked:x}",
        "to_move": after.to_move,
    }
    if note and note.calls:
        told["calls"] = list(note.calls)
    if note and note.fault:
        told["fault"] = note.fault
    return told


def _verbs(position: Position, move: Move) -> list[str]:
    """What was done with each cell."""
    return [position.verb(move[:at]) for at in range(len(move))]


def history(record: GameRecord, notes: Mapping[int, Note] | None = None) -> dict[str, Any]:
    """The board at the beginning, and what each turn changed: every position of a game."""
    return {"board": board(record.positions[0]), "turns": list(_turns(record, notes or {}))}


def history_text(record: GameRecord, notes: Mapping[int, Note]) -> Iterator[str]:
    """The same as JSON, in parts: a long game is too much to write at once."""
    yield f'{{"board": {json.dumps(board(record.positions[0]))}, "turns": ['
    part: list[str] = []
    separator = ""
    for told in _turns(record, notes):
        part.append(json.dumps(told))
        if len(part) == TURNS_IN_PART:
            yield separator + ", ".join(part)
            part, separator = [], ", "
    yield (separator if part else "") + ", ".join(part) + "]}"


def _turns(record: GameRecord, notes: Mapping[int, Note]) -> Iterator[dict[str, Any]]:
    after = iter(record.positions)
    before = next(after)
    for ply, (played, position) in enumerate(zip(record.turns, after, strict=True)):
        yield turn(before, played, position, notes.get(ply))
        before = position
