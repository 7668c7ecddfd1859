"""The store on SQLAlchemy Core: SQLite by default, PostgreSQL where the address says so."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict
from traceback import clear_frames
from typing import Protocol

from alembic.util import CommandError
from sqlalchemy import Connection, func, insert, select, text, update
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from isolation.rooms.game import GameStart
from isolation.rooms.log import Event
from isolation.rooms.ports import Beat, ChatLine, Entry, SeqTakenError, StoreDownError, StoredRoom
from isolation.rooms.room import GAMES_TOLD, RoomRow
from isolation.rooms.timing import Outage
from isolation.store.beats import SqlBeats
from isolation.store.claims import claim_on, stake
from isolation.store.entries import finish, insert_entries, insert_game, score_before, set_due
from isolation.store.grouping import Grouped
from isolation.store.opening import connect
from isolation.store.starts import start_from_row
from isolation.store.tables import chat, events, games, outages, processes, rooms, seats
from isolation.store.tokens import SqlTokens
from isolation.store.trouble import OutOfPatience, StoreError, explain, first_line
from isolation.store.versions import upgrade

TROUBLE_S = 10.0  # that a failed write counts, if nobody tries another
MIGRATING = 0x15_01A7_0007  # the key of the advisory lock under which they run
HANGS = "it doesn't answer"

# Makes something that raises OutOfPatience in a call that takes too long.
Patience = Callable[[], AbstractContextManager[object]]
# Errors of the driver that come from what it was asked, not from the state of the database.
OURS = (IntegrityError, DataError, ProgrammingError, NotSupportedError)


class Watch(Protocol):
    """Wants to know how the database is."""

    def failed(self, reason: str) -> None: ...

    def worked(self) -> None:
        """Something was written."""


class SqlStore:
    """Every call is one short transaction: SQLite does not let other green threads run in it.

    In a file, events that are appended at the same time share one: it waits for the disk.

    Once a call has run out of patience, nobody else waits: calls fail at once, until a beat or a
    check, which are always tried, gets an answer.
    """

    def __init__(self, address: str, sync: str = "full", patience: Patience = nullcontext) -> None:
        self._engine = connect(address, sync)
        self._is_file = self._engine.url.get_backend_name() == "sqlite"
        # A file gives up by itself: its transactions wait for a lock only before they begin.
        self._patience = nullcontext if self._is_file else patience
        self._is_hanging = False
        self._writer = self._engine.execution_options(is_writing=True)
        self._process = ""  # which has beaten
        self._failed_at: float | None = None  # when people's writes began to fail
        self.watch: Watch | None = None  # from when the server runs
        self.tokens = SqlTokens(self._reading, self._writing)
        self._beats = SqlBeats(self._reading, self._beating)
        self._claim = claim_on(self._engine)
        self._appends = Grouped(self._append_all, alone=SeqTakenError)

    def reach(self) -> None:
        """Open a connection, or StoreError."""
        try:
            self._engine.connect().close()
        except SQLAlchemyError as error:
            raise StoreError(explain(error, self._engine.url)) from error

    def migrate(self) -> None:
        """Bring the database to the newest version of the tables, from any older one."""
        try:
            with self._writer.begin() as connection:
                if not self._is_file:
                    _wait_to_migrate(connection)
                upgrade(connection)
        except (SQLAlchemyError, CommandError) as error:
            raise StoreError(explain(error, self._engine.url)) from error

    def explain(self, error: StoreDownError) -> str:
        """Why a call failed, and what to do about it."""
        cause = error.__cause__
        return explain(cause if isinstance(cause, Exception) else error, self._engine.url)

    def claim(self, is_shared: bool) -> bool:
        """Keep other servers away, but for those that share the database too, or StoreError.

        Whether we're the first one up: then nobody else starts before `share`.
        """
        try:
            return stake(self._take, is_shared, lambda: bool(self.living()[1]), self._claim.taken)
        except StoreDownError as error:
            raise StoreError(self.explain(error)) from error

    def _take(self, is_whole: bool) -> bool:
        with self._watched():
            return self._claim.take(is_whole)

    def share(self) -> None:
        """Let others that share the database start."""
        with self._watched():
            self._claim.share()

    def close(self) -> None:
        with suppress(StoreDownError), self._watched(is_vital=False):
            self._claim.release()
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._watched(), self._writer.begin() as connection:
            yield connection
        self._failed_at = None
        if self.watch:
            self.watch.worked()

    @contextmanager
    def _beating(self) -> Iterator[Connection]:
        """A transaction that is tried though others failed, and no proof that moves can be stored.

        A disk too full for a move may have room for a beat.
        """
        with self._watched(is_vital=False):
            with self._writer.begin() as connection:
                yield connection
            if not self._claim.keep():
                raise self._down(self._claim.taken)
        if self.watch:
            self.watch.worked()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._watched(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _watched(self, is_vital: bool = True) -> Iterator[None]:
        """Whatever the database is to blame for becomes StoreDownError, and is told."""
        if self._is_hanging and is_vital:
            raise self._down(HANGS)
        try:
            with self._patience():
                yield
        except OURS:
            raise
        except OutOfPatience as error:
            self._is_hanging = True
            # The frames hold a connection that was never made: it would stay open with them.
            clear_frames(error.__traceback__)
            raise self._down(HANGS, is_vital) from None
        except (DBAPIError, PoolTimeoutError) as error:
            raise self._down(first_line(error, self._engine.url), is_vital) from error
        self._is_hanging = False

    def _down(self, reason: str, is_vital: bool = True) -> StoreDownError:
        if is_vital:
            self._failed_at = time.monotonic()
        if self.watch:
            self.watch.failed(reason)
        return StoreDownError(reason)

    def check(self) -> None:
        if self._failed_at is not None and time.monotonic() - self._failed_at < TROUBLE_S:
            raise StoreDownError("a write failed a moment ago")
        # Writes, since a full disk can still be read; what is our own, since others may be stuck.
        mine = update(processes).where(processes.c.id == self._process)
        with self._watched(is_vital=False), self._writer.begin() as connection:
            connection.execute(mine.values(at=processes.c.at))

    def create_room(self, row: RoomRow, start: GameStart, entry: Entry) -> None:
        with self._writing() as connection:
            connection.execute(insert(rooms), asdict(row))
            insert_game(connection, start, entry)

    def append(self, entry: Entry) -> None:
        if self._is_file:
            self._appends.write(entry)
        else:
            self._append_all([entry])

    def _append_all(self, entries: Sequence[Entry]) -> None:
        with _racing(), self._writing() as connection:
            insert_entries(connection, entries)
            for entry in entries:
                if entry.result is not None:
                    finish(connection, entry)
                elif entry.is_due_new:
                    set_due(connection, entry.game, entry.due)

    def succeed(self, entry: Entry, start: GameStart, first: Entry) -> None:
        with _racing(), self._writing() as connection:
            insert_entries(connection, [entry])
            insert_game(connection, start, first)

    def load_room(self, room: str) -> StoredRoom | None:
        latest = select(games).where(games.c.room == room).order_by(games.c.number.desc())
        with self._reading() as connection:
            row = connection.execute(select(rooms).where(rooms.c.id == room)).first()
            game = connection.execute(latest.limit(1)).first() if row else None
            if row is None or game is None:
                return None
            ids = connection.execute(
                select(games.c.id)
                .where(games.c.room == room, games.c.number < game.number)
                .order_by(games.c.number.desc())
                .limit(GAMES_TOLD - 1)
            )
            earlier = tuple(one for (one,) in ids)[::-1]
            start = start_from_row(game)
            score = start.score or score_before(connection, start)
        made = RoomRow(row.id, row.is_public, row.kind, row.created, row.owner)
        return StoredRoom(made, start, game.due, score, earlier)

    def load_start(self, game: str) -> GameStart | None:
        with self._reading() as connection:
            row = connection.execute(select(games).where(games.c.id == game)).first()
        return start_from_row(row) if row else None

    def load_log(self, game: str, after: int = 0, most: int | None = None) -> list[Event]:
        query = (
            select(events.c.seq, events.c.kind, events.c.data, events.c.at)
            .where(events.c.game == game, events.c.seq > after)
            .order_by(events.c.seq)
            .limit(most)
        )
        with self._reading() as connection:
            log = connection.execute(query).all()
        return [Event(seq, kind, json.loads(data), at) for seq, kind, data, at in log]

    def due_games(self, now: float, most: int) -> list[tuple[str, str]]:
        query = (
            select(games.c.room, games.c.id)
            .where(games.c.due <= now)
            .order_by(games.c.due)
            .limit(most)
        )
        with self._reading() as connection:
            return [(room, game) for room, game in connection.execute(query)]

    def set_due(self, game: str, due: float | None) -> None:
        with self._writing() as connection:
            set_due(connection, game, due)

    def games_of(self, identity: str, most: int) -> dict[str, int]:
        version = select(func.max(events.c.seq)).where(events.c.game == games.c.id)
        query = (
            select(games.c.id, version.scalar_subquery())
            .join(seats, seats.c.game == games.c.id)
            .where(seats.c.identity == identity, seats.c.is_over.is_(False))
            .order_by(games.c.created.desc())
            .limit(most)
        )
        with self._reading() as connection:
            return dict(reversed([(game, v) for game, v in connection.execute(query)]))

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

    def beat(
        self, process: str, at: float, up: float | None, within: float = float("inf")
    ) -> float | None:
        self._process = process
        return self._beats.beat(process, at, up, within)

    def beats(self) -> list[Beat]:
        return self._beats.all()

    def living(self) -> tuple[float | None, list[Beat]]:
        """The database's clock, if it has one, and the processes that are alive by it."""
        return self._beats.living()

    def forget_beat(self, process: str) -> None:
        """Of a process that ends before it has served anyone."""
        self._beats.forget(process)

    def last_beat(self) -> float | None:
        return self._beats.last()

    def prune_beats(self, before: float) -> None:
        self._beats.prune(before)

    def add_outage(self, outage: Outage) -> None:
        with self._writing() as connection:
            connection.execute(insert(outages), asdict(outage))

    def outages(self, after: float) -> list[Outage]:
        query = select(outages.c.began, outages.c.ended).where(outages.c.ended > after)
        with self._reading() as connection:
            return [Outage(*row) for row in connection.execute(query.order_by(outages.c.id))]


def _wait_to_migrate(connection: Connection) -> None:
    """Let one process at a time migrate, and take as long as it needs."""
    for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {limit} = 0"))
    connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))


@contextmanager
def _racing() -> Iterator[None]:
    """Somebody else has taken a number of the log, or of the series."""
    try:
        yield
    except IntegrityError as error:
        raise SeqTakenError from error
