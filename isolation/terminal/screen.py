"""A conversation in text: what is asked and answered, whatever the input and output can do."""

import os
import sys
from contextlib import suppress
from io import StringIO, TextIOWrapper
from shutil import get_terminal_size
from typing import TextIO

WIDE = 100  # columns, where the output is no terminal

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("┌┬┐├┼┤└┴┘", "+"),
        "─": "-",
        "│": "|",
        "█": "#",
        "·": ".",
        "•": "*",
        "…": "...",
    }
)


class InputEnded(Exception):
    """There is no more input."""


class Screen:
    """Writes lines and asks for them. Input that is not typed is echoed, so that it reads well."""

    def __init__(self) -> None:
        self._source: TextIO = sys.stdin or StringIO()
        self._target: TextIO = sys.stdout or StringIO()
        if isinstance(self._source, TextIOWrapper):
            self._source.reconfigure(errors="replace")  # bytes that are no text are bad input
        self._is_typed = self._source.isatty() and self._target.isatty()
        self._plain = not _takes_unicode(self._target)
        self.colour = (
            self._target.isatty()
            and "NO_COLOR" not in os.environ
            and os.environ.get("TERM") != "dumb"
        )
        self.columns = get_terminal_size((WIDE, 24)).columns if self._target.isatty() else WIDE

    def say(self, text: str = "") -> None:
        self._write(text + "\n")

    def ask(self, prompt: str) -> str:
        """The next line of input, or InputEnded."""
        line = self._type(prompt) if self._is_typed else self._read(prompt)
        if not line:
            self.say()
            raise InputEnded
        return line.strip()

    @staticmethod
    def _type(prompt: str) -> str:
        """A line with the editing keys and the history that people expect in a terminal."""
        with suppress(ImportError):
            import readline  # noqa: F401
        try:
            return input(prompt) + "\n"
        except EOFError:
            return ""

    def _read(self, prompt: str) -> str:
        self._write(prompt)
        line = self._source.readline()
        if line:
            self.say(line.strip())
        return line

    def _write(self, text: str) -> None:
        if self._plain:
            encoding = self._target.encoding or "ascii"
            text = text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
        self._target.write(text)
        self._target.flush()


def _takes_unicode(target: TextIO) -> bool:
    try:
        "┼█·•…".encode(target.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
