"""Addresses of Redis, as text: what's wrong with one, and how to show it. Never with a password."""

import re
from urllib.parse import SplitResult, parse_qsl, urlsplit

EXAMPLE = "redis://127.0.0.1:6379/0"
SCHEMES = ("redis", "rediss", "unix")
DATABASE = re.compile(r"/?|/\d{1,5}", re.ASCII)


def problem(url: str) -> str | None:
    """What's wrong with an address; None if nothing is. It repeats no part of the address."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "its port isn't a number, or its host isn't a name"
    if parts.scheme not in SCHEMES:
        return "it doesn't begin with redis://, rediss:// or unix://"
    if parts.netloc and parts.hostname is None and parts.scheme != "unix":
        return "it has no host"
    if parts.scheme != "unix" and not DATABASE.fullmatch(parts.path):
        return "its database isn't a number"
    return _problem_after_path(parts)


def _problem_after_path(parts: SplitResult) -> str | None:
    if parts.fragment:
        return "a # in the password must be written as %23"
    try:
        parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        return "what follows the ? isn't a list of options"
    return None


def shown(url: str) -> str:
    """An address without what's secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2] or parts.path}"
