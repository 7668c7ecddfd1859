"""The settings of the web app: environment variables, each with a default and a check."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isolation.cluster.address import EXAMPLE, problem

ROOT = Path(__file__).resolve().parents[2]
SHORTEST_KEY = 32  # characters: fewer could be guessed
REMOTE = "remote"  # for ENGINES: searches go to workers elsewhere

# What a supervisor tells the web processes that it starts: descriptors that they inherit.
LISTENER = "ISOLATION_LISTENER"  # accepts connections, shared by all of them
SUPERVISOR = "ISOLATION_SUPERVISOR"  # a socket to the supervisor, open while it lives


class InvalidSetting(ValueError):
    """A setting that can't be used; the text says what is allowed."""


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= 65535):
        raise InvalidSetting(f"PORT must be a number from 0 to 65535, not {text!r}")
    return int(text)


def _host(text: str) -> str:
    if not text.strip():
        raise InvalidSetting("HOST must be a host name or address, like 127.0.0.1")
    return text.strip()


def _folder(text: str) -> Path:
    return ROOT / text.strip()


def _text(text: str) -> str:
    return text.strip()


def _engines(text: str) -> int | str | None:
    if not text or text == REMOTE:
        return text or None
    if not (text.isascii() and text.isdecimal() and len(text) <= 2 and int(text) <= 64):
        raise InvalidSetting(f"ENGINES must be a number from 0 to 64, or remote, not {text!r}")
    return int(text)


def _processes(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= 64):
        raise InvalidSetting(f"PROCESSES must be a number from 1 to 64, not {text!r}")
    return int(text)


def _redis(text: str) -> str:
    address = text.strip()
    if address and (wrong := problem(address)):
        raise InvalidSetting(f"REDIS_URL must be like {EXAMPLE}: {wrong}")
    return address


def _proxies(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) == 1):
        raise InvalidSetting(f"TRUSTED_PROXIES must be a number from 0 to 9, not {text!r}")
    return int(text)


def _key(text: str) -> str:
    if text and len(text) < SHORTEST_KEY:
        raise InvalidSetting(f"SECRET_KEY must have at least {SHORTEST_KEY} characters")
    return text


def _old_keys(text: str) -> tuple[str, ...]:
    keys = tuple(key for key in text.split(",") if key)
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise InvalidSetting(
            f"SECRET_KEY_FALLBACKS must be keys of at least {SHORTEST_KEY} characters, "
            "with commas between them"
        )
    return keys


def _sync(text: str) -> str:
    if text not in ("full", "normal"):
        raise InvalidSetting(f"SQLITE_SYNC must be full or normal, not {text!r}")
    return text


def _switch(name: str) -> Callable[[str], bool]:
    def read(text: str) -> bool:
        if text not in ("on", "off"):
            raise InvalidSetting(f"{name} must be on or off, not {text!r}")
        return text == "on"

    return read


@dataclass(frozen=True)
class Setting:
    """One environment variable."""

    name: str
    default: str
    summary: str
    read: Callable[[str], Any]


SETTINGS = (
    Setting("HOST", "127.0.0.1", "the address to listen on; 0.0.0.0 for every network", _host),
    Setting("PORT", "5000", "the port to listen on; 0 for any that is free", _port),
    Setting("INSTANCE", "instance", "the folder for the database and the secret key", _folder),
    Setting("DATABASE_URL", "", "sqlite:///file or postgresql://...; else in INSTANCE", _text),
    Setting("REDIS_URL", "", "redis://..., where several processes serve one site", _redis),
    Setting("PROCESSES", "1", "web processes; 2 or more need PostgreSQL and Redis", _processes),
    Setting(
        "ENGINES",
        "",
        "engine processes: one a core if not set, 0 to start late, remote if workers are elsewhere",
        _engines,
    ),
    Setting("SECRET_KEY", "", "what cookies are signed with; else kept in INSTANCE", _key),
    Setting("SECRET_KEY_FALLBACKS", "", "older keys that are still read, with commas", _old_keys),
    Setting("SQLITE_SYNC", "full", "full; with normal a power cut can lose moves", _sync),
    Setting("TRUSTED_PROXIES", "0", "how many proxies stand in front of the app", _proxies),
    Setting("RATE_LIMITS", "on", "on, or off where only friends come", _switch("RATE_LIMITS")),
    Setting("ACCESS_LOG", "off", "on for a line on stdout per request", _switch("ACCESS_LOG")),
    Setting(
        "OLD_BOT_TOKENS",
        "on",
        "off to refuse bot tokens from before tokens could be revoked",
        _switch("OLD_BOT_TOKENS"),
    ),
)


def read_settings(environ: Mapping[str, str]) -> dict[str, Any]:
    """Every setting by name, from the environment or by default, or InvalidSetting."""
    settings = {s.name: s.read(environ.get(s.name) or s.default) for s in SETTINGS}
    _check_together(settings)
    return settings


def _check_together(settings: Mapping[str, Any]) -> None:
    """InvalidSetting, if each setting is fine and all of them together can't work."""
    has_redis, count = bool(settings["REDIS_URL"]), settings["PROCESSES"]
    has_postgres = settings["DATABASE_URL"].startswith(("postgresql", "postgres:"))
    missing = [
        *([] if has_postgres else ["DATABASE_URL=postgresql://..."]),
        *([] if has_redis else ["REDIS_URL=redis://..."]),
    ]
    if count > 1 and missing:
        raise InvalidSetting(
            f"PROCESSES={count} needs {' and '.join(missing)}: that's what the processes share"
        )
    if has_redis and not has_postgres:
        raise InvalidSetting(
            "REDIS_URL needs DATABASE_URL=postgresql://...: processes that share a Redis share "
            "their games too"
        )
    if settings["ENGINES"] == REMOTE and not has_redis:
        raise InvalidSetting("ENGINES=remote needs REDIS_URL: workers get searches there")


def is_supervisor(settings: Mapping[str, Any], environ: Mapping[str, str]) -> bool:
    """Whether this process starts others that serve, instead of serving itself."""
    return bool(settings["PROCESSES"] > 1) and LISTENER not in environ


def database_address(settings: Mapping[str, Any]) -> str:
    """Where the games are: a file in the instance folder, unless DATABASE_URL says otherwise."""
    return settings["DATABASE_URL"] or f"sqlite:///{settings['INSTANCE'] / 'isolation.db'}"
