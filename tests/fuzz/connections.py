"""Connections that misbehave, each in one of a dozen ways."""

from collections.abc import Callable, Iterator
from random import Random

from tests.attacks.attacker import frame, request
from tests.fuzz.frames import handshake
from tests.fuzz.traffic import Ending, Talk, Tally, Traffic

AT_ONCE = 200
PATIENT = 0.005  # of those that send too little: how many wait for the server to lose patience

Way = Callable[[Random, str], Talk]

TLS_HELLO = bytes.fromhex(
    "16030100a5010000a10303000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f00"
) + bytes(140)


def _going(lot: Random, data: bytes) -> Talk:
    """Half of something; then hang up, or reset, or now and then wait."""
    if lot.random() < PATIENT:
        return Talk(data, ending=Ending.WAIT)
    return Talk(data, ending=lot.choice((Ending.CLOSE, Ending.RESET, Ending.DEAF)))


def _nothing(lot: Random, cookie: str) -> Talk:
    return Talk(b"", ending=lot.choice((Ending.CLOSE, Ending.RESET)))


def _half_a_line(lot: Random, cookie: str) -> Talk:
    return _going(lot, request("/")[: lot.randint(1, 20)])


def _header_bomb(lot: Random, cookie: str) -> Talk:
    headers = b"".join(b"X-%d: y\r\n" % at for at in range(lot.choice((150, 3000))))
    return Talk(b"GET / HTTP/1.1\r\n" + headers + b"\r\n")


def _endless_header(lot: Random, cookie: str) -> Talk:
    return _going(lot, b"GET / HTTP/1.1\r\nX: " + b"a" * lot.choice((100, 9000, 300_000)))


def _bad_chunks(lot: Random, cookie: str) -> Talk:
    head = request("/api/bot/token", "Transfer-Encoding: chunked", method="POST")
    chunks = (
        *(b"zz\r\n", b"-5\r\nx", b"\r\n\r\n", b"5;x=\r\nab", b"5\nabcde", b"3\r\nabcde\r\n"),
        *(b"f" * 17 + b"\r\nx", b"0x5\r\nabcde\r\n0\r\n\r\n"),
    )
    return _going(lot, head + lot.choice(chunks))


def _slow_body(lot: Random, cookie: str) -> Talk:
    body = b"{" * lot.randint(0, 400)
    return _going(lot, request("/api/bot/token", "Content-Length: 500", method="POST") + body)


def _tls(lot: Random, cookie: str) -> Talk:
    return _going(lot, TLS_HELLO[: lot.randint(3, len(TLS_HELLO))])


def _websocket_reset(lot: Random, cookie: str) -> Talk:
    body = frame(b"40") * lot.randint(0, 2) + frame(b'421["lobby",{}]') * lot.randint(0, 3)
    return Talk(handshake(cookie), body or b"\x81", Ending.RESET)


def _deaf_websocket(lot: Random, cookie: str) -> Talk:
    asked = lot.choice((b'421["watch",{}]', b'421["x"]', b'421["lobby",{}]'))
    body = frame(b"40") + frame(asked) * lot.randint(1, 60)
    return Talk(handshake(cookie), body, Ending.DEAF)


def _random_bytes(lot: Random, cookie: str) -> Talk:
    return _going(lot, lot.randbytes(lot.randint(1, 600)))


def _old_http(lot: Random, cookie: str) -> Talk:
    return Talk(lot.choice((b"GET /\r\n\r\n", b"GET /healthz\r\n\r\n", b"GET / HTTP/0.9\r\n\r\n")))


def _smuggled(lot: Random, cookie: str) -> Talk:
    """Two lengths for one body, or two ways to tell it."""
    inner = b"GET /healthz HTTP/1.1\r\n\r\n"
    heads = (
        b"Content-Length: 5\r\nContent-Length: 31\r\n",
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Transfer_Encoding: chunked\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n",
        b"Content-Length: +5\r\n",
        b"Content-Length: 0_5\r\n",
        b"Content-Length: 5, 31\r\n",
    )
    data = b"POST / HTTP/1.1\r\n" + lot.choice(heads) + b"\r\n0\r\n\r\n" + inner
    return Talk(data, ending=lot.choice((Ending.CLOSE, Ending.RESET)))


WAYS: tuple[Way, ...] = (
    *(_nothing, _half_a_line, _header_bomb, _endless_header, _bad_chunks, _slow_body, _tls),
    *(_websocket_reset, _deaf_websocket, _random_bytes, _old_http, _smuggled),
)


def open_connections(address: str, count: int, lot: Random, cookies: list[str]) -> Tally:
    """Open so many, each of which misbehaves in its way, from many addresses."""
    tally = Tally()

    def talks() -> Iterator[Talk]:
        while tally.sent < count:
            way = WAYS[tally.sent % len(WAYS)]
            talk = way(lot, lot.choice(cookies))
            talk.source = f"127.0.{lot.randint(1, 9)}.{lot.randint(1, 250)}"
            talk.label = way.__name__
            tally.sent += 1
            tally.answers[way.__name__.strip("_").replace("_", " ")] += 1
            yield talk

    Traffic(address, tally, AT_ONCE).hold(talks())
    return tally
