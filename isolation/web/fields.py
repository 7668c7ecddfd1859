"""The types of what clients send, and the check of a whole message against them.

pydantic checks, and knows the JSON Schema; the sentences are ours, made from that schema.
"""

import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
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
MAX_BOT_NAME = 40  # where its owner answers for it
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


@dataclass(frozen=True)
class OneOf:
    """One of some values. `Literal` would take `true` for 1."""

    values: Iterable[int | str]

    def check(self, given: object) -> int | str:
        for value in self.values:
            if type(given) is type(value) and given == value:
                return value
        raise PydanticCustomError("one_of", "one of some values")

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        return no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, core: object, handler: object) -> Schema:
        return {"enum": list(self.values)}


# Of a room, a game, a move or a token: plain characters, all of which can be seen.
Identifier = Annotated[str, Field(min_length=1, max_length=64, pattern="^[ -~]*$")]
Ply = Annotated[int, Field(ge=0, le=99_999)]
Name = Annotated[str, Line("a name", MAX_NAME)]
BotName = Annotated[str, Line("a name", MAX_BOT_NAME)]
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
        raise Refused("invalid", why="fields", problem="wrong", words={"given": _given(data)})
    fields = kind.__pydantic_fields__.keys()
    allowed = fields - known.keys() if known else fields
    # pydantic would list all unknown fields; there may be thousands, and the first one will do.
    if not data.keys() <= allowed:
        strange = next(name for name in data if name not in allowed)
        raise unknown(shown(strange), [name for name in fields if name in allowed])
    try:
        message: Message = kind.__pydantic_validator__.validate_python(
            {**known, **data} if known else data
        )
    except ValidationError as error:
        raise _refusal(kind, error) from None
    return message


def _refusal(kind: type[Fields], error: ValidationError) -> Refused:
    first = error.errors(include_url=False)[0]
    name, schema, around = _find(kind, first["loc"])
    match first["type"]:
        case "missing":
            return missing(name)
        case "extra_forbidden":
            return unknown(name, list(around["properties"]))
        case "line":
            limits = {name: first["ctx"][name] for name in ("least", "most")}
            words = {"noun": first["ctx"]["noun"]}
            return Refused("invalid", why=LINE, field=name, problem="wrong", **limits, words=words)
        case "union_tag_not_found" if isinstance(first["input"], dict):
            return missing(f"{name}.kind")
        case "union_tag_invalid":
            limits, expected = _allowed(_kinds(schema))
            return wrong(f"{name}.kind", expected, first["ctx"]["tag"], **limits)
    limits, expected = _allowed(schema)
    return wrong(name, expected, first["input"], **limits)


def _find(kind: type[Fields], place: Sequence[int | str]) -> tuple[str, Schema, Schema]:
    """A field's name from the outside in, its schema, and that of what it's in.

    A list of plain values is one field.
    """
    names: list[str] = []
    schema = around = _titled(kind)
    for part in place:
        around = _filled(schema)
        if branch := next((one for one in around.get("oneOf", ()) if one["title"] == part), None):
            schema = branch
        elif "properties" in around:
            names.append(shown(part))
            schema = around["properties"].get(part, {})
        elif "oneOf" in around.get("items", {}):
            names.append(str(part))
            schema = around["items"]
        else:
            break
    return ".".join(names), _filled(schema), around


def _filled(schema: Schema) -> Schema:
    """What a field is, if it isn't null."""
    match schema:
        case {"anyOf": [one, {"type": "null"}]}:
            return one  # type: ignore[no-any-return]
    return schema


def _kinds(schema: Schema) -> Schema:
    """What the `kind` of one of several objects can be."""
    return {"enum": [one["properties"]["kind"]["const"] for one in schema["oneOf"]]}


def wrong(name: str, expected: str, given: object, **limits: Any) -> Refused:
    words = {"expected": expected, "given": _given(given)}
    return Refused("invalid", field=name, problem="wrong", **limits, words=words)


def _given(value: object) -> str:
    """What was sent, as JSON calls it."""
    is_plain = value is None or isinstance(value, bool)
    return json.dumps(value) if is_plain else shown(value)


def unknown(name: str, allowed: list[str]) -> Refused:
    hint = f"the fields are {', '.join(allowed)}" if allowed else "send none here"
    return Refused("invalid", field=name, problem="unknown", allowed=allowed, words={"hint": hint})


def missing(name: str) -> Refused:
    return Refused("invalid", field=name, problem="missing")


def _allowed(schema: Schema) -> tuple[dict[str, Any], str]:
    """What a field may be, for programs and in words."""
    match schema:
        case {"oneOf": branches}:
            names = [list(branch["properties"]) for branch in branches]
            return {"allowed": names}, "an object " + ", or ".join(map(_with, names))
        case {"enum": values}:
            return {"allowed": values}, f"one of {', '.join(map(str, values))}"
        case {"type": "boolean"}:
            return {"allowed": [True, False]}, "true or false"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return {"least": least, "most": most}, f"a whole number from {least} to {most:,}"
        case {"type": "number", "minimum": least, "maximum": most}:
            return {"least": least, "most": most}, f"a number from {least:g} to {most:g}"
        case {"type": "array", "minItems": least, "maxItems": most}:
            return {"least": least, "most": most}, f"a list of {most}"
        case {"type": "array", "maxItems": most, "items": items}:
            words = f" {items['description']}" if items else ""
            return {"most": most}, f"a list of up to {most}{words}"
        case {"type": "string", "maxLength": most}:
            least = schema.get("minLength", 0)
            range_ = f"{least} to {most}" if least else f"up to {most}"
            return {"least": least, "most": most}, f"a text of {range_} characters"
        case {"type": "object"}:
            return {}, "an object with named values"
    raise NotImplementedError(f"no words for {schema}")


def _with(names: list[str]) -> str:
    return f"with {' and '.join(names)}"


@cache
def schema_of(kind: type[Fields]) -> Schema:
    """The JSON Schema of a message, without the titles that pydantic makes up."""
    return {"required": [], **_untitled(_titled(kind))}


@cache
def _titled(kind: type[Fields]) -> Schema:
    """The same with titles, by which an error says which of several objects it's about."""
    schema = kind.model_json_schema()
    whole: Schema = _inlined(schema, schema.pop("$defs", {}))
    whole.pop("description", None)
    return whole


def _inlined(schema: Any, parts: Mapping[str, Schema]) -> Any:
    """A schema with every part where it's used, instead of a reference to it."""
    match schema:
        case {"$ref": name}:
            part = _inlined(parts[name.rpartition("/")[2]], parts)
            return {key: value for key, value in part.items() if key != "description"}
        case dict():
            return {
                key: _inlined(value, parts)
                for key, value in schema.items()
                if key != "discriminator"
            }
        case list():
            return [_inlined(item, parts) for item in schema]
    return schema


def _untitled(schema: Any) -> Any:
    match schema:
        case dict():
            return {key: _untitled(value) for key, value in schema.items() if key != "title"}
        case list():
            return [_untitled(item) for item in schema]
    return schema


def without(schema: Schema, names: Collection[str]) -> Schema:
    """The same, but for some of the fields."""
    properties = {name: about for name, about in schema["properties"].items() if name not in names}
    required = [name for name in schema["required"] if name not in names]
    return {**schema, "properties": properties, "required": required}
