"""A whole database written to a backup, while others go on using it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection, Engine, Table, func, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from isolation.store.backups import BackupError, Header, Row, Section, write_anew, write_backup
from isolation.store.opening import connect
from isolation.store.trouble import NEWER, StoreError, explain, read_address
from isolation.store.versions import current_revision, known_revisions, tables_there

PAGE = 1_000  # rows that are in memory at a time


def dump(address: str, path: Path, secret_key: str | None = None) -> Header:
    """Write a new backup: all tables, as they were at one moment.

    The tables that say when the site was last alive come along: a restored site starts as it would
    after a power cut at that moment, and charges nobody's clock for the time since.
    """
    _check_file_exists(address)
    headers: list[Header] = []
    with opened(address) as engine, snapshot(engine) as connection:

        def write(file: BinaryIO) -> None:
            tables = tables_there(connection)
            headers.append(_header(connection, tables, secret_key))
            write_backup(file, headers[0], _rows(connection, tables))

        write_anew(path, write)
    return headers[0]


@contextmanager
def opened(address: str) -> Iterator[Engine]:
    """For one command. StoreError says what's wrong with the database."""
    engine = connect(address)
    try:
        yield engine
    except SQLAlchemyError as error:
        raise StoreError(explain(error, engine.url)) from error
    finally:
        engine.dispose()


def take_time(connection: Connection) -> None:
    """Lift the limits of PostgreSQL, which are for people who wait."""
    for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {limit} = 0"))


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees the database as it was at one moment, and locks nobody out."""
    with engine.connect() as connection:
        if engine.url.get_backend_name() == "postgresql":
            connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            take_time(connection)
        yield connection


def _header(connection: Connection, tables: list[Table], secret_key: str | None) -> Header:
    revision = current_revision(connection)
    if revision is None:
        raise BackupError("there's nothing to back up: the database has no games of Isolation yet")
    if revision not in known_revisions():
        raise StoreError(NEWER)
    sections = [
        Section(table.name, list(table.columns.keys()), _count(connection, table))
        for table in tables
    ]
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Header(revision, created, sections, secret_key)


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _rows(connection: Connection, tables: list[Table]) -> Iterator[Row]:
    for table in tables:
        paged = connection.execution_options(stream_results=True, yield_per=PAGE)
        for row in paged.execute(select(table)):
            yield list(row)


def _check_file_exists(address: str) -> None:
    """BackupError for an SQLite file that isn't there: opening it would make one."""
    path = _file(read_address(address))
    if path and not path.exists():
        raise BackupError(f"there's nothing to back up: {path} doesn't exist")


def _file(url: URL) -> Path | None:
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(url.database or "") if is_file else None
