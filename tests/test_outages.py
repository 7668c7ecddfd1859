"""A database that can't be used while the server runs: few lines in the log, clear refusals."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from isolation.rooms.ports import StoreDownError
from isolation.rules import GameRecord
from isolation.web.outages import Outages, RepeatFilter
from tests.client import Client, new_id
from tests.server import Server
from tests.waiting import wait_until


class Clock:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_outage_is_logged_where_it_begins_and_ends(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    outages = Outages(clock)
    outages.worked()
    for _ in range(101):
        outages.failed("database is locked")
        clock.seconds += 0.1
    clock.seconds += 6.9
    outages.worked()
    clock.seconds += 4
    outages.worked()
    outages.worked()
    assert caplog.messages == [
        "the database can't be used: database is locked",
        "the database is back after 17 s; 101 operations failed",
    ]


def test_a_long_outage_is_counted_once_a_minute(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    outages = Outages(clock)
    for _ in range(150):
        outages.failed("no space")
        clock.seconds += 1
    assert caplog.messages[1:] == [
        "the database still can't be used after 60 s; 61 operations failed: no space",
        "the database still can't be used after 120 s; 121 operations failed: no space",
    ]


def test_failing_every_other_time_is_one_outage(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    outages = Outages(clock)
    for _ in range(20):
        outages.failed("no space")
        clock.seconds += 1
        outages.worked()
        clock.seconds += 1
    outages.worked()
    clock.seconds += 3
    outages.worked()
    assert caplog.messages[1:] == ["the database is back after 39 s; 20 operations failed"]


@pytest.fixture
def repeats(clock: Clock, caplog: pytest.LogCaptureFixture) -> Iterator[RepeatFilter]:
    found = RepeatFilter(clock)
    caplog.handler.addFilter(found)
    yield found
    caplog.handler.removeFilter(found)


def log_failure(error: Exception) -> None:
    try:
        raise error
    except Exception:
        logging.getLogger("test").exception("the clock in room %s", "x")


def test_the_same_traceback_is_logged_once_a_minute(
    clock: Clock, repeats: RepeatFilter, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(50):
        log_failure(KeyError(number))
    log_failure(ValueError())
    assert caplog.messages == ["the clock in room x"] * 2
    clock.seconds += 61
    log_failure(KeyError(50))
    assert caplog.messages[2:] == ["the clock in room x (49 more since the last)"]
    log_failure(KeyError(51))
    clock.seconds += 61
    repeats.report()
    assert caplog.messages[3:] == ["the clock in room x: KeyError (1 more since the last)"]
    clock.seconds += 61
    repeats.report()
    assert len(caplog.messages) == 4


def test_no_traceback_tells_of_an_outage(
    repeats: RepeatFilter, caplog: pytest.LogCaptureFixture
) -> None:
    log_failure(StoreDownError("database is locked"))
    assert caplog.messages == []


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Nobody else can write to the database meanwhile."""
    connection = sqlite3.connect(database)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        connection.close()


def moves(count: int) -> list[str]:
    """The first moves of some game of classic."""
    record = GameRecord.begin("classic")
    for _ in range(count):
        to = record.position.next_cells()[0]
        block = record.position.next_cells((to,))[0]
        record = record.replay([record.position.notate((to, block))])
    return record.notation()


def test_a_locked_database_costs_nobody_any_time(tmp_path: Path) -> None:
    texts = moves(4)
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off") as server:
        ann, bob = Client(server.address, "Ann"), Client(server.address, "Bob")
        late = ann.do("create", variant="classic", side=1, clock={"minutes": 0.25, "increment": 0})
        slow = ann.do("create", variant="classic", side=1)
        for made in (late, slow):
            ann.do("enter", room=made["room"])
            bob.do("join", room=made["room"])
        for ply in range(3):  # the clock runs from the third move on
            assert (ann, bob)[ply % 2].move(late["game"], ply, texts[ply])["ok"]
        assert ann.move(slow["game"], 0, texts[0])["ok"]
        wait_until(lambda: left(bob, late["room"]) < 2)
        name = new_id()
        with locked(tmp_path / "isolation.db"):
            stopped = []
            for _ in range(4):  # each of them waits for 2 s: more than Bob has left
                error = bob.move(slow["game"], 1, texts[1], name)["error"]
                assert error["code"] == "store_down"
                assert error["seconds"] == 2
                stopped.append(left(bob, late["room"]))
            assert 0 < stopped[0] == stopped[-1] < 2
            told = ann.hear("state", lambda state: state["game"] == late["game"] and state["v"] > 4)
            assert (told["running"], told["outcome"]) == (False, None)
            page = requests.get(f"{server.address}/room/{slow['room']}", timeout=60)
            assert page.status_code == 200  # what can be read is there
        wait_until(lambda: "ok" in bob.move(slow["game"], 1, texts[1], name))
        assert ann.move(slow["game"], 2, texts[2])["ok"]
        ann.hear("state", lambda state: state["game"] == late["game"] and state["running"])
        over = ann.hear("state", lambda state: state["game"] == late["game"] and state["outcome"])
        assert (over["outcome"]["winner"], over["outcome"]["reason"]) == (0, "time")
        wait_until(lambda: "is back" in server.errors.read_text())
        for client in (ann, bob):
            client.close()
    begun, ended = server.errors.read_text().splitlines()
    assert begun.endswith(" the database can't be used: database is locked")
    assert " the database is back after " in ended
    assert int(ended.split()[-3]) > 3, "moves and beats"


def left(client: Client, room: str) -> float:
    snapshot = client.do("enter", room=room)["snapshot"]
    seconds: float = snapshot["left"][snapshot["to_move"]]
    return seconds


def test_without_its_tables_the_site_says_so(tmp_path: Path) -> None:
    """The pages answer 503, and the log has no traceback."""
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off") as server:
        with sqlite3.connect(tmp_path / "isolation.db") as connection:
            for table in ("chat", "events", "games", "rooms"):
                connection.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
        connection.close()
        page = requests.get(f"{server.address}/room/somewhere", timeout=60)
        assert page.status_code == 503
        assert page.headers["Retry-After"] == "2"
        answer = requests.get(f"{server.address}/api/games/something", timeout=60)
        assert answer.status_code == 503
        assert "Try again in a moment" in answer.json()["error"]["message"]
    assert "Traceback" not in server.errors.read_text()
    assert "can't be used: no such table" in server.errors.read_text()
