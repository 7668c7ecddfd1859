"""Databases that can't be used, in words: what happened, and what to do about it.

Nothing here ever shows a password, or a part of an address that might be one.
"""

import os
from pathlib import Path
from urllib.parse import quote, quote_plus

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

POSTGRES_PORT = 5432

# By what the driver says.
SQLITE = {
    "not a database": (
        "{place} isn't an SQLite database. Move it away to start with an empty one, or name "
        "another file in DATABASE_URL"
    ),
    "malformed": (
        "{place} is damaged. Restore it from a backup, or move it away to start with an empty one"
    ),
    "is full": "the disk with {place} is full. Make room and start again",
    "locked": "another program has locked {place}. Stop that program and start again",
    "readonly": "{place} is read-only for this user. Make it writable, or use another file",
    "unable to open": (
        "{place} can't be opened. Check that its folder exists and that this user may write there"
    ),
    "no such table": (
        "{place} isn't a database of Isolation. Move it away, or name another file in DATABASE_URL"
    ),
    "": "{place}: {text}. Check the disk, or use another file",
}
LOGIN = (
    "PostgreSQL at {place} refuses the login: {text}. Correct the user or password in DATABASE_URL"
)
POSTGRESQL = {
    "authentication failed": LOGIN,
    "no password supplied": LOGIN,
    "pg_hba.conf": LOGIN,
    'role "': LOGIN,
    "does not exist": "PostgreSQL at {place}: {text}. Create it, or correct DATABASE_URL",
    "": (
        "PostgreSQL at {place} can't be used: {text}. Check that it runs, and that DATABASE_URL "
        "is right"
    ),
}
NEWER = "it was made by a newer version of Isolation. Update Isolation, or use another database"


class StoreError(Exception):
    """A database that can't be used; the text says why, and what to do."""


class OutOfPatience(BaseException):
    """A database didn't answer in time. The server has this raised in a call that hangs.

    It's no Exception, so that SQLAlchemy throws the connection away: nobody knows its state.
    """


def read_address(address: str) -> URL:
    """An address like sqlite:///file or postgresql://user@host/name, or StoreError."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise StoreError(
            "DATABASE_URL must be like sqlite:///path/to/file or postgresql://user@host/name"
        ) from None
    except ValueError:
        raise _bad_port() from None
    if url.port is not None and not 0 < url.port < 65536:
        raise _bad_port()
    if "@" in (url.host or ""):
        raise StoreError("in DATABASE_URL, write an @ that is part of the password as %40")
    if url.drivername not in ("sqlite", "postgresql", "postgresql+psycopg2"):
        raise StoreError(f"DATABASE_URL is for sqlite or postgresql, not {url.drivername}")
    return url


def _bad_port() -> StoreError:
    # Its text isn't shown: where the @ is missing, it's the password.
    return StoreError(
        "the port in DATABASE_URL must be a number from 1 to 65535, as in "
        "postgresql://user:password@host:5432/name"
    )


def prepare_file(url: URL) -> None:
    """Make the folder of an SQLite file, or StoreError."""
    if not url.database or url.database == ":memory:":
        return
    path = Path(url.database)
    if path.is_dir():
        raise StoreError(f"{path} is a folder. Name a file in DATABASE_URL, like {path}/games.db")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder {path.parent} can't be made: {os.strerror(error.errno or 0)}. "
            "Name a file elsewhere in DATABASE_URL"
        ) from error


def explain(error: Exception, url: URL) -> str:
    """What happened and what to do, in one line."""
    text = first_line(error, url)
    if text.startswith("Can't locate revision"):
        return NEWER
    is_file = url.get_backend_name() == "sqlite"
    place = (url.database or "the database") if is_file else _host(url)
    words = next(
        found for mark, found in (SQLITE if is_file else POSTGRESQL).items() if mark in text
    )
    return words.format(place=place, text=text.rstrip("."))


def first_line(error: Exception, url: URL) -> str:
    """The first line of what the driver says."""
    original = getattr(error, "orig", None) or error
    lines = str(original).strip().splitlines()
    text = lines[0].strip() if lines else type(original).__name__
    for secret in _secrets(url):
        text = text.replace(secret, "***")
    return text


def _host(url: URL) -> str:
    return f"{url.host}:{url.port or POSTGRES_PORT}" if url.host else "its local socket"


def _secrets(url: URL) -> set[str]:
    """The password, in every form in which it might be repeated."""
    named = [value for name, value in url.query.items() if "password" in name]
    plain = [url.password, *(value for value in named if isinstance(value, str))]
    found = {form for text in plain if text for form in (text, quote(text, ""), quote_plus(text))}
    return {text for text in found if len(text) > 2}  # not every "a" in a sentence
