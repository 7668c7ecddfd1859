"""Several web processes at one address: started, replaced when they die, restarted one by one.

The supervisor binds the address and lets its children inherit the listener. It loads neither the
app nor eventlet, so there's little that can go wrong in it.
"""

import logging
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from isolation.rooms.subjects import log_to_stderr
from isolation.web.children import Child, start_web, start_worker
from isolation.web.settings import REMOTE
from isolation.web.starting import (
    CannotStart,
    announce,
    fail,
    install_assets,
    listen,
    warm_engines,
    warn_of_own_key,
)

logger = logging.getLogger(__name__)

WEB = (sys.executable, "app.py")
WORKER = (sys.executable, "-m", "isolation", "worker")
READY_S = 120.0  # for a replacement to serve
END_S = 12.0  # for a child to drain and end
WORKER_END_S = 5.0
STEADY_S = 30.0  # after which a death is a new misfortune, not the same one again
PAUSES_S = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)  # before a child that keeps dying is started again


class _Stop(Exception):
    """Somebody asked us to."""


class _NoStart(Exception):
    """A child ended before it served."""

    def __init__(self, child: Child) -> None:
        super().__init__()
        self._child = child

    def complain(self) -> int:
        """Say so, unless it has said itself what's in the way; the exit code."""
        is_told = self._child.process.returncode == 1
        return 1 if is_told else fail(f"a web process {self._child.how} before it served anyone")


class Place:
    """Where a child is, and the next one when that has died."""

    def __init__(self, name: str, start: Callable[[], Child]) -> None:
        self.name = name
        self.start = start
        self.child = start()
        self.deaths = 0  # in a row
        self.due: float | None = None  # when to start the next

    def look(self, now: float) -> None:
        """Replace a child that has died, at once or after a pause."""
        if self.due is None and self.child.has_ended:
            self.child.forget()
            is_steady = now - self.child.begun > STEADY_S
            self.deaths = 1 if is_steady else self.deaths + 1
            pause = PAUSES_S[min(self.deaths, len(PAUSES_S)) - 1]
            self.due = now + pause
            when = f"in {pause:g} s" if pause else "now"
            logger.warning(
                "%s %d %s; another one starts %s", self.name, self.child.pid, self.child.how, when
            )
        if self.due is not None and now >= self.due:
            self.due = None
            self.child = self.start()


class Supervisor:
    """The parent of all processes of this machine."""

    def __init__(
        self, count: int, listener: socket.socket, web: Sequence[str], worker: Sequence[str] | None
    ) -> None:
        self._count = count
        self._listener = listener
        self._web_command = web
        self._worker_command = worker
        self._web: list[Place] = []
        self._worker: Place | None = None
        self._new: Child | None = None  # that is to take somebody's place
        self._signals = _signals()
        self._wants_restart = False

    def run(self) -> int:
        """Until it's asked to stop; the exit code."""
        code, warming = 0, None
        try:
            self._begin()
            announce(self._listener)
            warming = warm_engines() if self._worker else None
            while True:
                self._watch()
        except _Stop:
            pass
        except _NoStart as problem:
            code = problem.complain()
        if warming:
            warming.terminate()
        self._end()
        return code

    def _start_web(self) -> Child:
        return start_web(self._web_command, self._listener)

    def _begin(self) -> None:
        """The first web process brings the database up to date, or says why that can't be."""
        for count in (1, self._count - 1):
            new = [Place("web process", self._start_web) for _ in range(count)]
            self._web += new
            for place in new:
                if not self._becomes_ready(place.child):
                    raise _NoStart(place.child)
        if self._worker_command is not None:
            command = self._worker_command
            self._worker = Place("engine worker", lambda: start_worker(command))

    # Waiting.

    def _watch(self) -> None:
        places = [*self._web, *([self._worker] if self._worker else [])]
        now = time.monotonic()
        for place in places:
            place.look(now)
        dues = [place.due for place in places if place.due is not None]
        self._wait(min(dues) - now if dues else None)
        if self._wants_restart:
            self._wants_restart = False
            self._restart_all()

    def _wait(self, seconds: float | None) -> None:
        """Until a signal, news from a child, or so long; raises _Stop if we're asked to."""
        children = [place.child for place in self._web] + ([self._new] if self._new else [])
        lines = {child.line: child for child in children if child.line}
        patience = None if seconds is None else max(0.0, seconds)
        readable, _, _ = select.select([self._signals, *lines], [], [], patience)
        for line in readable:
            if line is not self._signals:
                lines[line].read()
        if self._signals in readable:
            numbers = self._signals.recv(64)
            self._wants_restart |= signal.SIGHUP in numbers
            if signal.SIGTERM in numbers or signal.SIGINT in numbers:
                raise _Stop

    def _becomes_ready(self, child: Child, seconds: float | None = None) -> bool:
        """Wait until it serves; whether it does."""
        until = None if seconds is None else time.monotonic() + seconds
        while not child.is_ready and not child.has_ended:
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return False
            self._wait(left)
        return child.is_ready and not child.has_ended

    def _ends(self, child: Child, seconds: float) -> bool:
        """Wait until it has ended; whether it has."""
        until = time.monotonic() + seconds
        while not child.has_ended and time.monotonic() < until:
            self._wait(until - time.monotonic())
        return child.has_ended

    # Restarting and ending.

    def _restart_all(self) -> None:
        """Start a new process for each, one after the other; the old one goes when it serves."""
        logger.warning("restarting %d web processes one by one", self._count)
        for place in self._web:
            self._new = self._start_web()
            if not self._becomes_ready(self._new, READY_S):
                logger.error("the new process doesn't serve: the old ones go on")
                self._new.signal(signal.SIGKILL)
                self._new.process.wait()
                self._new.forget()
                self._new = None
                return
            old, place.child, place.due = place.child, self._new, None
            self._new = old  # so that it's watched, and ended if we are
            old.signal(signal.SIGTERM)
            if not self._ends(old, END_S):
                logger.warning("web process %d didn't end in time", old.pid)
                old.signal(signal.SIGKILL)
                old.process.wait()
            old.forget()
            self._new = None
        logger.warning("restarted")

    def _end(self) -> None:
        """Let everyone drain, and the engines go last: a move may wait for them."""
        self._listener.close()  # nobody accepts any more, so nobody should wait for that
        web = [place.child for place in self._web] + ([self._new] if self._new else [])
        self._end_children(web, END_S)
        if self._worker:
            self._end_children([self._worker.child], WORKER_END_S)

    def _end_children(self, children: list[Child], seconds: float) -> None:
        for child in children:
            child.signal(signal.SIGTERM)
        until = time.monotonic() + seconds
        try:
            for child in children:
                while not self._ends(child, until - time.monotonic()):
                    if time.monotonic() >= until:
                        break
        except _Stop:
            pass  # asked again: somebody is in a hurry
        for child in children:
            child.signal(signal.SIGKILL)
            child.process.wait()
            child.forget()


def _signals() -> socket.socket:
    """A socket on which the numbers of signals arrive."""
    reader, writer = socket.socketpair()
    for one in (reader, writer):
        one.setblocking(False)
    signal.set_wakeup_fd(writer.detach())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    return reader


def supervise(
    settings: dict[str, Any], web: Sequence[str] = WEB, worker: Sequence[str] = WORKER
) -> int:
    """Serve with as many processes as the settings say; the exit code."""
    log_to_stderr()
    try:
        listener = listen(settings["HOST"], settings["PORT"])
        install_assets()
        warn_of_own_key(settings)
    except CannotStart as problem:
        return fail(str(problem))
    if settings["ENGINES"] == REMOTE:
        return Supervisor(settings["PROCESSES"], listener, web, None).run()
    size = ["--engines", str(settings["ENGINES"])] if settings["ENGINES"] else []
    return Supervisor(settings["PROCESSES"], listener, web, [*worker, *size]).run()
