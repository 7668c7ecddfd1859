"""One server alone on a database, or several that share it: never both, and the first one knows."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from isolation.rooms.outages import Outages
from isolation.rooms.ports import StoreDownError
from isolation.rooms.timing import Outage
from isolation.store import SqlStore, StoreError, claims
from tests.house import FakeWorld
from tests.postgres import PostgresServer, postgres_server
from tests.server import Server, failing

PATIENCE_S = 0.3  # of those that are refused


@pytest.fixture(scope="module")
def database() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    server: PostgresServer = request.getfixturevalue("database")
    return server.address


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(claims, "FADING_S", 0.0)


def opened(address: str) -> SqlStore:
    store = SqlStore(address)
    store.migrate()
    return store


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize(("first", "second"), [(False, False), (False, True), (True, False)])
def test_one_that_is_alone_has_nobody_beside_it(address: str, first: bool, second: bool) -> None:
    here, there = opened(address), opened(address)
    assert here.claim(is_shared=first)
    here.beat("here", 5.0, 5.0)
    if first:
        here.share()
    with pytest.raises(StoreError, match=r"^another Isolation server uses this"):
        there.claim(is_shared=second)
    here.close()
    assert there.claim(is_shared=second)
    there.close()


@pytest.mark.usefixtures("hurry")
def test_those_who_share_start_beside_each_other(address: str) -> None:
    stores = [opened(address) for _ in range(3)]
    assert stores[0].claim(is_shared=True)
    stores[0].beat("first", 5.0, 5.0)
    stores[0].share()
    assert [store.claim(is_shared=True) for store in stores[1:]] == [False, False]
    for store in stores:
        store.close()


def test_of_two_that_start_at_once_one_is_first(address: str) -> None:
    """The other waits until it has said when nobody's clock ran, and says nothing itself."""
    world, ready = FakeWorld(), threading.Barrier(2)
    before = SqlStore(address)
    before.migrate()
    before.beat("gone", world.now() - 60, world.now() - 99)
    before.close()
    known: dict[str, list[Outage]] = {}
    first: list[str] = []

    def start(name: str) -> None:
        store = SqlStore(address)
        outages = Outages(store, world)
        ready.wait(60)
        if is_first := store.claim(is_shared=True):
            first.append(name)
        outages.resume(name, is_first)
        store.share()
        known[name] = outages.ended
        ready.wait(60)
        store.close()

    starting = [threading.Thread(target=start, args=(name,)) for name in "ab"]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join(60)
    assert len(first) == 1
    assert known["a"] == known["b"]
    assert known["a"][-1] == Outage(world.now() - 60, world.now())


@pytest.mark.usefixtures("hurry")
def test_a_claim_outlives_a_restart_of_postgres(database: PostgresServer) -> None:
    here, there = opened(database.address), opened(database.address)
    assert here.claim(is_shared=False)
    database.stop()
    database.start()
    here.beat("here", 5.0, 5.0)
    with pytest.raises(StoreError, match="give all of them the same REDIS_URL"):
        there.claim(is_shared=True)
    here.close()
    there.close()


@pytest.mark.usefixtures("hurry")
def test_a_claim_that_went_to_another_is_told(database: PostgresServer) -> None:
    """It started while PostgreSQL, which had been restarted, knew nothing of ours."""
    here, there = opened(database.address), opened(database.address)
    assert here.claim(is_shared=False)
    database.stop()
    database.start()
    assert there.claim(is_shared=False)
    for _ in range(2):
        with pytest.raises(StoreDownError, match="another Isolation server uses this database"):
            here.beat("here", 5.0, 5.0)
    there.close()
    here.beat("here", 6.0, 6.0)
    here.close()


def test_a_database_in_memory_needs_none() -> None:
    stores = [SqlStore("sqlite://"), SqlStore("sqlite:///:memory:")]
    assert [store.claim(is_shared=False) for store in stores] == [True, True]
    for store in stores:
        store.close()


def test_two_that_start_at_once_on_nothing_both_migrate(tmp_path: Path) -> None:
    errors: list[Exception] = []
    ready = threading.Barrier(4)
    with postgres_server() as empty:

        def start() -> None:
            store = SqlStore(empty.address)
            ready.wait(60)
            try:
                store.migrate()
                store.load_room("none")
            except Exception as error:
                errors.append(error)
            store.close()

        starting = [threading.Thread(target=start) for _ in range(4)]
        for thread in starting:
            thread.start()
        for thread in starting:
            thread.join(60)
    assert errors == []


def test_a_second_server_stops_with_one_line(address: str, tmp_path: Path) -> None:
    """And right after a kill, the next one starts."""
    with Server(tmp_path, ENGINES="0", DATABASE_URL=address) as server:
        code, complaint = failing(PORT="0", DATABASE_URL=address)
        assert code == 1
        assert complaint.startswith(
            "isolation: the database can't be opened: another Isolation server uses this database."
        )
        assert len(complaint.splitlines()) == 1
        server.kill()
        server.start()
