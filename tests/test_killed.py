"""A server that is killed in the middle of many games loses nothing that it has acknowledged."""

from pathlib import Path

from tests.killing import Killing
from tests.server import Server

KILLS = 20


def test_a_killed_server_loses_no_acknowledged_move(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="1", RATE_LIMITS="off") as server:
        killing = Killing(server)
        killing.run(KILLS)
    killing.check_store()
    assert server.errors.read_text() == ""
