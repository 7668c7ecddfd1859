"""What somebody wants to play, checked and settled: the seats, the options, the clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from isolation.engines.levels import find_level
from isolation.rooms.clock import TimeControl
from isolation.rooms.errors import Refused
from isolation.rooms.game import COMPUTER, Seat
from isolation.rooms.room import Visitor
from isolation.rules import InvalidOption, find_variant
from isolation.rules.words import shown

FRIEND, LOCAL, COMPUTERS, CONTEST = "friend", "local", "computers", "contest"
OPPONENTS = (FRIEND, COMPUTER, LOCAL, COMPUTERS)
OWN, OPEN = "own", "open"
MAX_BOT_NAME = 40
_SEATS = (
    f'a seat is {{"kind": "{OWN}", "name": 1 to {MAX_BOT_NAME} characters}}, '
    f'{{"kind": "{COMPUTER}", "level": a number}} or {{"kind": "{OPEN}"}}'
)


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


def plan_game(
    visitor: Visitor,
    lot: Random,
    variant: object,
    options: object = None,
    opponent: object = FRIEND,
    level: object = None,
    second_level: object = None,
    side: object = "random",
    clock: object = None,
    public: bool = False,
) -> Plan:
    """A game in which the visitor has a seat, or watches two computers; or Refused."""
    if opponent not in OPPONENTS:
        raise Refused("invalid", f"opponent is one of {', '.join(OPPONENTS)}")
    if not (side == "random" or (type(side) is int and side in (1, 2))):
        raise Refused("invalid", f'side is 1, 2 or "random", not {shown(side)}')
    key, settled = _settle(variant, options, lot)
    mine = Seat(identity=visitor.identity, name=visitor.name, is_bot=visitor.is_bot)
    other = Seat()
    if opponent == LOCAL:
        other = mine
    elif opponent == COMPUTER:
        other = _computer(key, level)
    elif opponent == COMPUTERS:
        mine, other = _computer(key, level), _computer(key, second_level)
    # The creator is side 0 of the room.
    creator = lot.randrange(2) if side == "random" else int(str(side)) - 1
    seats = (mine, other) if creator == 0 else (other, mine)
    control = TimeControl.from_dict(clock)
    return Plan(str(opponent), key, settled, control, seats, creator, public)


def plan_contest(
    visitor: Visitor,
    lot: Random,
    variant: object,
    options: object = None,
    seats: object = None,
    public: bool = False,
) -> Plan:
    """A game between bots that the visitor directs: nobody moves before being asked."""
    key, settled = _settle(variant, options, lot)
    if not isinstance(seats, list) or len(seats) != 2:
        raise Refused("invalid", f"seats are a list of two: {_SEATS}")
    first, second = (_contest_seat(visitor, key, seat) for seat in seats)
    return Plan(CONTEST, key, settled, None, (first, second), 0, public)


def _contest_seat(visitor: Visitor, variant: str, given: object) -> Seat:
    kind = given.get("kind") if isinstance(given, Mapping) else None
    if isinstance(given, Mapping) and kind == COMPUTER and set(given) == {"kind", "level"}:
        return _computer(variant, given["level"])
    if isinstance(given, Mapping) and kind == OWN and set(given) == {"kind", "name"}:
        name = given["name"]
        if isinstance(name, str) and name.isprintable() and 0 < len(name.strip()) <= MAX_BOT_NAME:
            return Seat(identity=visitor.identity, name=name.strip(), is_bot=True)
    if isinstance(given, Mapping) and kind == OPEN and set(given) == {"kind"}:
        return Seat()
    raise Refused("invalid", f"{_SEATS}, not {shown(given)}")


def _settle(variant: object, options: object, lot: Random) -> tuple[str, Mapping[str, Any]]:
    """The game and its options, those left to chance drawn."""
    try:
        rules = find_variant(variant)
        given = {} if options is None else options
        if not isinstance(given, Mapping):
            raise InvalidOption(f"options are named values, not {shown(given)}")
        return rules.key, rules.draw(given, lot)
    except InvalidOption as error:
        raise Refused("invalid", str(error)) from None


def _computer(variant: str, level: object) -> Seat:
    try:
        find_level(variant, level)
    except InvalidOption as error:
        raise Refused("invalid", str(error)) from None
    return Seat(COMPUTER, level)  # type: ignore[arg-type]
