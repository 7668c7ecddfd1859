"""Decisions about seats. Pure."""

from dataclasses import replace

from isolation.rooms.deciding import Decided, seat_draft
from isolation.rooms.errors import Refused
from isolation.rooms.game import Seat
from isolation.rooms.log import Draft
from isolation.rooms.room import Room, Visitor


def join(room: Room, visitor: Visitor, now: float) -> Decided:
    """Take the free seat, unless the visitor has one."""
    if room.played_by(visitor.identity):
        return Decided()
    for player, seat in enumerate(room.game.seats):
        if not seat.is_taken:
            return Decided([seat_draft(player, _taken(seat, visitor))])
    raise Refused("taken")


def _taken(seat: Seat, visitor: Visitor) -> Seat:
    return replace(seat, identity=visitor.identity, name=visitor.name, is_bot=visitor.is_bot)


def emptied(seats: tuple[Seat, Seat]) -> tuple[Seat, Seat]:
    """The seats as a game begins with them: who sits there is in the log."""
    first, second = (replace(seat, identity=None, name="", is_bot=False) for seat in seats)
    return first, second


def seated(seats: tuple[Seat, Seat]) -> list[Draft]:
    return [seat_draft(player, seat) for player, seat in enumerate(seats) if seat.identity]
