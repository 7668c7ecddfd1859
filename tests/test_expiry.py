"""Games that nobody finishes end by themselves (docs/protocol.md, Games that nobody finishes)."""

from typing import Any

import pytest

from isolation.rooms.expiry import DAY, HOUR
from isolation.rules import Outcome, Reason
from tests.house import ANN, BOB, House


def test_an_invitation_is_withdrawn_after_a_week(house: House) -> None:
    room = house.rooms.create(ANN, "classic")
    house.pass_time(6 * DAY)
    assert not house.game(room).outcome
    house.pass_time(2 * DAY)
    assert house.game(room).is_aborted
    assert house.unfinished() == []


def test_an_untimed_game_is_lost_by_the_player_who_left_it(house: House) -> None:
    room = house.friends()
    house.play(room, "a2-b2", "c1-c2", "a3-b3")
    house.pass_time(29 * DAY)
    house.play(room, "d1-d2")  # in time
    house.pass_time(29 * DAY)
    assert not house.game(room).outcome
    house.pass_time(2 * DAY)
    assert house.game(room).outcome == Outcome(1, Reason.ABANDONED, 0)
    assert house.rooms.snapshot(house.rooms.room(room.id))["score"] == [0, 1]


@pytest.mark.parametrize("opponent", ["local", "computers"])
def test_nobody_loses_a_game_against_nobody(house: House, opponent: str) -> None:
    levels = {"level": 1, "second_level": 1} if opponent == "computers" else {}
    room = house.rooms.create(ANN, "slider", opponent=opponent, side=1, **levels)
    if opponent == "local":
        house.play(room, "a2-b2", "c1-c2")
    house.pass_time(31 * DAY)
    assert house.game(room).is_aborted


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [({"minutes": 3}, HOUR), ({"minutes": 90}, 1.5 * HOUR), ({"days": 2}, 2 * DAY)],
)
def test_a_timed_game_without_first_moves_is_aborted(
    house: House, clock: dict[str, Any], seconds: float
) -> None:
    room = house.friends(clock=clock)
    house.play(room, "a2-b2")
    house.pass_time(seconds - 1)
    assert not house.game(room).outcome
    house.pass_time(DAY)
    assert house.game(room).is_aborted


def test_a_game_against_the_computer_waits_for_the_person(house: House) -> None:
    room = house.rooms.create(ANN, "slider", opponent="computer", level=1, side=1)
    house.play(room, "a2-b2")
    house.world.run()
    house.pass_time(31 * DAY)
    assert house.game(room).outcome == Outcome(1, Reason.ABANDONED, 0)


def test_time_in_which_the_server_was_away_does_not_count(house: House) -> None:
    unstarted = house.friends(clock={"minutes": 3})
    house.play(unstarted, "a2-b2")
    untimed = house.friends()
    house.play(untimed, "a2-b2", "c1-c2")
    house.live(5)
    house.world.time += 40 * DAY
    house.open()
    house.pass_time(HOUR / 2)
    assert not house.game(unstarted).outcome
    assert not house.game(untimed).outcome
    house.pass_time(HOUR)
    assert house.game(unstarted).is_aborted
    house.pass_time(31 * DAY)
    assert house.game(untimed).outcome == Outcome(1, Reason.ABANDONED, 0)


def test_a_game_costs_nothing_until_it_is_due(house: House) -> None:
    """A sweep reads what is due, and nothing else."""
    for _ in range(5):
        room = house.rooms.create(BOB, "classic")
    house.open()
    house.pass_time(DAY)
    assert all(rooms.journal.rooms() == [] for rooms in house.all)
    house.rooms.enter(ANN, room.id, "socket")
    assert sum(len(rooms.journal.rooms()) for rooms in house.all) == 1


def test_no_timer_outlives_the_rooms_in_memory_for_long(house: House) -> None:
    for _ in range(5):
        house.rooms.create(ANN, "classic")  # an invitation for a week
    deadlines = house.all[0].deadlines
    assert not deadlines._armed
    room = house.friends("classic", clock={"minutes": 1})
    assert not deadlines._armed
    house.play(room, "c7/d4", "d2/d5")
    assert list(deadlines._armed) == [room.id]
