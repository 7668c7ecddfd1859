"""Processes that the supervisor starts: each ends when it does, and says when it's ready."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from isolation.web.settings import LISTENER, REMOTE, ROOT, SUPERVISOR

PR_SET_PDEATHSIG = 1  # of prctl, on Linux


class Child:
    """One process. Its `line` can be read when it's ready, and when it has ended."""

    def __init__(self, process: subprocess.Popen[bytes], line: socket.socket | None) -> None:
        self.process = process
        self.line = line
        self.is_ready = line is None
        self.begun = time.monotonic()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    @property
    def how(self) -> str:
        """How it ended."""
        code = self.process.returncode
        return f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"

    def read(self) -> None:
        """There's something on the line: it's ready, or there's nobody at the other end."""
        if self.line and self.line.recv(1):
            self.is_ready = True
        elif self.line:
            self.line.close()
            self.line = None

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(number)

    def forget(self) -> None:
        if self.line:
            self.line.close()
            self.line = None


def start_web(command: Sequence[str], listener: socket.socket) -> Child:
    """A web process, which accepts from our listener and leaves searches to the worker."""
    ours, theirs = socket.socketpair()
    inherited = (listener.fileno(), theirs.fileno())
    environment = {
        **os.environ,
        LISTENER: str(inherited[0]),
        SUPERVISOR: str(inherited[1]),
        "ENGINES": REMOTE,
    }
    process = subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, env=environment, pass_fds=inherited
    )
    theirs.close()
    return Child(process, ours)


def start_worker(command: Sequence[str]) -> Child:
    """A process that knows nothing of a supervisor."""
    parent = os.getpid()
    process = subprocess.Popen(  # noqa: S603
        command,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: _end_with(parent),  # there are no threads here
    )
    return Child(process, None)


def _end_with(parent: int) -> None:
    """Have the system end this process when its parent is killed; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)
