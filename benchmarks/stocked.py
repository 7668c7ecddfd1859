"""Databases with many games, for benchmarks: unfinished ones, finished ones, very long ones.

Unfinished and long games go through the store's own code, with logs that were checked as they are
when people play. Finished ones are copies of one game, made by the database itself.
"""

import json
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import psycopg2

from isolation.rooms.change import opened
from isolation.rooms.clock import TimeControl
from isolation.rooms.game import GameStart, Seat
from isolation.rooms.kinds import FRIEND
from isolation.rooms.log import Draft
from isolation.rooms.room import RoomRow
from isolation.rules import VARIANTS, GameRecord
from isolation.store import SqlStore
from tests.playing import random_move

PLIES = 20
TEMPLATES = 40  # different games; the others are copies of these
OUTAGE_S = 2100.0  # since the last beat of the server before
HALF_AN_HOUR = TimeControl(1800.0, 5.0)
LONGEST = TimeControl(10_800.0, 10.0)
TWO_DAYS = TimeControl(2 * 86400.0, is_per_turn=True)

Game = tuple[str, dict[str, Any], list[str]]  # the variant, its options, the moves


def store_in(folder: Path) -> SqlStore:
    """An empty store where a server with this folder looks for its own."""
    store = SqlStore(f"sqlite:///{folder / 'isolation.db'}", "normal")
    store.migrate()
    return store


def add_room(
    store: SqlStore,
    name: str,
    game: Game,
    players: Sequence[str] = ("ann", "bob"),
    clock: TimeControl | None = None,
    created: float = 0.0,
    is_public: bool = False,
) -> None:
    """A room with a game in which these moves were made, all at the same moment."""
    variant, options, moves = game
    row = RoomRow(name, is_public, FRIEND, created, players[0])
    seats = (Seat(), Seat())
    start = GameStart(f"g{name}", name, 1, variant, options, clock, seats, 0, created)
    drafts: list[Draft] = [
        ("seat", {"seat": at, "identity": player, "name": player.title()[:20]})
        for at, player in enumerate(players)
    ]
    drafts += [("move", {"move": text, "id": f"{name}-{ply}"}) for ply, text in enumerate(moves)]
    _, entry = opened(row, start, drafts)
    store.create_room(row, start, entry)


def games(lot: Random, plies: int = PLIES) -> Iterator[Game]:
    """Games of every kind that aren't over after so many plies."""
    for variant in cycle(VARIANTS):
        record = GameRecord.begin(variant)
        while not record.outcome and len(record.turns) < plies:
            record = record.play(random_move(record.position, lot)).with_passes()
        if not record.outcome:
            yield variant, record.options, record.notation()


def add_unfinished(store: SqlStore, count: int) -> list[str]:
    """Rooms as a server finds them after half an hour off; their names."""
    now, lot = time.time(), Random(7)
    last_beat = now - OUTAGE_S
    templates = list(islice(games(lot, 10), TEMPLATES))
    store.beat("stocked", last_beat, last_beat)
    kinds = (
        *[partial(_add_waiting, last_beat=last_beat)] * 5,
        *[partial(_add_played, created=now - 86400.0)] * 7,
        *[partial(_add_played, clock=TWO_DAYS, created=now - 86400.0)] * 3,
        *[partial(_add_played, clock=LONGEST, created=last_beat - 60.0)] * 3,
        # Would have run out of time while the server was off: to be looked at after the start.
        *[partial(_add_played, clock=HALF_AN_HOUR, created=last_beat - 60.0)] * 2,
    )
    names = [f"r{number}" for number in range(count)]
    for number, name in enumerate(names):
        kinds[number % len(kinds)](store, name, templates[number % TEMPLATES])
    return names


def _add_waiting(store: SqlStore, name: str, game: Game, last_beat: float) -> None:
    variant, options, _ = game
    add_room(store, name, (variant, options, []), [f"a{name}"], created=last_beat, is_public=True)


def _add_played(store: SqlStore, name: str, game: Game, **more: Any) -> None:
    add_room(store, name, game, (f"a{name}", f"b{name}"), **more)


def add_finished(address: str, count: int, bot: str) -> None:
    """Rooms of finished games with all that belongs to them; a bot has played one in fifty."""
    person = ["person", None]
    start: dict[str, Any] = {"options": {}, "clock": None, "seats": [person, person], "first": 0}
    values = {"count": count, "bot": bot, "start": json.dumps(start)}
    fill = psycopg2.connect(address)
    with fill, fill.cursor() as cursor:
        # The copies are right by construction: no need to look up what each refers to.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("CREATE TEMP TABLE log (seq int, kind text, data text)")
        cursor.executemany("INSERT INTO log VALUES (%s, %s, %s)", _finished_log())
        for statement in _FILL:
            cursor.execute(statement, {**values, "now": time.time()})
    fill.autocommit = True
    with fill.cursor() as cursor:
        cursor.execute("ANALYZE")  # as PostgreSQL does by itself, some time later
    fill.close()


def _finished_log() -> list[tuple[int, str, str]]:
    moves = next(games(Random(3), 18))[2]
    drafts: Iterator[Draft] = chain(
        (("seat", {"seat": at, "identity": f"p{at}", "name": "Somebody"}) for at in (0, 1)),
        (("move", {"move": text, "id": "0" * 32}) for text in moves),
        [("resign", {"player": 0})],
    )
    return [(seq, kind, json.dumps(data)) for seq, (kind, data) in enumerate(drafts, start=1)]


_NAMED = "generate_series(1, %(count)s) AS n, LATERAL (SELECT substr(md5(n::text), 1, 12) AS id) k"
_WHEN = "%(now)s - 1e7 * random()"
_FILL = (
    f"INSERT INTO rooms SELECT id, n %% 4 = 0, 'friend', {_WHEN}, 'p' || n %% 9999 FROM {_NAMED}",
    f"INSERT INTO games SELECT 'g' || id, id, 1, 'classic', %(start)s, {_WHEN}, '0-1', NULL "
    f"FROM {_NAMED}",
    "INSERT INTO seats SELECT 'g' || id, player, "
    "CASE WHEN player = 0 AND n %% 50 = 0 THEN %(bot)s ELSE 'p' || (n * 7 + player) %% 9999 END, "
    f"true FROM {_NAMED}, generate_series(0, 1) AS player",
    "INSERT INTO events SELECT 'g' || id, seq, kind, data, %(now)s - 1e6 + seq "
    f"FROM {_NAMED}, log ORDER BY id, seq",
    "INSERT INTO chat (room, at, name, text, player, is_for_players) "
    f"SELECT id, {_WHEN}, 'Somebody', 'Good luck, have fun!', line, true "
    f"FROM {_NAMED}, generate_series(0, 1) AS line",
)
