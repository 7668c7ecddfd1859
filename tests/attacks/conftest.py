"""A server under attack, and a player who only wants to play."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client import Client, new_cookie
from tests.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, ENGINES="0") as running:
        yield running
    log = running.errors.read_text()
    assert "Traceback" not in log, log[-2000:]


@pytest.fixture
def cookie(server: Server) -> str:
    return new_cookie(server.address)


class Player:
    """Plays both sides of linear, move by move."""

    def __init__(self, server: Server) -> None:
        self.client = Client(server.address, "Ann")
        self.made = self.client.do(
            "create", variant="linear", opponent="local", options={"length": 99}
        )
        self.client.do("enter", room=self.made["room"])
        self.ply = 0

    def moves(self, count: int = 1) -> None:
        """Make moves, each of which must be acknowledged."""
        for _ in range(count):
            move = str(2 * self.ply + 1)
            answer = self.client.move(self.made["game"], self.ply, move)
            assert answer.get("ok"), answer
            self.ply += 1


@pytest.fixture
def player(server: Server) -> Iterator[Player]:
    playing = Player(server)
    yield playing
    playing.moves()
    playing.client.close()
