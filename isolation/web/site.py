"""The parts of a running site, put together: store, engines, rooms and sockets."""

import logging
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import eventlet
from flask import Flask, request
from flask_socketio import SocketIO

from isolation.engines.cache import is_warm
from isolation.engines.pool import Pool
from isolation.rooms.service import Rooms
from isolation.store import SqlStore
from isolation.web.api import add_api
from isolation.web.botapi import BotApi, Tokens
from isolation.web.edge.websockets import use_bounded_parts
from isolation.web.edge.whereabouts import Whereabouts
from isolation.web.identity import Identities, secret_key
from isolation.web.limits import Limiter
from isolation.web.metrics import Metrics
from isolation.web.packets import CheckedPacket
from isolation.web.schema import MAX_MESSAGE
from isolation.web.sockets import Sockets
from isolation.web.streams import Streams

logger = logging.getLogger(__name__)

TELL_SECONDS = 0.3


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
        self.store = SqlStore(settings["DATABASE_URL"] or f"sqlite:///{folder / 'isolation.db'}")
        self.engines = Pool(settings["ENGINES"] or None)
        self._is_eager = settings["ENGINES"] != 0
        self.metrics = Metrics()
        secret = secret_key(folder)
        identities = Identities(secret)
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
        BotApi(self.rooms, streams, Tokens(secret), identities, limiter).add_to(app)
        app.extensions["rooms"] = self.rooms
        app.extensions["ladder"] = folder / "ladder"
        self.metrics.show(self._gauges)
        add_api(app, self.rooms, self.store, self.engines, self.metrics)

    def start(self) -> None:
        """Take up the games of the last process, and begin to watch the clocks."""
        self.store.migrate()
        self.rooms.resume()
        self._world.spawn(self.rooms.watch_clocks)
        self._world.spawn(self._tell_changes)
        if self._is_eager and is_warm():
            self._world.spawn(self.engines.warm)

    def _tell_changes(self) -> None:
        while True:
            self._world.sleep(TELL_SECONDS)
            try:
                self.sockets.tell_changes()
            except Exception:
                logger.exception("telling what has changed")

    def stop(self) -> None:
        self.engines.close()
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
