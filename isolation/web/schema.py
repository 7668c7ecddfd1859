"""Checks of what clients send, field by field. Each refusal says what is allowed."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from isolation.rooms.errors import Refused
from isolation.rules.words import shown

MAX_MESSAGE = 16_000  # bytes
MAX_NAME = 24
MAX_CHAT = 300
MAX_MOVE = 24
MAX_WHY = 160
MAX_LABEL = 40
MAX_DAYS = 3650
Check = Callable[[str, object], Any]

_REQUIRED = object()
_UNSEEN = ("Cc", "Cf", "Cs", "Cn")  # controls, marks, halves of characters, and what is none
_JOINER = "\u200d"  # a mark that emoji are made with


@dataclass(frozen=True, slots=True)
class Field:
    """One named value of a message."""

    name: str
    check: Check
    default: Any = _REQUIRED


def read(fields: tuple[Field, ...], data: object) -> dict[str, Any]:
    """All fields of a message, checked, or Refused."""
    if not isinstance(data, Mapping):
        raise Refused("invalid", f"a message is an object with named fields, not {shown(data)}")
    known = {field.name for field in fields}
    for name in data:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise Refused("invalid", f"there is no field {shown(name)} (fields: {names})")
    return {field.name: _value(field, data) for field in fields}


def _value(field: Field, data: Mapping[str, Any]) -> Any:
    if field.name in data:
        return field.check(field.name, data[field.name])
    if field.default is _REQUIRED:
        raise Refused("invalid", f"{field.name} is missing")
    return field.default


def identifier(name: str, value: object) -> str:
    """The id of a room, a game or a move."""
    if isinstance(value, str) and 0 < len(value) <= 64 and value.isascii() and value.isprintable():
        return value
    raise Refused("invalid", f"{name} is a short text, not {shown(value)}")


def number(name: str, value: object) -> int:
    if type(value) is int and 0 <= value < 100_000:
        return value
    raise Refused("invalid", f"{name} is a number from 0, not {shown(value)}")


def whole(least: int, most: int) -> Check:
    def check(name: str, value: object) -> int:
        if type(value) is int and least <= value <= most:
            return value
        message = f"{name} is a whole number from {least} to {most}, not {shown(value)}"
        raise Refused("invalid", message)

    return check


def flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise Refused("invalid", f"{name} is true or false, not {shown(value)}")


def anything(name: str, value: object) -> object:
    """Checked further on, by what knows best."""
    return value


def move_text(name: str, value: object) -> str:
    if isinstance(value, str) and len(value) <= MAX_MOVE:
        return value
    raise Refused("invalid", f"{name} is a short text, not {shown(value)}")


def list_of(check: Check, most: int) -> Check:
    """A list of so many values at the most, each of them checked."""

    def check_all(name: str, value: object) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise Refused("invalid", f"{name} is a list of up to {most}, not {shown(value)}")
        return [check(name, one) for one in value]

    return check_all


def nanoseconds(name: str, value: object) -> int:
    if type(value) is int and 0 <= value < 1 << 53:
        return value
    raise Refused("invalid", f"{name} are whole numbers of nanoseconds, not {shown(value)}")


def one_of(*allowed: str) -> Check:
    def check(name: str, value: object) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        raise Refused("invalid", f"{name} is one of {', '.join(allowed)}, not {shown(value)}")

    return check


def line_of(most: int) -> Check:
    """A line that somebody wrote: no blanks around it, and nothing in it that can not be seen.

    Marks that turn the direction of text would turn the sentences around a name, too.
    """

    def check(name: str, value: object) -> str:
        if not isinstance(value, str) or len(value) > 4 * most:
            raise Refused("invalid", f"{name} is a text of 1 to {most} characters")
        text = "".join(c for c in value if c == _JOINER or unicodedata.category(c) not in _UNSEEN)
        text = text.strip()
        if not 0 < len(text) <= most:
            raise Refused("invalid", f"{name} is a text of 1 to {most} characters")
        return text

    return check
