"""The pages around bots: who is online, the controller, the workshop, the ladder, the API."""

from dataclasses import dataclass
from pathlib import Path

from flask import Flask, Response, abort, current_app, jsonify, render_template, url_for

from isolation import bots as package
from isolation.bots.ladder import Ladder, ranking
from isolation.rooms.views import boards
from isolation.rules import VARIANTS, GameRecord, InvalidRecord, write_record
from isolation.rules.words import player_name
from isolation.web.commands import REQUESTS
from isolation.web.pages import show_replay

SAMPLES = Path(package.__path__[0]) / "samples"
MATCHES_SHOWN = 100


@dataclass(frozen=True)
class Template:
    """A bot to begin with."""

    file: str
    title: str
    game: str


TEMPLATES = (
    Template("pawn_move.js", "Classic, move()", "classic"),
    Template("knight_move.js", "Knights, move()", "knights"),
    Template("pawn_move.js", "Isola, move()", "isola"),
    Template("SampleAI.js", "Isola, IPlayer", "isola"),
    Template("slider_move.js", "Slider, move()", "slider"),
    Template("linear_move.js", "Linear, move()", "linear"),
)
PYTHON = ("my_custom_player.py", "SampleAI.py", "pawn_move.py")
# The clock of a page that shares nothing with others is twenty times as fine.
ISOLATED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


def add_bot_pages(app: Flask) -> None:
    for address, name, view in (
        ("/bots", "bots", bots),
        ("/bots/api", "bot_api", bot_api),
        ("/bots/samples/<name>", "sample", sample),
        ("/controller", "controller", controller),
        ("/workshop", "workshop", workshop),
        ("/ladder", "ladder", ladder),
        ("/ladder/games/<name>", "ladder_game", ladder_game),
        ("/api/ladder/games/<name>.txt", "ladder_text", ladder_text),
        ("/api/ladder/games/<name>/positions", "ladder_positions", ladder_positions),
    ):
        app.add_url_rule(address, name, view)


def bots() -> str:
    return render_template("bots.html", python=PYTHON, variants=VARIANTS.values())


def bot_api() -> str:
    return render_template("bot-api.html", requests=REQUESTS)


def sample(name: str) -> Response:
    known = {template.file for template in TEMPLATES} | set(PYTHON)
    if name not in known:
        abort(404, f"There is no such sample. There are {', '.join(sorted(known))}.")
    kind = "text/javascript" if name.endswith(".js") else "text/x-python"
    return Response((SAMPLES / name).read_text(encoding="utf-8"), mimetype=kind)


def controller() -> Response:
    return _isolated(render_template("controller.html", variants=VARIANTS.values()))


def workshop() -> Response:
    return _isolated(
        render_template("workshop.html", templates=TEMPLATES, variants=VARIANTS.values())
    )


def _isolated(page: str) -> Response:
    return Response(page, headers=ISOLATED)


def ladder() -> str:
    found = _ladder()
    rows = ranking(found) if found else []
    matches = found.matches[: -MATCHES_SHOWN - 1 : -1] if found else []
    by_rating = {
        row["name"]: at
        for at, row in enumerate(sorted(rows, key=lambda row: -row["rating"]), start=1)
    }
    return render_template("ladder.html", rows=rows, matches=matches, by_rating=by_rating)


def ladder_game(name: str) -> str:
    record = _record(name)
    names = [record.tags.get(f"Player{at + 1}", player_name(at)) for at in (0, 1)]
    positions, text = (url_for(view, name=name) for view in ("ladder_positions", "ladder_text"))
    return show_replay(record.variant, names, record.outcome, positions=positions, text=text)


def ladder_text(name: str) -> Response:
    return Response(write_record(_record(name)), mimetype="text/plain")


def ladder_positions(name: str) -> Response:
    return jsonify(boards.history(_record(name)))


def _record(name: str) -> GameRecord:
    found = _ladder()
    record = found.record(name) if found else None
    if record is None:
        abort(404, "There is no such game on the ladder.")
    return record


def _ladder() -> Ladder | None:
    """The ladder as it is now: another process plays it."""
    folder: Path | None = current_app.extensions.get("ladder")
    try:
        return Ladder(folder) if folder else None
    except InvalidRecord as error:
        abort(503, str(error))
