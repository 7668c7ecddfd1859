"""Runs a bot's command and, when it ends or isn't wanted any more, ends all that it started.

On Linux the keeper adopts orphans: a bot that forks away, into a session of its own or not, stays
below it. Elsewhere only the bot's own process group can be ended. Run by its path with `python -I
LIFE COMMAND...`: LIFE is a pipe that its parent holds open for as long as the bot is wanted.
"""

import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
END_SECONDS = 5.0  # for a bot that forks faster than it's killed
BY_SIGNAL = 128  # what shells add to the number of the signal that ended a program
NOT_RUN = 127


def main() -> None:
    life, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(life, False)
    _control(PR_SET_CHILD_SUBREAPER, 1)
    woken = _wake_on_children()
    bot = _start(command)
    os.close(0)  # the bot's alone from here on, so that its end can be seen
    os.close(1)
    status = None
    poll = select.poll()
    for pipe in (life, woken):
        poll.register(pipe, select.POLLIN)
    while status is None and life not in dict(poll.poll()):
        os.read(woken, 1)
        status = _reap(bot)
    _end_all(bot)
    code = os.waitstatus_to_exitcode(status) if status is not None else 0
    os._exit(code if code >= 0 else BY_SIGNAL - code)


def _control(option: int, value: int) -> None:
    """Linux's prctl; there's none elsewhere."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wake_on_children() -> int:
    """A descriptor that has something to read whenever a child has ended."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    return woken


def _start(command: list[str]) -> int:
    pid = os.fork()
    if pid:
        return pid
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    _control(PR_SET_PDEATHSIG, signal.SIGKILL)  # a bot that kills its keeper ends as well
    try:
        os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(NOT_RUN)


def _reap(bot: int) -> int | None:
    """Collect whatever has ended; the bot's status, if it's among them."""
    status = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == bot:
                status = ended[1]
    return status


def _end_all(bot: int) -> None:
    """Kill what's left, again and again: those whose parent dies come up from below."""
    until = time.monotonic() + END_SECONDS
    _kill(os.killpg, bot)
    with suppress(ChildProcessError):
        while time.monotonic() < until:
            for child in _children():
                _kill(os.kill, child)
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.001)


def _kill(way: Callable[[int, int], None], pid: int) -> None:
    with suppress(OSError):
        way(pid, signal.SIGKILL)


def _children() -> list[int]:
    with suppress(OSError):
        return [
            int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        ]
    return []


if __name__ == "__main__":
    main()
