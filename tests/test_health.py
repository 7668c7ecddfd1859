"""Whether the site says so when it can't serve: a full disk, a database that hangs or is locked."""

import re
import sqlite3
import threading
from pathlib import Path
from typing import Any

import requests

from tests.client import Client, new_id
from tests.cluster import KEY
from tests.postgres import postgres_server
from tests.redis_server import redis_server
from tests.server import Server, Worker
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


def test_a_site_without_engine_hosts_says_so_and_waits(tmp_path: Path) -> None:
    """And with one, any process tells what it does: once, since it's the same for all."""
    folders = [tmp_path / name for name in ("web", "other", "host")]
    for folder in folders:
        folder.mkdir()
    web, other, host = folders
    with postgres_server() as database, redis_server() as redis:
        shared: dict[str, Any] = {
            "DATABASE_URL": database.address,
            "REDIS_URL": redis.address,
            "SECRET_KEY": KEY,
        }
        with (
            Server(web, ENGINES="remote", **shared) as server,
            Server(other, ENGINES="remote", **shared),
        ):
            ann = Client(server.address, "Ann")
            made = ann.do("create", variant="linear", opponent="computer", level=1, side=2)
            ann.do("enter", room=made["room"])
            answer = requests.get(f"{server.address}/healthz", timeout=SECONDS)
            assert answer.status_code == 503
            assert answer.json()["engines"]["state"] == "missing"
            assert status(server, "/readyz") == 200
            with Worker(host, **shared):
                ann.hear("moved", lambda told: told["ply"] == 1)
                wait_until(lambda: status(server, "/healthz") == 200)
                wait_until(lambda: len(figures(server, "connections")) == 2)
                assert figures(server, "engine_workers") == [" 1.0"]
                assert figures(server, "engine_failures_total") == [" 0.0"]
            wait_until(lambda: status(server, "/healthz") == 503)
            ann.close()


def figures(server: Server, name: str) -> list[str]:
    text = requests.get(f"{server.address}/metrics", timeout=SECONDS).text
    return re.findall(rf"(?m)^isolation_{name}(.*)$", text)
