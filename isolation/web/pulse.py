"""Tells, a few times a second, what changes too often to be told at once.

Batched: 1,000 people who come at once would otherwise be 1,000,000 messages about presence.
"""

import logging
from collections.abc import Callable
from typing import Any

from isolation.rooms.service import Rooms
from isolation.rooms.views import rooms as views
from isolation.web.audience import Audience
from isolation.web.streams import Streams

logger = logging.getLogger(__name__)

SECONDS = 0.3  # between two beats


class Pulse:
    """Who is where, the lobby, and the boards of the watch page."""

    def __init__(self, audience: Audience, rooms: Rooms, streams: Streams) -> None:
        self._audience = audience
        self._rooms = rooms
        self._streams = streams
        self._live: set[str] = set()  # rooms on the watch page, when somebody last looked

    def run(self, sleep: Callable[[float], None]) -> None:
        """For ever."""
        while True:
            sleep(SECONDS)
            try:
                self.beat()
            except Exception:
                logger.exception("telling what has changed")

    def beat(self) -> None:
        """Tell what changed since the last beat, to those who look."""
        rooms = self._audience.take_presence()
        for room in rooms:
            presence = self._rooms.presence(room)
            if presence:
                self._audience.tell(room, "presence", presence)
        is_stale = self._audience.take_lobby()
        begun = self._begun() if is_stale else set()
        self._tell_boards(rooms | self._audience.take_boards() | begun)
        if is_stale and self._audience.has_lobby:
            self._audience.tell_lobby(self.lobby())

    def lobby(self) -> dict[str, Any]:
        """What the lobby shows."""
        return views.with_bots(self._rooms.lobby(), self._streams.online())

    def _begun(self) -> set[str]:
        """Games on the watch page that nobody here has been told of, begun in other processes."""
        live = self._rooms.live_rooms() if self._audience.is_watching else set()
        begun, self._live = live - self._live, live
        return begun

    def _tell_boards(self, rooms: set[str]) -> None:
        """Boards that look different, and games that can't be seen any more."""
        if not self._audience.is_watching:
            return
        boards = {room: self._rooms.miniature(room) for room in rooms}
        changed = [board for board in boards.values() if board]
        # Nobody hears of a room that isn't public.
        gone = [room for room, board in boards.items() if not board and self._rooms.is_public(room)]
        if changed or gone:
            self._audience.tell_watching(views.watched(changed, gone))
