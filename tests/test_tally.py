"""A tally against plain lists, whichever of its versions is gone on from."""

from hypothesis import given
from hypothesis import strategies as st

from isolation.rules.tally import Tally

KEYS = st.integers(0, 4)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 10), KEYS), max_size=60))
def test_every_version_counts_its_own(steps: list[tuple[int, int, int]]) -> None:
    """Go on from any version, or from any beginning of one: none of the others changes."""
    versions: list[tuple[Tally, list[int]]] = [(Tally(), [])]
    for at, cut, key in steps:
        tally, keys = versions[at % len(versions)]
        length = max(0, len(keys) - cut)
        versions.append((tally.first(length).plus(key), [*keys[:length], key]))
    for tally, keys in versions:
        assert tally.length == len(keys)
        assert tally == Tally(keys)
        for key in range(5):
            assert tally.count(key) == keys.count(key)
            assert (key in tally) == (key in keys)


def test_tallies_differ_by_what_they_have_seen() -> None:
    assert Tally("ab") != Tally("abb")
    assert Tally("ab") != Tally("ba")
    assert Tally("abc").first(2) == Tally("ab")
    assert Tally("ab") != "ab"
