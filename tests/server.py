"""Starts the app as its users do, in a process of its own, and stops it by its id."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


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
        _, complaints = child.communicate(timeout=20)
    assert complaints == ""


def start(**environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def failing(**environment: str) -> tuple[int, str]:
    """The exit code and the complaint of an app that should not start."""
    child = start(**environment)
    out, complaint = child.communicate(timeout=20)
    assert out == ""
    return child.returncode, complaint
