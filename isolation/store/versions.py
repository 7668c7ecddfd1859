"""Which version of the tables a database has, and how it gets to another."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, Table

from isolation.store.tables import metadata

MIGRATIONS = Path(__file__).with_name("migrations")
VERSION_TABLE = "alembic_version"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def current_revision(connection: Connection) -> str | None:
    """None in a database that's empty, or isn't ours."""
    return MigrationContext.configure(connection).get_current_revision()


def known_revisions() -> set[str]:
    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Within the transaction that the connection is in."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def tables_there(connection: Connection) -> list[Table]:
    """Our tables as this database has them, referenced ones first; it may be an older version."""
    return [table for table in _reflected(connection) if table.name != VERSION_TABLE]


def drop_all(connection: Connection) -> None:
    """Ours, and nobody else's: several programs may share a database."""
    for table in reversed(_reflected(connection)):
        table.drop(connection)


def _reflected(connection: Connection) -> list[Table]:
    found = MetaData()
    ours = {*metadata.tables, VERSION_TABLE}
    found.reflect(connection, only=lambda name, _: name in ours, resolve_fks=False)
    return found.sorted_tables
