"""What was said in rooms."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("room", sa.String(32), sa.ForeignKey("rooms.id"), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("player", sa.Integer),
    )
    op.create_index("chat_room", "chat", ["room", "id"])
