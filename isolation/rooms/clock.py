"""Time controls: minutes with an increment for the whole game, or days for each turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

MINUTE, DAY = 60.0, 86400.0
SHORTEST_GRACE, GRACE_SHARE, UNTIMED_GRACE = 30.0, 0.1, 60.0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a player has, in seconds. In correspondence every turn has it anew."""

    initial: float
    increment: float = 0.0
    is_per_turn: bool = False

    @classmethod
    def from_dict(cls, data: Mapping[str, float] | None) -> Self | None:
        """As it's stored, and as it's asked for once that has been checked; None for none."""
        if data is None:
            return None
        if "days" in data:
            return cls(DAY * data["days"], is_per_turn=True)
        return cls(MINUTE * data["minutes"], float(data.get("increment", 0.0)))

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
