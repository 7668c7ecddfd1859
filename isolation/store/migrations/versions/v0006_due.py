"""When to look at a game next, who sits where, and when the server was away.

Before, every unfinished game was read at the start, and seats were searched for in the logs.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

PAGE = 2_000


def upgrade() -> None:
    op.add_column("games", sa.Column("due", sa.Float))
    seats = op.create_table(
        "seats",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True),
        sa.Column("identity", sa.String(64), nullable=False),
        sa.Column("is_over", sa.Boolean, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=False),
    )
    # Whatever is unfinished is looked at once, and then when its time has come.
    op.execute(sa.text("UPDATE games SET due = created WHERE result IS NULL"))
    _fill(op.get_bind(), seats)
    op.create_index("seats_identity", "seats", ["identity", "is_over"])
    op.create_index("games_due", "games", ["due"])
    op.drop_index("games_result", "games")


def _fill(connection: sa.Connection, seats: sa.Table) -> None:
    """The seats of all games there are, from their logs; so many games at a time."""
    page = sa.text("SELECT id, result FROM games WHERE id > :last ORDER BY id LIMIT :most")
    sat = sa.text(
        "SELECT game, data FROM events WHERE game > :last AND game <= :to AND kind = 'seat'"
    )
    last = ""
    while games := connection.execute(page, {"last": last, "most": PAGE}).all():
        is_over = {game: result is not None for game, result in games}
        found = connection.execute(sat, {"last": last, "to": games[-1][0]})
        rows = [_row(game, json.loads(data), is_over[game]) for game, data in found]
        if rows:
            connection.execute(sa.insert(seats), rows)
        last = games[-1][0]


def _row(game: str, seat: dict[str, Any], is_over: bool) -> dict[str, Any]:
    named = {"player": seat["seat"], "identity": seat["identity"]}
    return {"game": game, **named, "is_over": is_over}
