"""Engine hosts in processes of their own, with engines that obey at once and think on order."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from isolation.cluster.host import Host
from tests.terminal import ROOT

# Answers `go nodes` at once, and `go movetime` when the time is over or it's stopped; `go depth 1`
# kills it. It notes what it was asked, and says who it is.
FAKE = """
import os, queue, sys, threading, time
lines = queue.Queue()
def listen():
    for line in sys.stdin:
        lines.put(line.split())
    os._exit(0)
threading.Thread(target=listen, daemon=True).start()
while True:
    words = lines.get()
    if words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "go":
        with open(sys.argv[1], "a") as file:
            file.write(" ".join(words[1:]) + "\\n")
        if words[1] == "depth":
            os._exit(1)
        until = time.monotonic() + int(words[2]) / 1000 if words[1] == "movetime" else 0
        while time.monotonic() < until:
            print("info string engine", os.getpid(), flush=True)
            try:
                if lines.get(timeout=0.05) == ["stop"]:
                    break
            except queue.Empty:
                pass
        print("bestmove c7/d4", flush=True)
"""


class HostProcess:
    """A host with fake engines, ready to take searches."""

    def __init__(self, address: str, folder: Path, engines: int = 1) -> None:
        script, self._log = folder / "fake.py", folder / "searches"
        script.write_text(FAKE)
        command = [sys.executable, str(script), str(self._log)]
        self.process = start("-m", "tests.engine_host", address, str(engines), *command)

    def searches(self) -> list[str]:
        """What the engines were asked for, in order; those of all hosts with this folder."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    def kill(self) -> None:
        self.process.kill()
        self.close()

    def close(self) -> None:
        end(self.process)


def start(*arguments: str) -> subprocess.Popen[str]:
    """A Python program that has said that it's ready."""
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    process.ready = process.stdout.readline()  # type: ignore[attr-defined]
    return process


def end(process: subprocess.Popen[str]) -> int:
    process.terminate()
    code = process.wait(60)
    if process.stdout:
        process.stdout.close()
    return code


def main(address: str, engines: int, command: Sequence[str]) -> None:
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    host = Host(address, engines, command)
    host.start()
    host.is_ready.wait()
    print(os.getpid(), flush=True)
    signal.sigwait(signals)
    host.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
