"""A game clock that nobody stops, and what it shows."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.client import Client
from tests.tables import LINEAR


@dataclass(frozen=True)
class Reading:
    """What a clock showed at some moment between two of ours."""

    left: float
    asked: float
    answered: float


class StillClock:
    """A timed game in which nobody moves: its clock just runs."""

    def __init__(self, address: str | Callable[[], str]) -> None:
        self._address = address
        ann, bob = Client(address, "Ann"), Client(address, "Bob")
        made = ann.do("create", **LINEAR, side=1, clock={"minutes": 180})
        bob.do("join", room=made["room"])
        for ply, client in enumerate((ann, bob)):  # the clock starts after both have moved
            assert client.move(made["game"], ply, str(2 * ply + 1)).get("ok")
        self.room, self.game, self.cookie = made["room"], made["game"], ann.cookie
        ann.close()
        bob.close()

    def read(self, address: str | None = None) -> Reading:
        client = Client(address or self._address, cookie=self.cookie, reconnects=False)
        asked = time.monotonic()
        snapshot = client.do("enter", room=self.room)["snapshot"]
        answered = time.monotonic()
        client.close()
        assert snapshot["running"], snapshot
        return Reading(snapshot["left"][snapshot["to_move"]], asked, answered)
