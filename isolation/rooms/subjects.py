"""What log lines say beside their message: when, how bad, in which room, for which visitor."""

import logging
import re
from collections.abc import Callable
from contextvars import ContextVar

FORMAT = "%(asctime)s %(levelname)s room=%(room)s visitor=%(visitor)s %(message)s"
NOBODY = "-"
SHOWN = 10  # characters of an identity: enough to find it in the database, too few to be it
ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

# Called only when there's a line to write: most events cause none.
Look = Callable[[], str | None]

_room: ContextVar[Look | None] = ContextVar("room", default=None)
_visitor: ContextVar[Look | None] = ContextVar("visitor", default=None)


def note(room: Look | None, visitor: Look | None) -> None:
    """From now on, what this green thread logs is about them."""
    _room.set(room)
    _visitor.set(visitor)


def note_visitor(identity: str | None) -> None:
    _visitor.set(lambda: identity)


def note_room(room: str) -> None:
    _room.set(lambda: room)


class Subjects(logging.Filter):
    """Adds the room and the visitor to each line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.room = _look(_room)
        record.visitor = _look(_visitor)[:SHOWN]
        return True


def _look(variable: ContextVar[Look | None]) -> str:
    look = variable.get()
    try:
        found = look() if look else None
    except Exception:  # a line without a room is better than none
        found = None
    return found if found and ID.fullmatch(found) else NOBODY


def log_to_stderr() -> None:
    """Write warnings and worse, in the form that all processes of a site use."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(FORMAT))
    handler.addFilter(Subjects())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
