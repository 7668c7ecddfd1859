"""The site's time: it follows the database's clock slowly, and is never taken in by a jump."""

import pytest

from isolation.rooms.ports import Beat
from isolation.web.sitetime import SLEW_S, SiteTime

WALL, TICKS = 1_000_000.0, 50.0


def started(clock: float, *others: Beat) -> SiteTime:
    """A process that has taken over the site's time, by a look that took no time."""
    time = SiteTime(WALL, TICKS)
    time.adopt(clock, WALL, TICKS, others)
    return time


def look(time: SiteTime, clock: float, ticks: float, took: float = 0.0) -> None:
    since = time.now(ticks)
    time.follow(clock, since, ticks + took)


def test_it_goes_with_the_ticks() -> None:
    time = SiteTime(WALL, TICKS)
    assert time.now(TICKS + 5) == WALL + 5


def test_the_first_process_takes_the_databases_clock() -> None:
    assert started(WALL - 300).now(TICKS + 1) == WALL - 299


def test_the_others_take_over_from_those_who_are_alive() -> None:
    """The site is 10 s ahead of the database; one of the beats took long to write."""
    others = [
        Beat("slow", at=WALL + 9, up=WALL, db_at=WALL + 1),
        Beat("fast", at=WALL + 12, up=WALL, db_at=WALL + 2),
        Beat("file", at=WALL + 99, up=WALL),
    ]
    assert started(WALL + 3, *others).now(TICKS) == WALL + 13


def test_a_slow_look_counts_from_its_middle() -> None:
    time = SiteTime(WALL, TICKS)
    time.adopt(WALL + 100, WALL, TICKS + 4, [])
    assert time.now(TICKS + 4) == WALL + 102


def test_it_never_starts_before_the_last_beat() -> None:
    time = started(WALL - 300)
    time.go_on_from(WALL - 400, TICKS)
    assert time.now(TICKS) == WALL - 300
    time.go_on_from(WALL, TICKS)
    assert time.now(TICKS) == WALL
    look(time, WALL - 299, TICKS + 1)  # it stays ahead of the database by as much
    assert time.now(TICKS + 1) == WALL + 1
    time.go_on_from(None, TICKS + 1)
    assert time.now(TICKS + 1) == WALL + 1


@pytest.mark.parametrize("drift", [0.5, -0.5])
def test_drift_is_corrected_in_small_steps(drift: float) -> None:
    time = started(WALL)
    look(time, WALL + 10 + drift, TICKS + 10)
    step = SLEW_S if drift > 0 else -SLEW_S
    assert time.now(TICKS + 20) == pytest.approx(WALL + 20 + step)
    for beat in range(1, 60):
        look(time, WALL + 20 + beat + drift, TICKS + 20 + beat)
    assert time.now(TICKS + 90) == pytest.approx(WALL + 90 + drift)


def test_it_never_goes_back() -> None:
    time = started(WALL)
    last = time.now(TICKS)
    for beat in range(100):
        ticks = TICKS + beat / 1000
        look(time, WALL - 0.9, ticks)
        assert time.now(ticks) >= last
        last = time.now(ticks)


def test_what_a_slow_answer_leaves_open_is_no_drift() -> None:
    """The clock was read at some time in those 2 s."""
    for clock in (WALL + 10.0, WALL + 11.0, WALL + 12.0):
        time = started(WALL)
        look(time, clock, TICKS + 10, took=2.0)
        assert time.now(TICKS + 12) == WALL + 12


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 1.0])
def test_a_clock_that_was_set_moves_nobody(jump: float) -> None:
    time = started(WALL)
    look(time, WALL + 1 + jump, TICKS + 1)
    assert time.now(TICKS + 1) == WALL + 1
    look(time, WALL + 2 + jump, TICKS + 2)  # and from then on it's followed again
    assert time.now(TICKS + 2) == WALL + 2
    look(time, WALL + 3 + jump + 0.5, TICKS + 3)
    assert time.now(TICKS + 3) == pytest.approx(WALL + 3 + SLEW_S)
    late = SiteTime(WALL, TICKS)  # one that starts now is with the others
    late.adopt(WALL + 4 + jump, WALL, TICKS, [Beat("a", WALL + 3, WALL, WALL + 3 + jump)])
    assert late.now(TICKS) == WALL + 4
