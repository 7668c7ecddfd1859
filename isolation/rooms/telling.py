"""A listener that tells everyone in a room what was committed there: each event once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from isolation.rooms.change import Committed
from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.outages import Outages
from isolation.rooms.ports import Attendance, Audience, ChatLine, Presence, World
from isolation.rooms.room import Room, Step
from isolation.rooms.views import rooms as views

Told = tuple[str, dict[str, Any]]  # an event and its payload

# What is told for itself; anything else is part of a `state`.
_TURNS = ("move", "discard")
_NEW_BOARDS = ("seat", "takeback_agreed", "succeeded")  # after these a client needs all of it


class Teller:
    """Makes payloads of steps, and hands them to the audience."""

    def __init__(
        self, audience: Audience, presence: Presence, outages: Outages, world: World
    ) -> None:
        self._audience = audience
        self._presence = presence
        self._outages = outages
        self._world = world

    def committed(self, news: Committed) -> None:
        if news.before is None:
            return
        told = self.told(news.after, news.steps) if news.steps else [self._stopped(news.after)]
        for event, payload in told:
            self._audience.tell(news.after.id, event, payload)
        if any(step.event.kind in (*_TURNS, *_NEW_BOARDS) for step in news.steps):
            self._tell_claims(news.after)

    def told(self, room: Room, steps: tuple[Step, ...]) -> list[Told]:
        """What these steps, the last of the room, look like to a client."""
        if any(step.event.kind in _NEW_BOARDS for step in steps):
            return [("snapshot", self.snapshot(room))]
        told: list[Told] = []
        for step in steps:
            since = step.before.v
            if tell := _OWN_EVENTS.get(step.event.kind):
                told.append(tell(self, room, step))
                continue
            if told and told[-1][0] == "state":  # one state can tell of several events
                since = told.pop()[1]["since"]
            told.append(self._state(room, step.after, since))
        return told

    def missed(self, room: Room, steps: tuple[Step, ...]) -> list[Told] | None:
        """What was told of these steps; None if only a snapshot can tell it."""
        if any(step.event.kind in _NEW_BOARDS for step in steps):
            return None
        return self.told(room, steps)

    def _moved(self, room: Room, step: Step) -> Told:
        return "moved", views.moved(room, step.before, step.after, *self._time())

    def _asked(self, room: Room, step: Step) -> Told:
        return "asked", views.asked(step.after)

    def _rematch(self, room: Room, step: Step) -> Told:
        return "rematch", views.rematch(step.after)

    def _state(self, room: Room, game: Game, since: int) -> Told:
        """The state of a game; `since` is the version that it follows."""
        return "state", views.state(replace(room, game=game), *self._time(), since)

    def _stopped(self, room: Room) -> Told:
        """The same game as before, its clocks standing still."""
        return self._state(room, room.game, room.game.v)

    def snapshot(self, room: Room) -> dict[str, Any]:
        now, is_stopped = self._time()
        return views.snapshot(room, self.attendance(room.id), now, is_stopped)

    def attendance(self, room_id: str) -> Attendance:
        """Who is in a room; nobody is blamed for staying away while nothing worked."""
        attendance = self._presence.of(room_id, self._world.now())
        return attendance.excused(self._outages.last_ended)

    def fresh_attendance(self, room_id: str) -> Attendance:
        """The same, certain enough to lose a game by; or Refused."""
        attendance = self._presence.fresh(room_id, self._world.now())
        if attendance is None:
            raise Refused("unsure")
        return attendance.excused(self._outages.last_ended)

    def presence(self, room: Room) -> dict[str, Any]:
        return views.presence(room, self.attendance(room.id), self._world.now())

    def now(self, room: Room) -> dict[str, Any]:
        """What passes without an event: where a client stands, who is there, the clocks."""
        return views.now(room, self.attendance(room.id), *self._time())

    def _time(self) -> tuple[float, bool]:
        """What the clocks go by, and whether they stand still."""
        return self._outages.clock(), self._outages.since is not None

    def _tell_claims(self, room: Room) -> None:
        """A turn has begun: a player who's gone has another while to come back."""
        attendance = self._presence.of(room.id, self._world.now())
        if any(attendance.gone_since(seat.identity) is not None for seat in room.game.seats):
            self._audience.presence_changed(room.id)

    def said(self, room: str, line: ChatLine) -> None:
        """To the players, or to those who watch."""
        tell = self._audience.tell_players if line.is_for_players else self._audience.tell_stands
        tell(room, "chat", views.chat(room, line))


_OWN_EVENTS: dict[str, Callable[[Teller, Room, Step], Told]] = {
    "move": Teller._moved,
    "discard": Teller._moved,
    "asked": Teller._asked,
    "rematch_offered": Teller._rematch,
}
