"""Rate limits, with a clock that the test turns."""

import pytest

from isolation.rooms.errors import Refused
from isolation.web.limits import MAX_BUCKETS, RATES, Limiter


class Clock:
    """Stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def spend(limiter: Limiter, kind: str, who: str) -> int:
    """How many are allowed now."""
    for number in range(10_000):
        try:
            limiter.take(kind, who)
        except Refused:
            return number
    raise AssertionError("there is no limit")


@pytest.mark.parametrize("kind", RATES)
def test_a_bucket_empties_and_fills_at_its_rate(kind: str) -> None:
    clock = Clock()
    limiter, rate = Limiter(clock), RATES[kind]
    assert spend(limiter, kind, "ann") == rate.burst
    with pytest.raises(Refused) as caught:
        limiter.take(kind, "ann")
    wait = caught.value.details["seconds"]
    clock.now += wait
    assert spend(limiter, kind, "ann") >= 1
    clock.now += 1_000_000
    assert spend(limiter, kind, "ann") == rate.burst  # no more than that, however long the rest
    assert spend(limiter, kind, "bob") == rate.burst


def test_what_is_remembered_has_an_end() -> None:
    limiter = Limiter(Clock())
    for number in range(MAX_BUCKETS + 100):
        limiter.take("other", str(number))
    assert len(limiter._buckets) == MAX_BUCKETS
