"""A backup put into a database: in one transaction, so all of it or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Integer, Table, func, insert, select, text
from sqlalchemy.exc import DataError, IntegrityError

from isolation.store.backups import Backup, BackupError, Header, newer
from isolation.store.claims import claim_on
from isolation.store.dumping import opened, take_time
from isolation.store.trouble import NEWER, StoreError
from isolation.store.versions import (
    current_revision,
    drop_all,
    known_revisions,
    tables_there,
    upgrade,
)

PAGE = 500  # rows that are inserted at a time
PASSING = {"heartbeat", "processes", "outages"}  # what any server leaves, and no loss


def restore(path: Path, address: str, replaces: bool = False) -> Header:
    """Fill an empty database and bring it to the newest version, or change nothing."""
    backup = Backup(path)
    if backup.header.revision not in known_revisions():
        raise newer(path)
    backup.check()
    with opened(address) as engine, _alone(engine):
        try:
            with _writing(engine) as connection:
                _clear(connection, replaces)
                upgrade(connection, backup.header.revision)
                _fill(connection, backup)
                upgrade(connection)
        except (CommandError, DataError, IntegrityError, KeyError):
            raise BackupError(
                f"{path} doesn't fit the tables it was made of. Nothing was changed: "
                "use another backup"
            ) from None
    return backup.header


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """A server goes on with the games it has in memory, whatever happens to the database."""
    claim = claim_on(engine)
    try:
        if not claim.take(is_whole=True):
            raise BackupError("a server is running on this database. Stop it, then restore")
        yield
    finally:
        claim.release()


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    with engine.execution_options(is_writing=True).begin() as connection:
        if engine.url.get_backend_name() == "postgresql":
            take_time(connection)
            connection.execute(text("SET LOCAL lock_timeout = '10s'"))
        yield connection


def _clear(connection: Connection, replaces: bool) -> None:
    """Make the database as new, if nothing is lost with it or that's what is wanted."""
    revision = current_revision(connection)
    if revision is not None and revision not in known_revisions():
        raise StoreError(NEWER)
    tables = tables_there(connection)
    if tables and revision is None:
        raise BackupError(
            "another program has tables of the same names in this database. Use another one"
        )
    rows = sum(_count(connection, table) for table in tables if table.name not in PASSING)
    if rows and not replaces:
        raise BackupError(
            "the database isn't empty. Restore into an empty one, or delete all that's in this one "
            "with --replace"
        )
    drop_all(connection)


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _fill(connection: Connection, backup: Backup) -> None:
    tables = {table.name: table for table in tables_there(connection)}
    for section, found in groupby(backup.rows(), key=itemgetter(0)):
        table = tables[section.table]
        columns = [table.c[name].name for name in section.columns]
        while page := [dict(zip(columns, row, strict=True)) for _, row in islice(found, PAGE)]:
            connection.execute(insert(table), page)
    if connection.dialect.name == "postgresql":
        for table in tables.values():
            _count_on(connection, table)


def _count_on(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number new rows from where the restored ones end."""
    key = next(iter(table.primary_key))
    if isinstance(key.type, Integer) and len(table.primary_key) == 1:
        last = connection.execute(select(func.max(key))).scalar()
        sequence = func.pg_get_serial_sequence(table.name, key.name)
        if last is not None:
            connection.execute(select(func.setval(sequence, last)))
