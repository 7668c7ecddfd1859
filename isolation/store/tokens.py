"""The tokens of bots on SQLAlchemy Core."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict

from sqlalchemy import ColumnElement, Connection, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from isolation.rooms.ports import BotToken
from isolation.store.tables import bot_tokens

Transaction = Callable[[], AbstractContextManager[Connection]]


class SqlTokens:
    """A revoked token keeps its row, so that its holder can be told what happened to it."""

    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        self._reading = reading
        self._writing = writing

    def add(self, token: BotToken) -> None:
        try:
            with self._writing() as connection:
                connection.execute(insert(bot_tokens), asdict(token))
        except IntegrityError:
            if self.find(token.hash) is None:
                raise

    def find(self, digest: str) -> BotToken | None:
        rows = self._select(bot_tokens.c.hash == digest)
        return rows[0] if rows else None

    def live_of_bot(self, bot: str, now: float) -> list[BotToken]:
        return self._select(bot_tokens.c.bot == bot, *_live(now))

    def live_of_owner(self, owner: str, now: float) -> list[BotToken]:
        return self._select(bot_tokens.c.owner == owner, *_live(now))

    def touch(self, digest: str, at: float) -> None:
        self._update(digest, last_used=at)

    def revoke(self, digest: str, at: float) -> None:
        self._update(digest, revoked=at)

    def _select(self, *conditions: ColumnElement[bool]) -> list[BotToken]:
        query = select(bot_tokens).where(*conditions).order_by(bot_tokens.c.created)
        with self._reading() as connection:
            return [BotToken(**row) for row in connection.execute(query).mappings()]

    def _update(self, digest: str, **values: float) -> None:
        query = update(bot_tokens).where(bot_tokens.c.hash == digest).values(**values)
        with self._writing() as connection:
            connection.execute(query)


def _live(now: float) -> tuple[ColumnElement[bool], ...]:
    expires = bot_tokens.c.expires
    return bot_tokens.c.revoked.is_(None), or_(expires.is_(None), expires > now)
