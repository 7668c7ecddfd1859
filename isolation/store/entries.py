"""What a change of a game writes, and a series adds up to, on SQLAlchemy Core."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select, update

from isolation.rooms.game import GameStart
from isolation.rooms.ports import Entry
from isolation.rooms.room import Score, added
from isolation.rules.record import RESULTS
from isolation.store.starts import start_to_row
from isolation.store.tables import events, games, seats

WINNERS = {result: winner for winner, result in RESULTS.items()}


def insert_game(connection: Connection, start: GameStart, entry: Entry) -> None:
    row = start_to_row(start)
    connection.execute(insert(games), {**row, "result": entry.result, "due": entry.due})
    insert_entries(connection, [entry])


def insert_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    log = [
        {
            "game": entry.game,
            "seq": event.seq,
            "kind": event.kind,
            "data": json.dumps(event.data),
            "at": event.at,
        }
        for entry in entries
        for event in entry.events
    ]
    if log:
        connection.execute(insert(events), log)
    sat = [
        {"game": entry.game, "player": player, "identity": identity, "is_over": False}
        for entry in entries
        for player, identity in entry.seats
    ]
    if sat:
        connection.execute(insert(seats), sat)


def finish(connection: Connection, entry: Entry) -> None:
    """Once: a rematch offer, say, comes after the result."""
    query = update(games).where(games.c.id == entry.game, games.c.result.is_(None))
    changed = connection.execute(query.values(result=entry.result, due=None)).rowcount
    if changed:
        over = update(seats).where(seats.c.game == entry.game)
        connection.execute(over.values(is_over=True))


def set_due(connection: Connection, game: str, due: float | None) -> None:
    query = update(games).where(games.c.id == game, games.c.result.is_(None))
    connection.execute(query.values(due=due))


def score_before(connection: Connection, start: GameStart) -> Score:
    """Of a series that began before games were stored with the score: from all its results."""
    query = select(games.c.start, games.c.result).where(
        games.c.room == start.room, games.c.number < start.number
    )
    total = (0.0, 0.0)
    for data, result in connection.execute(query):
        if result in WINNERS:
            total = added(total, json.loads(data)["first"], WINNERS[result])
    return total
