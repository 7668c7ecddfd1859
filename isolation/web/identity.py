"""Who a visitor is: a signed cookie, given out with the first page. No sign-up."""

import os
from pathlib import Path
from secrets import token_hex, token_urlsafe

from flask import Request, Response
from itsdangerous import BadSignature, URLSafeSerializer

COOKIE = "visitor"
YEAR = 365 * 24 * 3600


class Identities:
    """Reads and gives out identities, signed with the secret of this site."""

    def __init__(self, secret: str) -> None:
        self._signer = URLSafeSerializer(secret, salt="visitor")

    def read(self, cookie: str | None) -> str | None:
        """The identity in a cookie, or None if it is not one of ours."""
        try:
            identity = self._signer.loads(cookie or "")
        except BadSignature:
            return None
        return identity if isinstance(identity, str) else None

    def give(self, request: Request, response: Response) -> Response:
        """Give whoever has none an identity, with a page."""
        is_page = response.mimetype == "text/html"
        if is_page and self.read(request.cookies.get(COOKIE)) is None:
            response.set_cookie(
                COOKIE,
                self._signer.dumps(token_urlsafe(12)),
                max_age=YEAR,
                httponly=True,
                samesite="Lax",
                secure=request.is_secure,
            )
        return response


def secret_key(folder: Path) -> str:
    """The secret of this site, made once and kept where only its owner can read it."""
    path = folder / "secret_key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(token_hex(32))
        try:
            os.link(draft, path)  # the first one wins, if two servers start at once
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()
