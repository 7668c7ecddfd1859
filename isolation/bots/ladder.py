"""The ladder: the competition of the isola text, kept in a folder and played unattended.

Entries stand on rungs. A challenger plays the one above: two rounds with seats swapped, on a board
of a random odd size. Who wins both rounds has won; after one each, the faster on average. A
challenger that has won takes the rung. What a bot does costs it a turn or a round, nothing more.
"""

import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from isolation.bots.asking import Thought
from isolation.bots.faults import BotFault
from isolation.bots.game import Played, Series, Side, play_game
from isolation.bots.player import Engines, FileBot, Meeting, Player, find_player
from isolation.bots.statistics import Rating
from isolation.rules import GameRecord, InvalidRecord, find_variant, read_record, write_record

GAME = "isola"
OPTIONS = {"size": "random"}
MAX_FILE = 1_000_000
MAX_NAME = 60
MOST_REASONS = 3


@dataclass
class Entry:
    """Somebody on the ladder, known by class name; `source` is a file, or an AI's name."""

    name: str
    author: str
    source: str
    submitted: float


@dataclass
class Match:
    """Two rounds between a challenger and the one above."""

    sweep: int
    challenger: str
    defender: str
    winner: str
    by: str  # rounds or speed
    size: int
    rounds: list[str]  # the names of their records
    results: list[str]  # who won each round
    average_ns: dict[str, float]
    faults: dict[str, int]
    at: float = field(default_factory=time.time)
    reasons: dict[str, list[str]] = field(default_factory=dict)  # some of the faults, in words


class Ladder:
    """Entries and matches in a folder: `ladder.json`, `matches.jsonl`, `bots/`, `games/`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.entries: list[Entry] = []  # the best first
        self.matches: list[Match] = []
        self._load()

    # Keeping.

    def _load(self) -> None:
        try:
            rows = json.loads((self._folder / "ladder.json").read_text(encoding="utf-8"))
            self.entries = [Entry(**row) for row in rows]
            lines = (self._folder / "matches.jsonl").read_text(encoding="utf-8").splitlines()
            self.matches = [Match(**json.loads(line)) for line in lines]
        except FileNotFoundError:
            pass
        except (ValueError, TypeError) as error:
            raise InvalidRecord(f"the ladder in {self._folder} can't be read: {error}") from None

    def _save(self) -> None:
        """Whole or not at all: a run that is ended in between leaves the ladder as it was."""
        self._folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps([asdict(entry) for entry in self.entries], indent=1)
        beside = self._folder / "ladder.json.new"
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, self._folder / "ladder.json")

    def record(self, name: str) -> GameRecord | None:
        """The game of that name, or None."""
        known = {game for match in self.matches for game in match.rounds}
        if name not in known:
            return None
        return read_record((self._folder / "games" / f"{name}.txt").read_text(encoding="utf-8"))

    # Entering.

    def submit(self, given: str, author: str) -> Entry:
        """Check a bot and enter it at the foot, or where its earlier self stands; or BotFault."""
        author = " ".join(author.split())
        if not 0 < len(author) <= MAX_NAME:
            raise BotFault(f"a name has 1 to {MAX_NAME} letters")
        path = Path(given)
        if path.suffix in (".py", ".js", ".mjs") or path.is_file():
            name, source = self._take(path, author)
        else:
            with Engines() as engines:
                find_player(given, GAME, engines, Random()).close()
            name, source = f"Computer {given}" if given.isdecimal() else given, given
            self._rung(name, author)
        entry, rung = Entry(name, author, source, time.time()), self._rung(name, author)
        if rung is None:
            self.entries.append(entry)
        else:
            self.entries[rung] = entry
        self._save()
        return entry

    def _rung(self, name: str, author: str) -> int | None:
        """Where an author's entry of that name stands; BotFault if it's somebody else's."""
        for rung, entry in enumerate(self.entries):
            if entry.name.casefold() == name.casefold():
                if entry.author.casefold() != author.casefold():
                    raise BotFault(
                        f"{entry.name} is the entry of {entry.author}: give your class another name"
                    )
                return rung
        return None

    def _take(self, path: Path, author: str) -> tuple[str, str]:
        """Try a bot out where the ladder will run it, alone; its name, and where it's kept."""
        homes = self._folder / "bots"
        homes.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=homes, prefix="new-") as folder:
            if path.is_file():
                if path.stat().st_size > MAX_FILE:
                    raise BotFault(f"{path.name} is too large: {MAX_FILE:,} bytes at the most")
                shutil.copyfile(path, Path(folder) / path.name)
            name = _try_out(Path(folder) / path.name)
            self._rung(name, author)
            home = homes / name
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            os.replace(Path(folder) / path.name, home / path.name)
        return name, f"bots/{name}/{path.name}"

    # Playing.

    def run(
        self, sweeps: int, ms: float | None, lot: Random, tell: Callable[[Match], None]
    ) -> None:
        """Sweep over the ladder from its foot to its top, until nothing changes or often enough."""
        with Engines() as engines:
            self._run(sweeps, ms, lot, tell, engines)

    def _run(
        self,
        sweeps: int,
        ms: float | None,
        lot: Random,
        tell: Callable[[Match], None],
        engines: Engines,
    ) -> None:
        last = max((match.sweep for match in self.matches), default=0)
        for sweep in range(last + 1, last + sweeps + 1):
            has_changed = False
            for rung in range(len(self.entries) - 1, 0, -1):
                pair = self.entries[rung], self.entries[rung - 1]
                match = self._play(sweep, *pair, ms, lot, engines)
                if match.winner == pair[0].name:
                    self.entries[rung - 1], self.entries[rung] = pair
                    has_changed = True
                self._keep(match)
                tell(match)
            if not has_changed:
                return

    def _keep(self, match: Match) -> None:
        self.matches.append(match)
        with (self._folder / "matches.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(match)) + "\n")
        self._save()

    def _play(
        self,
        sweep: int,
        challenger: Entry,
        defender: Entry,
        ms: float | None,
        lot: Random,
        engines: Engines,
    ) -> Match:
        options = find_variant(GAME).draw(OPTIONS, lot)
        players = [self._player(entry, ms, lot, engines) for entry in (challenger, defender)]
        try:
            series = Series((players[0], players[1]), games=2)
            rounds = [
                play_game(GAME, options, (players[first], players[1 - first]), series=series)
                for first in (0, 1)
            ]
        finally:
            for player in players:
                player.close()
        return self._judge(sweep, (challenger.name, defender.name), options["size"], rounds)

    def _player(self, entry: Entry, ms: float | None, lot: Random, engines: Engines) -> Player:
        """Who an entry is; somebody who always makes a fault, if its bot can't even be loaded."""
        file = self._folder / entry.source
        try:
            found = find_player(
                str(file if file.is_file() else entry.source), GAME, engines, lot, ms
            )
            found.name = entry.name
        except BotFault as fault:
            return Broken(entry.name, str(fault))
        return found

    def _judge(self, sweep: int, names: tuple[str, str], size: int, rounds: list[Played]) -> Match:
        # In the first round the challenger is Player 1, in the second the defender.
        sides = {
            name: [rounds[0].sides[at], rounds[1].sides[1 - at]] for at, name in enumerate(names)
        }
        winners = [names[rounds[0].winner or 0], names[1 - (rounds[1].winner or 0)]]
        average = {
            name: sum(map(sum, calls)) / max(1, sum(map(len, calls)))
            for name, calls in (
                (name, [side.calls for side in both]) for name, both in sides.items()
            )
        }
        is_clear = winners[0] == winners[1]
        number = 2 * len(self.matches)
        games = [f"{number + at + 1:05}" for at in (0, 1)]
        for game, played in zip(games, rounds, strict=True):
            path = self._folder / "games" / f"{game}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(write_record(played.record), encoding="utf-8")
        return Match(
            sweep,
            *names,
            winner=winners[0] if is_clear else min(names, key=lambda name: average[name]),
            by="rounds" if is_clear else "speed",
            size=size,
            rounds=games,
            results=winners,
            average_ns=average,
            faults={name: sum(len(side.faults) for side in both) for name, both in sides.items()},
            reasons={name: _reasons(both) for name, both in sides.items()},
        )

    # Looking.

    def ratings(self) -> dict[str, Rating]:
        """Glicko-2 over all rounds, a sweep being a period."""
        ratings = {entry.name: Rating() for entry in self.entries}
        for sweep in sorted({match.sweep for match in self.matches}):
            results: dict[str, list[tuple[Rating, float]]] = {name: [] for name in ratings}
            for match in self.matches:
                pair = (match.challenger, match.defender)
                if match.sweep == sweep and all(name in ratings for name in pair):
                    for name, other in (pair, pair[::-1]):
                        results[name] += [
                            (ratings[other], float(winner == name)) for winner in match.results
                        ]
            ratings = {name: rating.after(results[name]) for name, rating in ratings.items()}
        return ratings


def _reasons(sides: list[Side]) -> list[str]:
    different = dict.fromkeys(fault for side in sides for fault in side.faults)
    return list(different)[:MOST_REASONS]


class Broken(Player):
    """In the place of a bot that can't be loaded any more: every turn of it is a fault."""

    def __init__(self, name: str, fault: str) -> None:
        self.name = name
        self._fault = fault

    def begin(self, player: int, meeting: Meeting | None = None) -> None:
        raise BotFault(self._fault)

    def think(self, record: GameRecord, thought: Thought) -> None:
        raise BotFault(self._fault)


def _try_out(path: Path) -> str:
    """Load a bot in a child process and let it take one turn; its name, or BotFault."""
    bot = FileBot(path)
    try:
        if GAME not in bot.games:
            raise BotFault(f"{bot.name} plays {', '.join(bot.games)}: the ladder is for {GAME}")
        if not bot.name.isidentifier():
            raise BotFault(f"{bot.name!r} is no class name")
        bot.begin(0)
        bot.think(GameRecord.begin(GAME), Thought())
    finally:
        bot.close()
    return bot.name


def ranking(ladder: Ladder) -> list[dict[str, Any]]:
    """The entries from the top down, with what is known of each."""
    ratings = ladder.ratings()
    rows = []
    for rung, entry in enumerate(ladder.entries, start=1):
        matches = [one for one in ladder.matches if entry.name in (one.challenger, one.defender)]
        rating = ratings[entry.name]
        rows.append(
            {
                "rung": rung,
                "name": entry.name,
                "author": entry.author,
                "played": len(matches),
                "won": sum(one.winner == entry.name for one in matches),
                "rating": round(rating.value),
                "deviation": round(rating.deviation),
                "average_ns": round(
                    sum(one.average_ns[entry.name] for one in matches) / max(1, len(matches))
                ),
                "faults": sum(one.faults[entry.name] for one in matches),
            }
        )
    return rows
