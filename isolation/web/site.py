"""The parts of a running site, put together: store, engines, rooms and sockets."""

import logging
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import eventlet
from flask import Flask, request
from flask_socketio import SocketIO

from isolation.engines.cache import is_warm
from isolation.engines.pool import Pool
from isolation.rooms.ports import StoreDownError
from isolation.rooms.service import Rooms
from isolation.store import SqlStore, StoreError
from isolation.web.api import add_api
from isolation.web.botapi import BotApi
from isolation.web.edge.websockets import use_bounded_parts
from isolation.web.edge.whereabouts import Whereabouts
from isolation.web.health import Health
from isolation.web.identity import Identities, secret_key
from isolation.web.limits import Limiter
from isolation.web.metrics import Metrics
from isolation.web.outages import Outages
from isolation.web.packets import CheckedPacket
from isolation.web.schema import MAX_MESSAGE
from isolation.web.sockets import Sockets
from isolation.web.streams import Streams
from isolation.web.tokens import Tokens

logger = logging.getLogger(__name__)

TELL_SECONDS = 0.3
REACH_SECONDS = 5.0  # for the database to accept the first connection


class GreenWorld:
    """Time and tasks of eventlet."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        eventlet.sleep(seconds)

    def spawn(self, task: Any, *arguments: Any) -> None:
        eventlet.spawn_n(_logged, task, *arguments)


def _logged(task: Any, *arguments: Any) -> None:
    try:
        task(*arguments)
    except Exception:
        logger.exception("a background task")


class Site:
    """Everything that a running app holds."""

    def __init__(self, app: Flask, settings: dict[str, Any]) -> None:
        folder = Path(settings["INSTANCE"])
        folder.mkdir(parents=True, exist_ok=True)
        self._world = GreenWorld()
        address = settings["DATABASE_URL"] or f"sqlite:///{folder / 'isolation.db'}"
        self.store = SqlStore(address, settings["SQLITE_SYNC"])
        self.engines = Pool(settings["ENGINES"] or None)
        self._is_eager = settings["ENGINES"] != 0
        self.metrics = Metrics()
        keys = (*settings["SECRET_KEY_FALLBACKS"], settings["SECRET_KEY"] or secret_key(folder))
        identities = Identities(keys)
        app.after_request(lambda response: identities.give(request, response))
        self.socketio = SocketIO(
            app,
            async_mode="eventlet",
            max_http_buffer_size=MAX_MESSAGE,
            serializer=CheckedPacket,
            client_manager=Whereabouts(),
            ping_interval=10,
            ping_timeout=10,
            transports=["websocket"],  # a polling session can be left behind, and many of them
        )
        use_bounded_parts(self.socketio.server)
        limiter = Limiter(time.monotonic) if settings["RATE_LIMITS"] else None
        self.sockets = Sockets(self.socketio.server, identities, limiter, self.metrics)
        self.rooms = Rooms(self.store, self.engines, self.sockets, self._world)
        streams = Streams(self.rooms, self._world.now, self.sockets.lobby_changed)
        self.sockets.rooms, self.sockets.streams = self.rooms, streams
        takes_old = settings["OLD_BOT_TOKENS"]
        tokens = Tokens(self.store.tokens, self._world.now, keys, takes_old=takes_old)
        BotApi(self.rooms, streams, tokens, identities, limiter).add_to(app)
        app.extensions["rooms"] = self.rooms
        app.extensions["identities"] = identities
        app.extensions["ladder"] = folder / "ladder"
        self.metrics.show(self._gauges)
        add_api(app, self.rooms, identities, self.metrics)
        self._health = Health(self.store, self.engines)
        self._health.add_to(app)

    def start(self) -> None:
        """Take up the games of the last process, and begin to watch the clocks."""
        self._reach_store()
        self.store.migrate()
        try:
            self.rooms.resume()
        except StoreDownError as error:
            raise StoreError(self.store.explain(error)) from error
        self.store.watch = Outages()
        self._world.spawn(self.rooms.watch_clocks)
        self._world.spawn(self._tell_changes)
        self._world.spawn(self._health.watch)
        if self._is_eager and is_warm():
            self._world.spawn(self.engines.warm)

    def _reach_store(self) -> None:
        """Connect to the database, or StoreError: a green psycopg2 would wait for ever."""
        try:
            with eventlet.Timeout(REACH_SECONDS):
                self.store.reach()
        except eventlet.Timeout:
            raise StoreError(
                f"it doesn't answer in {REACH_SECONDS:.0f} s. Check the host and port in "
                "DATABASE_URL, and that PostgreSQL runs there"
            ) from None

    def _tell_changes(self) -> None:
        while True:
            self._world.sleep(TELL_SECONDS)
            try:
                self.sockets.tell_changes()
            except Exception:
                logger.exception("telling what has changed")

    def stop(self) -> None:
        self.engines.close()
        with suppress(StoreDownError):  # the last beat, or the one before it, will do
            self.rooms.beat()
        self.store.close()

    def _gauges(self) -> Iterable[tuple[str, str, float]]:
        count, pool = self.rooms.count(), self.engines.state()
        yield "games_playing", "games that are on", count["playing"]
        yield "games_waiting", "games that wait for a player", count["waiting"]
        yield "connections", "open connections", self.sockets.count
        yield "moves_total", "moves made since the start", self.rooms.moves
        yield "engine_workers", "engine processes", pool.workers
        yield "engine_busy", "engine processes that search", pool.busy
        yield "engine_queue", "searches that wait for an engine", pool.queued
        yield "engine_failures_total", "workers that failed since the start", pool.failures
        yield "engine_wait_seconds", "how long the latest search waited", pool.waited_seconds
