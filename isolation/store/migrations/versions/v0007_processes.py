"""A row for each process, instead of one heartbeat for all.

From here on each version works beside the one before it, on the same tables: during a rolling
restart, old processes go on until new ones have taken over. So this only adds a table. The old
`heartbeat` stays, since running old processes write it with each beat, and new ones read it when
they start: an old one that's alive is no outage. New ones write it too, for an old one that has
just begun to start: it finds a fresh beat, and gives nobody time that others have served. (One
that starts later finds these tables too new for it, and says so.) A later version may drop it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("up", sa.Float),
        sa.Column("db_at", sa.Float),
    )
