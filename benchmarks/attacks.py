"""What a player feels while somebody attacks: the time until a move is acknowledged.

    python -m benchmarks.attacks

Aim: at the 99th percentile no more than 5 times that of an idle server, or 100 ms. In floods of
frames the player shares the attacker's address; in floods of connections they come from another.
"""

import multiprocessing
import socket
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.attacks.attacker import connect, frame, joined, pour, request
from tests.client import Client, new_cookie
from tests.server import Server

SECONDS = 8.0
EVERY_S = 0.04
SQUARES = 99


def flood_frames(address: str, cookie: str, data: bytes, until: float) -> None:
    """One frame again and again; once cut off, from a new connection."""
    while time.monotonic() < until:
        with suppress(OSError):
            made = joined(address, cookie)
            made.setblocking(True)
            pour(made, data, 3_000_000)
            made.close()


def flood_requests(address: str, cookie: str, data: bytes, until: float) -> None:
    while time.monotonic() < until:
        with suppress(OSError):
            pour(connect(address), data, 3_000_000)


def flood_connections(address: str, cookie: str, data: bytes, until: float) -> None:
    """Connections that say little or nothing, as many as can be had, from another address."""
    held: list[socket.socket] = []
    while time.monotonic() < until:
        with suppress(OSError):
            made = connect(address, "127.0.0.7")
            made.sendall(data)
            held.append(made)
        if len(held) > 400:
            held.pop(0).close()


ATTACKS: dict[str, tuple[Callable[..., None], bytes]] = {
    "small frames": (flood_frames, frame(b"9")),
    "pongs": (flood_frames, frame(b"x", opcode=10)),
    "events": (flood_frames, frame(b'42["lobby",{}]')),
    "pipelined requests": (flood_requests, request("/api/variants")),
    "idle connections": (flood_connections, b""),
    "half requests": (flood_connections, b"GET / HTTP/1.1\r\nHost: "),
    "whole requests": (flood_connections, request("/")),
}


class Player:
    """Plays both sides of linear without end, a game after the other."""

    def __init__(self, address: str) -> None:
        self._client = Client(address)
        self._ply = 0
        self._game = ""

    def move(self) -> float:
        """Make a move; the seconds until it is acknowledged."""
        if self._ply % (SQUARES // 2) == 0:
            self._begin()
        begun = time.perf_counter()
        answer = self._client.move(self._game, self._ply, str(2 * self._ply + 1))
        took = time.perf_counter() - begun
        assert answer.get("ok"), answer
        self._ply += 1
        return took

    def _begin(self) -> None:
        length = {"length": SQUARES}
        made = self._client.do("create", variant="linear", opponent="local", options=length)
        self._client.do("enter", room=made["room"])
        self._game, self._ply = made["game"], 0

    def play(self, seconds: float) -> list[float]:
        until, times = time.monotonic() + seconds, []
        while time.monotonic() < until:
            times.append(self.move())
            time.sleep(EVERY_S)
        return times

    def close(self) -> None:
        self._client.close()


def percentile(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), ENGINES="0") as server:
        player = Player(server.address)
        idle = percentile(player.play(SECONDS))
        print(f"idle: {1000 * idle:.1f} ms at the 99th percentile")
        for name, (attack, data) in ATTACKS.items():
            until = time.monotonic() + SECONDS
            arguments = (server.address, new_cookie(server.address), data, until)
            attackers = [multiprocessing.Process(target=attack, args=arguments) for _ in range(2)]
            for attacker in attackers:
                attacker.start()
            times = player.play(SECONDS)
            for attacker in attackers:
                attacker.kill()
                attacker.join()
            print(
                f"{name}: {1000 * percentile(times):.1f} ms at the 99th percentile, "
                f"{1000 * statistics.median(times):.1f} ms at the median, "
                f"{percentile(times) / idle:.1f} times idle"
            )
        player.close()


if __name__ == "__main__":
    main()
