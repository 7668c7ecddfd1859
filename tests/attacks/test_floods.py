"""Floods: frames, events and requests at full speed, answers that nobody reads."""

import json
import socket
import threading
from contextlib import suppress

import psutil
import pytest

from tests.attacks.attacker import connect, flood, frame, is_closed, joined, pour, request, upgraded
from tests.attacks.conftest import Player
from tests.client import new_cookie
from tests.server import Server

MOST = 30_000_000  # bytes of a flood: far more than a server takes before it hangs up
GROWTH = 60_000_000  # bytes of memory

FRAMES = {
    "empty frames": frame(b""),
    "pings": frame(b"x", opcode=9),
    "pongs": frame(b"x", opcode=10),
    "answers to pings": frame(b"3"),
    "packets of no kind": frame(b"9"),
    "events": frame(b'42["lobby",{}]'),
    "events of no name": frame(b'42["x"]'),
    "events named *": frame(b'421["*",{}]'),
    "joining again": frame(b"40"),
}


@pytest.mark.parametrize("data", FRAMES.values(), ids=FRAMES)
def test_frames_at_full_speed(data: bytes, server: Server, player: Player, cookie: str) -> None:
    """Send one frame again and again, from the address of a player who shares it."""
    assert is_cut_off(joined(server.address, cookie), data, player)


def is_cut_off(made: socket.socket, data: bytes, player: Player) -> bool:
    """Whether a flood is, while a player plays. What is answered is read: that's not the matter."""
    reader = threading.Thread(target=is_closed, args=(made.dup(),), daemon=True)
    reader.start()
    outcome: list[bool] = []
    flooding = threading.Thread(target=lambda: outcome.append(flood(made, data, MOST)))
    flooding.start()
    player.moves(10)
    flooding.join()
    return outcome == [True]


def test_requests_at_full_speed(server: Server, player: Player) -> None:
    """Send requests down one connection without waiting for an answer."""
    data = request("/socket.io/?EIO=4&transport=polling")  # refused at once, so the fastest
    assert is_cut_off(connect(server.address), data, player)


def test_answers_that_nobody_reads(server: Server, player: Player, cookie: str) -> None:
    """Ask for large answers, answer pings, and never read."""
    for at in range(8):
        text = "🐎" * 300
        answer = player.client.ask("chat", {"room": player.made["room"], "text": text})
        assert answer.get("ok"), (at, answer)
    process = psutil.Process(server.pid)
    before = process.memory_info().rss
    asked = json.dumps(["enter", {"room": player.made["room"]}])
    data = frame(f"421{asked}".encode()) + frame(b"3")
    held = [joined(server.address, new_cookie(server.address)) for _ in range(10)]
    pouring = [threading.Thread(target=pour_until, args=(made, data)) for made in held]
    for thread in pouring:
        thread.start()
    for thread in pouring * 4:
        thread.join(0.1)
        player.moves()
        assert process.memory_info().rss - before < GROWTH
    for made in held:
        with suppress(OSError):  # the server may have hung up first
            made.shutdown(socket.SHUT_RDWR)
    for thread in pouring:
        thread.join()


def pour_until(made: socket.socket, data: bytes) -> None:
    """Until the server, or the test, has had enough."""
    with suppress(OSError):
        pour(made, data, MOST)


def test_a_message_of_endless_fragments(server: Server, player: Player, cookie: str) -> None:
    """Begin a message and never end it: each fragment is small, together they're not."""
    made = joined(server.address, cookie)
    made.sendall(frame(b"4", is_final=False))
    assert flood(made, frame(b"x" * 1000, opcode=0, is_final=False), 3_000_000)


def test_a_message_of_empty_fragments(server: Server, player: Player, cookie: str) -> None:
    """The same without any data: the list of fragments grows all the same."""
    made = joined(server.address, cookie)
    made.sendall(frame(b"4", is_final=False))
    assert flood(made, frame(b"", opcode=0, is_final=False), 3_000_000)


def test_compressed_frames_are_not_taken(server: Server, cookie: str) -> None:
    """Agree on compression, then send a frame that unfolds to gigabytes."""
    made = upgraded(server.address, cookie, "Sec-WebSocket-Extensions: permessage-deflate")
    made.sendall(frame(b"\x00" * 40, opcode=0x41))
    assert is_closed(made)
