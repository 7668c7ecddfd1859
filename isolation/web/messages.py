"""What each command carries. What only the rules know (options, positions), the rooms check."""

from typing import Annotated, Any, Literal
from uuid import uuid4

from pydantic import Discriminator, Field, Tag

from isolation.engines.levels import LEVELS
from isolation.rooms.kinds import OPPONENTS
from isolation.rules import VARIANTS
from isolation.web.fields import (
    Answers,
    BotName,
    Calls,
    ChatText,
    Days,
    Fields,
    Identifier,
    Label,
    MoveText,
    Name,
    OneOf,
    Ply,
    Version,
    Why,
)

Variant = Annotated[str, OneOf(VARIANTS)]
Opponent = Annotated[str, OneOf(OPPONENTS)]
Options = Annotated[dict[str, Any], Field(description="as in /api/variants")]
Position = Annotated[dict[str, Any], Field(description="where the game begins")]
Level = Annotated[int, Field(ge=1, le=max(map(len, LEVELS.values())))]
Side = Annotated[int | str, OneOf((1, 2, "random"))]


class Minutes(Fields, title="minutes"):
    """For the whole game, and seconds for each move."""

    minutes: Annotated[float, Field(ge=0.25, le=180)]
    increment: Annotated[float, Field(ge=0, le=180)] = 0.0


class DaysPerTurn(Fields, title="days"):
    days: Annotated[float, Field(ge=1, le=14)]


def _clock(given: object) -> str | None:
    if not isinstance(given, dict):
        return None
    return "days" if "days" in given else "minutes"


Clock = Annotated[
    Annotated[Minutes, Tag("minutes")] | Annotated[DaysPerTurn, Tag("days")], Discriminator(_clock)
]


class ComputerSeat(Fields, title="computer"):
    kind: Literal["computer"]
    level: Level


class OwnSeat(Fields, title="own"):
    """Of a bot that its owner runs, and answers for."""

    kind: Literal["own"]
    name: BotName


class OpenSeat(Fields, title="open"):
    kind: Literal["open"]


Seat = Annotated[ComputerSeat | OwnSeat | OpenSeat, Field(discriminator="kind")]
Seats = Annotated[list[Seat], Field(min_length=2, max_length=2)]


class InRoom(Fields):
    room: Identifier


class InGame(Fields):
    game: Identifier


class NewRoom(Fields):
    variant: Variant
    options: Options | None = None
    opponent: Opponent = "friend"
    level: Level | None = None
    side: Side = "random"
    clock: Clock | None = None
    public: bool = False
    position: Position | None = None


class Create(NewRoom):
    second_level: Level | None = None


class BotCreate(NewRoom):
    opponent: Literal["friend", "computer"] = "friend"


class Contest(Fields):
    variant: Variant
    options: Options | None = None
    seats: Seats
    public: bool = False
    position: Position | None = None


class Move(Fields):
    game: Identifier
    ply: Ply
    move: MoveText
    id: Identifier


class BotMove(Move):
    id: Identifier = Field(default_factory=lambda: uuid4().hex)


class Ask(Fields):
    game: Identifier
    ply: Ply


class Answer(Fields):
    game: Identifier
    ply: Ply
    api: Literal["move", "competitor"]
    answers: Answers
    calls: Calls
    id: Identifier


class OwnFault(Fields):
    game: Identifier
    ply: Ply
    why: Why
    calls: Calls


class BotFault(Fields):
    game: Identifier
    ply: Ply
    why: Why = ""


class Claim(Fields):
    game: Identifier
    result: Literal["win", "draw"]


class Draw(Fields):
    game: Identifier
    action: Literal["offer", "accept", "decline"]


class Takeback(Fields):
    game: Identifier
    action: Literal["propose", "accept", "decline"]


class Chat(Fields):
    room: Identifier
    text: ChatText


class BotChat(Fields):
    game: Identifier
    text: ChatText


class Rename(Fields):
    name: Name


class Sync(Fields):
    room: Identifier
    game: Identifier
    v: Version


class NewToken(Fields):
    name: Name | None = None  # only a request with a token may leave it out
    label: Label | None = None
    days: Days | None = None


class OldToken(Fields):
    token: Identifier


class Challenge(Fields):
    bot: Identifier
    room: Identifier
