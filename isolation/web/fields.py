"""The types of what clients send, and the check of a whole message against them.

pydantic checks, and knows the JSON Schema; the sentences are ours, made from that schema.
"""

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import no_info_plain_validator_function

from isolation.rooms.errors import Refused
from isolation.rules.words import shown

MAX_MESSAGE = 16_000  # bytes
MAX_NAME = 24
MAX_CHAT = 300
MAX_MOVE = 24
MAX_WHY = 160
MAX_LABEL = 40
MAX_DAYS = 3650
MAX_CALLS = 2  # of a bot for one turn

_UNSEEN = ("Cc", "Cf", "Cs", "Cn")  # controls, marks, halves of characters, and what is none
_JOINER = "\u200d"  # a mark that emoji are made with

LINE = "line"  # the type of our own error

Schema = dict[str, Any]


class Fields(BaseModel):
    """What a message holds. Nothing is converted: neither `true` nor `"1"` is a number."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Nothing(Fields):
    pass


NOTHING: Mapping[str, str] = {}
Message = TypeVar("Message", bound=Fields)


@dataclass(frozen=True)
class Line:
    """A line that somebody wrote: no blanks around it, and nothing in it that can't be seen.

    Marks that turn the direction of text would turn the sentences around a name, too.
    """

    noun: str
    most: int  # characters, once it's clean

    def clean(self, value: object) -> str:
        if not isinstance(value, str) or len(value) > 4 * self.most:
            raise self._error()
        text = "".join(c for c in value if c == _JOINER or unicodedata.category(c) not in _UNSEEN)
        text = text.strip()
        if not 0 < len(text) <= self.most:
            raise self._error()
        return text

    def _error(self) -> PydanticCustomError:
        return PydanticCustomError(LINE, LINE, {"noun": self.noun, "least": 1, "most": self.most})

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        return no_info_plain_validator_function(self.clean)

    def __get_pydantic_json_schema__(self, core: object, handler: object) -> Schema:
        return {
            "type": "string",
            "minLength": 1,
            "maxLength": self.most,
            "description": self.noun,
        }


# Of a room, a game, a move or a token: plain characters, all of which can be seen.
Identifier = Annotated[str, Field(min_length=1, max_length=64, pattern="^[ -~]*$")]
Ply = Annotated[int, Field(ge=0, le=99_999)]
Name = Annotated[str, Line("a name", MAX_NAME)]
Label = Annotated[str, Line("a label", MAX_LABEL)]
ChatText = Annotated[str, Line("a message", MAX_CHAT)]
Why = Annotated[str, Line("a reason", MAX_WHY)]
Version = Annotated[int, Field(ge=0, le=999_999)]
MoveText = Annotated[str, Field(max_length=MAX_MOVE, description="as players write it: c7/d4")]
Days = Annotated[int, Field(ge=1, le=MAX_DAYS)]
Nanoseconds = Annotated[int, Field(ge=0, lt=1 << 53, description="whole numbers of nanoseconds")]
Calls = Annotated[list[Nanoseconds], Field(max_length=MAX_CALLS)]
Answers = Annotated[list[Any], Field(max_length=MAX_CALLS)]


def read(kind: type[Message], data: object, known: Mapping[str, str] = NOTHING) -> Message:
    """A message, checked, or Refused. Some fields may be known already: it can't have those."""
    if not isinstance(data, dict):
        raise Refused("invalid", why="fields", problem="wrong", words={"given": shown(data)})
    fields = kind.__pydantic_fields__.keys()
    allowed = fields - known.keys() if known else fields
    # pydantic would list all unknown fields; there may be thousands, and the first one will do.
    if not data.keys() <= allowed:
        raise _unknown(next(name for name in data if name not in allowed), kind, known)
    try:
        message: Message = kind.__pydantic_validator__.validate_python(
            {**known, **data} if known else data
        )
    except ValidationError as error:
        raise _refusal(kind, error) from None
    return message


def _unknown(name: str, kind: type[Fields], known: Mapping[str, str]) -> Refused:
    allowed = [field for field in kind.__pydantic_fields__ if field not in known]
    hint = f"the fields are {', '.join(allowed)}" if allowed else "send none here"
    return Refused(
        "invalid", field=shown(name), problem="unknown", allowed=allowed, words={"hint": hint}
    )


def _refusal(kind: type[Fields], error: ValidationError) -> Refused:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "missing":
        return missing(name)
    if first["type"] == LINE:
        limits = {name: first["ctx"][name] for name in ("least", "most")}
        words = {"noun": first["ctx"]["noun"]}
        return Refused("invalid", why="line", field=name, problem="wrong", **limits, words=words)
    limits, expected = _allowed(schema_of(kind)["properties"][name])
    return wrong(name, expected, first["input"], **limits)


def wrong(name: str, expected: str, given: object, **limits: Any) -> Refused:
    words = {"expected": expected, "given": shown(given)}
    return Refused("invalid", field=name, problem="wrong", **limits, words=words)


def missing(name: str) -> Refused:
    return Refused("invalid", field=name, problem="missing")


def _allowed(schema: Schema) -> tuple[dict[str, Any], str]:
    """What a field may be, for programs and in words."""
    match schema:
        case {"anyOf": [one, {"type": "null"}]}:
            return _allowed(one)
        case {"enum": values}:
            return {"allowed": values}, f"one of {', '.join(values)}"
        case {"type": "boolean"}:
            return {"allowed": [True, False]}, "true or false"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return {"least": least, "most": most}, f"a whole number from {least} to {most:,}"
        case {"type": "array", "maxItems": most, "items": items}:
            words = f" {items['description']}" if items else ""
            return {"most": most}, f"a list of up to {most}{words}"
        case {"type": "string", "maxLength": most}:
            least = schema.get("minLength", 0)
            range_ = f"{least} to {most}" if least else f"up to {most}"
            return {"least": least, "most": most}, f"a text of {range_} characters"
    raise NotImplementedError(f"no words for {schema}")


@cache
def schema_of(kind: type[Fields]) -> Schema:
    """The JSON Schema of a message, without the titles that pydantic makes up."""
    schema = kind.model_json_schema()
    properties = {
        name: {key: value for key, value in about.items() if key != "title"}
        for name, about in schema["properties"].items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


def without(schema: Schema, names: Collection[str]) -> Schema:
    """The same, but for some of the fields."""
    properties = {name: about for name, about in schema["properties"].items() if name not in names}
    required = [name for name in schema["required"] if name not in names]
    return {**schema, "properties": properties, "required": required}
