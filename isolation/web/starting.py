"""What a start does once, for one process or for many: the address, the assets, the engines.

Knows no eventlet: the supervisor uses it as it is, a web process with its sockets patched.
"""

import errno
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from isolation.engines.cache import is_warm
from isolation.web import assets

BACKLOG = 2048  # connections that wait to be accepted
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104


class CannotStart(Exception):
    """The text says what's in the way, and what to do about it."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. It shares its port with nobody, so that a second server fails at once.

    Small packets go out at once, on what it accepts too: an answer that follows a broadcast would
    else wait 40 ms for the client to acknowledge the first.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        raise CannotStart(_explain(error, host, port)) from error
    return listener


def _explain(error: OSError | UnicodeError, host: str, port: int) -> str:
    """What a person can do about an address that can't be had."""
    if isinstance(error, UnicodeError):
        return f"{host!r} is not the name of a host. Choose another HOST, like 127.0.0.1"
    if error.errno == errno.EADDRINUSE:
        free = port + 1 if port < 65535 else 5000
        return f"port {port} is in use already. Choose another, like PORT={free}"
    if error.errno == errno.EACCES:
        return f"port {port} is not allowed for this user. Choose another, like PORT=5000"
    return f"can't listen on {host}: {error.strerror}. Choose another HOST, like 127.0.0.1"


def announce(listener: Any) -> None:
    """Say where the app is, now that it answers there."""
    host, port = listener.getsockname()[:2]
    here = EVERYWHERE.get(host, f"[{host}]" if ":" in host else host)
    print(f"Isolation is on http://{here}:{port} (Ctrl-C stops it)", flush=True)


def warn_of_own_key(settings: Mapping[str, Any]) -> None:
    """Elsewhere, cookies that we signed would be those of strangers."""
    if settings["REDIS_URL"] and not settings["SECRET_KEY"]:
        print(
            "isolation: SECRET_KEY isn't set, so cookies are signed with the key in INSTANCE. If "
            "other machines serve this site too, set the same SECRET_KEY on all of them",
            file=sys.stderr,
        )


def install_assets() -> None:
    try:
        assets.install()
    except assets.AssetsMissing as problem:
        raise CannotStart(str(problem)) from problem


def warm_engines() -> subprocess.Popen[bytes] | None:
    """On the first start of all, compile the engines in a process beside this one."""
    if is_warm():
        return None
    print("Compiling the engines in the background: once, for about a minute.", flush=True)
    command = [sys.executable, "-m", "isolation", "warmup"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603


def fail(message: str) -> int:
    print(f"isolation: {message}", file=sys.stderr)
    return 1
