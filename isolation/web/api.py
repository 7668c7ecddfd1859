"""The JSON API and what monitors ask for. Errors are JSON with a code and a message."""

import json
import time
from collections.abc import Iterable, Iterator
from random import Random

from flask import Flask, Response, abort, jsonify, request
from werkzeug.exceptions import HTTPException

from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.service import Rooms
from isolation.rooms.views import boards, games
from isolation.rooms.views.variants import described
from isolation.rules import (
    VARIANTS,
    IllegalMove,
    InvalidOption,
    write_record,
)
from isolation.rules.variants import RANDOM
from isolation.rules.words import shown
from isolation.web.diagrams import after, find_diagram
from isolation.web.identity import Identities
from isolation.web.metrics import Metrics

MAX_ID = 64  # letters of a game's name in an address


def add_api(app: Flask, rooms: Rooms, identities: Identities, metrics: Metrics) -> None:
    """The addresses below /api, and /metrics."""

    def variants() -> Response:
        return jsonify(variants=[described(variant) for variant in VARIANTS.values()])

    def find(game_id: str) -> Game:
        try:
            return rooms.game(game_id[:MAX_ID])
        except Refused as refusal:
            abort(404, refusal.message)

    def game(game_id: str) -> Response:
        found = find(game_id)
        return jsonify(games.exported(found, rooms.room_shown(found, identities.of(request))))

    def record(game_id: str) -> Response:
        return Response(write_record(games.record(find(game_id))), mimetype="text/plain")

    def positions(game_id: str) -> Response:
        found = find(game_id)
        parts = boards.history_text(found.record, found.notes)
        return Response(_by_and_by(parts), mimetype="application/json")

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
            return jsonify(board=boards.board(rules.start(**rules.draw(chosen, Random(0)))))
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


def _by_and_by(parts: Iterable[str]) -> Iterator[str]:
    """A long answer, with time for others after every part."""
    for part in parts:
        yield part
        time.sleep(0)  # green, in a server
