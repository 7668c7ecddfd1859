"""HTTP requests as eventlet's server reads them, with an end to everybody's patience."""

import io
from collections.abc import Callable, Iterable
from email import errors
from email.message import Message
from typing import Any

import eventlet
from eventlet import wsgi

from isolation.web.edge import shares

IDLE_S = 15.0  # between two requests of one connection
HEAD_S = 8.0  # for the request line and all headers, once begun
BODY_S = 8.0
SEND_S = 20.0  # for a visitor to take in anything at all of an answer
MOST_BODY = 65_536
# After one of these, the parser drops the headers that are left.
BROKEN = (
    errors.FirstHeaderLineIsContinuationDefect,
    errors.InvalidHeaderDefect,
    errors.MisplacedEnvelopeHeaderDefect,
    errors.MissingHeaderBodySeparatorDefect,
)

App = Callable[[dict[str, Any], Any], Iterable[bytes]]

TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"Retry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class TimedRequests(wsgi.HttpProtocol):  # type: ignore[misc]
    """Reads the head of a request in a time limit, however small the pieces in which it comes."""

    proxies = 0  # that stand in front, and say for whom they speak

    def _read_request_line(self) -> Any:
        self.connection.set_waiting(True)
        with eventlet.Timeout(IDLE_S, False):
            return super()._read_request_line()
        return ""

    def parse_request(self) -> bool:
        is_whole = False
        with eventlet.Timeout(HEAD_S, False):
            # Without the second part, half a head would do when its sender hangs up.
            is_whole = bool(super().parse_request()) and not self.connection.has_ended
        if is_whole and not _is_clear(self.headers):
            self.send_error(400)
            is_whole = False
        if is_whole and self.proxies and not self.connection.belong_to(self._visitor()):
            self.wfile.write(TOO_MANY)
            is_whole = False
        if is_whole:
            self.connection.set_waiting(False)
            self.connection.share.charge(shares.REQUEST)
            is_whole = self.connection.take_turn()
        if not is_whole or self.connection.is_last_request:
            self.close_connection = True
        return is_whole

    def _visitor(self) -> str:
        """The address that the outermost trusted proxy saw, as ProxyFix reads it."""
        named = ",".join(self.headers.get_all("X-Forwarded-For", [])).split(",")
        return named[-self.proxies].strip() if len(named) >= self.proxies else shares.UNKNOWN

    def log_message(self, *_: Any) -> None:
        """A bad request is its sender's business."""


def behind(proxies: int) -> type[TimedRequests]:
    """Requests as so many trusted proxies pass them on."""
    return type("ProxiedRequests", (TimedRequests,), {"proxies": proxies})


def _is_clear(headers: Message) -> bool:
    """Whether everybody would agree where the request ends: a proxy must not see another one."""
    lengths, codings = headers.get_all("Content-Length", []), headers.get_all("Transfer-Encoding")
    return (
        not any(isinstance(defect, BROKEN) for defect in headers.defects)
        and not any("\n" in value for value in headers.values())  # folded over several lines
        and len(lengths) <= 1
        and all(length.isascii() and length.isdecimal() for length in lengths)
        and (codings is None or [coding.lower() for coding in codings] == ["chunked"])
    )


def with_whole_bodies(app: App) -> App:
    """The app, called once a request's body is there: who sends slowly waits alone."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        body = None
        try:
            with eventlet.Timeout(BODY_S, False):
                body = _body(environ)
        except wsgi.ChunkReadError:
            return _refuse(environ, start_response, "400 Bad Request")
        if body is None:
            return _refuse(environ, start_response, "408 Request Timeout")
        if len(body) > MOST_BODY:
            return _refuse(environ, start_response, "413 Content Too Large")
        environ["wsgi.input"] = io.BytesIO(body)
        environ["wsgi.input_terminated"] = True
        environ["CONTENT_LENGTH"] = str(len(body))
        _drop_stray_upgrade(environ)
        found = app(environ, start_response)
        return _without_body(found) if environ["REQUEST_METHOD"] == "HEAD" else found

    return answer


def _drop_stray_upgrade(environ: dict[str, Any]) -> None:
    """`Upgrade` counts only if `Connection` says so, but Engine.IO opens a session without that."""
    options = environ.get("HTTP_CONNECTION", "").lower().split(",")
    if "upgrade" not in map(str.strip, options):
        environ.pop("HTTP_UPGRADE", None)


def _without_body(answer: Any) -> Iterable[bytes]:
    """An answer to HEAD. Engine.IO sends a body even so, which would pass for the next answer."""
    if hasattr(answer, "close"):
        answer.close()
    return []


def _body(environ: dict[str, Any]) -> bytes:
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if "HTTP_TRANSFER_ENCODING" in environ:
        length = MOST_BODY + 1
    body: bytes = environ["wsgi.input"].read(min(length, MOST_BODY + 1)) if length else b""
    return body


def _refuse(environ: dict[str, Any], start_response: Any, status: str) -> Iterable[bytes]:
    """Answer, and hang up: eventlet would read the rest of the body first."""
    body = f"{status}\n".encode()
    start_response(status, [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    yield body
    environ["eventlet.input"].get_socket().hang_up()
