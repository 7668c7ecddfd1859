"""What many games cost a server that isn't playing them, and what one long game costs the others.

    python -m benchmarks.rooms [unfinished] [finished] [long] [lobby]
        [--unfinished N] [--finished N] [--turns N] [--rooms N]

unfinished  10,000 unfinished games in SQLite: how long the server takes to start, how much of a
            core it needs while nobody is there, and the memory of a room that people are in
finished    1,000,000 finished games in PostgreSQL: what people do, as a ratio to an empty database
long        a slider game of 10,000 turns: somebody else's moves while it's opened again and again
lobby       2,000 public rooms with people in them: a visitor's events, as a ratio to 20 rooms

Loopback only. Each part takes a few minutes, making a million games some more; without a name, all
of them run. Fails if an aim is missed.
"""

import argparse
import select
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count, repeat
from pathlib import Path
from random import Random
from typing import Any, Self
from uuid import uuid4

import psutil
import psycopg2
import requests

from benchmarks.aims import Aims
from benchmarks.load import Wire, cookie, cpu
from benchmarks.long_games import OPTIONS, long_game
from benchmarks.stocked import add_finished, add_room, add_unfinished, store_in
from isolation.store import SqlStore
from isolation.web.sockets import MAX_ROOMS
from tests.postgres import postgres
from tests.server import Server

AIMS = Aims()
LISTENS_S, IDLE_SHARE, ROOM_KB = 2.0, 0.02, 20.0  # at most, as the next two
RATIO = 1.2  # where something is to cost as much as something else: "about 1"
HELD_UP_S = 0.05
CATCHING_UP_S, IDLE_S = 60.0, 20.0
ENTERED = 2_000
ROUNDS = 36  # of what people do: streams of a bot count for a while, and 40 are allowed
WATCHED_S = 10.0  # somebody's moves, while others do one thing
COPIES = 12  # of the long game, to be read from the store
LINEAR: dict[str, Any] = {"variant": "linear", "options": {"length": 99}}
SQUARES = 49  # that two players can claim one after the other in linear


@contextmanager
def scratch(**settings: str) -> Iterator[Server]:
    """A server that hasn't started, with a folder of its own; it must not complain."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(
            Path(folder),
            descriptors=None,
            kilobytes=None,
            **{"ENGINES": "0", "RATE_LIMITS": "off", **settings},
        )
        with ExitStack() as stack:
            stack.push(server)
            yield server
        if log := server.errors.read_text():
            raise SystemExit(f"the server complained:\n{log[-2000:]}")


def show(label: str, figure: str, is_met: bool = True) -> None:
    print(f"  {label:58} {figure}{AIMS.check(label, is_met)}", flush=True)


def timed(action: Callable[..., Any], *arguments: Any) -> float:
    begun = time.perf_counter()
    action(*arguments)
    return time.perf_counter() - begun


def share(pid: int, seconds: float) -> float:
    """Of a core, over that time."""
    begun = cpu(pid)
    time.sleep(seconds)
    return (cpu(pid) - begun) / seconds


def ok(answer: dict[str, Any]) -> dict[str, Any]:
    if not answer.get("ok"):
        raise SystemExit(f"refused: {answer}")
    return answer


class Idlers(threading.Thread):
    """Answers the pings of connections that just stay, until it's stopped."""

    def __init__(self, wires: Sequence[Wire]) -> None:
        super().__init__(daemon=True)
        self._wires = wires
        self._is_done = threading.Event()

    def run(self) -> None:
        while not self._is_done.is_set():
            for wire in select.select(self._wires, [], [], 0.2)[0]:
                wire.hear()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_done.set()
        self.join()
        for wire in self._wires:
            wire.close()


# Unfinished games.


def measure_unfinished(wanted: argparse.Namespace) -> None:
    with scratch() as server:
        store = store_in(server.folder)
        names = add_unfinished(store, wanted.unfinished)
        store.close()
        started = timed(server.start)
        show("until it listens (aim: under 2 s)", f"{started:.2f} s", started < LISTENS_S)
        show(
            f"CPU in the first {CATCHING_UP_S:.0f} s, catching up",
            f"{share(server.pid, CATCHING_UP_S):.1%} of a core",
        )
        idle = share(server.pid, IDLE_S)
        show("CPU after that (aim: under 2 %)", f"{idle:.1%} of a core", idle < IDLE_SHARE)
        _show_memory(server, names[:ENTERED])


def _show_memory(server: Server, names: Sequence[str]) -> None:
    process = psutil.Process(server.pid)
    parts = [names[at : at + MAX_ROOMS] for at in range(0, len(names), MAX_ROOMS)]
    wires = [Wire(server.address, cookie(server.address)) for _ in parts]
    time.sleep(1.0)
    before = process.memory_info().rss
    for wire, part in zip(wires, parts, strict=True):
        for name in part:
            ok(wire.ask("enter", room=name))
    each = (process.memory_info().rss - before) / len(names) / 1000
    show(
        f"memory of a room, of {len(names)} entered (aim: 20 kB at most)",
        f"{each:.1f} kB",
        each <= ROOM_KB,
    )
    with Idlers(wires):
        show("CPU with people in all of these", f"{share(server.pid, IDLE_S):.1%} of a core")


# Finished games.


def measure_finished(wanted: argparse.Namespace) -> None:
    with postgres() as address, ExitStack() as stack:
        visits = []
        for label, finished in (("empty", 0), ("full", wanted.finished)):
            database = _new_database(address, label)
            server = stack.enter_context(scratch(DATABASE_URL=database))
            visits.append(Visit(server, database, finished))
        for visit in visits:
            visit.begin()
        rounds = [[visit.round() for visit in visits] for _ in range(ROUNDS)]
        for action in Visit.ACTIONS:
            empty, full = (
                statistics.median(one[at][action] for one in rounds) for at in range(len(visits))
            )
            show(
                f"{action}, with {wanted.finished:,} finished games (aim: about 1)",
                f"{full / empty:.2f} x ({empty * 1000:.1f} ms, {full * 1000:.1f} ms)",
                full / empty <= RATIO,
            )


def _new_database(address: str, name: str) -> str:
    made = psycopg2.connect(address)
    made.autocommit = True
    made.cursor().execute(f"CREATE DATABASE {name}_games")
    made.close()
    database = f"{address.rsplit('/', 1)[0]}/{name}_games"
    store = SqlStore(database)
    store.migrate()
    store.close()
    return database


class Visit:
    """What people and a bot do at a site, timed."""

    ACTIONS = ("enter a room", "move", "list the lobby", "list a bot's games")

    def __init__(self, server: Server, database: str, finished: int) -> None:
        self._server = server
        server.start()
        bot = f"{server.address}/api/bot"
        made = requests.post(f"{bot}/token", json={"name": "Bot"}, timeout=60).json()
        self._headers = {"Authorization": f"Bearer {made['token']}"}
        for _ in range(10):
            requests.post(f"{bot}/rooms", json=LINEAR, headers=self._headers, timeout=60)
        if finished:
            took = timed(add_finished, database, finished, made["id"])
            show(f"{finished:,} finished games were made in", f"{took:.0f} s")

    def begin(self) -> None:
        """Make rooms, and start anew: they're entered from the database, not from memory."""
        visitor = cookie(self._server.address)
        self._wire = Wire(self._server.address, visitor)
        self._rooms = [self._create() for _ in range(ROUNDS + 1)]
        self._game, self._ply = self._rooms[0]["game"], 0
        self._server.stop()
        self._server.start()
        self._wire = Wire(self._server.address, visitor)

    def _create(self) -> dict[str, Any]:
        return ok(self._wire.ask("create", **LINEAR, opponent="local", public=True))

    def round(self) -> dict[str, float]:
        """One of each."""
        return {
            "enter a room": timed(self._enter),
            "move": timed(self._move),
            "list the lobby": timed(self._see_lobby),
            "list a bot's games": timed(self._list_games),
        }

    def _see_lobby(self) -> None:
        ok(self._wire.ask("lobby"))

    def _enter(self) -> None:
        room = self._rooms.pop()["room"]
        ok(self._wire.ask("enter", room=room))
        ok(self._wire.ask("leave", room=room))

    def _move(self) -> None:
        if self._ply >= SQUARES:
            self._game, self._ply = self._create()["game"], 0
        fields = {"game": self._game, "ply": self._ply, "id": uuid4().hex}
        ok(self._wire.ask("move", **fields, move=str(2 * self._ply + 1)))
        self._ply += 1

    def _list_games(self) -> None:
        """The stream begins with them; an empty line follows."""
        page = f"{self._server.address}/api/bot/stream/event"
        with requests.get(page, headers=self._headers, stream=True, timeout=60) as answer:
            answer.raise_for_status()
            for line in answer.iter_lines(chunk_size=1):
                if not line:
                    return


# A long game.


class Mover(threading.Thread):
    """Plays linear at one screen, a move every few milliseconds."""

    EVERY_S = 0.01

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._wire = Wire(address, cookie(address))
        self._is_done = threading.Event()
        self.took: list[float] = []

    def run(self) -> None:
        while not self._is_done.is_set():
            game = ok(self._wire.ask("create", **LINEAR, opponent="local"))["game"]
            for ply in range(SQUARES):
                fields = {"game": game, "ply": ply, "move": str(2 * ply + 1), "id": uuid4().hex}
                self.took.append(timed(self._move, fields))
                if self._is_done.wait(self.EVERY_S):
                    break

    def _move(self, fields: dict[str, Any]) -> None:
        ok(self._wire.ask("move", **fields))

    def stop(self) -> list[float]:
        self._is_done.set()
        self.join()
        self._wire.close()
        return sorted(self.took)


def measure_long(wanted: argparse.Namespace) -> None:
    with scratch() as server:
        store = store_in(server.folder)
        game = ("slider", OPTIONS, long_game(wanted.turns, Random(1)))
        copies = [f"long{number}" for number in range(COPIES)]
        for name in copies:  # one for each time that it's read from the store
            add_room(store, name, game, created=time.time())
        store.close()
        server.start()
        alone, _ = _moves_during(server, repeat(partial(time.sleep, 1.0)))
        _show_moves("nobody opens it", alone, alone)
        for label, opens in _WAYS.items():
            names = copies if label == _FROM_STORE else repeat(copies[0])
            visits = (partial(opens, server.address, name) for name in names)
            moves, took = _moves_during(server, visits)
            _show_moves(f"{label} ({statistics.median(took) * 1000:.0f} ms)", moves, alone)


def _moves_during(
    server: Server, visits: Iterable[Callable[[], None]]
) -> tuple[list[float], list[float]]:
    """How long moves took meanwhile, sorted, and how long the visits."""
    mover = Mover(server.address)
    mover.start()
    time.sleep(0.5)
    mover.took.clear()
    until, took = time.monotonic() + WATCHED_S, list[float]()
    for visit in visits:
        took.append(timed(visit))
        if time.monotonic() > until:
            break
    return mover.stop(), took


def _enter_once(address: str, name: str) -> None:
    wire = Wire(address, cookie(address))
    ok(wire.ask("enter", room=name))
    wire.close()


def _page(path: str) -> Callable[[str, str], None]:
    def get(address: str, name: str) -> None:
        requests.get(address + path.format(f"g{name}"), timeout=60).raise_for_status()

    return get


_FROM_STORE = "entered from the store"
_WAYS: dict[str, Callable[[str, str], None]] = {
    _FROM_STORE: _enter_once,
    "entered": _enter_once,
    "/game/<id>": _page("/game/{}"),
    "/api/games/<id>": _page("/api/games/{}"),
    "/api/games/<id>.txt": _page("/api/games/{}.txt"),
    "/api/games/<id>/positions": _page("/api/games/{}/positions"),
}


def _show_moves(label: str, took: list[float], alone: list[float]) -> None:
    p99, worst = took[int(len(took) * 0.99)], took[-1]
    more = worst - alone[-1]
    show(
        f"{len(took)} moves, {label}",
        f"p99 {p99 * 1000:.0f} ms, worst {worst * 1000:.0f} ms ({more * 1000:+.0f} ms)",
        more <= HELD_UP_S,
    )


# The lobby.


def measure_lobby(wanted: argparse.Namespace) -> None:
    costs = {rooms: _lobby_cost(rooms) for rooms in (20, wanted.rooms)}
    few, many = costs.values()
    ratio = many / few
    show(f"{wanted.rooms:,} rooms against 20 (aim: about 1)", f"{ratio:.2f} x", ratio <= RATIO)


def _lobby_cost(rooms: int) -> float:
    """CPU of the server for one event of somebody who plays in a public room, others looking on."""
    with scratch() as server:
        server.start()
        holders = [Wire(server.address, cookie(server.address)) for _ in range(50)]
        for number in range(rooms):
            holder = holders[number % len(holders)]
            opponent = "friend" if number % 2 else "local"  # waiting, or being played
            room = ok(holder.ask("create", **LINEAR, opponent=opponent, public=True))["room"]
            ok(holder.ask("enter", room=room))
        for holder in holders[:10]:
            ok(holder.ask("lobby"))
        visitor = Wire(server.address, cookie(server.address))
        with Idlers(holders):
            time.sleep(1.0)
            cost, idle = _event_cost(server, visitor)
        visitor.close()
        show(
            f"{rooms:,} public rooms: CPU of an event (idle: {idle:.1%} of a core)",
            f"{cost * 1000:.2f} ms",
        )
        return cost


def _event_cost(server: Server, visitor: Wire) -> tuple[float, float]:
    """CPU of one event, without what an idle server needs; and that."""
    idle = share(server.pid, 5.0)
    begun, spent, events = time.monotonic(), cpu(server.pid), count()
    while time.monotonic() < begun + 10.0:
        _visit(visitor, events)
    busy = cpu(server.pid) - spent - idle * (time.monotonic() - begun)
    return busy / next(events), idle


def _visit(visitor: Wire, events: Iterator[int]) -> None:
    """Make a public room, come, play a little, and go: all of it changes the lobby."""
    made = ok(visitor.ask("create", **LINEAR, opponent="local", public=True))
    ok(visitor.ask("enter", room=made["room"]))
    for ply in range(4):
        fields = {"game": made["game"], "ply": ply, "id": uuid4().hex}
        ok(visitor.ask("move", **fields, move=str(2 * ply + 1)))
        next(events)
        time.sleep(0.05)
    ok(visitor.ask("leave", room=made["room"]))
    for _ in range(3):
        next(events)


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "unfinished": measure_unfinished,
    "finished": measure_finished,
    "long": measure_long,
    "lobby": measure_lobby,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--unfinished", type=int, default=10_000)
    parser.add_argument("--finished", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--rooms", type=int, default=2_000)
    wanted = parser.parse_args()
    for part in wanted.parts or PARTS:
        print(part, flush=True)
        PARTS[part](wanted)
    AIMS.finish()


if __name__ == "__main__":
    main()
