"""Reads the command line, runs the command, and turns what went wrong into one clear line."""

import os
import sys
from argparse import ArgumentParser

from isolation.rules import InvalidOption, InvalidRecord
from isolation.terminal.backup import CommandFailed
from isolation.terminal.commands import COMMANDS
from isolation.terminal.screen import Screen

INTERRUPTED = 130  # what shells expect of a program ended by Ctrl-C


def make_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m isolation", description="The five Isolation games.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        summary = command.__doc__
        command.add_arguments(commands.add_parser(name, help=summary, description=summary))
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run a command; the result is the exit code."""
    arguments = make_parser().parse_args(argv)
    screen = Screen()
    try:
        COMMANDS[arguments.command].run(arguments, screen)
    except (InvalidOption, InvalidRecord, CommandFailed) as error:
        return _fail(str(error))
    except BrokenPipeError:
        # The reader has gone (`| head`). Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"{error.filename or 'output'}: {error.strerror}")
    except KeyboardInterrupt:
        screen.say("\nStopped.")
        return INTERRUPTED
    return 0


def _fail(message: str) -> int:
    print(f"isolation: {message}", file=sys.stderr)
    return 2
