"""A listener that looks at games when their time has come: flags, expiry, forgotten computers.

Games in memory have a timer of their own. The others are found by a sweep over an index, so that
a game costs nothing until it's due.
"""

import logging
from heapq import heappop, heappush

from isolation.rooms.change import Committed
from isolation.rooms.computer import Computers
from isolation.rooms.journal import Journal
from isolation.rooms.ports import Store, StoreDownError, World
from isolation.rooms.room import Room
from isolation.rooms.timing import away_for, due

logger = logging.getLogger(__name__)

TIMED_S = 1800.0  # what is due later gets no timer: the sweep will find it
SWEPT = 50  # games in one sweep
AGAIN_S = 10.0  # before a game that's still due is looked at again
BROKEN_S = 3600.0  # before one that couldn't be read is


class Deadlines:
    """Knows what is due next."""

    def __init__(self, store: Store, journal: Journal, computers: Computers, world: World) -> None:
        self._store = store
        self._journal = journal
        self._computers = computers
        self._world = world
        self._timers: list[tuple[float, str]] = []  # a heap
        self._armed: dict[str, float] = {}  # the soonest timer of each room

    def committed(self, news: Committed) -> None:
        when = due(news.after)
        if when is None or when > self._world.now() + TIMED_S:
            return
        if when < self._armed.get(news.after.id, float("inf")):
            self._armed[news.after.id] = when
            heappush(self._timers, (when, news.after.id))

    def tick(self) -> None:
        """Look at the games in memory whose time has come."""
        now = self._world.now()
        while self._timers and self._timers[0][0] <= now:
            when, room_id = heappop(self._timers)
            if self._armed.get(room_id) != when:
                continue
            del self._armed[room_id]
            room = self._journal.cached(room_id)
            if room and (again := due(room)) is not None:
                if again <= now:
                    self._look(room)
                else:
                    self.committed(Committed(None, room))

    def _look(self, room: Room) -> None:
        try:
            self._computers.consider(self._journal.touch(room.id))
        except StoreDownError:
            pass  # the sweep will find it
        except Exception:
            logger.exception("the clock in room %s", room.id)

    def sweep(self) -> None:
        """Look at any game whose time has come."""
        now = self._world.now()
        for room_id, game_id in self._journal.trying(lambda: self._store.due_games(now, SWEPT)):
            self._journal.look_again(room_id, game_id, self._when_again(room_id, game_id))
            self._world.sleep(0)

    def _when_again(self, room_id: str, game_id: str) -> float | None:
        """Look at a game, and say when to look again."""
        now = self._world.now()
        try:
            room = self._journal.touch(room_id)
            self._computers.consider(room)
        except StoreDownError:
            raise
        except Exception:
            logger.exception("room %s can't be taken up", room_id)
            return now + BROKEN_S
        when = due(room)
        if when is None or room.game.id != game_id:
            return None
        away = away_for(room.game, self._journal.outages.ended)
        return max(when + away, now + AGAIN_S)
