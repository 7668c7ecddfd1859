"""Starts the app as its users do, in a process of its own, and stops it by its id."""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOT = random.SystemRandom()  # which no test seeds
SCRATCH = tempfile.TemporaryDirectory(prefix="isolation-")  # for the data of all that start here


@contextmanager
def serving(**environment: str) -> Iterator[str]:
    """The address of a running app, on a free port; it must have nothing to complain about."""
    child = start(**{"PORT": "0", **environment})
    try:
        assert child.stdout
        line = child.stdout.readline()
        assert " on http://" in line, child.communicate()
        yield line.split(" on ")[1].split()[0]
    finally:
        child.terminate()
        _, complaints = child.communicate(timeout=60)
    assert complaints == ""


def start(**environment: str) -> subprocess.Popen[str]:
    folder = tempfile.mkdtemp(dir=SCRATCH.name)  # its own: two servers can't have one database
    return subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={**os.environ, "INSTANCE": folder, "ENGINES": "0", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def failing(**environment: str) -> tuple[int, str]:
    """The exit code and the complaint of an app that should not start."""
    child = start(**environment)
    out, complaint = child.communicate(timeout=60)
    assert out == ""
    return child.returncode, complaint


@contextmanager
def disk(folder: Path, options: str) -> Iterator[Path]:
    """A folder on a disk of its own; skips the test where none can be had."""
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs root, and the right to mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


class Server:
    """An app that can be killed and started again, at the same address, with the same data."""

    command: tuple[str, ...] = ("app.py",)
    ready = " on http://"  # what it says once it serves

    def __init__(
        self,
        folder: Path,
        *,
        descriptors: int | None = None,  # files that it may have open at the most
        kilobytes: int | None = None,  # that a file may have at the most
        **environment: str,
    ) -> None:
        self.folder = folder
        self._limits = [("-n", descriptors), ("-f", kilobytes)]
        self._environment = {"INSTANCE": str(folder), "PORT": str(free_port()), **environment}
        self.address = f"http://127.0.0.1:{self._environment['PORT']}"
        self.errors = folder / "errors.txt"
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.errors.open("ab") as errors:
            self._child = subprocess.Popen(
                [*self._limited(), sys.executable, *self.command],
                cwd=ROOT,
                env={**os.environ, **self._environment},
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        assert self._child.stdout
        line = self._child.stdout.readline().decode()
        if self.ready not in line:
            self.kill()
            raise AssertionError(self.errors.read_text())

    def _limited(self) -> list[str]:
        wanted = [f"ulimit {option} {most}" for option, most in self._limits if most is not None]
        return ["bash", "-c", "; ".join([*wanted, 'exec "$@"']), "bash"] if wanted else []

    @property
    def pid(self) -> int:
        assert self._child
        return self._child.pid

    def kill(self) -> None:
        """As the machine would: nothing is said, nothing is tidied up."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        assert self._child
        assert self._child.stdout
        self._child.send_signal(number)
        self._child.wait(60)
        self._child.stdout.close()
        self._child = None

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._child:
            self.stop()


class Worker(Server):
    """An engine host that can be killed and started again."""

    command = ("-m", "isolation", "worker", "--engines", "1")
    ready = "Isolation worker"


def free_port() -> int:
    """A port that nobody listens on, below those that outgoing connections get by themselves.

    Another process may choose the same one before it's used, but hardly ever does.
    """
    while True:
        port = LOT.randrange(15_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
