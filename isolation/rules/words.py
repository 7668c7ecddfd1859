"""How the rules speak of what a caller passed in, and of the two players."""

from collections.abc import Sequence
from typing import TypeGuard


def _is_short(value: object) -> TypeGuard[Sequence[object]]:
    """Whether this is a list of one or two plain values, such as a pair of coordinates."""
    return (
        isinstance(value, (list, tuple))
        and 0 < len(value) <= 2
        and not any(isinstance(item, (list, tuple)) for item in value)
    )


def shown(value: object) -> str:
    """Any value as short, printable text for a message: nothing in it can break the message."""
    if isinstance(value, str):
        text = value if value.isprintable() else ascii(value)[1:-1]
        return text if len(text) <= 24 else text[:23] + "…"
    if isinstance(value, int) and abs(value) >= 10**9:
        return "a huge number"
    if value is None or isinstance(value, (int, float)):
        return repr(value)
    if _is_short(value):
        return f"({', '.join(map(shown, value))})"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"


def player_name(player: int) -> str:
    """Players are 0 and 1 inside, Player 1 and Player 2 to people."""
    return f"Player {player + 1}"


def printable(text: str) -> str:
    """The text without what can't be seen: a line that any record can hold."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()
