"""What each connection may use of the server, with a clock that the test turns."""

import pytest

from isolation.web.edge import shares
from isolation.web.edge.shares import ADDRESS, CONNECTION, MAX_ADDRESSES, Share, Shares


class Clock:
    """Stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def opened(everybody: Shares, host: str = "a") -> Share:
    share = everybody.open(host)
    assert isinstance(share, Share)
    return share


def exhaust(share: Share) -> None:
    """Use up all that the connection may have."""
    for _ in range(10_000):
        if share.is_flooding:
            return
        share.charge(0.01)
        share.wait()
    raise AssertionError("there is no end to it")


def test_a_flood_leaves_others_at_its_address_alone(clock: Clock) -> None:
    everybody = Shares(clock)
    flooder, player = opened(everybody), opened(everybody)
    exhaust(flooder)
    assert flooder.is_flooding
    for _ in range(60):  # an event a second, as fast as people play
        clock.now += 1
        player.charge(shares.MESSAGE)
        assert player.wait() == 0
    assert not player.is_flooding


def test_many_connections_come_one_after_another(clock: Clock) -> None:
    """A thousand that ask for something at once are served at the rate of their address."""
    everybody = Shares(clock)
    crowd = [opened(everybody) for _ in range(1000)]
    for share in crowd:
        share.charge(shares.REQUEST)
    waits = sorted(share.wait() for share in crowd)
    each = (shares.REQUEST + shares.CONNECT) / ADDRESS.per_second
    burst = ADDRESS.burst / ADDRESS.per_second
    for second in range(1, int(waits[-1])):
        assert sum(wait <= second for wait in waits) <= (second + burst) / each + 1
    assert not everybody.admits("a") or waits[-1] < shares.LONGEST_LINE


def test_many_addresses_leave_some_of_the_site(clock: Clock) -> None:
    everybody = Shares(clock)
    crowd = [opened(everybody, str(number)) for number in range(1000)]
    for share in crowd:
        share.charge(0.1)  # far more than it could earn in the line
    waits = sorted(share.wait() for share in crowd)
    earned = 1000 * CONNECTION.per_second
    for second in range(1, 9):  # before they have earned it
        served = sum(wait <= second for wait in waits) * 0.1
        assert served <= shares.SITE.burst + second * shares.SITE.per_second + 0.1
    assert earned * max(waits) >= 1000 * 0.1


def test_a_late_loop_slows_the_lines_down_until_it_is_not(clock: Clock) -> None:
    everybody = Shares(clock)

    def wait() -> float:
        clock.now += 1000
        share = opened(everybody)
        share.charge(0.5)
        return share.wait()

    usual = wait()
    for _ in range(10):
        everybody.adapt(1.0)
    assert wait() > usual
    for _ in range(100):
        everybody.adapt(0.0)
    assert wait() == pytest.approx(usual)


def test_what_was_used_up_comes_back(clock: Clock) -> None:
    share = opened(Shares(clock))
    exhaust(share)
    clock.now += 1_000_000
    assert share.wait() == 0
    share.charge(CONNECTION.burst)
    assert share.wait() == 0
    assert not share.is_flooding


def test_an_address_is_heard_again_soon_after_a_flood_of_connections(clock: Clock) -> None:
    everybody = Shares(clock)
    while everybody.admits("a"):
        everybody.open("a")
        everybody.close("a")
    assert everybody.admits("b")
    clock.now += 10
    assert everybody.admits("a")


def test_addresses_are_forgotten_once_nobody_is_there(clock: Clock) -> None:
    everybody = Shares(clock)
    for number in range(2 * MAX_ADDRESSES):
        everybody.open(str(number))
        everybody.close(str(number))
    assert len(everybody._addresses) <= MAX_ADDRESSES


def test_friends_are_not_limited(clock: Clock) -> None:
    share = Shares(clock, is_limited=False).open("a")
    share.charge(1_000_000)
    assert share.wait() == 0
    assert not share.is_flooding
