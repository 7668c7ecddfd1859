"""Serves the web app with eventlet's own server, at the address that the settings give."""

import errno
import gc
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import eventlet
from eventlet import wsgi
from werkzeug.middleware.proxy_fix import ProxyFix

from isolation.engines.cache import is_warm
from isolation.store import StoreError
from isolation.web import assets, create_app
from isolation.web.edge.door import Door, raise_descriptor_limit
from isolation.web.edge.requests import SEND_S, behind, with_whole_bodies
from isolation.web.edge.shares import Shares
from isolation.web.identity import BadKey
from isolation.web.outages import AGAIN_SECONDS, RepeatFilter, install_log
from isolation.web.settings import InvalidSetting, read_settings
from isolation.web.site import Site

logger = logging.getLogger(__name__)

LOOK_S = 0.05  # between two looks at how late the loop is
BACKLOG = 2048  # connections that wait to be accepted
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104


def main() -> int:
    """Serve until interrupted; the result is the exit code."""
    try:
        settings = read_settings(os.environ)
    except InvalidSetting as error:
        return _fail(str(error))
    host, port = settings["HOST"], settings["PORT"]
    try:
        listener = _listen(host, port)
    except (OSError, UnicodeError) as error:
        return _fail(_explain(error, host, port))
    repeats = install_log()
    app = create_app()
    try:
        assets.install()
    except assets.AssetsMissing as problem:
        return _fail(str(problem))
    try:
        site = Site(app, settings)
        site.start()
    except BadKey as error:
        return _fail(str(error))
    except StoreError as error:
        return _fail(f"the database can't be opened: {error}")
    except OSError as error:
        return _fail(_explain_folder(error, settings["INSTANCE"]))
    host, port = listener.getsockname()[:2]
    here = EVERYWHERE.get(host, f"[{host}]" if ":" in host else host)
    stopped = _stop_signal()
    places = raise_descriptor_limit()
    proxies = settings["TRUSTED_PROXIES"]
    shares = Shares(time.monotonic, is_limited=settings["RATE_LIMITS"])
    eventlet.spawn(
        wsgi.server,
        Door(listener, places, shares, is_behind_proxy=proxies > 0),
        with_whole_bodies(ProxyFix(_calm(app), x_for=proxies, x_proto=proxies, x_host=proxies)),
        log_output=False,
        debug=False,
        protocol=behind(proxies),
        socket_timeout=SEND_S,
        max_size=places,
        minimum_chunk_size=1,  # streams send a line when there is one, not 4 kB of them
    )
    eventlet.spawn(_adapt, shares)
    # What is there now stays: the collector needn't look at it again, while everybody waits.
    gc.collect()
    gc.freeze()
    print(f"Isolation is on http://{here}:{port} (Ctrl-C stops it)", flush=True)
    eventlet.spawn(_report, repeats)
    warming = _warm_engines()
    stopped.recv(1)
    if warming:
        warming.terminate()
    site.stop()
    return 0


def _report(repeats: RepeatFilter) -> None:
    while True:
        eventlet.sleep(AGAIN_SECONDS)
        repeats.report()


def _adapt(shares: Shares) -> None:
    """Tell the shares how late the loop is; never returns."""
    while True:
        due = time.monotonic() + LOOK_S
        eventlet.sleep(LOOK_S)
        shares.adapt(time.monotonic() - due)


class _Complaints:
    """What is written as errors of a request, without what is none."""

    def write(self, text: str) -> None:
        # So says eventlet of a socket whose client has gone first.
        if "socket shutdown error" not in text:
            sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _calm(app: Any) -> Any:
    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.errors"] = _Complaints()
        try:
            return app(environ, start_response)
        except OSError:  # somebody hung up
            raise
        except Exception:
            # Flask logs its own. What fails outside it would be a 500 that nobody hears of.
            logger.exception("request for %.80r", environ.get("PATH_INFO"))
            raise

    return answer


def _warm_engines() -> subprocess.Popen[bytes] | None:
    """On the first start of all, compile the engines in a process beside this one."""
    if is_warm():
        return None
    print("Compiling the engines in the background: once, for about a minute.", flush=True)
    command = [sys.executable, "-m", "isolation", "warmup"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603


def _stop_signal() -> socket.socket:
    """A socket that has something to read once the process is asked to stop.

    An interrupt raised as an exception can come up in any green thread, and is lost there.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: writer.send(b"."))
    return reader


def _listen(host: str, port: int) -> Any:
    """A listening socket. It shares its port with nobody, so that a second server fails at once.

    Small packets go out at once, on what it accepts too: an answer that follows a broadcast would
    else wait 40 ms for the client to acknowledge the first.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = eventlet.listen(address, family, backlog=BACKLOG, reuse_port=False)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _explain(error: OSError | UnicodeError, host: str, port: int) -> str:
    """What a person can do about an address that can not be had."""
    if isinstance(error, UnicodeError):
        return f"{host!r} is not the name of a host. Choose another HOST, like 127.0.0.1"
    if error.errno == errno.EADDRINUSE:
        free = port + 1 if port < 65535 else 5000
        return f"port {port} is in use already. Choose another, like PORT={free}"
    if error.errno == errno.EACCES:
        return f"port {port} is not allowed for this user. Choose another, like PORT=5000"
    return f"can not listen on {host}: {error.strerror}. Choose another HOST, like 127.0.0.1"


def _explain_folder(error: OSError, folder: Path) -> str:
    """What a person can do about a folder for data that can't be used."""
    if folder.exists() and not folder.is_dir():
        return f"INSTANCE must be a folder, and {folder} is a file. Choose another INSTANCE"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk with {folder} is full. Make room, or choose another INSTANCE"
    why = error.strerror or type(error).__name__
    return (
        f"the folder {folder} can't be used: {why}. "
        "Make it writable for this user, or choose another INSTANCE"
    )


def _fail(message: str) -> int:
    print(f"isolation: {message}", file=sys.stderr)
    return 1
