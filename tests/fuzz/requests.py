"""HTTP requests for every address of the site, with ids, headers and bodies of nonsense."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

from tests.fuzz.odd_requests import HEADERS, HOSTS, LAST, METHODS, QUERIES, SEGMENTS
from tests.fuzz.traffic import Ending, Talk, Tally, Traffic
from tests.fuzz.values import Values

PER_CONNECTION = 25
AT_ONCE = 24
STREAMS = ("/api/bot/stream/event", "/api/bot/game/stream/")


@dataclass
class Answers:
    """Counts the answers by status. Several may come in one piece, or one in several."""

    statuses: Counter[str]
    methods: list[str]
    _unread: bytes = b""
    _at: int = 0
    _is_lost: bool = False  # whether it's unknown where an answer begins
    _body: re.Pattern[bytes] = field(default=re.compile(rb"(?i)\r\ncontent-length: *(\d+)"))

    def feed(self, data: bytes) -> None:
        data = self._unread + data
        while not self._is_lost and data:
            head, end, rest = data.partition(b"\r\n\r\n")
            if not end:
                break
            if not head.startswith(b"HTTP/1."):
                self._count("no HTTP")
                break
            status, length = head[9:12].decode("latin-1"), self._length(head)
            if length is None:
                self._count(status)
                self._is_lost = True  # it ends with the connection, or never
                break
            if len(rest) < length:
                break
            self._count(status)
            self._at += status != "100"
            data = rest[length:]
        self._unread = b"" if self._is_lost else data

    def _count(self, status: str) -> None:
        self.statuses[status] += 1

    def _length(self, head: bytes) -> int | None:
        is_bare = self._at < len(self.methods) and self.methods[self._at] == "HEAD"
        if is_bare or head[9:12] in (b"204", b"304", b"100"):
            return 0
        length = self._body.search(head)
        return int(length[1]) if length else None


class Requests:
    """Draws requests."""

    def __init__(
        self, values: Values, rules: list[str], cookies: list[str], tokens: list[str]
    ) -> None:
        self._values, self._lot = values, values.lot
        self._rules = [*rules, "/socket.io/", "/<nowhere>"]
        self._cookies, self._tokens = cookies, tokens

    def next(self) -> tuple[str, bytes]:
        """The method, and the whole request."""
        lot, method = self._lot, self._lot.choice(METHODS)
        path = self._path()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {lot.choice(HOSTS)}"]
        lines += lot.sample(HEADERS, lot.choice((0, 0, 1, 2, 5)))
        if lot.random() < 0.4:
            lines.append(f"Cookie: visitor={lot.choice(self._cookies)}")
        if lot.random() < 0.5 and not path.startswith(STREAMS):
            lines.append(f"Authorization: Bearer {lot.choice(self._tokens)}")
        body = self._body() if method not in ("GET", "HEAD") or lot.random() < 0.1 else b""
        head = "\r\n".join(lines).encode("latin-1", "replace")
        if not body:
            return method, head + b"\r\n\r\n"
        if lot.random() < 0.2:
            return method, head + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + _chunked(body)
        return method, head + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body

    def stream(self) -> bytes:
        """A bot listens; it must be the last request, for there's no end to the answer."""
        path = self._lot.choice((STREAMS[0], STREAMS[1] + self._values.game()))
        token = self._lot.choice(self._tokens)
        return f"GET {path} HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()

    def _path(self) -> str:
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: self._segment(found[1]), self._choice())
        query = self._lot.choice(QUERIES) if self._lot.random() < 0.4 else ""
        return path.replace(" ", "%20") + query.replace(" ", "%20")

    def _choice(self) -> str:
        return self._lot.choice(self._rules)

    def _segment(self, name: str) -> str:
        draw = self._lot.random()
        if name.startswith("game") and draw < 0.5:
            return self._values.game()
        if name == "room" and draw < 0.5:
            return self._values.room()
        if draw < 0.9:
            return self._lot.choice(SEGMENTS)
        return quote(self._values.text(), errors="surrogatepass")

    def _body(self) -> bytes:
        lot, draw = self._lot, self._lot.random()
        if draw < 0.1:
            return lot.randbytes(lot.randint(1, 60))
        if draw < 0.13:
            return lot.choice(
                (b"[" * 9000, b'{"a":' * 3000, b"9" * 5000, b"x" * 17_000, b'"\\ud800"')
            )
        fields = {
            "variant": lot.choice(("isola", "slider", self._values.value())),
            "move": lot.choice(("a2-b2", self._values.value())),
            "ply": lot.choice((0, 1, self._values.value())),
            "text": self._values.text(),
            "name": self._values.text(),
            "why": self._values.text(),
            "room": self._values.room(),
            "action": lot.choice(("offer", "accept", "propose", self._values.value())),
            "result": lot.choice(("win", "draw", self._values.value())),
        }
        chosen = lot.sample(sorted(fields), lot.choice((0, 1, 1, 1, 2)))
        return json.dumps({name: fields[name] for name in chosen}).encode()


def _chunked(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


def send_requests(
    address: str,
    count: int,
    values: Values,
    rules: list[str],
    cookies: list[str],
    tokens: list[str],
) -> Tally:
    """Send so many requests, several down each connection without waiting for answers."""
    tally = Tally()
    requests, lot = Requests(values, rules, cookies, tokens), values.lot

    def talks() -> Iterator[Talk]:
        while tally.sent < count:
            number = min(count - tally.sent, lot.randint(2, 2 * PER_CONNECTION))
            drawn = [requests.next() for _ in range(number - 1)]
            tally.sent += number
            methods = [method for method, _ in drawn]
            is_stream = lot.random() < 0.05
            last = requests.stream() if is_stream else lot.choice(LAST)
            ending = Ending.DEAF if is_stream else lot.choice((Ending.WAIT,) * 9 + (Ending.RESET,))
            data = b"".join([*(one for _, one in drawn), last])
            reader = Answers(tally.answers, methods)
            yield Talk(data, ending=ending, reader=reader, label=f"request {last[:60]!r}")

    Traffic(address, tally, AT_ONCE).hold(talks())
    return tally
