"""Standard input and output as lines, for a program that must end whenever its user does.

A thread of its own writes, so that neither commands nor a search wait for somebody who reads slowly
or not at all. It doesn't use `sys.stdout`: Python aborts if a thread holds the lock of that when
the interpreter shuts down.
"""

import os
import select
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import Self

CHUNK = 65536
PATIENCE = 0.5  # seconds without a byte taken until, at the end, the reader counts as gone


class Pipes:
    """Lines in and lines out, until either end is closed."""

    def __init__(self, source: int, target: int) -> None:
        self._source, self._target = source, target
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._is_closing = Event()
        self._writer = Thread(target=self._write_lines)

    def __enter__(self) -> Self:
        self._writer.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Write what is left, unless nobody takes it."""
        self._is_closing.set()
        self._lines.put(None)
        self._writer.join()

    def read(self) -> Iterator[str]:
        """Line by line, until the input ends or nobody can read the output any more."""
        rest = b""
        while chunk := self._read_chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace")
        if rest:
            yield rest.decode("utf-8", "replace")

    def _read_chunk(self) -> bytes:
        poll = select.poll()
        poll.register(self._source, select.POLLIN)
        poll.register(self._target, 0)  # reports only that its other end is closed
        if any(descriptor == self._target for descriptor, _ in poll.poll()):
            return b""
        return os.read(self._source, CHUNK)

    def write(self, line: str) -> None:
        """Have a line written soon. It never waits and never fails."""
        self._lines.put(line)

    def _write_lines(self) -> None:
        with suppress(OSError):  # nobody reads any more
            while (line := self._lines.get()) is not None:
                self._write_all(f"{line}\n".encode("utf-8", "replace"))

    def _write_all(self, data: bytes) -> None:
        while data:
            # A pipe with room takes so much without blocking.
            if select.select([], [self._target], [], PATIENCE)[1]:
                data = data[os.write(self._target, data[: select.PIPE_BUF]) :]
            elif self._is_closing.is_set():
                raise TimeoutError("nobody reads")
