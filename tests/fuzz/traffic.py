"""Many connections at once, each of which says its piece and ends in its own way."""

import selectors
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol
from urllib.parse import urlsplit

PATIENCE_S = 40.0  # for the server to end a connection: more than any of its time limits


class Ending(Enum):
    """How a connection ends once all has been sent."""

    WAIT = "wait"  # for the server to end it
    CLOSE = "close"
    RESET = "reset"
    DEAF = "deaf"  # hold it for a while and read nothing, then reset it


class Reader(Protocol):
    """Makes sense of what the server says."""

    def feed(self, data: bytes) -> None: ...


@dataclass
class Talk:
    """What one connection says. `body` follows once the answer to the greeting has a head."""

    greeting: bytes
    body: bytes = b""
    ending: Ending = Ending.WAIT
    reader: Reader | None = None
    source: str = "127.0.0.1"
    label: str = ""
    held_s: float = 0.3  # if it's deaf


@dataclass
class Tally:
    """What came of it."""

    answers: Counter[str] = field(default_factory=Counter)
    sent: int = 0  # frames, requests or connections
    connections: int = 0
    hung: Counter[str] = field(default_factory=Counter)  # the server didn't end these
    seconds: float = 0.0


@dataclass
class _Line:
    talk: Talk
    made: socket.socket
    unsent: memoryview
    deadline: float
    is_greeting: bool
    heard: bytes = b""  # until the greeting is answered

    def is_done(self) -> bool:
        """Whether all is said, and there's nothing to wait for."""
        said = not self.unsent and not self.is_greeting
        return said and self.talk.ending in (Ending.CLOSE, Ending.RESET)


class Traffic:
    """Holds the talks, so many at once."""

    def __init__(self, address: str, tally: Tally, at_once: int) -> None:
        where = urlsplit(address)
        self._where = (where.hostname, where.port)
        self._tally = tally
        self._at_once = at_once
        self._selector = selectors.DefaultSelector()
        self._lines: dict[int, _Line] = {}

    def hold(self, talks: Iterator[Talk]) -> None:
        """Until all are over."""
        is_more, looked = True, time.monotonic()
        while is_more or self._lines:
            while is_more and len(self._lines) < self._at_once:
                talk = next(talks, None)
                is_more = talk is not None
                if talk:
                    self._open(talk)
            for key, events in self._selector.select(0.05):
                self._serve(key.data, events)
            if time.monotonic() - looked > 0.1:
                looked = time.monotonic()
                self._look_at_clock(looked)

    def _open(self, talk: Talk) -> None:
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if talk.ending is Ending.DEAF:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.bind((talk.source, 0))
        made.setblocking(False)
        made.connect_ex(self._where)
        limit = talk.held_s if talk.ending is Ending.DEAF else PATIENCE_S
        line = _Line(
            talk, made, memoryview(talk.greeting), time.monotonic() + limit, bool(talk.body)
        )
        self._lines[made.fileno()] = line
        self._selector.register(made, selectors.EVENT_READ | selectors.EVENT_WRITE, line)
        self._tally.connections += 1

    def _serve(self, line: _Line, events: int) -> None:
        try:
            if events & selectors.EVENT_WRITE and line.unsent:
                line.unsent = line.unsent[line.made.send(line.unsent) :]
            if events & selectors.EVENT_READ and not self._hear(line):
                return self._close(line)
        except BlockingIOError:
            return None
        except OSError:
            return self._close(line)
        if line.is_done():
            return self._close(line)
        is_deaf = line.talk.ending is Ending.DEAF and not line.is_greeting
        wanted = selectors.EVENT_WRITE if line.unsent else 0
        wanted |= 0 if is_deaf else selectors.EVENT_READ
        if wanted:
            self._selector.modify(line.made, wanted, line)
        else:
            self._selector.unregister(line.made)
        return None

    def _hear(self, line: _Line) -> bool:
        """Read; whether the connection is still there."""
        data = line.made.recv(262_144)
        if not data:
            return False
        if line.is_greeting:
            line.heard += data
            head, end, data = line.heard.partition(b"\r\n\r\n")
            if not end:
                return True
            line.is_greeting = False
            self._tally.answers[head[9:12].decode("latin-1")] += 1
            if b" 101 " not in head[:16]:
                return False
            line.unsent = memoryview(line.talk.body)
        if line.talk.reader and data:
            line.talk.reader.feed(data)
        return True

    def _look_at_clock(self, now: float) -> None:
        for line in [one for one in self._lines.values() if now > one.deadline]:
            if line.talk.ending is not Ending.DEAF:
                self._tally.hung[line.talk.label or "a connection"] += 1
            self._close(line)

    def _close(self, line: _Line) -> None:
        del self._lines[line.made.fileno()]
        if line.made.fileno() in self._selector.get_map():
            self._selector.unregister(line.made)
        if line.talk.ending in (Ending.RESET, Ending.DEAF):
            line.made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.made.close()
