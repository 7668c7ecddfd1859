"""Rooms with a clock that the test turns, an engine that it plays, and a real store.

A house has one process or several on the same data: then they take turns, call by call, so that
whatever one of them has done must be known to the next.
"""

from collections.abc import Callable, Mapping
from contextvars import copy_context
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from isolation.engines.request import Request
from isolation.engines.search import EngineFailed, Hear, NoEngines, Purpose, Search
from isolation.rooms.alone import (
    LocalBus,
    LocalDirectory,
    LocalLease,
    LocalListing,
    LocalPresence,
    Watched,
)
from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.ports import Shared
from isolation.rooms.room import Room, Visitor
from isolation.rooms.service import Rooms
from isolation.rules import Move, Position
from isolation.store import SqlStore

ANN, BOB, EVE = Visitor("a", "Ann"), Visitor("b", "Bob"), Visitor("e", "Eve")


class FakeWorld:
    """Time stands still until the test moves it; tasks wait until they are run."""

    def __init__(self) -> None:
        self.time = 1_000_000.0
        self.tasks: list[Callable[[], None]] = []

    def now(self) -> float:
        return self.time

    def follow(self, clock: float, since: float) -> None: ...

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def spawn(self, task: Any, *arguments: Any) -> None:
        context = copy_context()
        self.tasks.append(lambda: context.run(task, *arguments))

    def run(self) -> None:
        tasks, self.tasks = self.tasks, []
        for task in tasks:
            task()


class FakeEngines:
    """Plays the first legal move, or fails."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.visitors: list[str] = []
        self.is_broken = False
        self.away = 0  # how often nobody is there to search
        self.while_away: Callable[[], object] = lambda: None

    def choose(self, who: str, request: Request) -> Move:
        self.requests.append(request)
        self.visitors.append(who)
        if self.is_broken:
            raise EngineFailed("broken")
        if self.away > 0:
            self.away -= 1
            self.while_away()
            raise NoEngines("nobody is there")
        return first_move(request.position())

    def begin(
        self,
        who: str,
        request: Request,
        hear: Hear | None = None,
        purpose: Purpose = Purpose.ANALYSIS,
    ) -> Search:
        search = Search(request, hear)
        search.finish(self.choose(who, request))
        return search


class FakeAudience:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, Mapping[str, Any]]] = []

    def tell(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self.told.append(("all", event, payload))

    def tell_players(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self.told.append(("players", event, payload))

    def tell_stands(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self.told.append(("stands", event, payload))

    def presence_changed(self, room: str) -> None:
        self.told.append(("presence", "", {}))

    def lobby_changed(self) -> None:
        self.told.append(("lobby", "", {}))

    def seated(self, room: str, identity: str) -> None:
        self.told.append(("seated", "", {}))

    has_onlookers = True

    def events(self) -> list[str]:
        return [event for _, event, _ in self.told if event]

    def payloads(self, event: str) -> list[Mapping[str, Any]]:
        return [payload for _, name, payload in self.told if name == event]


class House:
    """Rooms and all that they need, in so many processes."""

    def __init__(self, path: Path, processes: int = 1, is_deaf: bool = False) -> None:
        self.world, self.engines = FakeWorld(), FakeEngines()
        self.is_deaf = is_deaf  # whether the processes hear nothing of each other
        self.address = f"sqlite:///{path}"
        self.processes = processes
        self.stores: list[SqlStore] = []
        self.open()

    def open(self) -> None:
        """All processes start anew on the same data."""
        self.close()
        self.world.tasks.clear()
        buses: list[LocalBus] = []
        people: dict[str, Watched] = {}
        lease, lists = LocalLease(), list[LocalListing]()
        self.audiences = [FakeAudience() for _ in range(self.processes)]
        self.stores = [SqlStore(self.address, "normal") for _ in range(self.processes)]
        self.stores[0].migrate()
        self.all = [
            Rooms(
                store,
                self.engines,
                audience,
                self.world,
                Shared(
                    LocalBus(None if self.is_deaf else buses),
                    LocalPresence(people),
                    lease,
                    LocalListing(lists),
                    LocalDirectory(),
                ),
            )
            for store, audience in zip(self.stores, self.audiences, strict=True)
        ]
        for number, rooms in enumerate(self.all):
            rooms.journal.outages.resume(f"process {number}", is_first=number == 0)
        self._turn = count()

    def close(self) -> None:
        for store in self.stores:
            store.close()
        self.stores = []

    @property
    def rooms(self) -> Rooms:
        """The process whose turn it is: another one each time."""
        return self.all[next(self._turn) % self.processes]

    @property
    def store(self) -> SqlStore:
        return self.stores[0]

    @property
    def audience(self) -> FakeAudience:
        """Those who are connected to the first process. To the others, the same is told."""
        return self.audiences[0]

    def game(self, room: Room) -> Game:
        """The latest game of a room, as all processes agree that it is."""
        games = [rooms.room(room.id).game for rooms in self.all]
        assert all(game == games[0] for game in games)
        return games[0]

    def friends(self, variant: str = "slider", **more: Any) -> Room:
        room = self.rooms.create(ANN, variant, side=1, **more)
        self.rooms.enter(ANN, room.id, "socket a")
        self.rooms.enter(BOB, room.id, "socket b")
        self.rooms.join(BOB, room.id)
        return room

    def play(self, room: Room, *moves: str) -> None:
        for text in moves:
            game = self.game(room)
            who = ANN if ANN.identity == game.seats[game.to_move].identity else BOB
            self.rooms.move(who, game.id, game.ply, text, f"id {game.v}")

    def pass_time(self, seconds: float) -> None:
        """Let time go by, and each process do what it does by itself."""
        self.world.time += seconds
        for rooms in self.all:
            rooms.deadlines.tick()
            rooms.deadlines.sweep()

    def live(self, seconds: int) -> None:
        """Let time go by second by second, each process noting that it's alive."""
        for _ in range(seconds):
            self.pass_time(1)
            for rooms in self.all:
                rooms.journal.outages.live()
                rooms.journal.beat()

    def unfinished(self) -> list[str]:
        """Rooms with games that somebody will have to look at again."""
        return [room for room, _ in self.store.due_games(float("inf"), 1000)]


def first_move(position: Position) -> Move:
    move: Move = ()
    while cells := position.next_cells(move):
        move = (*move, cells[0])
    return move


def refused(call: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*arguments)
    return caught.value.code
