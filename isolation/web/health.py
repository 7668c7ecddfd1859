"""Whether the process is alive, and whether it can serve: what is asked from outside, often.

The store is tried every other second, whether anyone asks or not. So an answer needs no input or
output, and comes at once even while a database hangs.
"""

import time
from typing import Protocol

import eventlet
from flask import Flask, Response, jsonify

from isolation.engines.pool import PoolState
from isolation.rooms.ports import Store

EVERY_S = 2.0
STALE_S = 6.0  # after which a try that hasn't ended counts as failed


class SharedLink(Protocol):
    """The way to the other processes."""

    @property
    def is_hearing(self) -> bool: ...


class Engines(Protocol):
    """Those who search."""

    def state(self) -> PoolState: ...


class Health:
    """What the last try found."""

    def __init__(
        self,
        store: Store,
        engines: Engines,
        link: SharedLink | None = None,
        needs_hosts: bool = False,
    ) -> None:
        """`needs_hosts` where those who search are elsewhere: then somebody has to be there."""
        self._store = store
        self._engines = engines
        self._link = link
        self._needs_hosts = needs_hosts
        self._is_reachable = True  # the site doesn't start without its store
        self._tried = time.monotonic()

    def watch(self) -> None:
        """Try the store again and again; never returns."""
        while True:
            self._is_reachable = self._try()
            self._tried = time.monotonic()
            eventlet.sleep(EVERY_S)

    def _try(self) -> bool:
        try:
            self._store.check()  # which never takes long: it gives up by itself
        except Exception:
            return False
        return True

    @property
    def is_ready(self) -> bool:
        return self._is_reachable and time.monotonic() - self._tried < STALE_S

    def add_to(self, app: Flask) -> None:
        app.add_url_rule("/livez", "alive", lambda: jsonify(ok=True))
        app.add_url_rule("/readyz", "ready", self._answer_ready)
        app.add_url_rule("/healthz", "health", self._answer)

    def _answer_ready(self) -> tuple[Response, int]:
        """Whether people can play here: what a proxy should ask. Without Redis they can."""
        return jsonify(ok=self.is_ready), 200 if self.is_ready else 503

    def _answer(self) -> tuple[Response, int]:
        state = self._engines.state()
        parts = {"store": "ok" if self.is_ready else "unreachable"}
        if self._link:
            parts["redis"] = "ok" if self._link.is_hearing else "unreachable"
        is_missing = self._needs_hosts and not state.workers
        engines = {
            "state": "missing" if is_missing else "ok",
            "workers": state.workers,
            "busy": state.busy,
            "queued": state.queued,
        }
        is_well = set(parts.values()) == {"ok"} and not is_missing
        return jsonify(ok=is_well, **parts, engines=engines), 200 if is_well else 503
