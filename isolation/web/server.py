"""One web process: serves the app with eventlet's own server, by itself or beside others."""

import errno
import gc
import os
import signal
import socket
import time
from pathlib import Path
from typing import Any

import eventlet
from eventlet import wsgi
from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from isolation.store import StoreError
from isolation.web.application import create_app
from isolation.web.draining import Drain
from isolation.web.edge.calm import calm
from isolation.web.edge.door import Door, raise_descriptor_limit
from isolation.web.edge.requests import SEND_S, behind, with_whole_bodies
from isolation.web.edge.shares import Shares
from isolation.web.identity import BadKey
from isolation.web.joining import CannotJoin
from isolation.web.logs import with_log
from isolation.web.outages import AGAIN_SECONDS, RepeatFilter, install_log
from isolation.web.settings import LISTENER, SUPERVISOR
from isolation.web.site import Site
from isolation.web.starting import (
    CannotStart,
    announce,
    fail,
    install_assets,
    listen,
    warm_engines,
    warn_of_own_key,
)

STOP_S = 2.0
LOOK_S = 0.05  # between two looks at how late the loop is


def serve(settings: dict[str, Any]) -> int:
    """Serve until asked to stop; the result is the exit code."""
    listener, supervisor = _inherited(LISTENER), _inherited(SUPERVISOR)
    try:
        if listener is None:
            listener = listen(settings["HOST"], settings["PORT"])
        repeats = install_log()
        app = create_app()
        if supervisor is None:
            install_assets()
            warn_of_own_key(settings)
        site = _start_site(app, settings)
    except CannotStart as problem:
        return fail(str(problem))
    stopped = _stop_signal(supervisor)
    door = _open_door(listener, app, settings, is_shared=supervisor is not None)
    _settle_memory()
    eventlet.spawn(_report, repeats)
    warming = None
    if supervisor:
        supervisor.sendall(b".")  # which says where the app is once all of us serve
    else:
        announce(listener)
        warming = warm_engines()
    stopped.recv(1)
    if warming:
        warming.terminate()
    if settings["REDIS_URL"]:
        Drain(door, site).run()
        with eventlet.Timeout(STOP_S, False):  # a database that hangs holds up nobody
            site.stop()
    else:
        site.stop()
    return 0


def _inherited(name: str) -> Any:
    """A socket that the supervisor handed down, if there's one."""
    descriptor = os.environ.pop(name, None)
    if descriptor is None:
        return None
    os.set_inheritable(int(descriptor), False)
    return socket.socket(fileno=int(descriptor))


def _start_site(app: Flask, settings: dict[str, Any]) -> Site:
    try:
        site = Site(app, settings)
        site.start()
    except (BadKey, CannotJoin) as error:
        raise CannotStart(str(error)) from error
    except StoreError as error:
        raise CannotStart(f"the database can't be opened: {error}") from error
    except OSError as error:
        raise CannotStart(_explain_folder(error, settings["INSTANCE"])) from error
    return site


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


def _open_door(listener: Any, app: Flask, settings: dict[str, Any], is_shared: bool) -> Door:
    """Accept and answer, in green threads of their own."""
    places, proxies = raise_descriptor_limit(), settings["TRUSTED_PROXIES"]
    shares = Shares(time.monotonic, is_limited=settings["RATE_LIMITS"])
    door = Door(listener, places, shares, is_behind_proxy=proxies > 0, is_shared=is_shared)
    eventlet.spawn(
        wsgi.server,
        door,
        with_log(
            with_whole_bodies(ProxyFix(calm(app), x_for=proxies, x_proto=proxies, x_host=proxies)),
            settings["ACCESS_LOG"],
        ),
        log_output=False,
        debug=False,
        protocol=behind(proxies),
        socket_timeout=SEND_S,
        max_size=places,
        minimum_chunk_size=1,  # streams send a line when there is one, not 4 kB of them
    )
    eventlet.spawn(_adapt, shares)
    return door


def _settle_memory() -> None:
    # What is there now stays: the collector needn't look at it again, while everybody waits.
    gc.collect()
    gc.freeze()
    # Almost nothing of ours goes in circles. Looking through it all takes 0.5 µs an object, while
    # everybody waits: 166 ms with a few long games in memory.
    gc.set_threshold(50_000, 50, 100)


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


def _stop_signal(supervisor: Any) -> socket.socket:
    """A socket that has something to read once the process is asked to stop.

    An interrupt raised as an exception can come up in any green thread, and is lost there.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)

    def stop(*_: object) -> None:
        writer.send(b".")

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    if supervisor:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # meant for the supervisor
        eventlet.spawn(_outlive, supervisor, stop)
    return reader


def _outlive(supervisor: Any, stop: Any) -> None:
    """Stop when the supervisor is gone, however that came about."""
    supervisor.recv(1)
    stop()
