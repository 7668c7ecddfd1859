"""Outages among several processes: clocks are given back only what nobody could store in."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from isolation.rooms.outages import AGAIN_S, PROMPT_S, Outages, unserved
from isolation.rooms.ports import Beat, Entry, StoreDownError
from isolation.rooms.timing import Outage
from isolation.store import SqlStore
from tests.house import ANN, BOB, FakeWorld, House

OURS = Outage(100.0, 140.0)


def other(at: float, up: float | None) -> Beat:
    return Beat("other", at, up)


@pytest.mark.parametrize(
    ("others", "missed"),
    [
        ([], OURS),
        ([other(139.0, 50.0)], None),  # it worked all the time
        ([other(139.0, 130.0)], Outage(100.0, 130.0)),  # it was back before us
        ([other(139.0, 130.0), other(138.5, 120.0)], Outage(100.0, 120.0)),
        ([other(139.0, None)], OURS),  # it's alive, but can't store either
        ([other(137.0, 50.0)], Outage(137.0, 140.0)),  # its next beat is overdue: it may hang
        ([other(99.0, 50.0)], OURS),  # it failed when we did, and isn't back
        ([other(110.0, 50.0)], Outage(110.0, 140.0)),  # it died while we were cut off
        ([other(110.0, 50.0), other(139.0, 130.0)], Outage(110.0, 130.0)),
        ([other(139.0, 105.0), other(120.0, 50.0)], None),  # one took over from the other
    ],
)
def test_the_part_that_nobody_served(others: list[Beat], missed: Outage | None) -> None:
    assert unserved(OURS, others) == missed


class Process:
    """One of several on the same database, which can be cut off from it."""

    def __init__(self, path: Path, world: FakeWorld, name: str, is_first: bool = False) -> None:
        self.store = SqlStore(f"sqlite:///{path}", "normal")
        self.store.migrate()
        self.world = world
        self.outages = Outages(self.store, world)
        self.outages.resume(name, is_first)

    def fail(self) -> None:
        self.outages.failed(self.world.now())


@pytest.fixture
def world() -> FakeWorld:
    return FakeWorld()


@pytest.fixture
def pair(tmp_path: Path, world: FakeWorld) -> Iterator[tuple[Process, Process]]:
    processes = (
        Process(tmp_path / "games.db", world, "here", is_first=True),
        Process(tmp_path / "games.db", world, "there"),
    )
    yield processes
    for process in processes:
        process.store.close()


def test_only_the_first_one_up_gives_time_back(tmp_path: Path, world: FakeWorld) -> None:
    first = Process(tmp_path / "games.db", world, "first", is_first=True)
    world.time += 60
    second = Process(tmp_path / "games.db", world, "second")
    assert second.outages.ended == []
    world.time += 60
    third = Process(tmp_path / "games.db", world, "third", is_first=True)
    assert third.outages.ended == [Outage(world.now() - 60, world.now())]
    for process in (first, second, third):
        process.store.close()


def test_one_that_is_cut_off_gives_nothing_back_while_another_works(
    pair: tuple[Process, Process], world: FakeWorld
) -> None:
    here, there = pair
    here.fail()
    for _ in range(10):
        world.time += 1
        there.outages.beat()
    assert here.outages.recover()
    assert here.outages.ended == []
    assert here.outages.last_ended == world.now()  # nobody there could come back before
    assert there.outages.last_ended == 0.0


def test_an_outage_of_all_is_given_back_until_the_first_is_back(
    pair: tuple[Process, Process], world: FakeWorld
) -> None:
    here, there = pair
    began = world.now()
    here.fail()
    world.time += 1
    there.fail()
    world.time += 30
    there.outages.beat()  # the database answers, but nobody has been served there yet
    assert here.outages.recover()
    ended = world.now()
    world.time += 4
    assert there.outages.recover()
    both = {Outage(began, ended), Outage(began + 1, ended)}
    assert set(there.outages.ended) == both  # it hears of the other's too, before anyone plays
    world.time += 1
    here.outages.beat()
    assert set(here.outages.ended) == both


def test_one_whose_beat_hung_does_not_say_that_it_worked(
    pair: tuple[Process, Process], world: FakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody moved there, so nothing failed; the beat was stored when the database went on."""
    here, there = pair
    began = world.now()
    here.fail()
    stored = SqlStore.beat

    def hang(store: SqlStore, process: str, at: float, up: float | None, within: float) -> None:
        world.time += PROMPT_S + 1
        stored(store, process, at, up, within=-1.0)

    with monkeypatch.context() as patched:
        patched.setattr(SqlStore, "beat", hang)
        there.outages.beat()
    assert here.outages.recover()
    assert here.outages.ended == [Outage(began, world.now())]
    there.outages.beat()
    assert {beat.process: beat.up for beat in there.store.beats()}["there"] == world.now()


def test_an_outage_begins_with_the_first_call_that_fails_in_the_end(
    pair: tuple[Process, Process], world: FakeWorld
) -> None:
    here, _ = pair
    began = world.now()
    world.time += 2
    here.fail()
    assert not here.outages.failed(began)
    assert here.outages.clock() == began


def test_one_hears_of_outages_that_it_did_not_notice(
    pair: tuple[Process, Process], world: FakeWorld
) -> None:
    here, there = pair
    here.fail()
    world.time += 1
    here.outages.recover()
    there.outages.beat()
    assert there.outages.ended == here.outages.ended != []


def test_nobody_waits_for_a_store_that_hangs(
    pair: tuple[Process, Process], world: FakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = pair
    asked, answer = threading.Event(), threading.Event()
    tries: list[int] = []

    def hang(_: SqlStore) -> list[Beat]:
        tries.append(1)
        asked.set()
        assert answer.wait(60)
        raise StoreDownError("it doesn't answer")

    def attempt() -> None:
        with pytest.raises(StoreDownError):
            here.outages.recover()

    here.fail()
    with monkeypatch.context() as patched:
        patched.setattr(SqlStore, "beats", hang)
        first = threading.Thread(target=attempt)
        first.start()
        assert asked.wait(60)
        world.time += 2 * AGAIN_S
        attempt()  # it comes back though the first still hangs
        assert first.is_alive()
        answer.set()
        first.join(60)
        world.time -= 1.5 * AGAIN_S
        attempt()
    assert len(tries) == 1
    attempt()  # the store works again, but it's too soon to know
    world.time += AGAIN_S
    assert here.outages.recover()


def test_a_move_that_lands_after_its_refusal_is_made_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit was on its way when the store stopped answering, and couldn't be seen after it."""
    room = house.friends()
    late: list[Entry] = []
    with monkeypatch.context() as patched:

        def hang(_: SqlStore, entry: Entry) -> None:
            late.append(entry)
            raise StoreDownError("it doesn't answer")

        patched.setattr(SqlStore, "append", hang)
        with pytest.raises(StoreDownError):
            house.rooms.move(ANN, room.game.id, 0, "a2-b2", "mine")
    assert house.game(room).ply == 0
    house.store.append(late[0])
    assert house.rooms.move(ANN, room.game.id, 0, "a2-b2", "mine")["repeated"]
    house.rooms.move(BOB, room.game.id, 1, "c1-c2", "2")
    assert house.game(room).record.notation() == ["a2-b2", "c1-c2"]


def test_a_move_that_lands_after_its_refusal_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nobody repeats it: the outage's end is when to look for it."""
    room = house.friends()
    append = SqlStore.append
    with monkeypatch.context() as patched:

        def hang(store: SqlStore, entry: Entry) -> None:
            append(store, entry)
            raise StoreDownError("it doesn't answer")

        def fail(*_: object) -> None:
            raise StoreDownError("it doesn't answer")

        patched.setattr(SqlStore, "append", hang)
        patched.setattr(SqlStore, "load_log", fail)
        with pytest.raises(StoreDownError):
            house.rooms.move(ANN, room.game.id, 0, "a2-b2", "mine")
    house.audience.told.clear()
    for rooms in house.all:
        rooms.journal.recover()
    house.world.run()
    assert [one["move"] for one in house.audience.payloads("moved")] == ["a2-b2"]
