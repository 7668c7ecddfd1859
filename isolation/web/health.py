"""Whether the process is alive, and whether it can serve: what is asked from outside, often.

The store is tried every other second, whether anyone asks or not. So an answer needs no input or
output, and comes at once even while a database hangs.
"""

import time

import eventlet
from flask import Flask, Response, jsonify

from isolation.engines.pool import Pool
from isolation.rooms.ports import Store

EVERY_S = 2.0
PATIENCE_S = 1.0  # for one try
STALE_S = 6.0  # after which a try that hasn't ended counts as failed


class Health:
    """What the last try found."""

    def __init__(self, store: Store, engines: Pool) -> None:
        self._store = store
        self._engines = engines
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
            with eventlet.Timeout(PATIENCE_S):
                self._store.check()
        except (Exception, eventlet.Timeout):
            return False
        return True

    @property
    def is_ready(self) -> bool:
        return self._is_reachable and time.monotonic() - self._tried < STALE_S

    def add_to(self, app: Flask) -> None:
        app.add_url_rule("/livez", "alive", lambda: jsonify(ok=True))
        for address, name in (("/readyz", "ready"), ("/healthz", "health")):
            app.add_url_rule(address, name, self._answer)

    def _answer(self) -> tuple[Response, int]:
        is_ready, state = self.is_ready, self._engines.state()
        found = {
            "store": "ok" if is_ready else "unreachable",
            "engines": {"workers": state.workers, "busy": state.busy, "queued": state.queued},
        }
        return jsonify(ok=is_ready, **found), 200 if is_ready else 503
