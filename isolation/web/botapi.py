"""The HTTP API for bots, in the manner of Lichess's: a bearer token, streams of JSON lines, posts.

The table of commands says what there is, and what the rooms do; here is the rest.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from secrets import token_urlsafe
from typing import Any

from flask import Flask, Response, abort, jsonify, request

from isolation.rooms.errors import Refused
from isolation.rooms.ports import BotToken, StoreDownError
from isolation.rooms.room import Visitor
from isolation.rooms.service import Rooms
from isolation.rooms.subjects import note_visitor
from isolation.rooms.views import answers
from isolation.rooms.views import bots as views
from isolation.rules import VARIANTS
from isolation.web.commands import REQUESTS, Request, create
from isolation.web.fields import Fields, missing, read, wrong
from isolation.web.identity import Identities
from isolation.web.limits import FREE, OTHER, Limiter
from isolation.web.messages import BotChat, BotCreate, Challenge, InGame, InRoom, NewToken, OldToken
from isolation.web.openapi import description
from isolation.web.outages import store_down
from isolation.web.refusals import error_of
from isolation.web.streams import MayListen, Streams
from isolation.web.tokens import BadToken, Tokens

MAX_BODY = 16_000
STATUS = {
    "invalid": 400,
    "illegal": 400,
    "not_yours": 403,
    "unknown": 404,
    "rate": 429,
    "store_down": 503,
}
CONFLICT = 409  # the rest: not now, or not any more
NDJSON = "application/x-ndjson"
HOW = "send a token of this site: Authorization: Bearer <token>"


@dataclass(frozen=True)
class Caller:
    """Who asks: a bot by its token or, where that's allowed, somebody by a page's cookie."""

    token: BotToken | None
    cookie: str | None

    @property
    def identity(self) -> str | None:
        return self.token.bot if self.token else self.cookie

    @property
    def bot(self) -> BotToken:
        return self.token or abort(401, HOW)

    @property
    def visitor(self) -> Visitor:
        return Visitor(self.bot.bot, self.bot.name, is_bot=True)


Answer = Response | dict[str, Any]  # a dict is told with `ok`


class BotApi:
    """The addresses below /api/bot, and /api/bots."""

    def __init__(
        self,
        rooms: Rooms,
        streams: Streams,
        tokens: Tokens,
        identities: Identities,
        limiter: Limiter | None,
    ) -> None:
        self._rooms = rooms
        self._streams = streams
        self._tokens = tokens
        self._identities = identities
        self._limiter = limiter
        self._own: dict[str, Callable[[Caller, Any], Answer]] = {
            "token": self._make_token,
            "tokens": self._list_tokens,
            "revoke": self._revoke,
            "account": self._account,
            "stream_events": self._stream_events,
            "stream_game": self._stream_game,
            "create": self._create,
            "look": self._look,
            "join": self._join,
            "chat": self._chat,
            "online": self._online,
            "challenge": self._challenge,
            "describe": self._describe,
        }

    def add_to(self, app: Flask) -> None:
        for wanted in REQUESTS:
            rule = wanted.http.address.replace("{", "<").replace("}", ">")
            name, methods = f"bot_{wanted.command.name}", [wanted.http.method]
            app.add_url_rule(rule, name, partial(self._answer, wanted), methods=methods)

    def _answer(self, wanted: Request, **path: str) -> Response:
        """Whatever is refused becomes an answer with the status that fits."""
        try:
            answer = self._do(wanted, path)
        except Refused as refusal:
            return _refused(refusal)
        except StoreDownError:
            return _refused(store_down())
        return answer if isinstance(answer, Response) else jsonify(ok=True, **answer)

    def _do(self, wanted: Request, path: dict[str, str]) -> Answer:
        caller = self._caller(wanted)
        fields = read(wanted.fields, _body() if wanted.has_body else {}, path)
        own = self._own.get(wanted.command.name)
        if own:
            return own(caller, fields)
        if wanted.act:
            return wanted.act(self._rooms, caller.visitor, fields)
        raise NotImplementedError(wanted.command.name)

    # Who asks, and how often.

    def _caller(self, wanted: Request) -> Caller:
        """Who asks, and not too often; what is free, anyone may ask."""
        http, rate = wanted.http, wanted.command.rate
        if rate == FREE:
            return Caller(None, None)
        has_cookie = http.is_open or http.takes_cookie
        caller = Caller(self._bearer(), self._identities.of(request) if has_cookie else None)
        note_visitor(caller.identity)
        if not http.is_open and caller.identity is None:
            abort(401, HOW)
        if not http.is_open and rate != OTHER:
            self._limit(OTHER, caller)
        self._limit(rate, caller)
        return caller

    def _bearer(self) -> BotToken | None:
        """The token that was sent, or None; one that doesn't count is refused."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            return self._tokens.read(token.strip())
        except BadToken as error:
            abort(401, f"{error}: {HOW}")

    def _limit(self, kind: str, caller: Caller) -> None:
        if self._limiter:
            address = request.remote_addr or ""
            self._limiter.charge(kind, caller.identity or address, address)

    def _make_token(self, caller: Caller, fields: NewToken) -> Answer:
        """For a new bot, or for the one whose token was sent."""
        own = caller.token
        name = fields.name or (own.name if own else None)
        if name is None:
            raise missing("name")
        if own and name != own.name:
            more = {"problem": "wrong", "allowed": [own.name]}
            raise Refused("invalid", why="name", field="name", **more, words={"name": own.name})
        bot = own.bot if own else f"bot-{token_urlsafe(9)}"
        token, made = self._tokens.make(
            bot, owner=caller.cookie, name=name, label=fields.label, days=fields.days
        )
        return jsonify(views.new_token(token, made))

    def _list_tokens(self, caller: Caller, _: Fields) -> Answer:
        return views.tokens(self._tokens_of(caller))

    def _revoke(self, caller: Caller, fields: OldToken) -> Answer:
        own = next((one for one in self._tokens_of(caller) if one.id == fields.token), None)
        if own is None:
            raise Refused("unknown", why="token")
        self._tokens.revoke(own)
        return {}

    def _tokens_of(self, caller: Caller) -> list[BotToken]:
        """Those of the bot that asks or, on a page, those that the visitor made.

        Other sites can't ask in a visitor's name: the cookie doesn't come along (SameSite=Lax).
        """
        if caller.token:
            return self._tokens.of_bot(caller.token.bot)
        return self._tokens.of_owner(caller.cookie or "")

    def _account(self, caller: Caller, _: Fields) -> Answer:
        return jsonify(views.account(caller.bot))

    # Streams.

    def _stream_events(self, caller: Caller, _: Fields) -> Answer:
        asked = request.args.get("games")
        games = tuple(asked.split(",")) if asked else tuple(VARIANTS)
        if unknown := [key for key in games if key not in VARIANTS]:
            raise wrong("games", f"some of {', '.join(VARIANTS)}", unknown[0], allowed=[*VARIANTS])
        address = request.remote_addr or ""
        self._streams.check_room_for(caller.visitor, address)
        listens = self._may_listen(caller)
        return _stream(self._streams.events(caller.visitor, address, games, listens))

    def _stream_game(self, caller: Caller, fields: InGame) -> Answer:
        game = self._rooms.game(fields.game)
        if not game.players_of(caller.bot.bot):
            raise Refused("not_yours", why="game")
        address = request.remote_addr or ""
        self._streams.check_room_for(caller.visitor, address)
        listens = self._may_listen(caller)
        return _stream(self._streams.game(caller.visitor, address, game, listens))

    def _may_listen(self, caller: Caller) -> MayListen:
        """For as long as the token counts."""
        return partial(self._tokens.is_live, caller.bot)

    # Rooms.

    def _create(self, caller: Caller, fields: BotCreate) -> Answer:
        answer = create(self._rooms, caller.visitor, fields)
        self._streams.tell_game(self._rooms.latest(answer["room"]))
        return answer

    def _look(self, _: Caller, fields: InRoom) -> Answer:
        return views.looked_at(self._rooms.journal.fresh(fields.room))

    def _join(self, caller: Caller, fields: InRoom) -> Answer:
        player = self._rooms.join(caller.visitor, fields.room)
        return answers.joined(player, self._rooms.latest(fields.room).id)

    def _chat(self, caller: Caller, fields: BotChat) -> Answer:
        room = self._rooms.game(fields.game).start.room
        return self._rooms.say(caller.visitor, room, fields.text)

    # Other bots.

    def _online(self, _: Caller, __: Fields) -> Answer:
        return jsonify(views.all_online(self._streams.online()))

    def _challenge(self, caller: Caller, fields: Challenge) -> Answer:
        """Somebody who plays in a room, or directs it, waits there for a bot that is online."""
        game = self._rooms.latest(fields.room)
        if caller.identity is None or not self._rooms.may_invite(caller.identity, fields.room):
            raise Refused("not_yours", why="invite")
        if game.outcome or all(seat.is_taken for seat in game.seats):
            raise Refused("taken", why="room")
        self._streams.challenge(fields.bot, views.challenge(game))
        return {}

    def _describe(self, _: Caller, __: Fields) -> Answer:
        return jsonify(description())


def _refused(refusal: Refused) -> Response:
    error = error_of(refusal)
    response = jsonify(error=error)
    response.status_code = STATUS.get(refusal.code, CONFLICT)
    if "seconds" in error:
        response.headers["Retry-After"] = str(error["seconds"])
    return response


def _body() -> object:
    """The JSON of a request."""
    request.max_content_length = MAX_BODY
    text = request.get_data()
    try:
        return json.loads(text) if text else {}
    except (ValueError, RecursionError):
        raise Refused("invalid", why="body", problem="wrong") from None


def _until_outage(lines: Iterator[str]) -> Iterator[str]:
    """A stream that ends when the store does: the bot will open another."""
    with suppress(StoreDownError):
        yield from lines


def _stream(lines: Iterator[str]) -> Response:
    return Response(_until_outage(lines), mimetype=NDJSON, headers={"X-Accel-Buffering": "no"})
