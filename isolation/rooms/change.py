"""What a decision makes of a room: what is stored, and what listeners hear once it is. Pure."""

from dataclasses import dataclass
from typing import Self

from isolation.rooms.deciding import Decided
from isolation.rooms.game import Game, GameStart
from isolation.rooms.log import Draft, Event
from isolation.rooms.ports import Entry, News
from isolation.rooms.room import Room, RoomRow, Step
from isolation.rooms.timing import due


@dataclass(frozen=True, slots=True)
class Committed:
    """What listeners hear: events that are stored, and the room before and after them.

    A room that is new here, or was just read, has no `before`. Without steps, but with a `before`,
    only the clocks were stopped.
    """

    before: Room | None
    after: Room
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What a decision makes of a room: to be stored, believed and told."""

    before: Room
    after: Room
    steps: tuple[Step, ...]
    entry: Entry  # of the game that was the latest
    successor: GameStart | None = None
    first: Entry | None = None  # of the game that follows it

    @classmethod
    def of(cls, room: Room, decided: Decided, now: float, known: float | None) -> Self:
        """Checked by the fold; or Refused."""
        after, steps = room.after_all(_events(room.game, decided.drafts, now))
        entry = _entry(after, steps, known)
        if decided.successor is None:
            return cls(room, after, steps, entry)
        begun = after.succeeded(decided.successor)
        begun, more = begun.after_all(_events(begun.game, decided.seated, now))
        first = _entry(begun, more, None)
        return cls(room, begun, steps + more, entry, decided.successor, first)

    def news(self) -> News:
        return News(self.before.id, self.before.game.id, self.entry.events)


def opened(row: RoomRow, start: GameStart, seated: list[Draft]) -> tuple[Room, Entry]:
    """A new room with its first game, and what to store of that."""
    room = Room(row, Game.begin(start), start.score or (0.0, 0.0))
    room, steps = room.after_all(_events(room.game, seated, start.created))
    return room, _entry(room, steps, None)


def _events(game: Game, drafts: list[Draft], now: float) -> list[Event]:
    """The time of another process may be ahead of ours by a little; in a log it never goes back."""
    outages = (data["to"] for kind, data in drafts if kind == "resume")
    now = max(now, game.latest, *outages)
    return [Event(game.v + at, *draft, now) for at, draft in enumerate(drafts, start=1)]


def _entry(room: Room, steps: tuple[Step, ...], known_due: float | None) -> Entry:
    """What to store. When to look at the game next is written only if it's not as known."""
    game, when = room.game, due(room)
    events = tuple(step.event for step in steps)
    seats = tuple(
        (event.data["seat"], event.data["identity"]) for event in events if event.kind == "seat"
    )
    result = game.result if game.outcome else None
    return Entry(game.id, events, result, when, when != known_due, seats)
