"""All that clients can ask for: one table, with the doors that each command has.

The events of the sockets, the HTTP API for bots, its description, the tables of the documentation
and the types of the pages are made from it (`python -m tools.wire` writes those that are files).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from isolation.rooms.room import Visitor
from isolation.rooms.service import Rooms
from isolation.rooms.views import answers
from isolation.web import messages
from isolation.web.fields import Fields, Nothing, Schema, schema_of, without
from isolation.web.limits import CHALLENGE, CHAT, CREATE, FREE, OTHER, TOKEN

Act = Callable[[Rooms, Visitor, Any], dict[str, Any]]


@dataclass(frozen=True)
class Http:
    """How bots ask for a command. What is None is the command's own."""

    method: str
    address: str
    fields: type[Fields] | None = None
    act: Act | None = None
    summary: str | None = None
    answer: str | None = None
    query: str | None = None  # an example
    is_stream: bool = False
    is_open: bool = False  # to everyone, without a token
    takes_cookie: bool = False  # instead of a token, from the pages of the site


@dataclass(frozen=True)
class Command:
    """One thing that clients can ask for."""

    name: str
    summary: str
    fields: type[Fields] = Nothing
    act: Act | None = None  # None: not the rooms do it, but a method of the door
    answer: str = ""  # what the answer has
    rate: str = OTHER
    is_costly: bool = False
    is_event: bool = True  # of the sockets
    http: Http | None = None


@dataclass(frozen=True)
class Request:
    """A command as bots ask for it."""

    command: Command
    http: Http

    @property
    def fields(self) -> type[Fields]:
        return self.http.fields or self.command.fields

    @property
    def act(self) -> Act | None:
        return self.http.act or self.command.act

    @property
    def summary(self) -> str:
        return self.http.summary or self.command.summary

    @property
    def answer(self) -> str:
        return self.http.answer or self.command.answer

    @property
    def in_path(self) -> list[str]:
        return re.findall(r"\{(\w+)\}", self.http.address)

    @cached_property
    def body(self) -> Schema:
        """The schema of what is sent along: the fields that aren't in the address."""
        return without(schema_of(self.fields), self.in_path)

    @property
    def has_body(self) -> bool:
        return bool(self.body["properties"])


def _rooms(method: Callable[..., dict[str, Any]]) -> Act:
    """The rooms take the fields in the order in which the message declares them."""
    return lambda rooms, visitor, fields: method(rooms, visitor, *vars(fields).values())


def create(rooms: Rooms, visitor: Visitor, fields: messages.NewRoom) -> dict[str, Any]:
    return answers.made(rooms.create(visitor, **_sent(fields)))


def _contest(rooms: Rooms, visitor: Visitor, fields: messages.Contest) -> dict[str, Any]:
    return answers.made(rooms.contest(visitor, **_sent(fields)))


def _sent(fields: Fields) -> dict[str, Any]:
    """What was sent, in plain values: for the rest the rooms know the defaults."""
    sent = fields.model_fields_set
    return {name: _plain(value) for name, value in vars(fields).items() if name in sent}


def _plain(value: Any) -> Any:
    if isinstance(value, Fields):
        return _sent(value)
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _game(name: str, **more: Any) -> Http:
    return Http("POST", f"/api/bot/game/{{game}}/{name}", **more)


COMMANDS = (
    Command(
        "token",
        "Get a token for a new bot; if you send a token, another one for the same bot",
        messages.NewToken,
        answer="`token`, `id` and `name` (the bot's), `token_id`, `expires`",
        rate=TOKEN,
        is_event=False,
        http=Http("POST", "/api/bot/token", is_open=True),
    ),
    Command(
        "tokens",
        "The tokens that you can revoke: those of this bot, or those you made in this browser",
        answer="`tokens`",
        is_event=False,
        http=Http("GET", "/api/bot/tokens", takes_cookie=True),
    ),
    Command(
        "revoke",
        "Revoke a token by its `id` in that list",
        messages.OldToken,
        is_event=False,
        http=Http("DELETE", "/api/bot/tokens/{token}", takes_cookie=True),
    ),
    Command(
        "account",
        "Who you are",
        answer="`id`, `name`",
        is_event=False,
        http=Http("GET", "/api/bot/account"),
    ),
    Command(
        "stream_events",
        "A stream of what happens to you; `games` is what you play",
        is_event=False,
        http=Http("GET", "/api/bot/stream/event", query="games=isola,knights", is_stream=True),
    ),
    Command(
        "stream_game",
        "A stream of a game of yours: all of it, then its state whenever that changes",
        messages.InGame,
        is_event=False,
        http=Http("GET", "/api/bot/game/stream/{game}", is_stream=True),
    ),
    Command(
        "create",
        "Make a room",
        messages.Create,
        create,
        "`room`, `game`",
        rate=CREATE,
        is_costly=True,
        http=Http(
            "POST", "/api/bot/rooms", messages.BotCreate, summary="Make a room, and sit down in it"
        ),
    ),
    Command(
        "enter",
        "Be in a room, to play or to watch",
        messages.InRoom,
        answer="`snapshot`, with `you` (the players you are), `directs` (whether this is a contest "
        "of yours) and `chat`",
        is_costly=True,
    ),
    Command(
        "sync",
        "Catch up with a room: what was told after version `v` of a game",
        messages.Sync,
        _rooms(Rooms.sync),
        "`v`, `presence`, `left`, `running`, and `missed` (what was told, each with `event` and "
        "`payload`); or `snapshot`, with `you` and `directs`, if that was too long ago",
    ),
    Command("leave", "Leave a room", messages.InRoom),
    Command(
        "join",
        "Take the free seat of a room",
        messages.InRoom,
        answer="`player`, `snapshot`",
        is_costly=True,
        http=Http("POST", "/api/bot/rooms/{room}/join", answer="`player`, `game`"),
    ),
    Command(
        "move",
        "Make a move",
        messages.Move,
        _rooms(Rooms.move),
        "`v`, `ply`, and `repeated` if that `id` was accepted before",
        http=_game("move", fields=messages.BotMove),
    ),
    Command(
        "contest",
        "Make a room with a game between bots, which you direct",
        messages.Contest,
        _contest,
        "`room`, `game`",
        rate=CREATE,
        is_costly=True,
    ),
    Command(
        "ask",
        "In a contest of yours: let the player to move take a turn",
        messages.Ask,
        _rooms(Rooms.ask),
    ),
    Command(
        "answer",
        "In a contest of yours: what a bot of your own has answered so far",
        messages.Answer,
        _rooms(Rooms.answer),
        "`request`: what to ask it next; or its turn is made (`v`, `ply`), or was a `fault` (why)",
    ),
    Command(
        "fault",
        "In a contest of yours: a bot of your own couldn't answer",
        messages.OwnFault,
        _rooms(Rooms.own_fault),
        "`v`",
        http=_game(
            "fault",
            fields=messages.BotFault,
            act=_rooms(Rooms.fault),
            summary="Own up to a turn that you can't take; it costs what the game says",
        ),
    ),
    Command("stop", "End a contest of yours", messages.InGame, _rooms(Rooms.stop), "`v`"),
    Command("resign", "Resign", messages.InGame, _rooms(Rooms.resign), "`v`", http=_game("resign")),
    Command(
        "abort",
        "Abort the game, before the second move",
        messages.InGame,
        _rooms(Rooms.abort),
        "`v`",
        http=_game("abort"),
    ),
    Command(
        "claim",
        "Claim the game when your opponent has been away for too long",
        messages.Claim,
        _rooms(Rooms.claim),
        "`v`",
        http=_game("claim"),
    ),
    Command(
        "draw",
        "Offer a draw, or answer an offer, where the game has draws",
        messages.Draw,
        _rooms(Rooms.draw),
        "`v`",
        http=_game("draw"),
    ),
    Command(
        "takeback",
        "Ask to take your last move back, or answer",
        messages.Takeback,
        _rooms(Rooms.takeback),
        "`v`",
        http=_game("takeback"),
    ),
    Command(
        "rematch",
        "Ask for another game, with sides swapped",
        messages.InGame,
        _rooms(Rooms.rematch),
        "`offered`, or `game` when both want it",
        rate=CREATE,
        http=_game("rematch"),
    ),
    Command(
        "chat",
        "Say something: to the players if you play, to the spectators if you watch",
        messages.Chat,
        _rooms(Rooms.say),
        rate=CHAT,
        http=_game("chat", fields=messages.BotChat, summary="Say something to the other player"),
    ),
    Command("rename", "Be called something else from now on", messages.Rename, answer="`name`"),
    Command(
        "lobby", "See the lobby, now and whenever it changes", answer="`lobby`", is_costly=True
    ),
    Command("leave_lobby", "Stop hearing of the lobby"),
    Command(
        "watch",
        "See all public games that are being played, now and as they go on",
        answer="`live`",
        is_costly=True,
    ),
    Command("leave_watch", "Stop watching"),
    Command(
        "look",
        "What is played in a room",
        messages.InRoom,
        answer="`game`, `variant`, `options`, `taken` (which seats), `over`",
        is_event=False,
        http=Http("GET", "/api/bot/rooms/{room}"),
    ),
    Command(
        "online",
        "The bots that are online, with the `games` they play",
        answer="`bots`",
        rate=FREE,
        is_event=False,
        http=Http("GET", "/api/bots", is_open=True),
    ),
    Command(
        "challenge",
        "Ask a bot that is online into a room in which you play, or which you direct",
        messages.Challenge,
        rate=CHALLENGE,
        is_event=False,
        http=Http("POST", "/api/bots/{bot}/challenge", is_open=True),
    ),
    Command(
        "describe",
        "This description, as OpenAPI 3.1",
        rate=FREE,
        is_event=False,
        http=Http("GET", "/api/openapi.json", is_open=True),
    ),
)

EVENTS = {command.name: command for command in COMMANDS if command.is_event}
REQUESTS = tuple(Request(command, command.http) for command in COMMANDS if command.http)
