"""Claims on a database: one server alone, or several that share it, but never both.

A claim is gone the moment its process dies, however it dies.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO, Protocol

from sqlalchemy import Connection, text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError

from isolation.store.opening import apart
from isolation.store.trouble import StoreError

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: there nobody checks
    fcntl = None  # type: ignore[assignment]

KEY = 0x15_01A7_1014  # of the advisory lock: any number that no other program uses here
PATIENCE_S = 5.0  # for a killed process's claim to fade, or for the first one up to share its own
AGAIN_S = 0.1
FADING_S = 10.0  # for a session of ours that was cut off to end, and let go of the lock
TAKEN = "another Isolation server uses this database. Stop it first, or "
TAKEN_FILE = TAKEN + "name another file in DATABASE_URL"
TAKEN_SERVER = TAKEN + "give all of them the same REDIS_URL"


class Claim(Protocol):
    """A lock that one holds whole, or several together."""

    taken: str  # what to say where it can't be had

    def take(self, is_whole: bool) -> bool:
        """At once, or not at all."""

    def share(self) -> None:
        """Let others have a part, without giving up one's own for a moment."""

    def keep(self) -> bool:
        """Take it again if it was lost; whether we have it."""

    def release(self) -> None: ...


def stake(
    take: Callable[[bool], bool],
    is_shared: bool,
    is_anyone_alive: Callable[[], bool],
    taken: str,
) -> bool:
    """Take a claim, or StoreError. Whether nobody else was up: then it's held whole.

    The claim of a machine that has died fades slowly. So it takes a living process to believe
    that we aren't the first.
    """
    deadline = time.monotonic() + PATIENCE_S
    while True:
        if take(True):
            return True
        is_late = time.monotonic() > deadline
        if is_shared and (is_late or is_anyone_alive()) and take(False):
            return False
        if is_late:
            raise StoreError(taken)
        time.sleep(AGAIN_S)


class NoClaim:
    """On a database in memory, which nobody else can reach."""

    taken = ""

    def take(self, is_whole: bool) -> bool:
        return True

    def share(self) -> None: ...

    def keep(self) -> bool:
        return True

    def release(self) -> None: ...


class FileClaim:
    """A lock on a file beside the database. The database itself has locks of its own."""

    taken = TAKEN_FILE

    def __init__(self, database: Path) -> None:
        resolved = database.resolve()
        self._path = resolved.with_name(f"{resolved.name}.lock")
        self._file: IO[bytes] | None = None

    def take(self, is_whole: bool) -> bool:
        return self._lock(fcntl.LOCK_EX if is_whole else fcntl.LOCK_SH)

    def share(self) -> None:
        self._lock(fcntl.LOCK_SH)

    def _lock(self, kind: int) -> bool:
        try:
            self._file = self._file or self._path.open("ab")
            fcntl.flock(self._file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreError(f"{self._path} can't be locked: {error.strerror}") from error
        return True

    def keep(self) -> bool:
        return True

    def release(self) -> None:
        if self._file:
            self._file.close()
        self._file = None


class PostgresClaim:
    """An advisory lock of a session that does nothing else, and so is never given back to a pool.

    PostgreSQL forgets it when it restarts: `keep` takes it anew.
    """

    taken = TAKEN_SERVER

    def __init__(self, engine: Engine) -> None:
        self._engine = apart(engine)
        self._connection: Connection | None = None
        self._is_whole: bool | None = None  # None while we want none
        self._lost: float | None = None  # since when somebody else has it
        self._asking = Lock()

    def take(self, is_whole: bool) -> bool:
        if not self._ask("pg_try_advisory_lock" if is_whole else "pg_try_advisory_lock_shared"):
            if self._is_whole is not None:
                self._drop()  # a session without the lock is none to keep
            return False
        self._is_whole = is_whole
        return True

    def share(self) -> None:
        if self._is_whole:
            self.take(is_whole=False)
            self._ask("pg_advisory_unlock")

    def keep(self) -> bool:
        # A second beat at the same time would find the session in use.
        if self._is_whole is None or not self._asking.acquire(blocking=False):
            return True
        try:
            if self._is_held() or self.take(self._is_whole):
                self._lost = None
                return True
        finally:
            self._asking.release()
        # It may be our own session of before, which PostgreSQL hasn't ended yet.
        self._lost = self._lost or time.monotonic()
        return time.monotonic() - self._lost < FADING_S

    def _is_held(self) -> bool:
        """By a session that's alive: what it took, it has."""
        with suppress(DBAPIError):
            return self._connection is not None and self._execute("SELECT true")
        return False

    def _ask(self, function: str) -> bool:
        return self._execute(f"SELECT {function}({KEY})")

    def _execute(self, query: str) -> bool:
        if self._connection is None:
            self._connection = self._engine.connect()
        try:
            return bool(self._connection.execute(text(query)).scalar())
        except BaseException:  # a timeout too: nobody knows what state the session is in
            self._drop()
            raise

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            with suppress(DBAPIError):
                connection.invalidate()
            connection.close()

    def release(self) -> None:
        if self._is_whole is not None and self._connection:
            # At once: a session that's cut off keeps its locks until PostgreSQL notices.
            with suppress(DBAPIError):
                self._execute("SELECT true FROM pg_advisory_unlock_all()")
        self._is_whole = None
        self._drop()
        self._engine.dispose()


def claim_on(engine: Engine) -> Claim:
    """The claim that fits a database."""
    if engine.url.get_backend_name() == "postgresql":
        return PostgresClaim(engine)
    name = engine.url.database
    if fcntl is None or not name or name == ":memory:" or name.startswith("file:"):
        return NoClaim()
    return FileClaim(Path(name))
