"""Who a line of chat is for: the players, or those who watch. It was told by its author before."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("chat", sa.Column("is_for_players", sa.Boolean))
    op.execute(sa.text("UPDATE chat SET is_for_players = (player IS NOT NULL)"))
    op.create_index("chat_side", "chat", ["room", "is_for_players", "id"])
    op.drop_index("chat_room", "chat")
