"""The rooms of a process: journal, listeners and the other processes, put together."""

from random import Random

from isolation.rooms.alone import alone
from isolation.rooms.attending import Attending
from isolation.rooms.change import Committed
from isolation.rooms.chat import Chat
from isolation.rooms.chatting import Chatting
from isolation.rooms.computer import Computers
from isolation.rooms.deadlines import Deadlines
from isolation.rooms.journal import Journal
from isolation.rooms.lobby import Lobby
from isolation.rooms.looking import Looking
from isolation.rooms.playing import Playing
from isolation.rooms.ports import Audience, EngineRunner, News, Shared, Store, World
from isolation.rooms.telling import Teller


class Rooms(Playing, Attending, Chatting, Looking):
    """All rooms, as one process sees them, and what it shares with the others."""

    def __init__(
        self,
        store: Store,
        engines: EngineRunner,
        audience: Audience,
        world: World,
        shared: Shared | None = None,
    ) -> None:
        self._store = store
        self._audience = audience
        self._world = world
        self._lot = Random()
        shared = shared or alone()
        self._bus = shared.bus
        self._presence = shared.presence
        self.journal = Journal(store, self, world)
        self._teller = Teller(audience, self._presence, self.journal.outages, world)
        self._chat = Chat(store, self._teller.said, self.publish, world)
        self._lobby = Lobby(self.journal, audience, self._presence, shared.listing, world)
        self._computers = Computers(
            self.journal, self._presence, shared.lease, engines, world, self._lot
        )
        self.deadlines = Deadlines(store, self.journal, self._computers, world)
        for listener in (self, self._teller, self._lobby, self.deadlines, self._computers):
            self.journal.add_listener(listener)
        self._bus.listen(self.hear)
        self._presence.listen(self._others_moved)
        shared.listing.listen(audience.lobby_changed)

    # Other processes.

    def committed(self, news: Committed) -> None:
        for step in news.steps if news.before else ():  # in a new room there's nobody yet
            if step.event.kind == "seat":
                self._audience.seated(news.after.id, step.event.data["identity"])

    def hear(self, news: News) -> None:
        """Another process has done something."""
        if news.events:
            self.journal.hear(news)
        if news.line:
            self._chat.hear(news.room, news.line)
        if news.is_presence:
            self._presence.look(news.room)

    def _others_moved(self, room_id: str) -> None:
        """People came or went in other processes."""
        if room := self.journal.cached(room_id):
            self._attended(room)

    def catch_up(self) -> None:
        """Look at everything in memory: news may have been lost."""
        for room in self.journal.rooms():
            self.journal.catch_up(room.id)
            self._chat.catch_up(room.id)
            self._world.sleep(0)
        self._audience.lobby_changed()

    def reconsider(self) -> None:
        """A process has died, and with it the thoughts of its computers."""
        for room in self.journal.rooms():
            self._computers.consider(room)

    @property
    def is_hearing(self) -> bool:
        return self._bus.is_hearing

    def follow(self, room: str) -> None:
        self._chat.follow(room)
        self._bus.follow(room)
        self._presence.follow(room, self._world.now())

    def unfollow(self, room: str) -> None:
        self._chat.unfollow(room)
        self._bus.unfollow(room)
        self._presence.unfollow(room)

    # Keeping rooms in memory.

    def is_wanted(self, room_id: str) -> bool:
        """Whether a room must stay in memory."""
        is_looked_at = self._presence.is_here(room_id) or self._lobby.shows(room_id)
        return is_looked_at or self._computers.is_thinking(room_id)

    def forget_idle(self) -> None:
        self.journal.forget_idle(self.is_wanted)
