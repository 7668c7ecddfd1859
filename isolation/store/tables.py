"""The tables. A game is a row of start data and a log; the log is the truth."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("is_public", Boolean, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("created", Float, nullable=False),
    Column("owner", String(64)),  # who made it; null in rooms from before that was kept
)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("room", String(32), ForeignKey("rooms.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("variant", String(16), nullable=False),
    Column("start", Text, nullable=False),  # options, clock, seats, who is first: JSON
    Column("created", Float, nullable=False),
    Column("result", String(8)),  # null while the game goes on
    Column("due", Float),  # when to look at it next; null once it's over
    Index("games_room", "room", "number", unique=True),
    Index("games_due", "due"),
)

seats = Table(
    "seats",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("player", Integer, primary_key=True),
    Column("identity", String(64), nullable=False),
    Column("is_over", Boolean, nullable=False),  # the game
    Index("seats_identity", "identity", "is_over"),
)

events = Table(
    "events",
    metadata,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # the key that decides every race
    Column("kind", String(24), nullable=False),
    Column("data", Text, nullable=False),
    Column("at", Float, nullable=False),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("room", String(32), ForeignKey("rooms.id"), nullable=False),
    Column("at", Float, nullable=False),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("player", Integer),  # null for somebody who has no seat
    Column("is_for_players", Boolean),
    Index("chat_side", "room", "is_for_players", "id"),
)

bot_tokens = Table(
    "bot_tokens",
    metadata,
    Column("hash", String(64), primary_key=True),  # the token itself is stored nowhere
    Column("bot", String(64), nullable=False),
    Column("name", String(64), nullable=False),  # of the bot
    Column("label", String(64)),
    Column("owner", String(64)),  # the visitor who made it on a page; null if a program did
    Column("created", Float, nullable=False),
    Column("last_used", Float),
    Column("expires", Float),  # null if it never does
    Column("revoked", Float),
    Index("bot_tokens_bot", "bot"),
    Index("bot_tokens_owner", "owner"),
)

outages = Table(
    "outages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("began", Float, nullable=False),
    Column("ended", Float, nullable=False),
)

processes = Table(
    "processes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", Float, nullable=False),  # its last beat, in the site's time
    Column("up", Float),  # since when it has worked without a pause; null while it can't store
    Column("db_at", Float),  # the last beat by the database's clock, if it has one
)

heartbeat = Table(  # for processes of the version before `processes`: the last beat of anyone
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)
