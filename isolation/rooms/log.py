"""The lines of a game's log: what happened, and when."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Draft = tuple[str, dict[str, Any]]  # the kind and data of an event that isn't stored yet


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a game's log. `seq` counts from 1 without gaps."""

    seq: int
    kind: str
    data: Mapping[str, Any]
    at: float
