"""Runs `python -m isolation` as a person would: in a process of its own, with text to answer."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "isolation", *arguments]


def run(
    *arguments: str, answers: str | bytes = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """The finished process; a traceback in its output fails the test that called."""
    done = subprocess.run(
        command(*arguments),
        cwd=ROOT,
        input=answers if isinstance(answers, bytes) else answers.encode(),
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    out, err = done.stdout.decode(encoding), done.stderr.decode()
    assert "Traceback" not in out + err, err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)
