"""Backup files: a line of JSON that says what's in it, then a line for each row, gzipped.

The same for every database, so a backup of SQLite can be restored into PostgreSQL. Nothing here
knows a database.
"""

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

KIND = "isolation backup"
FORMAT = 1

Row = list[Any]


class BackupError(Exception):
    """A backup that can't be made or read; the text says why, and what to do."""


@dataclass(frozen=True)
class Section:
    """The rows of one table."""

    table: str
    columns: list[str]
    rows: int


@dataclass(frozen=True)
class Header:
    """What a backup says about itself."""

    revision: str  # of the tables
    created: str
    sections: list[Section]  # in the order in which they can be restored
    secret_key: str | None = None  # that the site's cookies are signed with

    def count(self, table: str) -> int:
        return sum(section.rows for section in self.sections if section.table == table)


def write_backup(file: BinaryIO, header: Header, rows: Iterator[Row]) -> None:
    with gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6) as packed:
        packed.write(_line({"kind": KIND, "format": FORMAT, **asdict(header)}))
        for row in rows:
            packed.write(_line(row))


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


class Backup:
    """A backup that's there to be read, as often as needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._reading() as lines:
            self.header = self._header(next(lines, None))

    def check(self) -> None:
        """Read it to the end: BackupError if anything is missing, or too much."""
        for _ in self.rows():
            pass

    def rows(self) -> Iterator[tuple[Section, Row]]:
        with self._reading() as lines:
            next(lines)
            for section in self.header.sections:
                for _ in range(section.rows):
                    row = next(lines, None)
                    if not isinstance(row, list) or len(row) != len(section.columns):
                        raise self._damaged()
                    yield section, row
            if next(lines, None) is not None:
                raise self._damaged()

    @contextmanager
    def _reading(self) -> Iterator[Iterator[Any]]:
        try:
            with gzip.open(self.path, "rb") as packed:
                yield (json.loads(line) for line in packed)
        except (EOFError, gzip.BadGzipFile, zlib.error, ValueError, RecursionError):
            raise self._damaged() from None

    def _damaged(self) -> BackupError:
        return BackupError(
            f"{self.path} is damaged, cut off, or not a backup of Isolation. "
            "Nothing was changed: use another backup"
        )

    def _header(self, data: Any) -> Header:
        if not isinstance(data, dict) or data.get("kind") != KIND:
            raise self._damaged()
        if data.get("format") != FORMAT:
            raise newer(self.path)
        try:
            sections = [Section(**section) for section in data["sections"]]
            return Header(data["revision"], data["created"], sections, data["secret_key"])
        except (KeyError, TypeError):
            raise self._damaged() from None


def newer(path: Path) -> BackupError:
    return BackupError(
        f"{path} was made by a newer version of Isolation. Nothing was changed: "
        "update Isolation and try again"
    )


def write_anew(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Make a file that only its owner can read: whole or not at all, and never over another."""
    if path.exists():
        raise _exists(path)
    if not path.parent.is_dir():
        raise BackupError(f"there's no folder {path.parent}. Make it, or choose another")
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def _publish(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)  # unlike a renamed file, it never takes another's place
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # a disk without links, such as a USB stick
        if path.exists():
            raise _exists(path) from None
        draft.rename(path)


def _exists(path: Path) -> BackupError:
    return BackupError(f"{path} is there already. Choose another name, or move it away")
