"""What goes on by itself while a process runs: clocks, sweeps, heartbeats, tidying up."""

import logging
from collections.abc import Callable

from isolation.rooms.ports import StoreDownError, World
from isolation.rooms.service import Rooms

logger = logging.getLogger(__name__)

TICK_S = 0.1  # how exactly a flag falls in a game that's in memory
SWEEP_S = 1.0
BEAT_S = 1.5  # so that a kill costs or gives nobody 2 s


class Upkeep:
    """Runs beside the people who play."""

    def __init__(self, rooms: Rooms, world: World) -> None:
        self._rooms = rooms
        self._world = world

    def watch(self) -> None:
        """Never returns."""
        swept = beaten = self._world.now()
        while True:
            self._world.sleep(TICK_S)
            now = self._world.now()
            self._rooms.journal.outages.live()
            _attempt(self._rooms.deadlines.tick)
            if now - swept >= SWEEP_S:
                swept = now
                _attempt(self._rooms.journal.recover)
                _attempt(self._rooms.deadlines.sweep)
            if now - beaten >= BEAT_S:
                beaten = now
                _attempt(self._rooms.journal.beat)
                _attempt(self._rooms.forget_idle)


def _attempt(task: Callable[[], None]) -> None:
    try:
        task()
    except StoreDownError:
        pass  # told elsewhere, and tried again soon
    except Exception:
        logger.exception("upkeep")
