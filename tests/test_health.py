"""Whether the site says so when it can't serve: a full disk, a database that hangs or is locked."""

import sqlite3
import threading
from pathlib import Path

import requests

from tests.client import Client, new_id
from tests.postgres import postgres_server
from tests.server import Server
from tests.waiting import wait_until

SECONDS = 60.0


def status(server: Server, path: str) -> int:
    return requests.get(server.address + path, timeout=SECONDS).status_code


def test_a_site_that_is_well(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        for path in ("/livez", "/readyz", "/healthz"):
            answer = requests.get(server.address + path, timeout=SECONDS)
            assert (answer.status_code, answer.json()["ok"]) == (200, True)


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    """No file may grow beyond 300 kB: to a database that's as good as a full disk."""
    with Server(tmp_path, kilobytes=300, ENGINES="0", RATE_LIMITS="off") as server:
        ann = Client(server.address, "Ann")
        room = ann.do("create", variant="classic")["room"]
        said = 0
        while "ok" in ann.ask("chat", {"room": room, "text": "x" * 300}):
            said += 1
            assert said < 5000
        wait_until(lambda: status(server, "/readyz") == 503)
        assert status(server, "/healthz") == 503
        assert status(server, "/livez") == 200
        ann.close()


def test_a_database_that_hangs_is_said_at_once(tmp_path: Path) -> None:
    with (
        postgres_server() as database,
        Server(tmp_path, ENGINES="0", DATABASE_URL=database.address) as server,
    ):
        database.suspend()
        wait_until(lambda: status(server, "/readyz") == 503)
        assert status(server, "/livez") == 200
        database.resume()
        wait_until(lambda: status(server, "/readyz") == 200)


def test_a_lock_of_somebody_else_holds_up_only_writers(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        ann = Client(server.address, "Ann")
        made = ann.do("create", variant="linear", opponent="local")
        ann.do("enter", room=made["room"])
        other = sqlite3.connect(tmp_path / "isolation.db")
        other.execute("BEGIN IMMEDIATE")
        order: list[str] = []

        def move() -> None:
            ann.ask("move", {"game": made["game"], "ply": 0, "move": "1", "id": new_id()})
            order.append("moved")

        moving = threading.Thread(target=move)
        moving.start()
        for path in ("/livez", f"/room/{made['room']}", f"/api/games/{made['game']}"):
            assert status(server, path) == 200
            order.append(path)
        wait_until(lambda: status(server, "/readyz") == 503)
        moving.join()
        assert order[-1] == "moved"  # the others weren't held up with it
        other.rollback()
        other.close()
        wait_until(lambda: status(server, "/readyz") == 200)
        assert ann.move(made["game"], 0, "1").get("ok")
        ann.close()
