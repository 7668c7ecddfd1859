"""What each command carries. `Any` has only a schema here: the rooms check it further in."""

from typing import Annotated, Any, Literal
from uuid import uuid4

from pydantic import Field, WithJsonSchema

from isolation.web.fields import (
    Answers,
    Calls,
    ChatText,
    Days,
    Fields,
    Identifier,
    Label,
    MoveText,
    Name,
    Ply,
    Version,
    Why,
)

Variant = Annotated[Any, WithJsonSchema({"type": "string", "description": "as in /api/variants"})]
Options = Annotated[
    Any, WithJsonSchema({"type": ["object", "null"], "description": "as in /api/variants"})
]
Level = Annotated[Any, WithJsonSchema({"type": ["integer", "null"], "minimum": 1})]
Side = Annotated[Any, WithJsonSchema({"enum": [1, 2, "random"]})]
Start = Annotated[
    Any,
    WithJsonSchema({"type": ["object", "null"], "description": "where the game begins"}),
]
_MINUTES = {
    "type": "object",
    "properties": {
        "minutes": {"type": "number", "minimum": 0.25, "maximum": 180},
        "increment": {"type": "number", "minimum": 0, "maximum": 180},
    },
    "required": ["minutes"],
    "additionalProperties": False,
}
_DAYS = {
    "type": "object",
    "properties": {"days": {"type": "number", "minimum": 1, "maximum": 14}},
    "required": ["days"],
    "additionalProperties": False,
}
Clock = Annotated[Any, WithJsonSchema({"anyOf": [_MINUTES, _DAYS, {"type": "null"}]})]


def _seat(kind: str, **more: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, **more},
        "required": ["kind", *more],
        "additionalProperties": False,
    }


_SEATS = [
    _seat("computer", level={"type": "integer", "minimum": 1}),
    _seat("own", name={"type": "string", "minLength": 1}),
    _seat("open"),
]
_TWO_SEATS = {"type": "array", "items": {"anyOf": _SEATS}, "minItems": 2, "maxItems": 2}
Seats = Annotated[Any, WithJsonSchema(_TWO_SEATS)]


class InRoom(Fields):
    room: Identifier


class InGame(Fields):
    game: Identifier


class NewRoom(Fields):
    variant: Variant
    options: Options = None
    opponent: Literal["friend", "computer", "local", "computers"] = "friend"
    level: Level = None
    side: Side = "random"
    clock: Clock = None
    public: bool = False
    position: Start = None


class Create(NewRoom):
    second_level: Level = None


class BotCreate(NewRoom):
    opponent: Literal["friend", "computer"] = "friend"


class Contest(Fields):
    variant: Variant
    options: Options = None
    seats: Seats
    public: bool = False


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
