"""The JSON API and what monitors ask for. Errors are JSON with a code and a message."""

import json
from random import Random
from typing import Any

from flask import Flask, Response, abort, jsonify, request
from werkzeug.exceptions import HTTPException

from isolation.engines.levels import LEVELS
from isolation.rooms import payloads
from isolation.rooms.game import Game
from isolation.rooms.service import Rooms
from isolation.rules import (
    VARIANTS,
    GameRecord,
    IllegalMove,
    InvalidOption,
    Variant,
    write_record,
)
from isolation.rules.options import Choice, Number, Option
from isolation.rules.variants import RANDOM
from isolation.rules.words import printable, shown
from isolation.web.diagrams import after, find_diagram
from isolation.web.identity import Identities
from isolation.web.metrics import Metrics


def add_api(app: Flask, rooms: Rooms, identities: Identities, metrics: Metrics) -> None:
    """The addresses below /api, and /metrics."""

    def variants() -> Response:
        return jsonify(variants=[_variant(variant) for variant in VARIANTS.values()])

    def find(game_id: str) -> Game:
        game = rooms.game(game_id) if len(game_id) <= 64 else None
        if game is None:
            abort(404, "there is no such game")
        return game

    def game(game_id: str) -> Response:
        found = find(game_id)
        return jsonify(_game(found, rooms.room_shown(found, identities.of(request))))

    def record(game_id: str) -> Response:
        return Response(write_record(_record(find(game_id))), mimetype="text/plain")

    def positions(game_id: str) -> Response:
        found = find(game_id)
        return jsonify(payloads.history(found.record, found.notes))

    def start(variant: str) -> Response:
        """The board as a game with these options begins; what is left to lot is at its default."""
        rules = VARIANTS.get(variant)
        if rules is None:
            abort(404, f"there is no such game: there are {', '.join(VARIANTS)}")
        try:
            given = json.loads(request.args.get("options", "{}"))
            if not isinstance(given, dict):
                raise InvalidOption(f"options are named values, not {shown(given)}")
            chosen = {name: value for name, value in given.items() if value != RANDOM}
            return jsonify(board=payloads.board(rules.start(**rules.draw(chosen, Random(0)))))
        except RecursionError:
            abort(400, "options: nested too deep")
        except (ValueError, InvalidOption) as error:
            abort(400, f"options: {error}")

    def diagram(variant: str, name: str) -> Response:
        found = find_diagram(variant, name)
        if found is None:
            abort(404, "there is no such diagram")
        try:
            return jsonify(after(found, request.args.get("moves", "").split()))
        except IllegalMove as error:
            abort(400, str(error))

    def show_metrics() -> Response:
        return Response(metrics.text(), mimetype="text/plain; version=0.0.4")

    app.add_url_rule("/metrics", "metrics", show_metrics)
    app.add_url_rule("/api/variants", "variants", variants)
    app.add_url_rule("/api/start/<variant>", "start", start)
    app.add_url_rule("/api/games/<game_id>", "game", game)
    app.add_url_rule("/api/games/<game_id>.txt", "record", record)
    app.add_url_rule("/api/games/<game_id>/positions", "positions", positions)
    app.add_url_rule("/api/diagrams/<variant>/<name>", "diagram", diagram)


def is_api() -> bool:
    """Whether the request is one that wants JSON, errors too."""
    return request.path.startswith(("/api/", "/healthz", "/livez", "/readyz", "/metrics"))


def api_error(error: HTTPException) -> Response:
    code = (error.name or "error").lower().replace(" ", "_")
    response = jsonify(error={"code": code, "message": error.description})
    response.status_code = error.code or 500
    for name, value in error.get_headers():
        if name == "Retry-After":
            response.headers[name] = value
    return response


def _variant(variant: Variant) -> dict[str, Any]:
    return {
        "key": variant.key,
        "title": variant.title,
        "summary": variant.summary,
        "has_draws": variant.has_draws,
        "coordinates": variant.coordinates,
        "sides": list(variant.position.symbols.players),
        "levels": [level.name for level in LEVELS[variant.key]],
        "options": [_option(option) for option in variant.options],
    }


def _option(option: Option) -> dict[str, Any]:
    """An option, with what a form needs to ask for it: values, and words for them."""
    found: dict[str, Any] = {
        "name": option.name,
        "summary": option.summary,
        "allowed": option.allowed,
        "default": option.default,
    }
    if isinstance(option, Choice):
        return {**found, "values": list(option.choices), "words": list(option.words)}
    if isinstance(option, Number):
        values, words = list(option.values), [str(value) for value in option.values]
    else:
        values, words = [option.default], ["None"]
    return {**found, "values": [*values, RANDOM], "words": [*words, "By lot"]}


def _record(game: Game) -> GameRecord:
    """The record with the names of the players."""
    tags = {}
    for player, seat in enumerate(game.seats):
        if seat.shown_name:
            tags[f"Player{player + 1}"] = printable(seat.shown_name)
    begun = GameRecord.begin(game.start.variant, game.start.options, tags)
    record = begun.replay(game.record.notation())
    is_ended_otherwise = game.outcome and not record.outcome and not game.is_aborted
    return record.end(game.outcome) if is_ended_otherwise and game.outcome else record


def _game(game: Game, room: str | None) -> dict[str, Any]:
    return {
        "id": game.start.id,
        "room": room,
        "number": game.start.number,
        "created": game.start.created,
        "clock": game.start.clock.to_dict() if game.start.clock else None,
        "aborted": game.is_aborted,
        **_record(game).to_dict(),
    }
