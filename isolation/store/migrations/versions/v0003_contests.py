"""Contests: rooms with somebody who directs them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("owner", sa.String(64)))
