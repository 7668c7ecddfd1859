"""Bearer tokens of bots: made, checked, listed and revoked. Only their hashes are stored.

They are random and long, so a plain SHA-256 can't be turned back, and looking one up by its hash
tells nobody how much of a guess was right.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from secrets import token_urlsafe
from threading import Lock

from itsdangerous import BadData, URLSafeSerializer

from isolation.rooms.errors import Refused
from isolation.rooms.ports import BotToken, TokenStore

PREFIX = "isolation_"  # so that people and scanners of leaked secrets recognise one
MOST_TOKENS = 50  # live ones of a bot, and of a visitor
CACHE_S = 4.0  # plus the 6 s for which a stream may be silent: 10 s to revoke one from elsewhere
MOST_CACHED = 10_000
TOUCH_S = 60.0  # how exactly the last use is known
DAY_S = 24 * 3600

_TOKEN = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
_LONGEST_OLD = 1000


class BadToken(Exception):
    """A token that doesn't count; the text says why."""


class Tokens:
    """The tokens of this site, with a short memory of those that were checked lately."""

    def __init__(
        self,
        store: TokenStore,
        now: Callable[[], float],
        keys: Sequence[str],
        *,
        takes_old: bool = True,
    ) -> None:
        self._store = store
        self._now = now
        self._old_signer = URLSafeSerializer(list(keys), salt="bot")
        self._takes_old = takes_old
        self._checked: OrderedDict[str, tuple[BotToken, float]] = OrderedDict()
        self._revocations = 0
        self._making = Lock()

    def make(
        self,
        bot: str,
        name: str,
        owner: str | None = None,
        label: str | None = None,
        days: int | None = None,
    ) -> tuple[str, BotToken]:
        """A new token, which is told only here, and what is stored of it."""
        token, now = f"{PREFIX}{token_urlsafe(32)}", self._now()
        expires = now + days * DAY_S if days else None
        made = BotToken(_digest(token), bot, name, label, owner, now, expires=expires)
        with self._making:  # or two at a time would both be the last that is allowed
            self._check_number(bot, owner)
            self._store.add(made)
        return token, made

    def _check_number(self, bot: str, owner: str | None) -> None:
        most = len(self.of_bot(bot))
        if owner:
            most = max(most, len(self.of_owner(owner)))
        if most >= MOST_TOKENS:
            raise Refused("too_many", why="tokens", most=MOST_TOKENS)

    def read(self, token: str) -> BotToken:
        """What is known of a token that counts, or BadToken."""
        if _TOKEN.fullmatch(token):
            return self._check(_digest(token))
        return self._check(self._adopt(token))

    def is_live(self, token: BotToken) -> bool:
        """Whether one that was read earlier still counts."""
        try:
            self._check(token.hash)
        except BadToken:
            return False
        return True

    def of_bot(self, bot: str) -> list[BotToken]:
        """Those that count, the oldest first."""
        live = self._store.live_of_bot(bot, self._now())
        return [one for one in live if self._takes_old or one.hash != _old_digest(bot)]

    def of_owner(self, owner: str) -> list[BotToken]:
        return self._store.live_of_owner(owner, self._now())

    def revoke(self, token: BotToken) -> None:
        self._store.revoke(token.hash, self._now())
        self._revocations += 1
        self._checked.pop(token.hash, None)

    def _check(self, digest: str) -> BotToken:
        token = self._find(digest)
        if token is None:
            raise BadToken("this isn't a token of this site")
        if token.revoked is not None:
            raise BadToken("this token was revoked")
        if not token.is_live(self._now()):
            raise BadToken("this token has expired")
        self._touch(token)
        return token

    def _find(self, digest: str) -> BotToken | None:
        token, at = self._checked.get(digest, (None, 0.0))
        now = self._now()
        if token and 0 <= now - at < CACHE_S:
            return token
        revocations = self._revocations
        token = self._store.find(digest)
        # The store may let others run: what they revoked meanwhile must not be remembered.
        if token and token.is_live(now) and revocations == self._revocations:
            self._checked[digest] = token, now
            self._checked.move_to_end(digest)
            if len(self._checked) > MOST_CACHED:
                self._checked.popitem(last=False)
        return token

    def _touch(self, token: BotToken) -> None:
        """Note the use of a token, but don't write for every request."""
        now = self._now()
        if token.last_used is not None and now - token.last_used < TOUCH_S:
            return
        if known := self._checked.get(token.hash):
            self._checked[token.hash] = replace(token, last_used=now), known[1]
        self._store.touch(token.hash, now)

    # Tokens from before any were stored: the bot and its name, signed. Each bot has one.

    def _adopt(self, token: str) -> str:
        """The hash of an old token. It's stored when first seen, so it can be revoked like others.

        The hash is made of the bot's id, because one signature can be spelled in several ways.
        """
        bot, name = self._read_old(token)
        if not self._takes_old:
            raise BadToken("tokens as old as this one no longer work here")
        digest = _old_digest(bot)
        if self._find(digest) is None:
            self._store.add(BotToken(digest, bot, name, None, None, self._now()))
        return digest

    def _read_old(self, token: str) -> tuple[str, str]:
        try:
            if not token.isascii() or len(token) > _LONGEST_OLD:
                raise ValueError
            bot, name = self._old_signer.loads(token)
        except (BadData, ValueError, TypeError):
            raise BadToken("this isn't a token of this site") from None
        return bot, name


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _old_digest(bot: str) -> str:
    return _digest(f"old token of {bot}")
