"""Fair turns of visitors at the engines, by a clock that stands still unless told otherwise."""

import threading

import pytest

from isolation.engines.engine import StopFlag
from isolation.engines.search import Purpose, Withdrawn
from isolation.engines.turns import GRAIN_S, HALF_LIFE_S, Turns


class Office:
    """Turns, a clock, and searches that wait in threads of their own."""

    def __init__(self, places: int) -> None:
        self.now = 0.0
        self.turns = Turns(places, lambda: self.now)
        self.order: list[str] = []  # whose turn it was
        self._threads: list[threading.Thread] = []

    def queue(self, *visitors: str, purpose: Purpose = Purpose.GAME) -> None:
        """Searches that have to wait, one after another, and are over as soon as they begin."""
        for who in visitors:
            _, waiting = self.turns.count()
            self._threads.append(
                threading.Thread(target=self._search, args=(who, purpose), daemon=True)
            )
            self._threads[-1].start()
            while self.turns.count()[1] == waiting:
                pass

    def _search(self, who: str, purpose: Purpose) -> None:
        with self.turns.turn(who, purpose):
            self.order.append(who)

    def use(self, who: str, seconds: float) -> None:
        with self.turns.turn(who):
            self.now += seconds

    def finish(self) -> list[str]:
        for thread in self._threads:
            thread.join(60)
        return self.order


def test_equals_take_turns() -> None:
    office = Office(1)
    with office.turns.turn("first"):
        office.queue("ann", "ann", "ann", "ben", "ben", "cy")
    assert office.finish() == ["ann", "ben", "cy", "ann", "ben", "ann"]


def test_a_visitor_who_used_less_goes_first() -> None:
    office = Office(1)
    office.use("ann", 3.0)
    office.use("ben", 1.5)
    with office.turns.turn("first"):
        office.queue("ann", "ann", "ben", "ben", "cy")
    assert office.finish() == ["cy", "ben", "ben", "ann", "ann"]


def test_a_search_under_way_counts() -> None:
    office = Office(3)
    with office.turns.turn("ann"), office.turns.turn("dee"):
        with office.turns.turn("first"):
            office.queue("ann", "ben")
            office.now += 1.5
        assert office.finish() == ["ben", "ann"]


def test_what_was_used_long_ago_is_forgotten() -> None:
    office = Office(1)
    office.use("ann", 3.0)
    office.now += 10 * HALF_LIFE_S
    with office.turns.turn("first"):
        office.queue("ann", "ben", "ann")
    assert office.finish() == ["ann", "ben", "ann"]
    assert not office.turns._accounts


def test_newcomers_keep_nobody_waiting_for_good() -> None:
    office = Office(1)
    office.use("ann", 3.0)
    with office.turns.turn("first"):
        office.queue("ann")
        office.now += 10 * HALF_LIFE_S
        office.queue("ben", "cy")
    assert office.finish() == ["ann", "ben", "cy"]


def test_next_to_nothing_does_not_cost_a_turn() -> None:
    office = Office(1)
    office.use("ann", GRAIN_S / 2)
    with office.turns.turn("first"):
        office.queue("ann", "ben")
    assert office.finish() == ["ann", "ben"]


@pytest.mark.parametrize(("places", "most"), [(1, 1), (2, 1), (4, 3)])
def test_one_visitor_never_holds_all_places(places: int, most: int) -> None:
    office = Office(places)
    done = threading.Event()

    def search() -> None:
        with office.turns.turn("greedy"):
            done.wait(60)

    threads = [threading.Thread(target=search) for _ in range(6)]
    for thread in threads:
        thread.start()
    while sum(office.turns.count()) < 6:
        pass
    assert office.turns.count() == (most, 6 - most)
    if places > 1:
        with office.turns.turn("modest"):
            assert office.turns.count() == (most + 1, 6 - most)
    done.set()
    for thread in threads:
        thread.join(60)
    assert office.turns.count() == (0, 0)


def test_a_turn_ends_with_what_goes_wrong_in_it() -> None:
    turns = Turns(1)
    with pytest.raises(ZeroDivisionError), turns.turn("ann"):
        raise ZeroDivisionError
    assert turns.count() == (0, 0)


def test_games_come_before_analyses() -> None:
    office = Office(1)
    office.use("ann", 3.0)
    with office.turns.turn("first"):
        office.queue("ben", "cy", purpose=Purpose.ANALYSIS)
        office.queue("ann", "cy")
    assert office.finish() == ["cy", "ann", "ben", "cy"]


def test_a_search_that_waits_can_be_withdrawn() -> None:
    turns, flag = Turns(1), StopFlag()
    withdrawn = threading.Event()

    def search() -> None:
        with pytest.raises(Withdrawn), turns.turn("ann", flag=flag):
            pass
        withdrawn.set()

    with turns.turn("ben"):
        threading.Thread(target=search, daemon=True).start()
        while turns.count() != (1, 1):
            pass
        flag.set()
        assert withdrawn.wait(60)
        assert turns.count() == (1, 0)
    with turns.turn("ann"):
        assert turns.count() == (1, 0)


def test_a_flag_that_was_set_before_withdraws_at_once() -> None:
    turns, flag = Turns(1), StopFlag()
    flag.set()
    with turns.turn("ann", flag=flag):  # a place was free: the search itself hears the flag
        assert turns.count() == (1, 0)
        with pytest.raises(Withdrawn), turns.turn("ben", flag=flag):
            pass
    assert turns.count() == (0, 0)
