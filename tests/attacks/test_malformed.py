"""Requests and packets that break a rule: refused, and nothing fails inside the server."""

import re
import socket

import requests

from tests.attacks.attacker import SECONDS, connect, frame, joined
from tests.server import Server


def answer_to(server: Server, data: bytes) -> bytes:
    """All that comes back until the server hangs up."""
    with connect(server.address) as made:
        made.sendall(data)
        return rest_of(made)


def rest_of(made: socket.socket) -> bytes:
    made.settimeout(SECONDS)
    heard = b""
    while piece := made.recv(65536):
        heard += piece
    return heard


def test_a_host_that_is_no_name(server: Server) -> None:
    """Name a host that can't be: links are made with it, on error pages too."""
    for host in (b"..", b"a" * 64):
        for path in (b"/", b"/room/x", b"/api/variants", b"/static/icon.svg"):
            head = b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (path, host)
            assert answer_to(server, head).startswith(b"HTTP/1.1 400 ")


def test_options_nested_without_end(server: Server) -> None:
    """Ask for a board with options so deep that no parser comes back."""
    path = b"/api/start/classic?options=" + b"[" * 5000
    head = b"GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % path
    assert answer_to(server, head).startswith(b"HTTP/1.1 400 ")


def test_a_request_inside_another(server: Server) -> None:
    """Say twice, or unclearly, how long a body is, so that what's in it counts as a request."""
    hidden = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"
    length = b"Content-Length: %d\r\n" % len(hidden)
    for headers in (
        b"Content-Length: 0\r\n" + length,
        length + length,
        b"Content-Length: +5\r\n",
        b"Content-Length: 1_0\r\n",
        b"Content-Length: 5, 5\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        b"A B: what comes after this is not read\r\n" + length,
        b"no colon\r\n" + length,
        b": no name\r\n" + length,
        b"From nowhere\r\n" + length,
        b"X: a\r\n " + length,
        length.replace(b":", b" :"),
    ):
        answer = answer_to(server, b"POST / HTTP/1.1\r\nHost: a\r\n" + headers + b"\r\n" + hidden)
        assert b" 400 " in answer[:16], headers
        assert b"engines" not in answer, headers
    form = b"Content-Type: multipart/form-data; boundary=x\r\n" + length
    answer = answer_to(server, b"POST / HTTP/1.0\r\n" + form + b"\r\n" + hidden)
    assert b" 405 " in answer[:16]  # which is clear, but not allowed


def test_heads_without_bodies(server: Server) -> None:
    """Ask for the head of an answer, and hope for a body that passes for the next answer."""
    for path in (b"/", b"/nowhere", b"/socket.io/", b"/socket.io/?EIO=4&transport=websocket"):
        head = b"HEAD %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % path
        assert answer_to(server, head).endswith(b"\r\n\r\n"), path


def test_a_websocket_that_is_none(server: Server) -> None:
    """Ask for a WebSocket, but not for the connection to become one."""
    path = b"/socket.io/?EIO=4&transport=websocket"
    for option in (b"", b"Connection: close\r\n", b"Connection: close, x-upgrade\r\n"):
        head = b"GET %s HTTP/1.0\r\nUpgrade: websocket\r\n%s\r\n" % (path, option)
        assert b" 400 " in answer_to(server, head)[:16]


def test_messages_that_are_no_packets(server: Server, cookie: str) -> None:
    """Send what Engine.IO can't take apart: it ends its own connection, and leaves nothing."""
    nested = b"4" + b"[" * 9000
    for message in (b"", b"x", "²".encode(), b"b" + b"A" * 9001, nested, b'4{"a":' * 2000):
        made = joined(server.address, cookie)
        made.sendall(frame(b"4null") + frame(message))
        heard = rest_of(made)
        assert b"HTTP/1.1 500" not in heard
        assert b"\x88" in heard  # a closing frame
    metrics = requests.get(f"{server.address}/metrics", timeout=SECONDS).text
    assert re.search(r"^isolation_connections 0", metrics, re.MULTILINE)
