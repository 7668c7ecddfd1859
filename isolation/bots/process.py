"""A process that runs a bot, as its parent sees it: lines go in, and lines come out in time.

Nothing in here waits longer than it's told to, whatever the process or anything it has started
does with its pipes. It sees little of the environment, and its last error lines are kept.
"""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from isolation.bots.keeper import BY_SIGNAL

ROOT = Path(__file__).resolve().parents[2]
KEEPER = Path(__file__).with_name("keeper.py")
START_SECONDS = 20.0  # for a bot or a program to get ready; more, and it's given up
EXIT_SECONDS = 1.0  # between the end of its output and its own
END_SECONDS = 7.0  # for the keeper, before it's killed as well
CHUNK = 65_536
LONGEST_LINE = 100_000
DRAINS = 20  # reads that empty a pipe
KEPT_BYTES = 4_000  # of what a bot wrote last
SHOWN_LINES = 6
CRASH = "Fatal Python error"  # followed by where it happened, the innermost call first
SHOWN_LETTERS = 160  # of each line

# What a bot may know of the environment it's started from. Settings of a site aren't among it.
PASSED_ON = re.compile(
    r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT"
    r"|LD_LIBRARY_PATH|JAVA_HOME|OMP_NUM_THREADS"
)


class Silent(Exception):
    """Nothing came in time."""


class Ended(Exception):
    """The process has ended, or talks without end; the text says how."""


class BotProcess:
    """A command that runs below a keeper, with the pipes to it."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        theirs, self._life = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", str(KEEPER), str(theirs), *command],
                cwd=folder,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(theirs,),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._life)
            raise
        finally:
            os.close(theirs)
        self._unsent = self._said = self._errors = b""
        self._open = self._pipes()
        for pipe in self._open.values():
            os.set_blocking(pipe, False)

    def _pipes(self) -> dict[str, int]:
        process = self._process
        pipes = {"in": process.stdin, "out": process.stdout, "errors": process.stderr}
        return {name: pipe.fileno() for name, pipe in pipes.items() if pipe}

    def send(self, line: str) -> None:
        """Have a line sent, while the answer is awaited. Earlier error lines are forgotten."""
        self._errors = b""
        self._unsent += line.encode() + b"\n"

    def receive(self, until: float) -> str:
        """The next line that it says; Silent if there's none until then, or Ended."""
        while b"\n" not in self._said:
            if len(self._said) > LONGEST_LINE:
                raise Ended("it answered far too much")
            if "out" not in self._open:
                raise Ended(self._ending())
            left = until - time.monotonic()
            self._transfer(max(0.0, left))
            if left < 0 and b"\n" not in self._said:
                raise Silent
        line, _, self._said = self._said.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _transfer(self, seconds: float) -> None:
        """Wait for the pipes so long, and pass on what there is."""
        poll = select.poll()
        for name, pipe in self._open.items():
            if name != "in" or self._unsent:
                poll.register(pipe, select.POLLOUT if name == "in" else select.POLLIN)
        ready = dict(poll.poll(seconds * 1000))
        for name in [name for name, pipe in self._open.items() if pipe in ready]:
            if name == "in":
                self._write()
            else:
                self._read(name)

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._open["in"], self._unsent[:CHUNK]) :]
        except BlockingIOError:
            pass
        except OSError:  # it listens no more; its end is seen elsewhere
            self._unsent = b""
            del self._open["in"]

    def _read(self, name: str) -> None:
        try:
            chunk = os.read(self._open[name], CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            del self._open[name]
        elif name == "out":
            self._said += chunk
        else:
            self._errors = (self._errors + chunk)[-KEPT_BYTES:]

    def _ending(self) -> str:
        """How it ended. Its keeper ends when all is over, and with the same code."""
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"its process ended ({exit_words(code)})"

    def with_last_lines(self, words: str) -> str:
        """What's to be said of it, and what it had to say itself."""
        lines = self.last_lines()
        return f"{words}. Its last lines:\n{lines}" if lines else words

    def last_lines(self) -> str:
        """What it wrote last, apart from its answers: a few lines of printable text."""
        for _ in range(DRAINS):
            self._transfer(0)
        lines = self._errors.decode("utf-8", "replace").splitlines()
        shown = [printable(line).rstrip()[:SHOWN_LETTERS] for line in lines if line.strip()]
        crash = [at for at, line in enumerate(shown) if line.startswith(CRASH)]
        start = crash[-1] if crash else max(0, len(shown) - SHOWN_LINES)
        return "\n".join(shown[start : start + SHOWN_LINES])

    def close(self) -> None:
        """End it and all that it started."""
        os.close(self._life)
        self._process.send_signal(signal.SIGCONT)  # the bot may have stopped it
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:  # the bot got at its keeper
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()


def environment() -> dict[str, str]:
    """What a bot sees of ours, and where it finds the modules of its API."""
    kept = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
    own = os.environ.get("PYTHONPATH")
    return {**kept, "PYTHONPATH": os.pathsep.join([str(ROOT), *([own] if own else [])])}


def exit_words(code: int) -> str:
    """An exit code, or the signal that it stands for."""
    number = -code if code < 0 else code - BY_SIGNAL
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"


def printable(text: str) -> str:
    """A text that does nothing to a terminal."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
