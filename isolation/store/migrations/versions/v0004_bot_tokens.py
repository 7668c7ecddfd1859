"""Tokens of bots, by their hashes."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "bot_tokens",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("bot", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("label", sa.String(64)),
        sa.Column("owner", sa.String(64)),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("last_used", sa.Float),
        sa.Column("expires", sa.Float),
        sa.Column("revoked", sa.Float),
    )
    op.create_index("bot_tokens_bot", "bot_tokens", ["bot"])
    op.create_index("bot_tokens_owner", "bot_tokens", ["owner"])
