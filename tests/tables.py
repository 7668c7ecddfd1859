"""Games that are driven while servers are killed: whether they go on, and what the store holds."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

from isolation.rooms.fold import fold
from isolation.rooms.game import Game
from isolation.rules import GameRecord
from isolation.store import SqlStore
from tests.client import Client
from tests.drivers import Actor, Director, Player, Ply

GOES_ON_S = 60.0  # far more than a busy machine needs
ISOLA: dict[str, Any] = {"variant": "isola", "options": {"size": 15}}
# Its engine starts fast: no compiled code to load.
LINEAR: dict[str, Any] = {"variant": "linear", "options": {"length": 99}}
RAPID = {"minutes": 10, "increment": 5}
BLITZ = {"minutes": 1, "increment": 2}

Address = str | Callable[[], str]


@dataclass
class Table:
    """A game, or one after the other, and how many moves we want acknowledged between events."""

    label: str
    drivers: Sequence[Actor]
    moves_between: int
    _before: int = 0

    @property
    def acknowledged(self) -> dict[Ply, str]:
        return {key: text for one in self.drivers for key, text in dict(one.acknowledged).items()}

    def mark(self) -> None:
        """From here on it should go on."""
        self._before = self._count()

    @property
    def goes_on(self) -> bool:
        return self._count() >= self._before + self.moves_between

    def _count(self) -> int:
        return sum(len(one.acknowledged) for one in self.drivers)


class Opening:
    """Opens tables for people who come to an address."""

    def __init__(self, address: Address, lot: Random, **driving: float) -> None:
        self._address = address
        self._lot = lot
        self._driving = driving  # how those who play here do so

    def people(self, label: str, game: dict[str, Any] = ISOLA, **more: Any) -> Table:
        ann, bob = self.come("Ann"), self.come("Bob")
        room = ann.do("create", **game, side=1, **more)["room"]
        bob.do("join", room=room)
        return Table(label, [self.player(client, room) for client in (ann, bob)], 3)

    def computer(self, label: str, **more: Any) -> Table:
        """One move between events: for the next one, the computer must have answered."""
        ann, seats = self.come("Ann"), {"opponent": "computer", "level": 1}
        room = ann.do("create", **LINEAR, side=2, **seats, **more)["room"]
        return Table(label, [self.player(ann, room)], 1)

    def contest(self, label: str, game: dict[str, Any], other: dict[str, Any]) -> Table:
        plan = {**game, "seats": [{"kind": "own", "name": "Mine"}, other]}
        director = Director(self.come("Ann"), plan, self.seed(), **self._driving)
        return Table(label, [director], 1)

    def come(self, name: str, cookie: str | None = None) -> Client:
        return Client(self._address, name, cookie, reconnects=False)

    def player(self, client: Client, room: str) -> Player:
        return Player(client, room, self.seed(), **self._driving)

    def seed(self) -> int:
        return self._lot.randrange(1_000_000)


@dataclass
class Counts:
    """What the store holds of what was played."""

    games: int = 0
    moves: int = 0
    acknowledged: int = 0
    repeated: int = 0

    def lines(self) -> list[str]:
        return [
            f"{self.games} games, {self.moves} moves",
            f"{self.acknowledged} moves acknowledged and all there, {self.repeated} on repetition",
        ]


@dataclass
class Tables:
    """All that is being played."""

    tables: list[Table]
    waits: list[float] = field(default_factory=list)  # until all games went on

    @property
    def drivers(self) -> list[Actor]:
        return [driver for table in self.tables for driver in table.drivers]

    def start(self) -> None:
        for driver in self.drivers:
            driver.start()

    def stop(self) -> None:
        for driver in self.drivers:
            driver.is_done.set()
        for driver in self.drivers:
            driver.stop()

    def check_failures(self) -> None:
        failures = [driver.failure for driver in self.drivers if driver.failure]
        assert not failures, "\n".join(failures)

    def wait_until_all_go_on(self) -> None:
        begun = time.monotonic()
        for table in self.tables:
            table.mark()
        while waiting := [table.label for table in self.tables if not table.goes_on]:
            self.check_failures()
            assert time.monotonic() < begun + GOES_ON_S, f"no moves any more: {waiting}"
            time.sleep(0.02)
        self.waits.append(time.monotonic() - begun)

    def compare(self, store: SqlStore) -> Counts:
        """What was acknowledged with what is stored, once nobody plays any more."""
        counts = Counts()
        for table in self.tables:
            _compare(store, table, counts)
        return counts


def _compare(store: SqlStore, table: Table, counts: Counts) -> None:
    acknowledged = table.acknowledged
    games = {game: _stored(store, game) for game in {game for game, _ in acknowledged}}
    moves = {game: stored.record.notation() for game, stored in games.items()}
    for (game, ply), text in acknowledged.items():
        assert moves[game][ply : ply + 1] == [text], (table.label, game, ply)
    counts.games += len(games)
    counts.moves += sum(map(len, moves.values()))
    counts.acknowledged += len(acknowledged)
    counts.repeated += sum(driver.repeated for driver in table.drivers)
    if len(table.drivers) == 2:  # all moves are people's, and only the last may be unheard
        assert sum(map(len, moves.values())) <= len(acknowledged) + 2, table.label


def _stored(store: SqlStore, game: str) -> Game:
    """A game read back: every event follows the one before, and no move is there twice."""
    start, log = store.load_start(game), store.load_log(game)
    assert start
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    ids = [event.data["id"] for event in log if event.kind == "move"]
    assert len(ids) == len(set(ids))
    assert all(one.at <= other.at for one, other in pairwise(log))
    stored = fold(start, log)
    record = GameRecord.begin(start.variant, start.options).replay(stored.record.notation())
    assert record.position == stored.record.position
    return stored
