"""A server under attack, and a player who only wants to play."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.client import SECONDS, Client, new_cookie, new_id
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
            fields = {"game": self.made["game"], "ply": self.ply, "move": str(2 * self.ply + 1)}
            answer = self._insist({**fields, "id": new_id()})
            assert answer.get("ok"), answer
            self.ply += 1

    def _insist(self, fields: dict[str, Any]) -> dict[str, Any]:
        """As a page does: a busy machine may cost a connection, but never a move."""
        connections = self.client.connections
        try:
            return self.client.call("move", fields, SECONDS)
        except ConnectionError:
            self.client.wait_for_connection(connections + 1)
            return self.client.call("move", fields, SECONDS)


@pytest.fixture
def player(server: Server) -> Iterator[Player]:
    playing = Player(server)
    with closing(playing.client):
        yield playing
        playing.moves()
