"""The options of a game: what each may be, how it is checked, read, written, drawn at random."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from isolation.rules.errors import InvalidOption
from isolation.rules.grid import column_row
from isolation.rules.words import shown

T = TypeVar("T")


class Lot(Protocol):
    """What draws at random: `random.Random` is one. The rules have none of their own."""

    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...


@dataclass(frozen=True)
class Option(ABC):
    """One option of a game. `allowed` says in words what values it takes."""

    name: str
    summary: str
    default: Any

    @property
    @abstractmethod
    def allowed(self) -> str: ...

    @abstractmethod
    def check(self, value: object) -> Any:
        """The value in its one canonical form, or InvalidOption."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """The value that a text on a command line or in a record means, or InvalidOption."""

    @abstractmethod
    def draw(self, lot: Lot, options: Mapping[str, Any]) -> Any:
        """A value drawn at random, fitting the options already settled."""

    def write(self, value: Any) -> str:
        return str(value)

    def refuse(self, value: object) -> InvalidOption:
        return InvalidOption(f"{self.name} must be {self.allowed}, not {shown(value)}")


@dataclass(frozen=True)
class Number(Option):
    """A whole number in a range."""

    default: int
    low: int
    high: int
    odd: bool = False

    @property
    def values(self) -> range:
        return range(self.low, self.high + 1, 2 if self.odd else 1)

    @property
    def allowed(self) -> str:
        kind = "an odd number" if self.odd else "a number"
        return f"{kind} from {self.low} to {self.high}"

    def check(self, value: object) -> int:
        if type(value) is not int or value not in self.values:
            raise self.refuse(value)
        return value

    def read(self, text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 6):
            raise self.refuse(text)
        return self.check(int(text))

    def draw(self, lot: Lot, options: Mapping[str, Any]) -> int:
        return lot.choice(self.values)


@dataclass(frozen=True)
class Choice(Option):
    """One of a few values; letters count alike, large or small."""

    default: str | int
    choices: tuple[str | int, ...]
    words: tuple[str, ...]  # what each choice means, to people

    @property
    def allowed(self) -> str:
        return " or ".join(map(str, self.choices))

    def check(self, value: object) -> str | int:
        for choice in self.choices:
            if type(value) is type(choice) and str(value).lower() == str(choice).lower():
                return choice
        raise self.refuse(value)

    def read(self, text: str) -> str | int:
        for choice in self.choices:
            if text.lower() == str(choice).lower():
                return choice
        raise self.refuse(text)

    def draw(self, lot: Lot, options: Mapping[str, Any]) -> str | int:
        return lot.choice(self.choices)


Place = tuple[int, int]


@dataclass(frozen=True)
class Blocks(Option):
    """Cells as (column, row) from the bottom left, or by name; at most `most` if random."""

    default: tuple[Place, ...]
    most: int

    @property
    def allowed(self) -> str:
        return "squares as column,row or by name (1,1 or b2), none where a piece starts"

    def check(self, value: object) -> tuple[Place, ...]:
        if not isinstance(value, (list, tuple)):
            raise self.refuse(value)
        return tuple(sorted({self._place(item) for item in value}))

    def _place(self, item: object) -> Place:
        if isinstance(item, str):
            return self._named(item)
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            raise self.refuse(item)
        column, row = item
        if type(column) is not int or type(row) is not int or column < 0 or row < 0:
            raise self.refuse(f"({shown(column)}, {shown(row)})")
        return column, row

    def _named(self, name: str) -> Place:
        column, comma, row = name.partition(",")
        if comma and all(part.isascii() and part.isdecimal() for part in (column, row)):
            if len(name) > 5:
                raise self.refuse(name)
            return int(column), int(row)
        place = column_row(name.lower())
        if place is None:
            raise self.refuse(name)
        return place

    def read(self, text: str) -> tuple[Place, ...]:
        words = text.split()
        return () if words == ["none"] else self.check(words)

    def write(self, value: tuple[Place, ...]) -> str:
        return " ".join(f"{column},{row}" for column, row in value) or "none"

    def draw(self, lot: Lot, options: Mapping[str, Any]) -> tuple[Place, ...]:
        inside = range(1, options["size"] - 1)
        places = [(column, row) for column in inside for row in inside]
        return tuple(sorted(lot.sample(places, lot.choice(range(self.most + 1)))))
