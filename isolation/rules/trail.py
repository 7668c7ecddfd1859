"""A sequence that only grows at its end, as a value that is cheap to go on from."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Self, SupportsIndex, TypeVar, overload

T = TypeVar("T")


class Trail(Sequence[T], Generic[T]):
    """Immutable. `plus` makes the next trail, which shares its memory with this one.

    Both hold the same growing list and see only their own part of it. So going on costs the same
    however long a trail is, also for two who go on in the same way; only going on differently
    from an earlier point makes a copy. Slices are tuples.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def plus(self, item: T) -> Self:
        """With one more."""
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        elif items[length] != item:  # somebody else has gone another way from here
            return type(self)([*items[:length], item])
        return self.first(length + 1)

    def first(self, length: int) -> Self:
        """Only the first so many."""
        trail = object.__new__(type(self))
        trail._items, trail._length = self._items, length
        return trail

    @property
    def last(self) -> T:
        """The last of at least one."""
        return self._items[self._length - 1]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._length])

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> T | tuple[T, ...]:
        places = range(self._length)[index]
        if isinstance(places, range):
            return tuple([self._items[place] for place in places])
        return self._items[places]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Trail, tuple, list)):
            return NotImplemented
        if isinstance(other, Trail) and other._items is self._items:
            return other._length == self._length
        return len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[T, ...]]]:
        return type(self), (tuple(self),)
