"""While nothing can be stored, or the server stands still, nobody's clock runs."""

from typing import Any

import pytest

from isolation.rooms.ports import StoreDownError
from isolation.store import SqlStore
from tests.house import ANN, BOB, EVE, House, refused


class Broken:
    """A store that can't be written to, for as long as the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_down = False
        for name in ("append", "add_outage", "beat", "set_due", "create_room", "succeed"):
            monkeypatch.setattr(SqlStore, name, self._failing(getattr(SqlStore, name)))

    def _failing(self, call: Any) -> Any:
        def attempt(*arguments: Any) -> Any:
            if self.is_down:
                raise StoreDownError("the disk is full")
            return call(*arguments)

        return attempt


def miss_beats(house: House) -> None:
    """Every process finds that the store is down."""
    for rooms in house.all:
        with pytest.raises(StoreDownError):
            rooms.journal.beat()


def recover(house: House) -> None:
    """Every process finds that the store works again."""
    for rooms in house.all:
        rooms.journal.recover()
    house.world.run()


def test_clocks_stop_while_the_store_is_down(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Broken(monkeypatch)
    room = house.friends(clock={"minutes": 0.25})
    house.play(room, "a2-b2", "c1-c2")
    house.live(5)
    store.is_down = True
    with pytest.raises(StoreDownError):
        house.play(room, "a3-b3")
    miss_beats(house)
    house.audience.told.clear()
    for _ in range(60):  # far longer than Ann has left
        house.world.time += 1
        for rooms in house.all:
            rooms.deadlines.tick()
            with pytest.raises(StoreDownError):
                rooms.journal.recover()
    assert not house.game(room).outcome
    store.is_down = False
    house.world.time += 1
    recover(house)
    assert house.game(room).time_left(house.world.now()) == (10, 15)
    (state,) = house.audience.payloads("state")
    assert (state["running"], state["left"]) == (True, [10, 15])
    house.play(room, "a3-b3")
    assert house.game(room).ply == 3


def test_people_are_told_that_the_clocks_stand_still(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Broken(monkeypatch)
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    store.is_down = True
    house.audience.told.clear()
    miss_beats(house)
    (state,) = house.audience.payloads("state")
    assert (state["running"], state["left"]) == (False, [60, 60])
    house.world.time += 30
    miss_beats(house)
    assert len(house.audience.payloads("state")) == 1  # once


def test_an_outage_ends_with_the_first_move_that_is_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Broken(monkeypatch)
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    house.world.time += 10
    store.is_down = True
    with pytest.raises(StoreDownError):
        house.play(room, "a3-b3")
    miss_beats(house)
    house.world.time += 300
    store.is_down = False
    house.play(room, "a3-b3")
    assert house.game(room).left == (50, 60)


def test_the_beat_after_an_outage_gives_back_nothing_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Broken(monkeypatch)
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    store.is_down = True
    for _ in range(10):
        miss_beats(house)
        house.world.time += 1
    store.is_down = False
    recover(house)
    house.live(2)
    house.world.run()
    assert house.game(room).time_left(house.world.now()) == (58, 60)


@pytest.mark.parametrize("wakes", ["tick", "move", "enter"])
def test_nobody_is_charged_while_the_process_is_stopped(house: House, wakes: str) -> None:
    """By SIGSTOP, say: whatever comes first afterwards, it finds out."""
    room = house.friends(clock={"minutes": 0.25})
    house.play(room, "a2-b2", "c1-c2")
    house.live(1)
    house.world.time += 60
    if wakes == "tick":
        for rooms in house.all:
            rooms.deadlines.tick()
    elif wakes == "move":
        house.play(room, "a3-b3")
    else:
        house.rooms.enter(EVE, room.id, "socket e")
    house.world.run()
    assert not house.game(room).outcome
    assert house.game(room).time_left(house.world.now()) == (14, 15)


def test_an_outage_is_no_absence(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can come back while nothing works, and so nobody can be claimed against for it."""
    store = Broken(monkeypatch)
    room = house.friends()
    house.play(room, "a2-b2", "c1-c2", "a3-b3")
    house.rooms.leave(BOB, room.id, "socket b")
    store.is_down = True
    miss_beats(house)
    house.world.time += 300
    store.is_down = False
    recover(house)
    assert house.rooms.presence(room.id)["claim_in"] == [None, 60.0]  # type: ignore[index]
    assert refused(house.rooms.claim, ANN, room.game.id, "win") == "too_early"
    house.world.time += 60
    house.rooms.claim(ANN, room.game.id, "win")


def test_nobody_loses_on_time_by_a_takeback(house: House) -> None:
    """It takes the increment back, too."""
    clock = {"minutes": 0.25, "increment": 5}
    room = house.friends(clock=clock)
    house.play(room, "a2-b2", "c1-c2")
    house.world.time += 13
    house.play(room, "a3-b3")  # Ann has 2 s left, and 5 for the move
    house.world.time += 1
    house.play(room, "d1-d2")
    house.world.time += 3
    assert refused(house.rooms.takeback, ANN, room.game.id, "propose") == "too_late"
    assert not house.game(room).outcome
