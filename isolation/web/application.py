"""The Flask app with its pages; it starts nothing and opens nothing."""

from pathlib import Path

from flask import Flask, Response, request

from isolation.web.bots import add_bot_pages
from isolation.web.pages import SANDBOX, add_pages

ROOT = Path(__file__).resolve().parents[2]

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def create_app() -> Flask:
    """The app, before a site is put behind it."""
    app = Flask("isolation", root_path=str(ROOT))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    add_pages(app)
    add_bot_pages(app)
    app.after_request(add_security_headers)
    return app


def add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    if request.path in SANDBOX:  # a frame of another origin than ours loads these
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
