"""How a web process leaves a site that others go on serving: it sends everyone to them.

It accepts nobody any more and answers what it has been asked. Closing the transport makes the
official clients connect again by themselves; a Socket.IO disconnect would keep browsers away.
"""

import random
import time
from typing import Any

import eventlet

from isolation.web.edge.door import Door
from isolation.web.edge.websockets import GOING_AWAY, RESTART, visitor_of
from isolation.web.site import Site

DRAIN_S = 9.0  # for everything
SPREAD_S = 2.0  # in which everyone is sent away: all at once would be a stampede
APART_S = 0.005  # between two of them, if there are few
ANSWER_S = 5.0  # for what a client has asked before
HANG_UP_S = 2.0  # for a client to take leave
GRACE_S = 1.0  # for requests on their way over connections that are idle
LOOK_S = 0.05


class Drain:
    """One process that ends."""

    def __init__(self, door: Door, site: Site) -> None:
        self._door = door
        self._server = site.socketio.server
        self._sockets = site.sockets
        self._streams = site.streams
        self._leaving: set[str] = set()

    def run(self) -> None:
        """Returns when nobody is left, or when it has taken too long."""
        self._door.close()
        begun = time.monotonic()
        while self._door.count and time.monotonic() < begun + DRAIN_S:
            self._streams.end()
            self._send_away()
            if time.monotonic() > begun + GRACE_S:
                self._door.dismiss_idle()
            eventlet.sleep(LOOK_S)

    def _send_away(self) -> None:
        """Those who are connected now: some may have come in just before the door closed."""
        known = [sid for sid, one in list(self._server.eio.sockets.items()) if not one.closed]
        new = [sid for sid in known if sid not in self._leaving]
        spread = min(SPREAD_S, APART_S * len(new))
        for sid in new:
            self._leaving.add(sid)
            eventlet.spawn_after(random.uniform(0, spread), self._take_leave, sid)

    def _take_leave(self, sid: str) -> None:
        """Answer what an Engine.IO session has asked, and close it."""
        visitor = visitor_of(self._server, sid)
        if visitor is None:
            return
        visitor.leaves_with = RESTART  # what it sends from now on isn't heard
        if not self._is_answered(sid):
            visitor.leaves_with = GOING_AWAY
        eventlet.spawn_after(HANG_UP_S, visitor.hang_up)
        session = self._server.eio.sockets.get(sid)
        if session:
            session.close(wait=False, abort=True)  # after what waits to be sent

    def _is_answered(self, sid: str) -> bool:
        """Wait for the answers to what was heard."""
        until = time.monotonic() + ANSWER_S
        name: Any = self._server.manager.sid_from_eio_sid(sid, "/")
        eventlet.sleep(0)  # what was heard is being handled from here on
        while self._sockets.is_asking(name):
            if time.monotonic() > until:
                return False
            eventlet.sleep(LOOK_S)
        return True
