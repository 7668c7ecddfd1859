"""The commands around engines: the engine as a program, and compiling it ahead."""

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from typing import TextIO

from isolation.engines.pipes import Pipes
from isolation.engines.program import Program
from isolation.engines.warmup import warm_up
from isolation.terminal.screen import Screen

END_SECONDS = 5.0  # for a search to stop, which takes milliseconds unless it is compiling


class EngineProgram:
    """speak the engine protocol on standard input and output"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        pass

    def run(self, arguments: Namespace, screen: Screen) -> None:
        with Pipes(_descriptor(sys.stdin), _descriptor(sys.stdout)) as pipes:
            program = Program(pipes.write)
            with suppress(KeyboardInterrupt):
                program.run(pipes.read())
            has_ended = program.end(END_SECONDS)
        if not has_ended:
            os._exit(0)  # nothing interrupts the compiler, and nothing is written any more


def _descriptor(stream: TextIO | None) -> int:
    """That of a standard stream, or of nothing where the program was started without."""
    return stream.fileno() if stream else os.open(os.devnull, os.O_RDWR)


class Warmup:
    """compile the search cores now, so that no game has to wait for it"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        pass

    def run(self, arguments: Namespace, screen: Screen) -> None:
        warm_up(screen.say)
        screen.say("The engines are ready.")
