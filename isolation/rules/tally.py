"""How often each thing has come up so far, as a value that is cheap to go on from."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable
from typing import Self


class Tally:
    """Immutable. `plus` makes the next tally, which shares its memory with this one.

    Both hold the same growing list and see only their own part of it. So counting on costs the
    same however long a game is, also for two who count on in the same way; only going on
    differently from an earlier point makes a copy. (`Trail` is the like for sequences.)
    """

    __slots__ = ("_keys", "_places", "length")

    def __init__(self, keys: Iterable[Hashable] = ()) -> None:
        self._keys = list(keys)
        self._places: dict[Hashable, list[int]] = {}
        for place, key in enumerate(self._keys):
            self._places.setdefault(key, []).append(place)
        self.length = len(self._keys)

    def plus(self, key: Hashable) -> Self:
        """With one more."""
        keys, length = self._keys, self.length
        if len(keys) == length:
            self._places.setdefault(key, []).append(length)
            keys.append(key)
        elif keys[length] != key:  # somebody else has gone another way from here
            return type(self)([*keys[:length], key])
        return self.first(length + 1)

    def first(self, length: int) -> Self:
        """Only the first so many."""
        found = object.__new__(type(self))
        found._keys, found._places, found.length = self._keys, self._places, length
        return found

    def count(self, key: Hashable) -> int:
        return bisect_left(self._places.get(key, ()), self.length)

    def __contains__(self, key: Hashable) -> bool:
        return self.count(key) > 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self._keys[: self.length] == other._keys[: other.length]

    __hash__ = None  # type: ignore[assignment]
