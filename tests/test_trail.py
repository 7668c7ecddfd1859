"""A trail against plain lists, whichever of its versions is gone on from."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation.rules import GameRecord
from isolation.rules.trail import Trail

ITEMS = st.integers(0, 2)
INDEX = st.none() | st.integers(-8, 8)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 10), ITEMS), max_size=60))
def test_every_version_keeps_its_own(steps: list[tuple[int, int, int]]) -> None:
    """Go on from any version, or from any beginning of one: none of the others changes."""
    versions: list[tuple[Trail[int], list[int]]] = [(Trail(), [])]
    for at, cut, item in steps:
        trail, items = versions[at % len(versions)]
        length = max(0, len(items) - cut)
        versions.append((trail.first(length).plus(item), [*items[:length], item]))
    for trail, items in versions:
        assert list(trail) == items
        assert (len(trail), bool(trail)) == (len(items), bool(items))
        assert trail == Trail(items)
        assert items == [] or trail.last == items[-1]


@given(st.lists(ITEMS, max_size=6), INDEX, INDEX, st.integers(-3, 3).filter(bool))
def test_it_is_cut_as_a_tuple_is(items: list[int], begin: int, end: int, step: int) -> None:
    trail = Trail([*items, 7, 7]).first(len(items))
    assert trail[begin:end:step] == tuple(items)[begin:end:step]
    for at in range(-len(items), len(items)):
        assert trail[at] == items[at]
    for at in (len(items), -len(items) - 1):
        with pytest.raises(IndexError):
            trail[at]
    assert list(reversed(trail)) == items[::-1]
    assert (7 in trail, trail.count(1)) == (False, items.count(1))


def test_equality_copies_and_looks() -> None:
    trail = Trail("abc").first(2)
    assert trail == Trail("ab")
    assert trail == ("a", "b")
    assert trail == ["a", "b"]
    assert trail != Trail("abc")
    assert trail != "ab"
    assert repr(trail) == "('a', 'b')"
    assert pickle.loads(pickle.dumps(trail)) == trail


def test_two_who_go_on_alike_share_memory() -> None:
    begun = Trail([1])
    assert begun.plus(2)._items is begun.plus(2)._items
    assert begun.plus(3)._items is not begun.plus(2)._items


def test_records_of_one_game_share_memory_and_none_changes() -> None:
    record = GameRecord.begin("slider", {"size": 4}).replay(["a2-b2", "b1-a1"])
    up, across = (record.play(record.position.parse(text)) for text in ("b2-b3", "b2-c2"))
    assert record.notation() == ["a2-b2", "b1-a1"]
    assert (up.notation()[2:], across.notation()[2:]) == (["b2-b3"], ["b2-c2"])
    assert up.positions[:3] == across.positions[:3] == record.positions
    back = across.take_back(1)
    assert back == record
    assert back.play(back.position.parse("b2-b3")) == up
