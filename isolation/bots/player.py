"""Who plays in a match: a bot from a file, a program, a level of the computer, or a simple AI."""

import os
import time
from pathlib import Path
from random import Random
from typing import Protocol, Self

from isolation.bots.apis import APIS, Thought, take_turn
from isolation.bots.child import BotFault, Child
from isolation.engines.engine import Limits
from isolation.engines.levels import LEVELS, find_level
from isolation.engines.pool import EngineFailed, Pool, Request, Worker, WorkerFailed
from isolation.engines.simple import SIMPLE
from isolation.rules import GameRecord, InvalidOption


class Engines:
    """A pool of engine processes, made when it is wanted first, and closed in the end."""

    def __init__(self) -> None:
        self._pool: Pool | None = None

    def pool(self) -> Pool:
        self._pool = self._pool or Pool(size=1)
        return self._pool

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.close()


class Player(Protocol):
    """Somebody who can be asked for turns."""

    name: str

    def begin(self, player: int) -> None:
        """A new game begins; BotFault if this can not be played."""

    def think(self, record: GameRecord, thought: Thought) -> None:
        """Put a legal move, and the time of each call, into `thought`; or BotFault."""

    def close(self) -> None: ...


class FileBot:
    """A bot in a file, written for one of the APIs of the texts."""

    def __init__(self, file: Path, ms: float | None = None) -> None:
        if not file.is_file():
            raise BotFault(f"there is no file {file}")
        self._child = Child(file.resolve())
        self.name = self._child.name
        self.games = APIS[self._child.api].games
        self._ms = ms or APIS[self._child.api].default_ms
        self._player = 0

    def begin(self, player: int) -> None:
        self._player = player
        self._child.begin(player)

    def think(self, record: GameRecord, thought: Thought) -> None:
        if not self._child.is_running:  # ended after its last fault: a new one takes its place
            self._child.begin(self._player)
        take_turn(self._child, record.position, self._ms, thought)

    def close(self) -> None:
        self._child.close()


class ProgramBot:
    """A program in any language that speaks the engine protocol."""

    games = tuple(LEVELS)

    def __init__(self, file: Path, ms: float | None = None) -> None:
        self.name = file.stem
        self._command = [str(file.resolve())]
        self._ms = ms or 1000.0
        self._worker: Worker | None = None

    def begin(self, player: int) -> None:
        pass

    def think(self, record: GameRecord, thought: Thought) -> None:
        begun = time.perf_counter_ns()
        try:
            self._worker = self._worker or Worker(self._command)
            request = Request.after(record, limits=Limits(seconds=self._ms / 1000))
            thought.move = self._worker.search(request)
        except (WorkerFailed, OSError) as error:
            self.close()
            raise BotFault(str(error)) from None
        finally:
            thought.calls.append(time.perf_counter_ns() - begun)

    def close(self) -> None:
        if self._worker:
            self._worker.kill()
            self._worker = None


class Computer:
    """A level of the computer, in an engine process."""

    def __init__(self, game: str, level: int, engines: Pool, lot: Random) -> None:
        find_level(game, level)
        self.name = f"Computer {level}"
        self.games = (game,)
        self._level = level
        self._engines = engines
        self._lot = lot

    def begin(self, player: int) -> None:
        pass

    def think(self, record: GameRecord, thought: Thought) -> None:
        seed = self._lot.randrange(1, 1 << 30)
        begun = time.perf_counter_ns()
        try:
            request = Request.after(record, level=self._level, seed=seed)
            thought.move = self._engines.choose(self.name, request)
        except EngineFailed as error:
            raise BotFault(str(error)) from None
        thought.calls.append(time.perf_counter_ns() - begun)

    def close(self) -> None:
        pass


class SimpleBot:
    """One of the simple AIs, such as random."""

    games = tuple(LEVELS)

    def __init__(self, name: str, lot: Random) -> None:
        self.name = name
        self._choose = SIMPLE[name]
        self._lot = lot

    def begin(self, player: int) -> None:
        pass

    def think(self, record: GameRecord, thought: Thought) -> None:
        begun = time.perf_counter_ns()
        thought.move = self._choose(record.position, self._lot)
        thought.calls.append(time.perf_counter_ns() - begun)

    def close(self) -> None:
        pass


def find_player(
    given: str, game: str, engines: Engines, lot: Random, ms: float | None = None
) -> Player:
    """The player that a name or a file means in a game; BotFault or InvalidOption if none."""
    found: FileBot | ProgramBot | Computer | SimpleBot
    if given.isdecimal():
        found = Computer(game, int(given), engines.pool(), lot)
    elif given in SIMPLE:
        found = SimpleBot(given, lot)
    else:
        found = _from_file(Path(given), ms)
    if game not in found.games:
        found.close()
        raise InvalidOption(f"{found.name} plays {', '.join(found.games)}, not {game}")
    return found


def look_at(given: str) -> tuple[str, tuple[str, ...]]:
    """What a player is called, and which games it plays; BotFault if there is none."""
    if given.isdecimal():
        games = tuple(game for game, levels in LEVELS.items() if 0 < int(given) <= len(levels))
        return f"Computer {given}", games
    if given in SIMPLE:
        return given, SimpleBot.games
    found = _from_file(Path(given), None)
    found.close()
    return found.name, found.games


def _from_file(file: Path, ms: float | None) -> FileBot | ProgramBot:
    if file.is_file() and file.suffix not in (".py", ".js", ".mjs"):
        if not os.access(file, os.X_OK):
            raise BotFault(f"{file} is no bot: bots are .py or .js files, or programs")
        return ProgramBot(file, ms)
    if not file.is_file():
        simple = ", ".join(SIMPLE)
        raise BotFault(f"there is no file {file}; players without one: {simple}, a level from 1")
    return FileBot(file, ms)
