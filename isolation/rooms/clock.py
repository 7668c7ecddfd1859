"""Time controls: minutes with an increment for the whole game, or days for each turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from isolation.rooms.errors import Refused
from isolation.rules.words import shown

MINUTE, DAY = 60.0, 86400.0
SHORTEST_GRACE, GRACE_SHARE, UNTIMED_GRACE = 30.0, 0.1, 60.0

_ALLOWED = (
    'a clock is nothing, {"minutes": 0.25 to 180, "increment": 0 to 180 seconds} '
    'or {"days": 1 to 14}'
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a player has, in seconds. In correspondence every turn has it anew."""

    initial: float
    increment: float = 0.0
    is_per_turn: bool = False

    @classmethod
    def from_dict(cls, data: object) -> Self | None:
        """The time control that was asked for, None for none, or Refused."""
        if data is None:
            return None
        if not isinstance(data, Mapping):
            raise _invalid(f"{_ALLOWED}, not {shown(data)}")
        if set(data) == {"days"}:
            return cls(DAY * _number(data["days"], 1, 14), 0.0, is_per_turn=True)
        if set(data) <= {"minutes", "increment"} and "minutes" in data:
            minutes = _number(data["minutes"], 0.25, 180)
            return cls(MINUTE * minutes, _number(data.get("increment", 0), 0, 180))
        raise _invalid(_ALLOWED)

    def to_dict(self) -> dict[str, Any]:
        if self.is_per_turn:
            return {"days": self.initial / DAY}
        return {"minutes": self.initial / MINUTE, "increment": self.increment}

    def after_turn(self, left: float) -> float:
        """What a player has left once the turn is made."""
        return self.initial if self.is_per_turn else left + self.increment


def grace(control: TimeControl | None) -> float | None:
    """How long a player may be gone before the other can claim the game; None for ever.

    In correspondence nobody has to be there: the clock decides.
    """
    if control is None:
        return UNTIMED_GRACE
    if control.is_per_turn:
        return None
    return max(SHORTEST_GRACE, control.initial * GRACE_SHARE)


def _number(value: object, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise _invalid(f"{_ALLOWED}, not {shown(value)}")
    return float(value)


def _invalid(reason: str) -> Refused:
    words = {"reason": reason}
    return Refused("invalid", why="rules", field="clock", problem="wrong", words=words)
