"""The web app: the only part that knows Flask."""

from pathlib import Path

from flask import Flask, Response, abort, current_app, render_template
from werkzeug.exceptions import HTTPException

from isolation.rules import VARIANTS
from isolation.web.api import api_error, is_api
from isolation.web.showcase import SHOWCASE

ROOT = Path(__file__).resolve().parents[2]

MAX_ROOM_ID = 64

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def create_app() -> Flask:
    """The app with its pages; it starts nothing and opens nothing."""
    app = Flask("isolation", root_path=str(ROOT))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.add_url_rule("/", "index", index)
    app.add_url_rule("/room/<room>", "room", room)
    app.register_error_handler(HTTPException, error_page)
    app.after_request(add_security_headers)
    return app


def index() -> str:
    games = [(variant, SHOWCASE[key].describe()) for key, variant in VARIANTS.items()]
    return render_template("index.html", games=games)


def room(room: str) -> str:
    """The page of a room: what is in it comes over the wire."""
    rooms = current_app.extensions.get("rooms")
    if rooms is None or len(room) > MAX_ROOM_ID or not rooms.has_room(room):
        abort(404)
    return render_template("room.html", room=room)


def error_page(error: HTTPException) -> Response:
    """The answer that the error itself makes, with a page that helps."""
    if is_api():
        return api_error(error)
    response = Response(status=error.code or 500, headers=error.get_headers())
    response.set_data(render_template("error.html", code=error.code, name=error.name))
    response.content_type = "text/html; charset=utf-8"
    return response


def add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response
