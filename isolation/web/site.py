"""The parts of a running site, put together: store, engines, rooms and sockets."""

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import eventlet
from flask import Flask, request
from flask_socketio import SocketIO

from isolation.rooms.alone import alone
from isolation.rooms.ports import StoreDownError
from isolation.rooms.service import Rooms
from isolation.rooms.upkeep import Upkeep
from isolation.store import SqlStore, StoreError
from isolation.web.api import add_api
from isolation.web.audience import Audience
from isolation.web.botapi import BotApi
from isolation.web.edge.websockets import use_bounded_parts
from isolation.web.edge.whereabouts import Whereabouts
from isolation.web.fields import MAX_MESSAGE
from isolation.web.health import Health
from isolation.web.identity import Identities, secret_key
from isolation.web.joining import CannotJoin, engines_of, join, together_at
from isolation.web.limits import Limiter
from isolation.web.logs import note_request
from isolation.web.metrics import Metrics
from isolation.web.outages import Outages
from isolation.web.packets import CheckedPacket
from isolation.web.pulse import Pulse
from isolation.web.settings import REMOTE, database_address
from isolation.web.sockets import Sockets
from isolation.web.streams import Streams
from isolation.web.tokens import Tokens
from isolation.web.world import GreenWorld, patience

if TYPE_CHECKING:
    from isolation.cluster.together import Together

REACH_SECONDS = 5.0  # for the database to accept the first connection


class Site:
    """Everything that a running app holds."""

    def __init__(self, app: Flask, settings: dict[str, Any]) -> None:
        folder = Path(settings["INSTANCE"])
        folder.mkdir(parents=True, exist_ok=True)
        self._process = token_urlsafe(6)
        self._world = GreenWorld()
        self.store = SqlStore(database_address(settings), settings["SQLITE_SYNC"], patience)
        self._together = together_at(
            settings["REDIS_URL"], self._process, self._world, lambda: self.store.living()[1]
        )
        self.engines = engines_of(settings, self._together)
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
        counts = self._together.counts if self._together else None
        limiter = Limiter(time.monotonic, counts) if settings["RATE_LIMITS"] else None
        server = self.socketio.server
        audience = Audience(server)
        shared = self._together.shared if self._together else alone()
        self.rooms = Rooms(self.store, self.engines, audience, self._world, shared)
        self.streams = Streams(
            self.rooms, shared.directory, self._world.now, audience.lobby_changed
        )
        audience.add_listener(self.streams.tell)
        self._pulse = Pulse(audience, self.rooms, self.streams)
        self.sockets = Sockets(
            server, audience, self.rooms, self._pulse.lobby, identities, limiter, self.metrics
        )
        takes_old = settings["OLD_BOT_TOKENS"]
        tokens = Tokens(self.store.tokens, self._world.now, keys, takes_old=takes_old)
        BotApi(self.rooms, self.streams, tokens, identities, limiter).add_to(app)
        room_of = self.rooms.journal.room_in_memory
        app.before_request(lambda: note_request(room_of, identities))
        app.extensions["rooms"] = self.rooms
        app.extensions["identities"] = identities
        app.extensions["ladder"] = folder / "ladder"
        self._show_gauges(is_shared=settings["ENGINES"] == REMOTE)
        add_api(app, self.rooms, identities, self.metrics)
        link = self._together.link if self._together else None
        self._health = Health(self.store, self.engines, link, settings["ENGINES"] == REMOTE)
        self._health.add_to(app)

    def start(self) -> None:
        """Take up the games of the last process, and begin to watch the clocks."""
        self._reach_store()
        self.store.migrate()
        is_first = self.store.claim(is_shared=self._together is not None)
        try:
            self._agree(is_first)
            self.store.watch = Outages()
            if self._together:
                self._join(self._together)
        except StoreDownError as error:
            raise StoreError(self.store.explain(error)) from error
        self._world.spawn(Upkeep(self.rooms, self._world).watch)
        self._world.spawn(self._pulse.run, self._world.sleep)
        self._world.spawn(self._health.watch)
        self._world.spawn(self.engines.start)

    def _join(self, together: "Together") -> None:
        """Become one of several processes."""
        together.link.on_return(self.rooms.catch_up)
        together.members.on_change(lambda _: self._world.spawn(self.rooms.reconsider))
        try:
            join(together)
        except CannotJoin:
            with suppress(StoreDownError):
                self.store.forget_beat(self._process)  # we never served anyone
            raise
        together.figures.start(self.metrics.families)
        self.metrics.share(self._process, together.figures.of_others)

    def _agree(self, is_first: bool) -> None:
        """Agree with the other processes on the time, and on when nobody's clock has run."""
        since = self._world.now()
        clock, living = self.store.living()
        if clock is not None:
            self._world.adopt(clock, since, living)
        self._world.go_on_from(self.store.last_beat())
        self.rooms.journal.outages.resume(self._process, is_first)
        if self._together:
            self.store.share()

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

    def stop(self) -> None:
        self.engines.close()
        with suppress(StoreDownError):  # the last beat, or the one before it, will do
            self.rooms.journal.beat()
        if self._together:
            self._together.close()
        self.store.close()

    def _show_gauges(self, is_shared: bool) -> None:
        """Engine hosts are everybody's, engines of our own are ours."""
        if is_shared:
            self.metrics.show(self._gauges)
            self.metrics.show_shared(self._engine_gauges)
        else:
            self.metrics.show(lambda: [*self._gauges(), *self._engine_gauges()])

    def _gauges(self) -> Iterable[tuple[str, str, float]]:
        count, pool = self.rooms.count(), self.engines.state()
        yield "games_playing", "games that are on", count["playing"]
        yield "games_waiting", "games that wait for a player", count["waiting"]
        yield "connections", "open connections", self.sockets.count
        yield "moves_total", "moves made since the start", self.rooms.journal.moves
        yield "engine_wait_seconds", "how long the latest search waited", pool.waited_seconds

    def _engine_gauges(self) -> Iterable[tuple[str, str, float]]:
        pool = self.engines.state()
        yield "engine_workers", "engine processes", pool.workers
        yield "engine_busy", "engine processes that search", pool.busy
        yield "engine_queue", "searches that wait for an engine", pool.queued
        yield "engine_failures_total", "workers that failed since the start", pool.failures
