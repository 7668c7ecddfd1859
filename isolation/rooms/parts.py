"""What the rooms of a process are made of, for those who do one thing each with it."""

from random import Random
from typing import Any

from isolation.rooms.chat import Chat
from isolation.rooms.computer import Computers
from isolation.rooms.journal import Journal
from isolation.rooms.lobby import Lobby
from isolation.rooms.ports import Audience, Bus, News, Presence, Store, World
from isolation.rooms.room import Room
from isolation.rooms.telling import Teller

Answer = dict[str, Any]


class Parts:
    """`service.py` puts them together."""

    journal: Journal
    _store: Store
    _audience: Audience
    _world: World
    _lot: Random
    _bus: Bus
    _presence: Presence
    _teller: Teller
    _chat: Chat
    _lobby: Lobby
    _computers: Computers

    def publish(self, news: News) -> None:
        """Tell the other processes."""
        self._bus.publish(news)

    def snapshot(self, room: Room) -> Answer:
        """All that anybody may know about a room."""
        return self._teller.snapshot(room)

    def latest_room(self, game_id: str) -> Room:
        """The room in which a game is, or was, played."""
        return self.journal.room(self.journal.room_of(game_id))
