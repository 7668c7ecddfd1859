"""Which processes count as alive, by what they wrote and when we could look."""

import pytest
from redis.exceptions import ConnectionError as Lost

from isolation.cluster.members import DEAD_S, Members
from isolation.rooms.ports import Beat


class FakeRedis:
    """Has no answer."""

    def zrange(self, *_: object, **__: object) -> list[tuple[str, float]]:
        raise Lost


class FakeLink:
    """Sends nothing."""

    process = "me"
    redis = FakeRedis()

    def send(self, *_: object) -> None:
        pass


@pytest.fixture
def members() -> Members:
    return made_of([])


def made_of(beating: list[Beat]) -> Members:
    made = Members(FakeLink(), lambda: 1000.0, lambda: beating)  # type: ignore[arg-type]
    made._looked = 0.0
    return made


def test_a_process_lives_while_its_word_changes(members: Members) -> None:
    changes: list[set[str]] = []
    members.on_change(changes.append)
    for second in range(10):
        members.saw({"me": float(second), "other": 500.0 + second}, float(second))
    assert members.is_alive("other")
    assert members.last_word("other") == 509.0
    for second in range(10, 16):
        members.saw({"me": float(second), "other": 509.0}, float(second))
    assert not members.is_alive("other")
    assert members.is_alive("me")
    assert changes == [{"other"}, {"other"}]  # it came, and it died


def test_nobody_dies_while_nobody_can_look(members: Members) -> None:
    members.saw({"other": 1.0}, 0.0)
    members.look()  # in vain
    members.saw({"other": 1.0}, 60.0)
    assert members.is_alive("other")
    for second in range(61, 61 + int(DEAD_S)):
        members.saw({"other": 1.0}, float(second))
    assert not members.is_alive("other")


def test_a_redis_that_lost_everything_kills_nobody_at_once(members: Members) -> None:
    members.saw({"other": 1.0}, 0.0)
    members.saw({}, 1.0)
    assert members.is_alive("other")
    members.saw({"other": 2.0}, 2.0)
    assert members.is_alive("other")
    for second in range(3, 10):
        members.saw({}, float(second))
    assert not members.is_alive("other")


def test_the_dead_can_return(members: Members) -> None:
    for second in range(8):
        members.saw({"other": 1.0}, float(second))
    assert not members.is_alive("other")
    members.saw({"other": 2.0}, 8.0)
    assert members.is_alive("other")


def test_one_that_serves_without_a_word_leaves_everyone_unsure() -> None:
    members = made_of([Beat("me", 1.0, 0.0), Beat("other", 1.0, 0.0)])
    members.saw({"other": 1.0}, 0.0)
    assert not members.has_silent()
    for second in range(1, 8):
        members.saw({"other": 1.0}, float(second))
    assert not members.is_alive("other")
    assert members.has_silent()


def test_the_elder_stays_where_two_disagree() -> None:
    beats = [Beat("me", 5.0, 5.0), Beat("elder", 5.0, 4.0), Beat("later", 6.0, 6.0)]
    assert made_of([*beats, Beat("troubled", 5.0, None)])._elders() == {"elder", "troubled"}
