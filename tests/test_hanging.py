"""PostgreSQL suspended or restarted under people who play: refused soon, and nothing is lost."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
import requests

from isolation.rules import GameRecord
from tests.client import Client, new_id
from tests.playing import random_move
from tests.postgres import PostgresServer, postgres_server
from tests.server import Server
from tests.test_outages import left, moves
from tests.waiting import wait_until

TEXTS = moves(6)
SECONDS = 60.0
LONG_S = 6.0  # that an outage lasts
EXACT_S = 2.0  # how exactly it's given back


@pytest.fixture
def database() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture
def server(database: PostgresServer, tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off", DATABASE_URL=database.address) as running:
        yield running
    assert "Traceback" not in running.errors.read_text()


class Table:
    """Ann and Bob, a timed game in which Bob's clock runs, and one without a clock."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.ann, self.bob = Client(server.address, "Ann"), Client(server.address, "Bob")
        self.timed = self._begin(clock={"minutes": 5})
        self.slow = self._begin()
        for ply in range(3):  # the clock runs from the third move on
            assert (self.ann, self.bob)[ply % 2].move(self.timed["game"], ply, TEXTS[ply])["ok"]
        assert self.ann.move(self.slow["game"], 0, TEXTS[0])["ok"]

    def _begin(self, **more: Any) -> dict[str, Any]:
        made = self.ann.do("create", variant="classic", side=1, **more)
        self.ann.do("enter", room=made["room"])
        self.bob.do("join", room=made["room"])
        self.bob.do("enter", room=made["room"])
        return made

    def move_while_down(self, name: str) -> None:
        """A move that is refused, and so is everything else; but health is told at once."""
        error = self.bob.move(self.slow["game"], 1, TEXTS[1], name)["error"]
        assert (error["code"], error["seconds"]) == ("store_down", 2)
        wait_until(lambda: self.status("/healthz") == 503)
        assert self.status("/livez") == 200
        answers = [self.bob.ask("enter", {"room": self.slow["room"]}) for _ in range(20)]
        assert all(answer["error"]["code"] == "store_down" for answer in answers)
        stopped = self.ann.hear(
            "state", lambda state: state["game"] == self.timed["game"] and not state["running"]
        )
        assert stopped["outcome"] is None
        known = self.bob.ask(
            "sync", {"room": self.timed["room"], "game": self.timed["game"], "v": stopped["v"]}
        )
        assert known["ok"], known  # what is in memory can be had all the same

    def status(self, path: str) -> int:
        return requests.get(self.server.address + path, timeout=SECONDS).status_code

    def go_on(self, name: str) -> None:
        """The same move goes through, once."""
        wait_until(lambda: "ok" in self.bob.move(self.slow["game"], 1, TEXTS[1], name))
        assert self.bob.move(self.slow["game"], 1, TEXTS[1], name)["repeated"]
        assert self.ann.move(self.slow["game"], 2, TEXTS[2])["ok"]
        snapshot = self.ann.do("enter", room=self.slow["room"])["snapshot"]
        assert snapshot["moves"].split() == TEXTS[:3]
        wait_until(lambda: self.status("/healthz") == 200)
        assert self.bob.do("enter", room=self.timed["room"])["snapshot"]["running"]

    def close(self) -> None:
        self.ann.close()
        self.bob.close()


@pytest.fixture
def table(server: Server) -> Iterator[Table]:
    playing = Table(server)
    yield playing
    playing.close()


Ending = Callable[[PostgresServer], None]
OUTAGES: dict[str, tuple[Ending, Ending]] = {
    "suspended": (PostgresServer.suspend, PostgresServer.resume),
    "restarted": (PostgresServer.stop, PostgresServer.start),
}


@pytest.mark.parametrize(("end", "begin"), OUTAGES.values(), ids=OUTAGES.keys())
def test_nobody_loses_a_move_or_time(
    database: PostgresServer, table: Table, end: Ending, begin: Ending
) -> None:
    name, before, began = new_id(), left(table.bob, table.timed["room"]), time.monotonic()
    end(database)
    ended = time.monotonic()
    table.move_while_down(name)
    threading.Event().wait(LONG_S)
    table.move_while_down(name)
    outage = time.monotonic() - ended
    begin(database)
    table.go_on(name)
    charged = before - left(table.bob, table.timed["room"])
    assert charged <= time.monotonic() - began - outage + EXACT_S
    assert table.bob.move(table.timed["game"], 3, TEXTS[3])["ok"]


class Insistent(threading.Thread):
    """Plays both sides of a game, and repeats each move until it's answered with yes or no."""

    def __init__(self, client: Client, stop: threading.Event) -> None:
        super().__init__()
        self._client = client
        self._enough = stop
        self.room = client.do("create", variant="isola", opponent="local", options={"size": 15})
        self.record = GameRecord.begin("isola", {"size": 15})
        self.made = self.refused = 0
        self.failure: dict[str, Any] | None = None

    def run(self) -> None:
        lot = Random(1)
        while not self._enough.wait(0.02) and self.failure is None and not self.record.outcome:
            self._insist(self.record.position.notate(random_move(self.record.position, lot)))

    def _insist(self, text: str) -> None:
        name = new_id()
        while True:
            answer = self._client.move(self.room["game"], self.made, text, name)
            if "ok" in answer:
                self.record = self.record.replay([text])
                self.made += 1
                return
            if answer["error"]["code"] != "store_down":
                self.failure = answer
                return
            self.refused += 1
            time.sleep(0.2)


def wait_for_all(players: list[Insistent], count: str) -> None:
    """Until each has something made, or refused, once more."""
    before = [getattr(player, count) for player in players]

    def have_all() -> bool:
        assert not any(player.failure for player in players)
        now = [getattr(player, count) for player in players]
        return all(more > less for more, less in zip(now, before, strict=True))

    wait_until(have_all)


@pytest.mark.parametrize(("end", "begin"), OUTAGES.values(), ids=OUTAGES.keys())
def test_moves_under_way_are_made_once(
    database: PostgresServer, server: Server, end: Ending, begin: Ending
) -> None:
    """Whether they reach the log before, during or after an outage."""
    clients = [Client(server.address, f"Ann {i}") for i in range(6)]
    stop = threading.Event()
    players = [Insistent(client, stop) for client in clients]
    for player in players:
        player.daemon = True
        player.start()
    for _ in range(4):
        wait_for_all(players, "made")
        end(database)
        wait_for_all(players, "refused")
        begin(database)
    wait_for_all(players, "made")
    stop.set()
    for player in players:
        player.join(SECONDS)
    for player, client in zip(players, clients, strict=True):
        assert player.failure is None
        snapshot = client.do("enter", room=player.room["room"])["snapshot"]
        assert snapshot["moves"].split() == player.record.notation()
        client.close()


def test_many_who_wait_leave_no_connections_behind(
    database: PostgresServer, server: Server, table: Table
) -> None:
    """More of them than there are connections; all are answered, and soon again served."""
    process = psutil.Process(server.pid)
    paths = [f"/room/{table.slow['room']}", f"/api/games/{table.slow['game']}", "/api/games/none"]
    found: list[int] = []

    def ask(path: str) -> None:
        found.append(table.status(path))

    for _ in range(2):
        database.suspend()
        asking = [threading.Thread(target=ask, args=(paths[i % 3],)) for i in range(60)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join(SECONDS)
        assert len(found) == 60
        assert 503 in found  # what is in memory can be had all the same
        found.clear()
        database.resume()
        wait_until(lambda: table.status("/api/games/none") == 404)
        wait_until(lambda: table.status("/healthz") == 200)
    port = int(database.address.rsplit(":", 1)[1].split("/")[0])

    def to_database() -> int:
        ends = [one.raddr for one in process.net_connections("tcp") if one.raddr]
        return sum(end.port == port for end in ends)

    wait_until(lambda: to_database() <= 6)  # the pool's, and the one with the claim
    name = new_id()
    wait_until(lambda: "ok" in table.bob.move(table.slow["game"], 1, TEXTS[1], name))
