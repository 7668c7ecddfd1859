"""What a game begins with, as a row of the games table."""

import json
from typing import Any

from isolation.rooms.clock import TimeControl
from isolation.rooms.game import GameStart, Seat
from isolation.rules import find_variant


def start_to_row(start: GameStart) -> dict[str, Any]:
    data: dict[str, Any] = {
        "options": dict(start.options),
        "clock": start.clock.to_dict() if start.clock else None,
        "seats": [[seat.kind, seat.level] for seat in start.seats],
        "first": start.first,
    }
    if start.position is not None:
        data["position"] = start.position
    if start.score is not None:
        data["score"] = start.score
    return {
        "id": start.id,
        "room": start.room,
        "number": start.number,
        "variant": start.variant,
        "start": json.dumps(data),
        "created": start.created,
    }


def start_from_row(row: Any) -> GameStart:
    data = json.loads(row.start)
    first, second = (Seat(kind, level) for kind, level in data["seats"])
    score = data.get("score")
    return GameStart(
        row.id,
        row.room,
        row.number,
        row.variant,
        find_variant(row.variant).check(data["options"]),
        TimeControl.from_dict(data["clock"]),
        (first, second),
        data["first"],
        row.created,
        data.get("position"),
        (score[0], score[1]) if score else None,
    )
