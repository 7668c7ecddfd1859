"""Who a visitor is: a signed cookie, given out with the first page. No sign-up."""

import os
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex, token_urlsafe

from flask import Request, Response
from itsdangerous import BadSignature, URLSafeSerializer

from isolation.web.settings import SHORTEST_KEY

COOKIE = "visitor"
KEY_FILE = "secret_key"  # in the instance folder
YEAR = 365 * 24 * 3600


class Identities:
    """Reads and gives out identities, signed with the newest of this site's keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        """The newest key comes last and signs. The others are only read."""
        self._signer = URLSafeSerializer(list(keys), salt="visitor")

    def read(self, cookie: str | None) -> str | None:
        """The identity in a cookie, or None if it isn't one of ours."""
        try:
            identity = self._signer.loads(cookie or "")
        except BadSignature:
            return None
        return identity if isinstance(identity, str) else None

    def of(self, request: Request) -> str | None:
        """Who sends a request, if we know them."""
        return self.read(request.cookies.get(COOKIE))

    def give(self, request: Request, response: Response) -> Response:
        """Give new visitors an identity with a page; sign old ones again if the key has changed."""
        if response.mimetype != "text/html":
            return response
        response.headers.setdefault("Cache-Control", "private, no-cache")
        known = request.cookies.get(COOKIE)
        identity = self.read(known) or token_urlsafe(12)
        signed = self._signer.dumps(identity)
        if signed != known:
            response.headers["Cache-Control"] = "no-store"
            response.set_cookie(
                COOKIE,
                signed,
                max_age=YEAR,
                httponly=True,
                samesite="Lax",
                secure=request.is_secure,
            )
        return response


class BadKey(Exception):
    """A key that anyone could guess; the text says what to do."""


def secret_key(folder: Path) -> str:
    """This site's own key, made once and kept where only its owner can read it."""
    path = folder / KEY_FILE
    if not path.exists():
        keep_key(folder, token_hex(32))
    key = path.read_text().strip()
    if len(key) < SHORTEST_KEY:
        raise BadKey(
            f"the key in {path} has fewer than {SHORTEST_KEY} characters, so anyone could be any "
            "visitor. Delete the file to get a new key, or set SECRET_KEY"
        )
    return key


def stored_key(folder: Path) -> str | None:
    """The key that's kept there, if there is one."""
    path = folder / KEY_FILE
    return path.read_text().strip() if path.exists() else None


def keep_key(folder: Path, key: str) -> None:
    """Store a key, unless there is one already."""
    path = folder / KEY_FILE
    folder.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    try:
        os.link(draft, path)  # the first one wins, if two servers start at once
    except FileExistsError:
        pass
    finally:
        draft.unlink()
