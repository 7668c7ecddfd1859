"""The store on SQLAlchemy Core: SQLite by default, PostgreSQL where the address says so."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, create_engine, event, insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import StaticPool

from isolation.rooms.clock import TimeControl
from isolation.rooms.game import Event, GameStart, Seat
from isolation.rooms.ports import ChatLine, RoomRow, SeqTakenError, StoreDownError
from isolation.rules import find_variant
from isolation.store.tables import chat, events, games, heartbeat, rooms
from isolation.store.trouble import StoreError, explain, first_line, prepare_file, read_address

MIGRATIONS = Path(__file__).with_name("migrations")


# Errors of the driver that come from what it was asked, not from the state of the database.
OURS = (IntegrityError, DataError, ProgrammingError, NotSupportedError)


class Watch(Protocol):
    """Wants to know how the database is."""

    def failed(self, reason: str) -> None: ...

    def worked(self) -> None:
        """Something was written."""


class SqlStore:
    """Every call is one short transaction: SQLite does not let other green threads run in it."""

    def __init__(self, address: str) -> None:
        self._engine = connect(address)
        self.watch: Watch | None = None  # from when the server runs
        self._resting_until = 0.0  # until then nothing is written
        self._reason = ""  # why the last call failed

    def reach(self) -> None:
        """Open a connection, or StoreError."""
        try:
            self._engine.connect().close()
        except SQLAlchemyError as error:
            raise StoreError(explain(error, self._engine.url)) from error

    def migrate(self) -> None:
        """Bring the database to the newest version of the tables, from any older one."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        try:
            with self._engine.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except (SQLAlchemyError, CommandError) as error:
            raise StoreError(explain(error, self._engine.url)) from error

    def explain(self, error: StoreDownError) -> str:
        """Why a call failed, and what to do about it."""
        cause = error.__cause__
        return explain(cause if isinstance(cause, Exception) else error, self._engine.url)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if time.monotonic() < self._resting_until:
            raise self._failed()
        with self._watched(), self._engine.begin() as connection:
            yield connection
        if self.watch:
            self.watch.worked()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._watched(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Whatever the database is to blame for becomes StoreDownError, and is told."""
        begun = time.monotonic()
        try:
            yield
        except OURS:
            raise
        except (DBAPIError, PoolTimeoutError) as error:
            self._reason = first_line(error, self._engine.url)
            self._rest(time.monotonic() - begun)
            raise self._failed() from error

    def _failed(self) -> StoreDownError:
        if self.watch:
            self.watch.failed(self._reason)
        return StoreDownError(self._reason)

    def _rest(self, seconds: float) -> None:
        """SQLite holds up all green threads while it waits for a lock: let them run as long."""
        if self._engine.dialect.name == "sqlite":
            self._resting_until = time.monotonic() + seconds

    def check(self) -> None:
        with self._reading() as connection:
            connection.execute(select(heartbeat.c.at))

    def create_game(
        self, start: GameStart, log: Sequence[Event], room: RoomRow | None = None
    ) -> None:
        row = {
            "id": start.id,
            "room": start.room,
            "number": start.number,
            "variant": start.variant,
            "start": json.dumps(_start_to_dict(start)),
            "created": start.created,
        }
        with self._writing() as connection:
            if room:
                connection.execute(insert(rooms), asdict(room))
            connection.execute(insert(games), row)
            _insert_events(connection, start.id, log)

    def append(self, game: str, log: Sequence[Event], ended: str | None) -> None:
        try:
            with self._writing() as connection:
                _insert_events(connection, game, log)
                if ended is not None:
                    connection.execute(update(games).where(games.c.id == game).values(result=ended))
        except IntegrityError as error:
            raise SeqTakenError from error

    def load_game(self, game: str) -> tuple[GameStart, list[Event]] | None:
        with self._reading() as connection:
            row = connection.execute(select(games).where(games.c.id == game)).first()
            if row is None:
                return None
            log = connection.execute(
                select(events.c.seq, events.c.kind, events.c.data, events.c.at)
                .where(events.c.game == game)
                .order_by(events.c.seq)
            )
            found = [Event(seq, kind, json.loads(data), at) for seq, kind, data, at in log]
        return _start_from_row(row), found

    def load_room(self, room: str) -> tuple[RoomRow, list[str]] | None:
        with self._reading() as connection:
            row = connection.execute(select(rooms).where(rooms.c.id == room)).first()
            if row is None:
                return None
            ids = connection.execute(
                select(games.c.id).where(games.c.room == room).order_by(games.c.number)
            )
            found = RoomRow(row.id, row.is_public, row.kind, row.created, row.owner)
            return found, [one for (one,) in ids]

    def unfinished_rooms(self) -> list[str]:
        with self._reading() as connection:
            found = connection.execute(
                select(games.c.room).where(games.c.result.is_(None)).order_by(games.c.created)
            )
            return [room for (room,) in found]

    def rooms_of(self, identity: str) -> list[str]:
        mark = f'"identity": {json.dumps(identity)}'
        query = (
            select(games.c.room)
            .join(events, events.c.game == games.c.id)
            .where(games.c.result.is_(None), events.c.kind == "seat")
            .where(events.c.data.contains(mark, autoescape=True))
            .order_by(games.c.created)
        )
        with self._reading() as connection:
            return list(dict.fromkeys(room for (room,) in connection.execute(query)))

    def add_chat(self, room: str, line: ChatLine) -> None:
        row = {
            "room": room,
            "at": line.at,
            "name": line.name,
            "text": line.text,
            "player": line.player,
        }
        with self._writing() as connection:
            connection.execute(insert(chat), row)

    def load_chat(self, room: str, most: int) -> list[ChatLine]:
        with self._reading() as connection:
            found = connection.execute(
                select(chat.c.at, chat.c.name, chat.c.text, chat.c.player)
                .where(chat.c.room == room)
                .order_by(chat.c.id.desc())
                .limit(most)
            )
            return [ChatLine(*row) for row in found][::-1]

    def beat(self, at: float) -> None:
        with self._writing() as connection:
            changed = connection.execute(update(heartbeat).values(at=at)).rowcount
            if not changed:
                connection.execute(insert(heartbeat), {"id": 1, "at": at})

    def last_beat(self) -> float | None:
        with self._reading() as connection:
            return connection.execute(select(heartbeat.c.at)).scalar()


def connect(address: str) -> Engine:
    """An engine for an address like sqlite:///file or postgresql://user@host/name."""
    url = read_address(address)
    if url.get_backend_name() == "postgresql":
        # psycopg 3 blocks the event loop, psycopg2 is made green by eventlet.
        limits = {"connect_timeout": 5, "options": "-c statement_timeout=5000"}
        return create_engine(
            url.set(drivername="postgresql+psycopg2"), pool_pre_ping=True, connect_args=limits
        )
    prepare_file(url)
    # One connection is enough: its calls never yield, so they never overlap.
    engine = create_engine(
        url, poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": 2.0}
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, DDL among them
        # Written ahead: a killed process loses nothing that was committed.
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def _insert_events(connection: Connection, game: str, log: Sequence[Event]) -> None:
    rows = [
        {"game": game, "seq": one.seq, "kind": one.kind, "data": json.dumps(one.data), "at": one.at}
        for one in log
    ]
    if rows:
        connection.execute(insert(events), rows)


def _start_to_dict(start: GameStart) -> dict[str, Any]:
    return {
        "options": dict(start.options),
        "clock": start.clock.to_dict() if start.clock else None,
        "seats": [[seat.kind, seat.level] for seat in start.seats],
        "first": start.first,
    }


def _start_from_row(row: Any) -> GameStart:
    data = json.loads(row.start)
    first, second = (Seat(kind, level) for kind, level in data["seats"])
    clock = TimeControl.from_dict(data["clock"])
    return GameStart(
        row.id,
        row.room,
        row.number,
        row.variant,
        find_variant(row.variant).check(data["options"]),
        clock,
        (first, second),
        data["first"],
        row.created,
    )
