"""A conversation in text: what is asked and answered, whatever the input and output can do."""

import os
import sys
from io import TextIOWrapper
from typing import TextIO

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("┌┬┐├┼┤└┴┘", "+"),
        "─": "-",
        "│": "|",
        "█": "#",
        "·": ".",
        "•": "*",
        "—": "-",
        "…": "...",
    }
)


class InputEnded(Exception):
    """There is no more input."""


class Screen:
    """Writes lines and asks for them. Input that is not typed is echoed, so that it reads well."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        if isinstance(self._source, TextIOWrapper):
            self._source.reconfigure(errors="replace")  # bytes that are no text are bad input
        self._target = target or sys.stdout
        self._echoes = not self._source.isatty()
        self._plain = not _takes_unicode(self._target)
        self.colour = self._target.isatty() and "NO_COLOR" not in os.environ

    def say(self, text: str = "") -> None:
        self._write(text + "\n")

    def ask(self, prompt: str) -> str:
        """The next line of input, or InputEnded."""
        self._write(prompt)
        line = self._source.readline()
        if not line:
            self.say()
            raise InputEnded
        text = line.strip()
        if self._echoes:
            self.say(text)
        return text

    def _write(self, text: str) -> None:
        if self._plain:
            encoding = self._target.encoding or "ascii"
            text = text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
        self._target.write(text)
        self._target.flush()


def _takes_unicode(target: TextIO) -> bool:
    try:
        "┼█·•—…".encode(target.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
