"""How a database is opened: SQLite or PostgreSQL, each with its own limits on waiting."""

import time
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool, StaticPool

from isolation.store.trouble import prepare_file, read_address

LOCK_S = 2.0  # to wait for another process's lock on the file
LOCK_AGAIN_S = 0.05

# What PostgreSQL itself puts an end to. A client that was stopped in the middle of a transaction
# must not hold its locks for long, and one whose machine has died must not hold its claim.
LIMITS = {
    "statement_timeout": 2000,
    "idle_in_transaction_session_timeout": 3000,
    "tcp_keepalives_idle": 3,
    "tcp_keepalives_interval": 1,
    "tcp_keepalives_count": 3,
}
CONNECTING: dict[str, Any] = {
    "connect_timeout": 5,
    "options": " ".join(f"-c {name}={value}" for name, value in LIMITS.items()),
}


def connect(address: str, sync: str = "full") -> Engine:
    """An engine for an address like sqlite:///file or postgresql://user@host/name."""
    url = read_address(address)
    if url.get_backend_name() == "postgresql":
        return create_engine(_green(url), pool_pre_ping=True, connect_args=CONNECTING)
    prepare_file(url)
    return _open_file(url, sync)


def apart(engine: Engine) -> Engine:
    """Connections to the same PostgreSQL that are nobody else's, without transactions."""
    return create_engine(
        engine.url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=CONNECTING
    )


def _green(url: URL) -> URL:
    # psycopg 3 blocks the event loop, psycopg2 is made green by eventlet.
    return url.set(drivername="postgresql+psycopg2")


def _open_file(url: URL, sync: str) -> Engine:
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
