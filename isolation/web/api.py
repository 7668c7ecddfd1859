"""The JSON API and what monitors ask for. Errors are JSON with a code, params and a message."""

import json
import time
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.service import Rooms
from isolation.rooms.views import boards, games
from isolation.rooms.views.variants import offered
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
        return jsonify(offered())

    def find(game_id: str) -> Game:
        try:
            return rooms.game(game_id[:MAX_ID])
        except Refused as refusal:
            raise told(NotFound(refusal.message), **refusal.details) from None

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
            error = NotFound(f"There's no such game. There are {', '.join(VARIANTS)}.")
            raise told(error, field="variant", allowed=[*VARIANTS])
        try:
            given = json.loads(request.args.get("options", "{}"))
            if not isinstance(given, dict):
                raise InvalidOption(f"options are named values, not {shown(given)}")
            chosen = {name: value for name, value in given.items() if value != RANDOM}
            return jsonify(board=boards.board(rules.start(**rules.draw(chosen, Random(0)))))
        except RecursionError:
            raise told(BadRequest("options: nested too deep"), field="options") from None
        except (ValueError, InvalidOption) as error:
            raise told(BadRequest(f"options: {error}"), field="options") from None

    def diagram(variant: str, name: str) -> Response:
        found = find_diagram(variant, name)
        if found is None:
            raise told(NotFound("There's no such diagram."), why="diagram")
        try:
            return jsonify(after(found, request.args.get("moves", "").split()))
        except IllegalMove as error:
            raise told(BadRequest(str(error)), field="moves") from None

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


def told(error: HTTPException, **params: Any) -> HTTPException:
    """An error with values for programs."""
    error.params = params  # type: ignore[attr-defined]
    return error


def api_error(error: HTTPException) -> Response:
    code = (error.name or "error").lower().replace(" ", "_")
    params = dict(getattr(error, "params", {}))
    wait = dict(error.get_headers()).get("Retry-After")
    if wait:
        params["seconds"] = int(wait)
    response = jsonify(error={"code": code, "params": params, "message": error.description})
    response.status_code = error.code or 500
    if wait:
        response.headers["Retry-After"] = wait
    return response


def _by_and_by(parts: Iterable[str]) -> Iterator[str]:
    """A long answer, with time for others after every part."""
    for part in parts:
        yield part
        time.sleep(0)  # green, in a server
