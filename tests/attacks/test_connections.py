"""Connections: too many, idle, half-sent, left behind."""

import resource
import socket
from pathlib import Path

import requests

from tests.attacks.attacker import SECONDS, connect, descriptors, is_closed, request, upgraded
from tests.attacks.conftest import Player
from tests.client import new_cookie
from tests.server import Server


def answer_of(made: socket.socket) -> bytes:
    made.settimeout(SECONDS)
    return made.recv(4096)


def test_polling_sessions_are_left_behind(server: Server) -> None:
    """Open a session by long polling, close it with one byte, and leave: 300 times."""
    before = descriptors(server.pid)
    for at in range(300):
        made = connect(server.address)
        made.sendall(request("/socket.io/?EIO=4&transport=polling"))
        first = answer_of(made)
        sid = first.partition(b'"sid":"')[2].partition(b'"')[0].decode() or "none"
        body = (b"6", b"0", b"2probe", b"7", b"9")[at % 5]
        path = f"/socket.io/?EIO=4&transport=polling&sid={sid}"
        length = f"Content-Length: {len(body)}"
        made.sendall(request(path, length, method="POST", body=body))
        made.close()
    requests.get(server.address, timeout=SECONDS).raise_for_status()
    assert descriptors(server.pid) < before + 50


def test_descriptors_run_out(tmp_path: Path) -> None:
    """Hold more connections than the server has file descriptors."""
    with Server(tmp_path, descriptors=160, ENGINES="0") as server:
        held = [connect(server.address) for _ in range(300)]
        assert requests.get(server.address, timeout=SECONDS).ok  # while they are there
        for made in held:
            made.close()
        player = Player(server)
        player.moves(3)
        player.client.close()
    assert "Traceback" not in server.errors.read_text()


def test_descriptors_run_out_from_many_addresses(tmp_path: Path) -> None:
    """The same from ten addresses, none of which takes more than its part."""
    with Server(tmp_path, descriptors=160, ENGINES="0") as server:
        held = [connect(server.address, f"127.0.1.{at % 10 + 1}") for at in range(300)]
        assert requests.get(server.address, timeout=SECONDS).ok
        for made in held:
            made.close()
    assert "Traceback" not in server.errors.read_text()


def test_the_descriptor_limit_is_raised(tmp_path: Path) -> None:
    """Hope that the server makes do with a low soft limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with Server(tmp_path, ENGINES="0") as server:
        soft, _ = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        assert soft == hard or soft >= 65_536


def test_requests_are_sent_in_part(server: Server, player: Player) -> None:
    """Say nothing, half a request line, half the headers, or half a body, and wait."""
    beginnings = [
        b"",
        b"GET / HT",
        request("/").removesuffix(b"\r\n") + b"X-Slow: ",
        request("/api/bot/token", "Content-Length: 20", method="POST", body=b"{"),
        request("/api/bot/token", "Transfer-Encoding: chunked", method="POST", body=b"5\r\n{"),
    ]
    held = []
    for beginning in beginnings * 20:
        made = connect(server.address)
        made.sendall(beginning)
        held.append(made)
    player.moves(3)
    assert all(is_closed(made) for made in held)


def test_a_body_has_no_end(server: Server) -> None:
    """Send far more than anything the site asks for."""
    made = connect(server.address)
    made.sendall(request("/api/bot/token", "Content-Length: 900000000", method="POST"))
    made.sendall(b"x" * 70_000)
    assert b" 413 " in answer_of(made)


def test_a_body_of_pieces_that_make_no_sense(server: Server) -> None:
    """Announce a piece of a body with a length that is no number."""
    made = connect(server.address)
    made.sendall(request("/", "Transfer-Encoding: chunked", method="POST", body=b"zz\r\n"))
    assert b" 400 " in answer_of(made)


def test_websockets_that_never_join(server: Server, player: Player) -> None:
    """Open WebSockets, with and without a cookie, and never say who they are."""
    held = [upgraded(server.address, cookie) for cookie in ("", "forged")]
    held.append(upgraded(server.address, new_cookie(server.address)))
    player.moves()
    assert all(is_closed(made) for made in held)


def test_connections_come_and_go(server: Server, player: Player) -> None:
    """Connect and hang up 3,000 times, as fast as it goes, from one address."""
    before = descriptors(server.pid)
    for at in range(3000):
        try:
            connect(server.address, "127.0.0.9").close()
        except OSError:
            continue  # nobody is at the door just now
        if at % 500 == 0:
            player.moves()
    player.moves()
    assert descriptors(server.pid) < before + 50
