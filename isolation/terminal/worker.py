"""The command that makes this machine an engine host."""

import os
import signal
import threading
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any

from isolation.rooms.subjects import log_to_stderr
from isolation.rules import InvalidOption
from isolation.terminal.screen import Screen

MOST_ENGINES = 1024


class WorkerCommand:
    """search for a site of several processes, as an engine host"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--engines", type=_engines, metavar="N", help="searches at a time (default: one a core)"
        )
        parser.add_argument(
            "--redis", metavar="URL", help="where the site's Redis is (default: REDIS_URL)"
        )

    def run(self, arguments: Namespace, screen: Screen) -> None:
        # Loaded only here: the other commands need no Redis, and start sooner without.
        from isolation.cluster.address import EXAMPLE, shown
        from isolation.cluster.host import Host

        log_to_stderr()
        url = arguments.redis or os.environ.get("REDIS_URL", "")
        if not url:
            raise InvalidOption("worker needs a Redis: set REDIS_URL, or give --redis URL")
        try:
            host = Host(url, arguments.engines)
        except ValueError as error:
            raise InvalidOption(f"the address of a Redis looks like {EXAMPLE}: {error}") from None
        is_over = _on_signals()
        host.start()
        while not (host.is_ready.wait(0.1) or is_over.is_set()):
            pass
        if not is_over.is_set():
            word = "engine" if host.size == 1 else "engines"
            screen.say(f"Isolation worker: {host.size} {word}, at {shown(url)}")
        is_over.wait()
        host.close()


def _on_signals() -> threading.Event:
    """Set when the process is asked to end."""
    is_over = threading.Event()

    def end(*_: Any) -> None:
        is_over.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    return is_over


def _engines(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise ArgumentTypeError(f"{text!r:.30} is not a number from 1 to {MOST_ENGINES}")
    if not 1 <= int(text) <= MOST_ENGINES:
        raise ArgumentTypeError(f"{text} is not a number from 1 to {MOST_ENGINES}")
    return int(text)
