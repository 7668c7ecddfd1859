"""A listener that knows which public rooms people can join or watch: kept, never rebuilt."""

from collections.abc import Callable, Iterator
from typing import Any

from isolation.rooms.change import Committed
from isolation.rooms.errors import Refused
from isolation.rooms.journal import Journal
from isolation.rooms.ports import Attendance, Audience, Listing, Presence, World
from isolation.rooms.room import Room
from isolation.rooms.views import rooms as views

LISTED = 50  # public games at a time


class Lobby:
    """Public rooms in which somebody is: those with a free seat, and those being played."""

    def __init__(
        self,
        journal: Journal,
        audience: Audience,
        presence: Presence,
        listing: Listing,
        world: World,
    ) -> None:
        self._journal = journal
        self._audience = audience
        self._presence = presence
        self._listing = listing
        self._world = world
        self._shown: dict[str, set[str]] = {name: set() for name in LISTS}  # rooms, by list

    def committed(self, news: Committed) -> None:
        if news.after.row.is_public:
            self.update(news.after)

    def update(self, room: Room) -> None:
        """Something has happened in a public room, or somebody came or went."""
        attendance = self._presence.of(room.id, self._world.now())
        is_listed = [belongs(room, attendance) for belongs in LISTS.values()]
        changes = [
            self._listing.keep(name, room.id, here)
            for name, here in zip(LISTS, is_listed, strict=True)
        ]
        if any(is_listed) or any(changes):
            self._audience.lobby_changed()

    def shows(self, room_id: str) -> bool:
        """Whether somebody here may be looking at a room from outside."""
        return self._audience.has_onlookers and any(room_id in on for on in self._shown.values())

    def show(self) -> dict[str, Any]:
        return views.lobby({name: self._latest(name) for name in LISTS})

    def live(self) -> list[dict[str, Any]]:
        """The public games being played, with their boards."""
        return [views.miniature(*seen) for seen in self._latest("live")]

    def live_rooms(self) -> set[str]:
        return {room.id for room, _ in self._latest("live")}

    def _latest(self, name: str) -> Iterator[tuple[Room, Attendance]]:
        """Oldest first. Rooms of other processes are read here, and followed from then on."""
        rooms = self._listing.latest(name, LISTED)
        self._shown[name] = set(rooms)
        for room_id in rooms:
            try:
                room = self._journal.room(room_id)
            except Refused:
                continue
            attendance = self._presence.of(room_id, self._world.now())
            if LISTS[name](room, attendance):
                yield room, attendance
            else:  # the process that put it there may have died
                self._listing.keep(name, room_id, False)


def _is_open(room: Room, attendance: Attendance) -> bool:
    """Whether somebody waits there for an opponent."""
    seats = room.game.seats
    is_free = not room.game.outcome and not all(seat.is_taken for seat in seats)
    return is_free and any(seat.identity in attendance.present for seat in seats if seat.identity)


def _is_live(room: Room, attendance: Attendance) -> bool:
    return bool(attendance.present) and room.game.is_on


LISTS: dict[str, Callable[[Room, Attendance], bool]] = {"open": _is_open, "live": _is_live}
