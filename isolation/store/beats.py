"""Which processes are alive, on SQLAlchemy Core: a row for each, and the database's clock."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from sqlalchemy import Connection, delete, extract, func, insert, literal, select, update

from isolation.rooms.ports import Beat
from isolation.store.tables import heartbeat, processes

Transaction = Callable[[], AbstractContextManager[Connection]]

# A beat comes every 1.5 s. A row from the future is from before somebody set the clock back.
LIVING_S = 5.0


class SqlBeats:
    """Rows of processes. Each writes only its own, so nobody waits for another's."""

    def __init__(self, reading: Transaction, beating: Transaction) -> None:
        self._reading = reading
        self._beating = beating

    def beat(self, process: str, at: float, up: float | None, within: float) -> float | None:
        began = time.monotonic()
        with self._beating() as connection:
            clock = _clock(connection)
            values = {"at": at, "up": up, "db_at": clock}
            mine = update(processes).where(processes.c.id == process)
            if not connection.execute(mine.values(values)).rowcount:
                connection.execute(insert(processes), {"id": process, **values})
            _beat_as_before(connection, at)
            if time.monotonic() - began > within:  # we hung: nobody could store anything here
                connection.execute(mine.values(up=None))
        return clock

    def all(self) -> list[Beat]:
        with self._reading() as connection:
            return _rows(connection)

    def living(self) -> tuple[float | None, list[Beat]]:
        """The database's clock, and the processes that have beaten by it a moment ago."""
        with self._reading() as connection:
            clock, rows = _clock(connection), _rows(connection)
        if clock is None:
            return None, []
        ages = [(row, clock - row.db_at) for row in rows if row.db_at is not None]
        return clock, [row for row, age in ages if -1.0 < age < LIVING_S]

    def last(self) -> float | None:
        """Of anyone, of the version before this one too."""
        with self._reading() as connection:
            found = [
                connection.execute(select(func.max(table.c.at))).scalar()
                for table in (processes, heartbeat)
            ]
        return max((at for at in found if at is not None), default=None)

    def forget(self, process: str) -> None:
        with self._beating() as connection:
            connection.execute(delete(processes).where(processes.c.id == process))

    def prune(self, before: float) -> None:
        """Forget processes that died long ago."""
        with self._beating() as connection:
            connection.execute(delete(processes).where(processes.c.at < before))


def _rows(connection: Connection) -> list[Beat]:
    query = select(processes.c.id, processes.c.at, processes.c.up, processes.c.db_at)
    return [Beat(*row) for row in connection.execute(query.order_by(processes.c.id))]


def _clock(connection: Connection) -> float | None:
    """The clock of the database's machine; a file has none of its own."""
    if connection.dialect.name != "postgresql":
        return None
    return float(connection.execute(select(extract("epoch", func.clock_timestamp()))).scalar_one())


def _beat_as_before(connection: Connection, at: float) -> None:
    """Keep the one row that the version before this one reads when it starts.

    All processes write it, so a locked one is skipped: its holder may be suspended, and somebody
    else will write it soon.
    """
    free = select(heartbeat.c.id).where(heartbeat.c.at < at).with_for_update(skip_locked=True)
    query = update(heartbeat).where(heartbeat.c.id.in_(free.scalar_subquery()))
    if not connection.execute(query.values(at=at)).rowcount:
        first = select(literal(1), literal(at)).where(~select(heartbeat.c.id).exists())
        connection.execute(insert(heartbeat).from_select(["id", "at"], first))
