"""A bot in a child process, as its parent sees it: it answers in time, or it is ended."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOSTS = Path(__file__).parent
START_SECONDS = 20.0
MEGABYTES = 1500
NODE_MEGABYTES = 256
LONGEST_LINE = 100_000


class BotFault(Exception):
    """What a bot did wrong; the text is for whoever wrote it."""


class Child:
    """One child process with one bot. `ask` raises BotFault, and never takes longer than it may."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._process: subprocess.Popen[bytes] | None = None
        self._said: Queue[bytes] = Queue()
        found = self._start()
        self.api = str(found.get("api"))
        self.name = str(found.get("name"))[:60]

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def begin(self, player: int) -> None:
        """A new game. What the last one left behind is forgotten."""
        if self._process is None:
            self._start()
        self.ask({"do": "begin", "player": player}, START_SECONDS)

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        if self._process is None or self._process.stdin is None:
            raise BotFault("its process has ended")
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._said.get(timeout=seconds)
        except Empty:
            self.close()
            raise BotFault(f"it did not answer in {seconds:.2g} s") from None
        except OSError:
            line = b""
        return self._read(line)

    def _read(self, line: bytes) -> dict[str, Any]:
        if not line.endswith(b"\n"):
            self.close()
            raise BotFault("its process has ended" if not line else "it answered far too much")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.close()
            raise BotFault("it answered something that can not be read")
        if "fault" in answer:
            raise BotFault(str(answer["fault"])[:600])
        return answer

    def _start(self) -> dict[str, Any]:
        self._said = Queue()
        self._process = subprocess.Popen(  # noqa: S603
            _command(self.file),
            cwd=self.file.parent,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        threading.Thread(target=_listen, args=(self._process, self._said), daemon=True).start()
        try:
            return self.ask({"do": "load"}, START_SECONDS)
        except BotFault:
            self.close()
            raise

    def close(self) -> None:
        """End the process, and whatever it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()


def _listen(process: subprocess.Popen[bytes], said: Queue[bytes]) -> None:
    """Pass on line by line what it says, until it ends or says too much."""
    line = b"\n"
    while line.endswith(b"\n") and process.stdout:
        try:
            line = process.stdout.readline(LONGEST_LINE)
        except (OSError, ValueError):  # closed meanwhile
            line = b""
        said.put(line)


def _environment() -> dict[str, str]:
    """What a bot sees of ours: not who its owner is on a site."""
    kept = {name: value for name, value in os.environ.items() if name != "ISOLATION_TOKEN"}
    return {**kept, "PYTHONPATH": str(ROOT)}


def _command(file: Path) -> list[str]:
    if file.suffix in (".js", ".mjs"):
        node = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
        if not node:
            raise BotFault("bots in JavaScript need Node.js: install it, or run ./run.sh once")
        limit = f"--max-old-space-size={NODE_MEGABYTES}"
        return [node, limit, str(HOSTS / "host.mjs"), str(file)]
    return [sys.executable, "-m", "isolation.bots.host", str(file), str(MEGABYTES)]


def nanoseconds(answer: dict[str, Any], begun: int) -> int:
    """How long a call took as its process says, where that can be true."""
    wall = time.perf_counter_ns() - begun
    told = answer.get("ns")
    return told if type(told) is int and 0 < told <= wall else wall
