"""The HTTP API for bots, in the manner of Lichess's: a bearer token, streams of JSON lines, posts.

`openapi.json` describes it; docs/bot-api.md has it in words.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from secrets import token_urlsafe
from typing import Any
from uuid import uuid4

from flask import Flask, Response, abort, jsonify, request

from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.ports import BotToken, StoreDownError
from isolation.rooms.room import Visitor
from isolation.rooms.service import Rooms
from isolation.rules import VARIANTS
from isolation.rules.words import shown
from isolation.web.identity import Identities
from isolation.web.limits import Limiter
from isolation.web.openapi import OPERATIONS, Operation, description
from isolation.web.outages import store_down
from isolation.web.schema import (
    MAX_CHAT,
    MAX_DAYS,
    MAX_LABEL,
    MAX_NAME,
    MAX_WHY,
    Field,
    anything,
    flag,
    identifier,
    line_of,
    move_text,
    number,
    one_of,
    read,
    whole,
)
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

    def add_to(self, app: Flask) -> None:
        for operation in OPERATIONS:
            rule = operation.address.replace("{", "<").replace("}", ">")
            view = self._guarded(operation)
            app.add_url_rule(rule, f"bot_{operation.name}", view, methods=[operation.method])

    def _guarded(self, operation: Operation) -> Callable[..., Response]:
        """What answers; whatever it refuses becomes an answer with the status that fits."""
        view = getattr(self, operation.name)

        def answer(**arguments: str) -> Response:
            try:
                given = {name: identifier(name, value) for name, value in arguments.items()}
                who = () if operation.is_open or operation.takes_cookie else (self._visitor(),)
                found: Response = view(*who, **given)
            except Refused as refusal:
                return _refused(refusal)
            except StoreDownError:
                return _refused(store_down())
            return found

        return answer

    def _bearer(self) -> BotToken | None:
        """The token that was sent, or None; one that doesn't count is refused."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            return self._tokens.read(token.strip())
        except BadToken as error:
            abort(401, f"{error}: {HOW}")

    def _needed_bearer(self) -> BotToken:
        return self._bearer() or abort(401, HOW)

    def _cookie(self) -> str | None:
        return self._identities.of(request)

    def _visitor(self) -> Visitor:
        """Who asks, and not too often."""
        token = self._needed_bearer()
        self._limit("other", token.bot)
        return Visitor(token.bot, token.name, is_bot=True)

    def _limit(self, kind: str, who: str) -> None:
        if self._limiter:
            self._limiter.take(kind, who)

    def _limit_creation(self, visitor: Visitor) -> None:
        self._limit("create", visitor.identity)
        self._limit("create_address", request.remote_addr or "")

    # Who you are.

    def token(self) -> Response:
        """For a new bot, or for the one whose token was sent."""
        own = self._bearer()
        self._limit("create_address", request.remote_addr or "")
        values = _body(
            Field("name", line_of(MAX_NAME), own.name) if own else Field("name", line_of(MAX_NAME)),
            Field("label", line_of(MAX_LABEL), None),
            Field("days", whole(1, MAX_DAYS), None),
        )
        if own and values["name"] != own.name:
            raise Refused("invalid", f"this bot is called {own.name}: leave out the name")
        bot = own.bot if own else f"bot-{token_urlsafe(9)}"
        token, made = self._tokens.make(bot, owner=self._cookie(), **values)
        told = {"id": bot, "name": made.name, "token_id": made.id, "expires": made.expires}
        return jsonify(token=token, **told)

    def tokens(self) -> Response:
        return _done({"tokens": [_token(one) for one in self._own_tokens()]})

    def revoke(self, token: str) -> Response:
        own = next((one for one in self._own_tokens() if one.id == token), None)
        if own is None:
            raise Refused("unknown", "you have no such token")
        self._tokens.revoke(own)
        return _done({})

    def _own_tokens(self) -> list[BotToken]:
        """Those of the bot that asks or, on a page, those that the visitor made.

        Other sites can't ask in a visitor's name: the cookie doesn't come along (SameSite=Lax).
        """
        own = self._bearer()
        who = own.bot if own else self._cookie()
        if who is None:
            abort(401, HOW)
        self._limit("other", who)
        return self._tokens.of_bot(who) if own else self._tokens.of_owner(who)

    def account(self, visitor: Visitor) -> Response:
        return jsonify(id=visitor.identity, name=visitor.name)

    # Streams.

    def stream_events(self, visitor: Visitor) -> Response:
        asked = request.args.get("games")
        games = tuple(asked.split(",")) if asked else tuple(VARIANTS)
        if unknown := [key for key in games if key not in VARIANTS]:
            known = ", ".join(VARIANTS)
            raise Refused("invalid", f"there is no game {shown(unknown[0])}: there are {known}")
        address = request.remote_addr or ""
        self._streams.check_room_for(visitor, address)
        return _stream(self._streams.events(visitor, address, games, self._may_listen()))

    def stream_game(self, visitor: Visitor, game: str) -> Response:
        found = self._find(game)
        if not found.players_of(visitor.identity):
            raise Refused("not_yours", "you do not play this game")
        address = request.remote_addr or ""
        self._streams.check_room_for(visitor, address)
        return _stream(self._streams.game(visitor, address, found, self._may_listen()))

    def _may_listen(self) -> MayListen:
        """For as long as the token counts."""
        return partial(self._tokens.is_live, self._needed_bearer())

    def _find(self, game: str) -> Game:
        found = self._rooms.game(game)
        if found is None:
            raise Refused("unknown", "there is no such game")
        return found

    # Doing.

    def create(self, visitor: Visitor) -> Response:
        self._limit_creation(visitor)
        values = _body(
            Field("variant", anything),
            Field("options", anything, None),
            Field("opponent", one_of("friend", "computer"), "friend"),
            Field("level", anything, None),
            Field("side", anything, "random"),
            Field("clock", anything, None),
            Field("public", flag, default=False),
        )
        room = self._rooms.create(visitor, **values)
        self._streams.tell_game(room.game)
        return _done({"room": room.id, "game": room.game.start.id})

    def look(self, visitor: Visitor, room: str) -> Response:
        game = self._rooms.latest(room)
        seats = [seat.is_taken for seat in game.seats]
        told = {"game": game.start.id, "variant": game.start.variant, "taken": seats}
        return _done({**told, "options": dict(game.start.options), "over": bool(game.outcome)})

    def join(self, visitor: Visitor, room: str) -> Response:
        player = self._rooms.join(visitor, room)
        return _done({"player": player, "game": self._rooms.latest(room).start.id})

    def move(self, visitor: Visitor, game: str) -> Response:
        fields = Field("move", move_text), Field("ply", number), Field("id", identifier, None)
        values = _body(*fields)
        move_id = values["id"] or uuid4().hex
        return _done(self._rooms.move(visitor, game, values["ply"], values["move"], move_id))

    def fault(self, visitor: Visitor, game: str) -> Response:
        values = _body(Field("ply", number), Field("why", line_of(MAX_WHY), ""))
        return _done(self._rooms.fault(visitor, game, **values))

    def chat(self, visitor: Visitor, game: str) -> Response:
        text = _body(Field("text", line_of(MAX_CHAT)))["text"]
        self._limit("chat", visitor.identity)
        return _done(self._rooms.say(visitor, self._find(game).start.room, text))

    def resign(self, visitor: Visitor, game: str) -> Response:
        return _done(self._rooms.resign(visitor, game))

    def abort(self, visitor: Visitor, game: str) -> Response:
        return _done(self._rooms.abort(visitor, game))

    def claim(self, visitor: Visitor, game: str) -> Response:
        result = _body(Field("result", one_of("win", "draw")))["result"]
        return _done(self._rooms.claim(visitor, game, result))

    def draw(self, visitor: Visitor, game: str) -> Response:
        return _done(self._rooms.draw(visitor, game, _action("offer", "accept", "decline")))

    def takeback(self, visitor: Visitor, game: str) -> Response:
        return _done(self._rooms.takeback(visitor, game, _action("propose", "accept", "decline")))

    def rematch(self, visitor: Visitor, game: str) -> Response:
        self._limit_creation(visitor)
        return _done(self._rooms.rematch(visitor, game))

    # The others.

    def online(self) -> Response:
        return jsonify(bots=self._streams.online())

    def challenge(self, bot: str) -> Response:
        """Somebody who plays in a room, or directs it, waits there for a bot that is online."""
        own = self._bearer()
        identity = own.bot if own else self._cookie()
        self._limit("create", identity or request.remote_addr or "")
        room = _body(Field("room", identifier))["room"]
        game = self._rooms.latest(room)
        if identity is None or not self._rooms.may_invite(identity, room):
            raise Refused("not_yours", "only who plays in a room, or directs it, can ask others in")
        if game.outcome or all(seat.is_taken for seat in game.seats):
            raise Refused("taken", "no seat is free in this room")
        start = game.start
        told = {"room": room, "variant": start.variant, "options": dict(start.options)}
        self._streams.challenge(bot, told)
        return jsonify(ok=True)

    def describe(self) -> Response:
        return jsonify(description())


def _refused(refusal: Refused) -> Response:
    details = {name: value for name, value in refusal.details.items() if name != "snapshot"}
    response = jsonify(error={"code": refusal.code, "message": refusal.message, **details})
    response.status_code = STATUS.get(refusal.code, CONFLICT)
    if "seconds" in details:
        response.headers["Retry-After"] = str(details["seconds"])
    return response


def _token(token: BotToken) -> dict[str, Any]:
    """What its owner may see: neither the token nor its hash."""
    return {
        "id": token.id,
        "bot": token.bot,
        "name": token.name,
        "label": token.label,
        "created": token.created,
        "last_used": token.last_used,
        "expires": token.expires,
    }


def _done(answer: dict[str, Any]) -> Response:
    return jsonify(ok=True, **answer)


def _action(*allowed: str) -> str:
    return str(_body(Field("action", one_of(*allowed)))["action"])


def _body(*fields: Field) -> dict[str, Any]:
    """The fields of a request's JSON, checked."""
    request.max_content_length = MAX_BODY
    text = request.get_data()
    try:
        given = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        raise Refused("invalid", "the body is an object in JSON") from None
    return read(fields, given)


def _until_outage(lines: Iterator[str]) -> Iterator[str]:
    """A stream that ends when the store does: the bot will open another."""
    with suppress(StoreDownError):
        yield from lines


def _stream(lines: Iterator[str]) -> Response:
    return Response(_until_outage(lines), mimetype=NDJSON, headers={"X-Accel-Buffering": "no"})
