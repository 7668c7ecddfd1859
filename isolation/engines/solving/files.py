"""Solved boards on disk: a header that says what is in a file and how far it got, and a table."""

import json
import os
from itertools import combinations
from pathlib import Path
from shutil import disk_usage

import numpy as np

from isolation.engines.cache import ROOT
from isolation.engines.solving.slider import Board, Progress, SliderTable
from isolation.rules.grid import bits, grid
from isolation.rules.slider import Slider

FOLDER = ROOT / "instance" / "solved"
FORMAT = 1
HEADER = 1024  # bytes


class BadFile(ValueError):
    """A file that isn't a table, or not of this board; the text says so."""


def file_of(board: Board) -> Path:
    """Where engines look for a table."""
    size = board.grid.width
    words = [f"slider-{size}x{size}", *map(board.grid.name, bits(board.blocked))]
    if board.pieces != (size - 1, size - 1):
        words += map(str, board.pieces)
    return FOLDER / f"{'-'.join(words)}.table"


class TableFile:
    """A table on disk, done or not. Rows are written in order, so it can be taken up again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> SliderTable | None:
        """The table, if it's there and done. Its pages are loaded when they are looked at."""
        if not self._path.exists():
            return None
        board, rows = self._header()
        if rows < board.shape[0]:
            return None
        # Copied on write: what an engine works out around dead positions never gets to the disk.
        return SliderTable(board, self._entries(board, "c"))

    def solve(self, board: Board, progress: Progress | None = None) -> SliderTable:
        """The table of a board: what is missing is worked out and written, level by level."""
        done = 0
        if self._path.exists():
            known, done = self._header()
            if known != board:
                raise BadFile(f"{self._path} is about another board")
        else:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # A file mapped into memory gets its room only when it's written to, too late to say no.
            if board.size > disk_usage(self._path.parent).free:
                raise BadFile(f"{self._path} needs {board.size:,} bytes, more than the disk has")
            with self._path.open("xb") as file:  # never over what another process has begun
                file.write(_header(board, 0))
                file.truncate(HEADER + board.size)
        entries = self._entries(board, "r+")

        def keep(rows: int, total: int) -> None:
            entries.flush()
            self._write_header(board, rows)
            if progress:
                progress(rows, total)

        return SliderTable(board, entries).solve(done, keep)

    def _entries(self, board: Board, mode: str) -> "np.memmap[tuple[int, ...], np.dtype[np.uint8]]":
        if self._path.stat().st_size != HEADER + board.size:
            raise BadFile(f"{self._path} has been cut short")
        return np.memmap(self._path, np.uint8, mode, HEADER, board.shape)  # type: ignore[call-overload,no-any-return]

    def _header(self) -> tuple[Board, int]:
        with self._path.open("rb") as file:
            raw = file.read(HEADER)
        try:
            data = json.loads(raw)
            if data["format"] != FORMAT:
                raise BadFile(f"{self._path} was made by another version: delete it")
            side = grid(data["size"], data["size"])
            first, second = data["pieces"]
            return Board(side, data["blocked"], (first, second)), data["rows"]
        except (ValueError, KeyError, TypeError):
            raise BadFile(f"{self._path} isn't a table of a solved board") from None

    def _write_header(self, board: Board, rows: int) -> None:
        with self._path.open("r+b") as file:
            file.write(_header(board, rows))


def _header(board: Board, rows: int) -> bytes:
    data = {
        "format": FORMAT,
        "game": "slider",
        "size": board.grid.width,
        "blocked": board.blocked,
        "pieces": board.pieces,
        "rows": rows,
    }
    return json.dumps(data).encode().ljust(HEADER - 1) + b"\n"


def stock(folder: Path = FOLDER) -> None:
    """Have at hand the 4×4 boards that games draw at random: up to three blocks off the edges."""
    inner = [(column, row) for column in (1, 2) for row in (1, 2)]
    for blocks in (chosen for count in range(4) for chosen in combinations(inner, count)):
        board = Board.whole(Slider.start(4, blocks))
        path = folder / file_of(board).name
        if not path.exists():
            # Under another name until it's whole: several processes may be at it.
            part = path.with_suffix(f".{os.getpid()}")
            TableFile(part).solve(board)
            part.replace(path)
