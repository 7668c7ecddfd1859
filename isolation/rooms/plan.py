"""What somebody wants to play, checked and settled: the seats, the options, the clock. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from isolation.engines.levels import find_level
from isolation.rooms.clock import TimeControl
from isolation.rooms.errors import Refused
from isolation.rooms.game import COMPUTER, Seat
from isolation.rooms.kinds import CONTEST, FRIEND, KINDS, OPPONENTS, Sitter
from isolation.rooms.room import Visitor
from isolation.rules import GameRecord, InvalidOption, InvalidPosition, find_variant
from isolation.rules.words import shown

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
    position: Mapping[str, Any] | None = None  # to begin with, where it isn't the ordinary start


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
    position: object = None,
) -> Plan:
    """A game in which the visitor has a seat, or watches two computers; or Refused."""
    if opponent not in OPPONENTS:
        raise _invalid("opponent", f"opponent is one of {', '.join(OPPONENTS)}")
    if not (side == "random" or (type(side) is int and side in (1, 2))):
        raise _invalid("side", f'side is 1, 2 or "random", not {shown(side)}')
    key, settled, start = _settle(variant, options, lot, position)
    me = Seat(identity=visitor.identity, name=visitor.name, is_bot=visitor.is_bot)
    levels = iter((level, second_level))
    mine, other = (
        _computer(key, next(levels)) if sitter is Sitter.COMPUTER else _SEATED[sitter](me)
        for sitter in KINDS[str(opponent)].seats
    )
    # The creator is side 0 of the room.
    creator = lot.randrange(2) if side == "random" else int(str(side)) - 1
    seats = (mine, other) if creator == 0 else (other, mine)
    control = TimeControl.from_dict(clock)
    return Plan(str(opponent), key, settled, control, seats, creator, public, start)


_SEATED: dict[Sitter, Callable[[Seat], Seat]] = {
    Sitter.CREATOR: lambda me: me,
    Sitter.FREE: lambda me: Seat(),
}


def plan_contest(
    visitor: Visitor,
    lot: Random,
    variant: object,
    options: object = None,
    seats: object = None,
    public: bool = False,
) -> Plan:
    """A game between bots that the visitor directs: nobody moves before being asked."""
    key, settled, _ = _settle(variant, options, lot)
    if not isinstance(seats, list) or len(seats) != 2:
        raise _invalid("seats", f"seats are a list of two: {_SEATS}")
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
    raise _invalid("seats", f"{_SEATS}, not {shown(given)}")


def _settle(
    variant: object, options: object, lot: Random, position: object = None
) -> tuple[str, Mapping[str, Any], Mapping[str, Any] | None]:
    """The game, its options, those left to chance drawn, and the position it begins from."""
    try:
        rules = find_variant(variant)
        given = {} if options is None else options
        if not isinstance(given, Mapping):
            raise InvalidOption(f"options are named values, not {shown(given)}")
        if position is None:
            return rules.key, rules.draw(given, lot), None
        # What the position says of the board needn't be said again.
        own = rules.position.from_dict(position).options()
        settled = rules.draw({**own, **given}, lot)
        record = GameRecord.begin(rules.key, settled, position=rules.position.from_dict(position))
    except InvalidOption as error:
        raise _invalid("options", str(error)) from None
    except InvalidPosition as error:
        raise _invalid("position", str(error)) from None
    return rules.key, record.options, record.start.to_dict() if record.start else None


def _invalid(field: str, problem: str) -> Refused:
    words = {"reason": problem}
    return Refused("invalid", why="rules", field=field, problem="wrong", words=words)


def _computer(variant: str, level: object) -> Seat:
    try:
        find_level(variant, level)
    except InvalidOption as error:
        raise _invalid("level", str(error)) from None
    return Seat(COMPUTER, level)  # type: ignore[arg-type]
