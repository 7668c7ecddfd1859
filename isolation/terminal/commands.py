"""The commands of `python -m isolation`: what each takes, and what it does."""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Protocol

from isolation.engines.all_games import AllGames
from isolation.engines.levels import LEVELS, find_level
from isolation.engines.simple import SIMPLE
from isolation.rules import (
    VARIANTS,
    GameRecord,
    InvalidRecord,
    find_variant,
    perft,
    read_record,
    write_record,
)
from isolation.terminal.backup import BackupCommand, RestoreCommand
from isolation.terminal.bots import ArenaCommand, BotCommand, LadderCommand
from isolation.terminal.engine import EngineProgram, Warmup
from isolation.terminal.options import add_game, read_options
from isolation.terminal.prove import ProveCommand
from isolation.terminal.replay import Replay
from isolation.terminal.screen import Screen
from isolation.terminal.session import Player, Session
from isolation.terminal.solve import SolveCommand
from isolation.terminal.worker import WorkerCommand

HUMAN = "human"
MAX_LEVEL = max(map(len, LEVELS.values()))
MAX_RECORD_BYTES = 1_000_000


class Command(Protocol):
    """A command: its docstring is its help."""

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, arguments: Namespace, screen: Screen) -> None: ...


class Variants:
    """list the games and their options"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        pass

    def run(self, arguments: Namespace, screen: Screen) -> None:
        for variant in VARIANTS.values():
            screen.say(_wrapped(variant.key, variant.summary))
            for option in variant.options:
                default = option.write(option.default)
                allowed = f"{option.allowed} (default {default})"
                screen.say(_wrapped(f"  --{option.name}", f"{option.summary}: {allowed}"))
            screen.say()


def _wrapped(name: str, text: str) -> str:
    return fill(f"{name:10} {text}", 88, subsequent_indent=" " * 11)


class Play:
    """play a game in the terminal, two people or against the computer"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_game(parser, allows_random=True)
        kinds = [HUMAN, *SIMPLE, *(str(level) for level in range(1, MAX_LEVEL + 1))]
        for number in (1, 2):
            parser.add_argument(
                f"--p{number}",
                choices=kinds,
                default=HUMAN,
                help=f"who Player {number} is: a number is a level of the computer, from 1",
            )
        parser.add_argument("--seed", type=int, help="a number that makes the game repeatable")
        parser.add_argument("--save", type=Path, metavar="FILE", help="write the record there")

    def run(self, arguments: Namespace, screen: Screen) -> None:
        lot = Random(arguments.seed)
        variant = find_variant(arguments.game)
        options = variant.draw(read_options(variant, arguments), lot)
        names = {"Player1": arguments.p1, "Player2": arguments.p2}
        players = [_player(kind, variant.key, lot) for kind in names.values()]
        record = GameRecord.begin(variant.key, options, names)

        def keep(record: GameRecord) -> None:
            if arguments.save:
                arguments.save.write_text(write_record(record), encoding="utf-8")

        keep(record)  # a path that can't be written is told before the first move
        Session(record, players, screen, keep).run()


def _player(kind: str, game: str, lot: Random) -> Player | None:
    """Who chooses the moves: nobody but the person at the keyboard, or a computer."""
    if kind == HUMAN:
        return None
    if kind in SIMPLE:
        choose = SIMPLE[kind]
        return lambda record: choose(record.position, lot)
    level, engine = find_level(game, int(kind)), AllGames()
    return lambda record: (
        level.choose(engine, record.position, record.positions[:-1], lot.randrange(1, 1 << 30)).move
    )


class Perft:
    """count the move sequences of a game, depth by depth"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_game(parser)
        parser.add_argument("depth", metavar="DEPTH", type=_depth, help="how many moves deep")

    def run(self, arguments: Namespace, screen: Screen) -> None:
        variant = find_variant(arguments.game)
        position = variant.start(**read_options(variant, arguments))
        for depth in range(1, arguments.depth + 1):
            screen.say(f"{depth} {perft(position, depth)}")


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2 and int(text) >= 1):
        raise ArgumentTypeError(f"{text!r:.30} is not a depth from 1 to 99")
    return int(text)


class ReplayFile:
    """step through the record of a game"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a record, as text or JSON")
        parser.add_argument("--all", action="store_true", help="print every position, ask nothing")

    def run(self, arguments: Namespace, screen: Screen) -> None:
        replay = Replay(_load(arguments.file), screen)
        if arguments.all:
            replay.print_all()
        else:
            replay.step()


def _load(path: Path) -> GameRecord:
    with path.open("rb") as file:
        raw = file.read(MAX_RECORD_BYTES + 1)
    if len(raw) > MAX_RECORD_BYTES:
        raise InvalidRecord(f"{path} is too large for a record ({MAX_RECORD_BYTES} bytes at most)")
    try:
        text = raw.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return GameRecord.from_dict(json.loads(text))
        return read_record(text)
    except UnicodeDecodeError:
        raise InvalidRecord(f"{path} is not a text file") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidRecord(f"{path} is not JSON: {error}") from None
    except InvalidRecord:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise InvalidRecord(f"{path} is not a record: {error}") from None


COMMANDS: dict[str, Command] = {
    "variants": Variants(),
    "play": Play(),
    "perft": Perft(),
    "solve": SolveCommand(),
    "prove": ProveCommand(),
    "replay": ReplayFile(),
    "arena": ArenaCommand(),
    "ladder": LadderCommand(),
    "bot": BotCommand(),
    "engine": EngineProgram(),
    "worker": WorkerCommand(),
    "warmup": Warmup(),
    "backup": BackupCommand(),
    "restore": RestoreCommand(),
}
