"""The commands around engines: the engine as a program, and compiling it ahead."""

import sys
from argparse import ArgumentParser, Namespace

from isolation.engines.program import Program
from isolation.engines.warmup import warm_up
from isolation.terminal.screen import Screen


class EngineProgram:
    """speak the engine protocol on standard input and output"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        pass

    def run(self, arguments: Namespace, screen: Screen) -> None:
        try:
            Program(screen.say).run(sys.stdin or ())
        except KeyboardInterrupt:
            return


class Warmup:
    """compile the search cores now, so that no game has to wait for it"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        pass

    def run(self, arguments: Namespace, screen: Screen) -> None:
        warm_up(screen.say)
        screen.say("The engines are ready.")
