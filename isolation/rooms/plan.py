"""What somebody wants to play, settled: the seats, the options, the position. Pure.

The shape of it was checked at the door. What only the rules know is checked here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from isolation.engines.levels import find_level
from isolation.rooms.clock import TimeControl
from isolation.rooms.errors import Refused
from isolation.rooms.game import COMPUTER, Seat
from isolation.rooms.kinds import CONTEST, FRIEND, KINDS, Sitter
from isolation.rooms.room import Visitor
from isolation.rules import GameRecord, InvalidOption, InvalidPosition, find_variant

OWN, OPEN = "own", "open"
RANDOM = "random"


@dataclass(frozen=True)
class Plan:
    """A game that can begin. `kind` is of the room, `first` the side of it that is Player 1."""

    kind: str
    variant: str
    options: Mapping[str, Any]
    clock: TimeControl | None
    seats: tuple[Seat, Seat]
    first: int
    is_public: bool
    position: Mapping[str, Any] | None = None  # to begin with, where it isn't the ordinary start


def plan_game(
    visitor: Visitor,
    lot: Random,
    variant: str,
    options: Mapping[str, Any] | None = None,
    opponent: str = FRIEND,
    level: int | None = None,
    second_level: int | None = None,
    side: int | str = RANDOM,
    clock: Mapping[str, float] | None = None,
    public: bool = False,
    position: object = None,
) -> Plan:
    """A game in which the visitor has a seat, or watches two computers; or Refused."""
    settled, start = _settle(variant, options, lot, position)
    me = Seat(identity=visitor.identity, name=visitor.name, is_bot=visitor.is_bot)
    levels = iter((("level", level), ("second_level", second_level)))
    mine, other = (
        _computer(variant, *next(levels)) if sitter is Sitter.COMPUTER else _SEATED[sitter](me)
        for sitter in KINDS[opponent].seats
    )
    # The creator is side 0 of the room.
    creator = lot.randrange(2) if side == RANDOM else int(side) - 1
    seats = (mine, other) if creator == 0 else (other, mine)
    control = TimeControl.from_dict(clock)
    return Plan(opponent, variant, settled, control, seats, creator, public, start)


_SEATED: dict[Sitter, Callable[[Seat], Seat]] = {
    Sitter.CREATOR: lambda me: me,
    Sitter.FREE: lambda me: Seat(),
}


def plan_contest(
    visitor: Visitor,
    lot: Random,
    variant: str,
    seats: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any] | None = None,
    public: bool = False,
    position: object = None,
) -> Plan:
    """A game between bots that the visitor directs: nobody moves before being asked."""
    settled, start = _settle(variant, options, lot, position)
    first, second = (
        _CONTEST_SEATS[seat["kind"]](visitor, variant, f"seats.{number}.level", seat)
        for number, seat in enumerate(seats)
    )
    return Plan(CONTEST, variant, settled, None, (first, second), 0, public, start)


_CONTEST_SEATS: dict[str, Callable[[Visitor, str, str, Mapping[str, Any]], Seat]] = {
    COMPUTER: lambda visitor, variant, field, given: _computer(variant, field, given["level"]),
    OWN: lambda visitor, variant, field, given: Seat(
        identity=visitor.identity, name=given["name"], is_bot=True
    ),
    OPEN: lambda visitor, variant, field, given: Seat(),
}


def _settle(
    variant: str, options: Mapping[str, Any] | None, lot: Random, position: object
) -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
    """The options, those left to chance drawn, and the position that the game begins from."""
    rules, given = find_variant(variant), options or {}
    try:
        if position is None:
            return rules.draw(given, lot), None
        # What the position says of the board needn't be said again.
        own = rules.position.from_dict(position).options()
        settled = rules.draw({**own, **given}, lot)
        record = GameRecord.begin(rules.key, settled, position=rules.position.from_dict(position))
    except InvalidOption as error:
        raise _invalid("options", error) from None
    except InvalidPosition as error:
        raise _invalid("position", error) from None
    return record.options, record.start.to_dict() if record.start else None


def _computer(variant: str, field: str, level: int | None) -> Seat:
    if level is None:
        raise Refused("invalid", field=field, problem="missing")
    try:
        find_level(variant, level)
    except InvalidOption as error:
        raise _invalid(field, error) from None
    return Seat(COMPUTER, level)


def _invalid(field: str, error: Exception) -> Refused:
    reason = str(error)
    words = {"reason": f"{reason[0].upper()}{reason[1:]}."}
    return Refused("invalid", why="rules", field=field, problem="wrong", words=words)
