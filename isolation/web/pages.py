"""The pages, as templates with what they need; what moves in them comes over the wire."""

from functools import cache

from flask import Flask, Response, abort, current_app, render_template, request, url_for
from werkzeug.exceptions import BadHost, HTTPException, NotFound, ServiceUnavailable

from isolation.rooms.errors import Refused
from isolation.rooms.ports import StoreDownError
from isolation.rooms.service import Rooms
from isolation.rules import VARIANTS, Outcome, Variant, ending_words
from isolation.rules.words import player_name
from isolation.web.api import api_error, is_api
from isolation.web.diagrams import DIAGRAMS
from isolation.web.outages import store_down
from isolation.web.showcase import SHOWCASE

# The scripts that run where bots do.
SANDBOX = tuple(f"/static/js/sandbox/{name}.js" for name in ("frame", "worker", "load", "isola"))
MAX_ID = 64  # letters of a room's or a game's name in an address


def add_pages(app: Flask) -> None:
    for address, name, view in (
        ("/", "index", index),
        ("/watch", "watch", watch),
        ("/rules", "rules", rules),
        ("/rules/<key>", "rules_of", rules_of),
        ("/about", "about", about),
        ("/sandbox", "sandbox", sandbox),
        ("/room/<room>", "room", room),
        ("/game/<game>", "replay", replay),
    ):
        app.add_url_rule(address, name, view)
    app.register_error_handler(HTTPException, error_page)
    app.register_error_handler(StoreDownError, store_down_page)


@cache  # the same for everybody, and its boards take 10 ms to draw
def index() -> str:
    return render_template("index.html", games=_games())


def watch() -> str:
    return render_template("watch.html", variants=VARIANTS.values())


@cache
def rules() -> str:
    return render_template("rules.html", games=_games())


def rules_of(key: str) -> str:
    variant = VARIANTS.get(key)
    if variant is None:
        abort(404, f"There is no game called that. There are {', '.join(VARIANTS)}.")
    diagrams = {diagram.name: diagram for diagram in DIAGRAMS[key]}
    variants = VARIANTS.values()
    return render_template(
        f"rules/{key}.html", variant=variant, variants=variants, diagrams=diagrams
    )


def about() -> str:
    return render_template("about.html")


def sandbox() -> Response:
    """Where visitors' bots run: an origin of its own, and no connection to anywhere."""
    scripts = " ".join(f"{request.host_url.rstrip('/')}{path}" for path in SANDBOX)
    response = Response(render_template("sandbox.html"))
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src {scripts} blob: 'unsafe-eval'; worker-src blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
    )
    response.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def room(room: str) -> str:
    try:
        game = _rooms().latest(room[:MAX_ID])
    except Refused:
        abort(404, "There's no such room. Is the link complete?")
    return render_template("room.html", room=room, title=VARIANTS[game.start.variant].title)


def replay(game: str) -> str:
    rooms = _rooms()
    try:
        found = rooms.game(game[:MAX_ID])
    except Refused:
        abort(404, "There's no such game. Is the link complete?")
    seats = found.seats
    is_local = seats[0].identity == seats[1].identity and seats[0].name == seats[1].name
    names = [
        player_name(at) if is_local and seat.identity else seat.shown_name or "Nobody"
        for at, seat in enumerate(seats)
    ]
    return show_replay(
        VARIANTS[found.start.variant],
        names,
        found.outcome,
        positions=url_for("positions", game_id=game),
        text=url_for("record", game_id=game),
        is_aborted=found.is_aborted,
        room=rooms.room_shown(found, current_app.extensions["identities"].of(request)),
    )


def show_replay(
    variant: Variant,
    names: list[str],
    outcome: Outcome | None,
    positions: str,
    text: str,
    is_aborted: bool = False,
    room: str | None = None,
) -> str:
    """The page on which a game is replayed; `positions` and `text` are where it can be had."""
    return render_template(
        "replay.html",
        variant=variant,
        names=names,
        outcome=outcome,
        why=ending_words(outcome) if outcome else "",
        positions=positions,
        text=text,
        is_aborted=is_aborted,
        room=room,
    )


def error_page(error: HTTPException) -> Response:
    """The answer that the error itself makes, with a page that helps."""
    if is_api():
        return api_error(error)
    if isinstance(error, BadHost):  # no page can be made: links need a host
        return Response(f"{error.name}: Host", error.code, mimetype="text/plain")
    response = Response(status=error.code or 500, headers=error.get_headers())
    own_words = error.description != NotFound.description
    words = error.description if error.code == 404 and own_words else ""
    response.set_data(render_template("error.html", code=error.code, name=error.name, words=words))
    response.content_type = "text/html; charset=utf-8"
    return response


def store_down_page(_: StoreDownError) -> Response:
    refusal = store_down()
    return error_page(ServiceUnavailable(refusal.message, retry_after=refusal.details["seconds"]))


def _games() -> list[tuple[object, object]]:
    return [(variant, SHOWCASE[key].describe()) for key, variant in VARIANTS.items()]


def _rooms() -> Rooms:
    found: Rooms | None = current_app.extensions.get("rooms")
    return found or abort(404)  # the pages alone, without a site
