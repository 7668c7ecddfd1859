"""Time for a whole game: no clock runs out, and most of the time is used. Nothing is timed here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation.engines.clock import share, turns_left
from isolation.engines.go import read_go
from isolation.rules import VARIANTS, Position
from isolation.rules.classic import Classic

LATE = 0.012  # seconds beyond what was asked for, each time


def played(start: Position, left: float, increment: float, turns: int) -> float:
    """What's left on a clock after so many turns that all take the time they may, and longer."""
    position = start
    for turn in range(turns):
        _, latest = share(left, increment, turns_left(position))
        left -= latest + LATE
        assert left > 0, f"out of time in turn {turn + 1}"
        left += increment
    return left


@pytest.mark.parametrize(
    ("game", "seconds", "increment", "turns"),
    [
        ("classic", 1, 0, 23),
        ("classic", 60, 0, 23),
        ("classic", 0.5, 0.1, 23),
        ("isola", 60, 0, 50),
        ("knights", 1, 0, 49),
        ("knights", 60, 0, 49),
        ("slider", 1, 0, 60),
        ("slider", 60, 0, 130),
        ("slider", 1, 1, 300),
        ("linear", 1, 0, 7),
    ],
)
def test_no_clock_runs_out(game: str, seconds: float, increment: float, turns: int) -> None:
    """The board never fills up here, so each share is as bold as at the start."""
    played(VARIANTS[game].start(), seconds, increment, turns)


def test_most_of_the_time_is_used() -> None:
    assert played(VARIANTS["classic"].start(), 60, 0, 15) < 15


@given(st.floats(0, 1e6), st.floats(0, 1e4), st.integers(1, 60))
def test_a_share_is_less_than_what_is_left(left: float, increment: float, turns: int) -> None:
    enough, latest = share(left, increment, turns)
    assert 0 <= enough <= latest
    assert latest == 0.001 or latest < left - 0.02


def test_the_clock_of_the_player_to_move_counts() -> None:
    start = VARIANTS["classic"].start()
    text = "p1time 60000 p2time 1000 p1inc 0 p2inc 0"
    first = read_go(text, start).limits
    second = read_go(text, start.discarded()).limits
    assert first.seconds is not None
    assert second.seconds is not None
    assert first.seconds > 10 * second.seconds
    hurried = read_go(f"{text} movestogo 2", start).limits
    assert hurried.seconds is not None
    assert hurried.seconds > 4 * first.seconds


def test_a_forced_move_takes_no_time() -> None:
    forced = Classic.from_picture("1 .\nX 2", starts="fixed")
    assert forced.count_moves() == 1
    assert read_go("p1time 60000", forced).limits.seconds == 0.001
