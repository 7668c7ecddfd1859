"""What the lines of a request are about, and the access log: a line for each request.

No cookie, token or query is ever in a line.
"""

import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import quote

from flask import request

from isolation.rooms.subjects import NOBODY, note
from isolation.web.identity import COOKIE, Identities

ACCESS_FORMAT = "%(asctime)s %(message)s"
LONGEST_PATH = 200
SECRET_PATH = re.compile(r"(/tokens/)[^/]+")

access = logging.getLogger("isolation.access")

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


def note_request(room_of: Callable[[str], str | None], identities: Identities) -> None:
    """That of Flask which is being answered."""
    named, cookie = request.view_args or {}, request.cookies.get(COOKIE)

    def room() -> str | None:
        game = named.get("game") or named.get("game_id")
        return named.get("room") or named.get("room_id") or (room_of(game) if game else None)

    note(room, lambda: identities.read(cookie))


def install_access_log() -> None:
    """Write it to stdout: errors are on stderr."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter(ACCESS_FORMAT))
    access.addHandler(handler)
    access.setLevel(logging.INFO)
    access.propagate = False


def with_log(app: App, has_access_log: bool) -> App:
    """The app, with a line for each request, if wanted, once its answer is sent.

    A WebSocket's line comes when it closes.
    """

    def anew(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        note(None, None)  # the request before, on the same connection, is over
        return app(environ, start_response)

    if not has_access_log:
        return anew
    install_access_log()

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        served = _Served(environ)
        try:
            found = anew(environ, served.starting(start_response))
        except BaseException:
            served.end()
            raise
        if "HTTP_UPGRADE" in environ and not served.status:
            served.status = "101"
            served.end()
            return found  # which tells eventlet that the socket has been dealt with
        served.answer = found
        return served

    return answer


class _Served:
    """One request, and what became of it: as an answer, it counts what is sent."""

    def __init__(self, environ: dict[str, Any]) -> None:
        self._environ = environ
        self._begun = time.monotonic()
        self._bytes = 0
        self.status = ""
        self.answer: Any = ()

    def starting(self, start_response: Any) -> Any:
        def start(status: str, *arguments: Any) -> Any:
            self.status = status.split()[0]
            return start_response(status, *arguments)

        return start

    def __iter__(self) -> Iterator[bytes]:
        for part in self.answer:
            self._bytes += len(part)
            yield part

    def close(self) -> None:
        """Called by the server at last, whether everything was sent or not."""
        if hasattr(self.answer, "close"):
            self.answer.close()
        self.end()

    def end(self) -> None:
        """The address is read now: those behind proxies are known by their own only in the end."""
        environ = self._environ
        access.info(
            "%s %s %s %s %d bytes %.1f ms",
            environ.get("REMOTE_ADDR") or NOBODY,
            environ["REQUEST_METHOD"],
            _shown(environ.get("PATH_INFO", "")),
            self.status or "500",
            self._bytes,
            (time.monotonic() - self._begun) * 1000,
        )


def _shown(path: str) -> str:
    raw = SECRET_PATH.sub(rf"\1{NOBODY}", path).encode("latin-1", "replace")
    return quote(raw, safe="/-_.~")[:LONGEST_PATH]
