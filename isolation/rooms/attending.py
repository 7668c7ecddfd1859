"""Who is in which room: coming, going, catching up, and who is told of it."""

from isolation.rooms.chat import KEPT as CHAT_KEPT
from isolation.rooms.journal import FRESH_S
from isolation.rooms.parts import Answer, Parts
from isolation.rooms.ports import News
from isolation.rooms.room import Room, Visitor
from isolation.rooms.views import answers
from isolation.rooms.views import rooms as views


class Attending(Parts):
    """Lets people in and out."""

    def enter(self, visitor: Visitor, room_id: str, connection: str) -> Answer:
        """Be present in a room, to play or to watch; all there is to know about it."""
        # Who comes from another process knows what was done there, maybe before we've heard of it.
        room = self.journal.fresh(room_id, 0.0 if self._bus.has_others else FRESH_S)
        is_inside = room.is_inside(visitor.identity)
        lines = self._store.load_chat(room_id, is_inside, CHAT_KEPT)
        self._presence.enter(room_id, visitor.identity, connection, self._world.now())
        room = self.journal.room(room_id)  # which may have gone on while the store was asked
        self._came_or_went(room)
        return answers.entered(room, self.snapshot(room), visitor.identity, lines)

    def leave(self, visitor: Visitor, room_id: str, connection: str) -> None:
        """A connection has gone, or looks at something else."""
        room = self.journal.cached(room_id)
        is_player = bool(room and room.game.players_of(visitor.identity))
        now = self._world.now()
        self._presence.leave(room_id, visitor.identity, connection, now, is_player)
        if room:
            self._came_or_went(room)

    def _came_or_went(self, room: Room) -> None:
        self._attended(room)
        self.publish(News(room.id, is_presence=True))

    def _attended(self, room: Room) -> None:
        self._audience.presence_changed(room.id)
        if room.row.is_public:
            self._lobby.update(room)
        self._computers.consider(room)

    def sync(self, visitor: Visitor, room_id: str, game_id: str, v: int) -> Answer:
        """What a client has missed that knows a game up to version `v`."""
        room = self.journal.fresh(room_id)
        steps = self.journal.steps_after(room, v) if room.game.id == game_id else None
        missed = None if steps is None else self._teller.missed(room, steps)
        now = self._teller.now(room)
        if missed is None:
            return answers.shown_again(now, room, self.snapshot(room), visitor.identity)
        return answers.caught_up(now, missed)

    def presence(self, room_id: str) -> Answer | None:
        """Who is in a room, if anybody cares."""
        room = self.journal.cached(room_id)
        return self._teller.presence(room) if room else None

    def miniature(self, room_id: str) -> Answer | None:
        """A public game as one sees it from afar; None where there's none to be seen."""
        room = self.journal.cached(room_id)
        if room is None or not room.row.is_public or not (room.game.is_on or room.game.outcome):
            return None
        attendance = self._presence.of(room_id, self._world.now())
        return views.miniature(room, attendance) if attendance.present else None

    def count(self) -> dict[str, int]:
        """Of the rooms in memory: games that are on, games that wait for a player."""
        rooms = [room for room in self.journal.rooms() if self._presence.counts(room.id)]
        return views.counted(rooms)
