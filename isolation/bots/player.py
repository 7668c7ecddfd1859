"""Who plays in a match: a bot from a file, a program, a level of the computer, or a simple AI."""

import os
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from random import Random
from typing import Any, Self

from isolation.bots.apis import APIS
from isolation.bots.asking import Thought, take_turn
from isolation.bots.child import Child
from isolation.bots.faults import BotFault
from isolation.bots.process import START_SECONDS
from isolation.bots.program import Program
from isolation.engines.engine import Limits
from isolation.engines.levels import LEVELS, find_level
from isolation.engines.pool import Pool
from isolation.engines.request import Request
from isolation.engines.search import EngineFailed
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


@dataclass(frozen=True)
class Meeting:
    """The games that a player has against one opponent; a match, as the public template says."""

    key: str = ""
    number: int = 0  # the player's seat in the first of them
    games: int = 1


def match_results(games: int, wins: Sequence[int], draws: int) -> dict[str, Any]:
    """The results of a match as the public template is told them."""
    played = sum(wins) + draws
    return {
        "total_games": games,
        "games_played": played,
        "current_game": played,
        "player_wins": list(wins),
        "draws": draws,
        "render_history": [],
    }


class Player:
    """Somebody who can be asked for turns."""

    name: str
    games: tuple[str, ...] = tuple(LEVELS)
    file: Path | None = None  # that it comes from

    def begin(self, player: int, meeting: Meeting | None = None) -> None:
        """A new game begins; BotFault if it can't be played."""

    def end(self, winner: int | None, results: dict[str, Any] | None = None) -> None:
        """The game is over, and with `results` the meeting; BotFault changes nothing."""

    def think(self, record: GameRecord, thought: Thought) -> None:
        """Put a legal move, and the time of each call, into `thought`; or BotFault."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what it has."""


class FileBot(Player):
    """A bot in a file, written for one of the APIs of the texts."""

    def __init__(self, file: Path, ms: float | None = None) -> None:
        if not file.is_file():
            raise BotFault(f"there is no file {file}")
        self.file = file.resolve()
        self._child = Child(self.file)
        if self._child.api not in APIS:
            self._child.close()
            raise BotFault("it answered something that can't be read")
        self.name = self._child.name
        self.games = APIS[self._child.api].games
        self._ms = ms or APIS[self._child.api].default_ms
        self._player, self._meeting = 0, Meeting()

    def begin(self, player: int, meeting: Meeting | None = None) -> None:
        self._player, self._meeting = player, meeting or Meeting(number=player)
        self._begin()

    def _begin(self) -> None:
        key, number, games = astuple(self._meeting)
        match = {"id": key, "player_number": number, "total_games": games}
        self._child.begin(self._player, match)

    def think(self, record: GameRecord, thought: Thought) -> None:
        if not self._child.is_running:  # ended after its last fault: a new one takes its place
            self._begin()
        take_turn(self._child, record.position, self._ms, thought)

    def end(self, winner: int | None, results: dict[str, Any] | None = None) -> None:
        self._child.tell("end", results={"winner": winner, "draw": winner is None})
        if results:
            self._child.tell("end_match", match=self._meeting.key, results=results)

    def close(self) -> None:
        self._child.close()


class ProgramBot(Player):
    """A program in any language that speaks UGI."""

    def __init__(
        self, file: Path, ms: float | None = None, patience: float = START_SECONDS
    ) -> None:
        self.name = file.stem
        self.file: Path = file.resolve()
        self._ms = ms or 1000.0
        self._patience = patience
        self._program: Program | None = None

    def begin(self, player: int, meeting: Meeting | None = None) -> None:
        if self._program:
            self._program.new_game()

    def think(self, record: GameRecord, thought: Thought) -> None:
        self._program = self._program or Program(self.file, self._patience)
        request = Request.after(record, limits=Limits(seconds=self._ms / 1000))
        begun = time.perf_counter_ns()
        try:
            thought.move = self._program.search(request)
        except BotFault:
            self.close()
            raise
        finally:
            thought.calls.append(time.perf_counter_ns() - begun)

    def close(self) -> None:
        program, self._program = self._program, None
        if program:
            program.close()


class Computer(Player):
    """A level of the computer, in an engine process."""

    def __init__(self, game: str, level: int, engines: Pool, lot: Random) -> None:
        find_level(game, level)
        self.name = f"Computer {level}"
        self.games = (game,)
        self._level = level
        self._engines = engines
        self._lot = lot

    def think(self, record: GameRecord, thought: Thought) -> None:
        seed = self._lot.randrange(1, 1 << 30)
        begun = time.perf_counter_ns()
        try:
            request = Request.after(record, level=self._level, seed=seed)
            thought.move = self._engines.choose(self.name, request)
        except EngineFailed as error:
            raise BotFault(str(error)) from None
        thought.calls.append(time.perf_counter_ns() - begun)


class SimpleBot(Player):
    """One of the simple AIs, such as random."""

    def __init__(self, name: str, lot: Random) -> None:
        self.name = name
        self._choose = SIMPLE[name]
        self._lot = lot

    def think(self, record: GameRecord, thought: Thought) -> None:
        begun = time.perf_counter_ns()
        thought.move = self._choose(record.position, self._lot)
        thought.calls.append(time.perf_counter_ns() - begun)


def find_player(
    given: str, game: str, engines: Engines, lot: Random, ms: float | None = None
) -> Player:
    """The player that a name or a file means in a game; BotFault or InvalidOption if none."""
    found: Player
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


def _from_file(file: Path, ms: float | None) -> Player:
    if file.is_file() and file.suffix not in (".py", ".js", ".mjs"):
        if not os.access(file, os.X_OK):
            raise BotFault(f"{file} is no bot: bots are .py or .js files, or programs")
        return ProgramBot(file, ms)
    if not file.is_file():
        simple = ", ".join(SIMPLE)
        raise BotFault(f"there is no file {file}; players without one: {simple}, a level from 1")
    return FileBot(file, ms)
