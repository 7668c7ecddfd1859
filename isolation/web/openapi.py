"""The HTTP API for bots: one table, from which its addresses and its description are made."""

from dataclasses import dataclass, field
from typing import Any

from isolation.web.identity import COOKIE
from isolation.web.schema import MAX_DAYS

_TEXT, _NUMBER = {"type": "string"}, {"type": "integer", "minimum": 0}
_NAME = {**_TEXT, "description": "of the bot; only a request with a token may leave it out"}
_IN_PATH = ("game", "room", "bot", "token")
_DAYS = {"type": "integer", "minimum": 1, "maximum": MAX_DAYS}


@dataclass(frozen=True)
class Operation:
    """One thing that can be asked for. Fields with a question mark may be left out."""

    name: str
    method: str
    address: str
    summary: str
    fields: dict[str, Any] = field(default_factory=dict)
    is_stream: bool = False
    is_open: bool = False  # for everybody, without a token
    takes_cookie: bool = False  # instead of a token, from the pages of the site


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


def _in_game(name: str, summary: str, **fields: Any) -> Operation:
    return Operation(name, "POST", f"/api/bot/game/{{game}}/{name}", summary, fields)


OPERATIONS = (
    Operation(
        "token",
        "POST",
        "/api/bot/token",
        "Get a token for a new bot; if you send a token, another one for the same bot",
        {"name?": _NAME, "label?": _TEXT, "days?": _DAYS},
        is_open=True,
    ),
    Operation(
        "tokens",
        "GET",
        "/api/bot/tokens",
        "The tokens that you can revoke: those of this bot, or those you made in this browser",
        takes_cookie=True,
    ),
    Operation(
        "revoke",
        "DELETE",
        "/api/bot/tokens/{token}",
        "Revoke a token by its `id` in that list",
        takes_cookie=True,
    ),
    Operation("account", "GET", "/api/bot/account", "Who you are"),
    Operation(
        "stream_events",
        "GET",
        "/api/bot/stream/event",
        "Challenges, games that begin, games that end; `?games=` says what you play",
        is_stream=True,
    ),
    Operation(
        "stream_game",
        "GET",
        "/api/bot/game/stream/{game}",
        "A game: all of it, then its state whenever that changes",
        is_stream=True,
    ),
    Operation(
        "create",
        "POST",
        "/api/bot/rooms",
        "Make a room, and sit down in it",
        {
            "variant": _TEXT,
            "options?": {"type": "object"},
            "opponent?": _one_of("friend", "computer"),
            "level?": _NUMBER,
            "side?": {"enum": [1, 2, "random"]},
            "clock?": {"type": ["object", "null"]},
            "public?": {"type": "boolean"},
        },
    ),
    Operation("look", "GET", "/api/bot/rooms/{room}", "What is played in a room"),
    Operation("join", "POST", "/api/bot/rooms/{room}/join", "Take the free seat of a room"),
    _in_game(
        "move",
        "Make a move; one with the same `id` is made once",
        **{"move": _TEXT, "ply": _NUMBER, "id?": _TEXT},
    ),
    _in_game("fault", "Own up to a turn that you can not take", **{"ply": _NUMBER, "why?": _TEXT}),
    _in_game("chat", "Say something to the other player", text=_TEXT),
    _in_game("resign", "Give up"),
    _in_game("abort", "Call the game off, before the second move"),
    _in_game(
        "claim",
        "Claim a game whose other player has been gone for long",
        result=_one_of("win", "draw"),
    ),
    _in_game(
        "draw",
        "Offer a draw, or answer an offer",
        action=_one_of("offer", "accept", "decline"),
    ),
    _in_game(
        "takeback",
        "Ask to take a move back, or answer",
        action=_one_of("propose", "accept", "decline"),
    ),
    _in_game("rematch", "Ask for another game, with sides swapped"),
    Operation("online", "GET", "/api/bots", "The bots that wait for games", is_open=True),
    Operation(
        "challenge",
        "POST",
        "/api/bots/{bot}/challenge",
        "Ask a bot that is online into a room in which you play",
        {"room": _TEXT},
        is_open=True,
    ),
    Operation("describe", "GET", "/api/openapi.json", "This description", is_open=True),
)


def description() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.address, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Isolation, the API for bots", "version": "1"},
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
            "schemas": {"Error": _ERROR},
        },
    }


_ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {"code": _TEXT, "message": _TEXT, "seconds": {"type": "number"}},
            "required": ["code", "message"],
        }
    },
    "required": ["error"],
}


def _described(operation: Operation) -> dict[str, Any]:
    kind = "application/x-ndjson" if operation.is_stream else "application/json"
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": _TEXT}
            for name in _IN_PATH
            if f"{{{name}}}" in operation.address
        ],
        "responses": {
            "200": {"description": "done", "content": {kind: {}}},
            "429": {"description": "too fast: `seconds` to wait", "content": refused},
            "default": {"description": "refused", "content": refused},
        },
        "security": _security(operation),
    }
    if operation.name == "stream_events":
        found["parameters"].append({"name": "games", "in": "query", "schema": _TEXT})
    if operation.fields:
        schema = {
            "type": "object",
            "properties": {name.rstrip("?"): value for name, value in operation.fields.items()},
            "required": [name for name in operation.fields if not name.endswith("?")],
            "additionalProperties": False,
        }
        content = {"application/json": {"schema": schema}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _security(operation: Operation) -> list[dict[str, Any]]:
    if operation.is_open:
        return []
    return [{"token": []}, {"cookie": []}] if operation.takes_cookie else [{"token": []}]
