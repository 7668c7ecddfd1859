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
    OperationalError,
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
from isolation.store.tokens import SqlTokens
from isolation.store.trouble import StoreError, explain, first_line, prepare_file, read_address

LOCK_S = 2.0  # to wait for another process's lock on the file
LOCK_AGAIN_S = 0.05
TROUBLE_S = 10.0  # that a failed write counts, if nobody tries another
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

    def __init__(self, address: str, sync: str = "full") -> None:
        self._engine = connect(address, sync)
        self._writer = self._engine.execution_options(is_writing=True)
        self._failed_at: float | None = None  # when people's writes began to fail
        self.watch: Watch | None = None  # from when the server runs
        self.tokens = SqlTokens(self._reading, self._writing)

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
            with self._writer.begin() as connection:
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
    def _writing(self, is_vital: bool = True) -> Iterator[Connection]:
        """A transaction. A heartbeat isn't vital: a disk too full for a move may have room for it.

        So it's no proof that what people do can be stored.
        """
        with self._watched(is_vital), self._writer.begin() as connection:
            yield connection
        if is_vital:
            self._failed_at = None
        if self.watch:
            self.watch.worked()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._watched(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _watched(self, is_vital: bool = True) -> Iterator[None]:
        """Whatever the database is to blame for becomes StoreDownError, and is told."""
        try:
            yield
        except OURS:
            raise
        except (DBAPIError, PoolTimeoutError) as error:
            if is_vital:
                self._failed_at = time.monotonic()
            reason = first_line(error, self._engine.url)
            if self.watch:
                self.watch.failed(reason)
            raise StoreDownError(reason) from error

    def check(self) -> None:
        if self._failed_at is not None and time.monotonic() - self._failed_at < TROUBLE_S:
            raise StoreDownError("a write failed a moment ago")
        # Writes, since a full disk can still be read.
        with self._writer.begin() as connection:
            connection.execute(update(heartbeat).values(at=heartbeat.c.at))

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
            "is_for_players": line.is_for_players,
        }
        with self._writing() as connection:
            connection.execute(insert(chat), row)

    def load_chat(self, room: str, is_for_players: bool, most: int) -> list[ChatLine]:
        with self._reading() as connection:
            found = connection.execute(
                select(chat.c.at, chat.c.name, chat.c.text, chat.c.player, chat.c.is_for_players)
                .where(chat.c.room == room, chat.c.is_for_players == is_for_players)
                .order_by(chat.c.id.desc())
                .limit(most)
            )
            return [ChatLine(*row) for row in found][::-1]

    def beat(self, at: float) -> None:
        with self._writing(is_vital=False) as connection:
            changed = connection.execute(update(heartbeat).values(at=at)).rowcount
            if not changed:
                connection.execute(insert(heartbeat), {"id": 1, "at": at})

    def last_beat(self) -> float | None:
        with self._reading() as connection:
            return connection.execute(select(heartbeat.c.at)).scalar()


def connect(address: str, sync: str = "full") -> Engine:
    """An engine for an address like sqlite:///file or postgresql://user@host/name."""
    url = read_address(address)
    if url.get_backend_name() == "postgresql":
        # psycopg 3 blocks the event loop, psycopg2 is made green by eventlet.
        limits = {"connect_timeout": 5, "options": "-c statement_timeout=5000"}
        return create_engine(
            url.set(drivername="postgresql+psycopg2"), pool_pre_ping=True, connect_args=limits
        )
    prepare_file(url)
    # One connection is enough: its transactions never yield, so they never overlap.
    engine = create_engine(
        url, poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": 0.005}
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, DDL among them
        # Written ahead: a killed process loses nothing that was committed. With synchronous=FULL
        # the same is true of a power cut.
        for pragma in ("journal_mode=WAL", f"synchronous={sync}", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        """Wait here for somebody else's lock: nothing has begun, so others can go on meanwhile.

        SQLite's own waiting would hold up everybody.
        """
        is_writing = connection.get_execution_options().get("is_writing")
        deadline = time.monotonic() + LOCK_S
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")
            except OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(LOCK_AGAIN_S)
            else:
                return

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
