"""How much a server bears: games between socket clients, against a server that only echoes.

Both serve the same clients in the same run, one after the other: moves a second of server CPU, and
how long an acknowledgement takes, as ratios. Then how long one takes at worst while engines think,
and how memory and CPU grow with rooms and spectators. Loopback only.
Run: python -m benchmarks.load [--games N] [--moves N]
Aim: 0.7 of the moves of the echo a second of CPU, or it fails.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psutil
import requests
import websocket

from benchmarks.aims import Aims
from isolation.rules import GameRecord
from tests.server import ROOT, Server, free_port

SHARE_OF_ECHO = 0.7
ECHO = """
import warnings
warnings.filterwarnings("ignore")
import eventlet
eventlet.monkey_patch()
import sys
from flask import Flask
from flask_socketio import SocketIO, emit, join_room
app = Flask("echo")
io = SocketIO(app, async_mode="eventlet")

@app.route("/")
def index():
    return "echo"

@io.on("enter")
def enter(data):
    join_room(data["room"])
    return {"ok": True}

@io.on("move")
def move(data):
    emit("moved", data, room=data["room"])
    return {"ok": True}

io.run(app, host="127.0.0.1", port=int(sys.argv[1]))
"""


class Wire:
    """A client as small as can be, so that the server is what is measured."""

    def __init__(self, address: str, cookie: str = "") -> None:
        self._socket = websocket.create_connection(
            f"{address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket",
            cookie=cookie,
            timeout=60,
        )
        self._socket.recv()
        self._socket.send("40")
        self._socket.recv()
        self._number = 0

    def ask(self, event: str, **fields: Any) -> dict[str, Any]:
        """The answer; what else is heard meanwhile is thrown away."""
        self._number += 1
        self._socket.send(f"42{self._number}{json.dumps([event, fields])}")
        wanted = f"43{self._number}["
        while True:
            frame = str(self._socket.recv())
            if frame == "2":
                self._socket.send("3")
            elif frame.startswith(wanted):
                answer: dict[str, Any] = json.loads(frame[len(wanted) - 1 :])[0]
                return answer

    def wait_for(self, event: str, part: str) -> None:
        """Read until an event with some text in it has come; what comes before is thrown away."""
        beginning = f'42["{event}"'
        while True:
            frame = str(self._socket.recv())
            if frame == "2":
                self._socket.send("3")
            elif frame.startswith(beginning) and part in frame:
                return

    def fileno(self) -> int:
        return int(self._socket.fileno())  # type: ignore[no-untyped-call]

    def hear(self) -> None:
        """One frame, while nothing is asked; pings are answered."""
        if str(self._socket.recv()) == "2":
            self._socket.send("3")

    def close(self) -> None:
        self._socket.close()


def cookie(address: str) -> str:
    found = requests.get(address, timeout=30).cookies.get("visitor", "")
    return f"visitor={found}"


def script(moves: int) -> list[str]:
    """The moves of one game of isola, which all games of a run play."""
    lot, record = Random(5), GameRecord.begin("isola", {"size": 11})
    while not record.outcome and len(record.turns) < moves:
        move: tuple[int, ...] = ()
        while cells := record.position.next_cells(move):
            move = (*move, lot.choice(cells))
        record = record.play(move)
    return record.notation()


def play_all(tables: list[Callable[[int], float]], moves: int, workers: int = 16) -> list[float]:
    """Play all games at once, a ply of each in turn; the seconds of every acknowledgement."""
    took: list[float] = []

    def work(mine: list[Callable[[int], float]]) -> None:
        for ply in range(moves):
            for table in mine:
                took.append(table(ply))

    threads = [threading.Thread(target=work, args=(tables[at::workers],)) for at in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def cpu(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def report(label: str, took: list[float], seconds: float) -> tuple[float, float, float]:
    took.sort()
    rate, p50, p99 = len(took) / seconds, took[len(took) // 2], took[int(len(took) * 0.99)]
    print(
        f"{label:8} {len(took)} moves, {rate:7.0f} a second of CPU,"
        f" answer p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms",
        flush=True,
    )
    return rate, p50, p99


def measure_echo(games: int, moves: list[str]) -> tuple[float, float, float]:
    port = free_port()
    child = subprocess.Popen([sys.executable, "-c", ECHO, str(port)], cwd=ROOT, env=os.environ)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address)
        tables = []
        for number in range(games):
            pair = (Wire(address), Wire(address))
            for wire in pair:
                wire.ask("enter", room=str(number))
            tables.append(table(pair, moves, {"room": str(number)}))
        begun = cpu(child.pid)
        took = play_all(tables, len(moves))
        return report("echo", took, cpu(child.pid) - begun)
    finally:
        child.terminate()
        child.wait()


def wait_for(address: str) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            requests.get(address, timeout=5)
        except requests.ConnectionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def table(
    pair: tuple[Wire, Wire], moves: list[str], fields: dict[str, Any]
) -> Callable[[int], float]:
    def play(ply: int) -> float:
        begun = time.perf_counter()
        answer = pair[ply % 2].ask("move", ply=ply, move=moves[ply], id=uuid4().hex, **fields)
        if not answer.get("ok"):
            raise SystemExit(f"move {ply}: {answer}")
        return time.perf_counter() - begun

    return play


def seat_two(address: str, variant: str = "isola", size: int = 11) -> tuple[tuple[Wire, Wire], str]:
    ann, bob = (Wire(address, cookie(address)) for _ in range(2))
    options = {"size": size}
    made = ann.ask("create", variant=variant, options=options, side=1)
    ann.ask("enter", room=made["room"])
    bob.ask("join", room=made["room"])
    return (ann, bob), made["game"]


@contextmanager
def site(**settings: str) -> Iterator[Server]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder), descriptors=None, kilobytes=None, **settings) as server,
    ):
        yield server


def measure_site(games: int, moves: list[str]) -> tuple[float, float, float]:
    with site(ENGINES="0", RATE_LIMITS="off") as server:
        tables = []
        for _ in range(games):
            pair, game = seat_two(server.address)
            tables.append(table(pair, moves, {"game": game}))
        begun = cpu(server.pid)
        took = play_all(tables, len(moves))
        return report("site", took, cpu(server.pid) - begun)


def measure_growth() -> None:
    """Memory, and CPU over a quiet while, with more and more rooms, then with spectators."""
    with site(ENGINES="0", RATE_LIMITS="off") as server:
        process = psutil.Process(server.pid)
        maker = Wire(server.address, cookie(server.address))
        last, made = 0, ""
        for rooms in (10, 100, 1000):
            for _ in range(rooms - last):
                clock = {"minutes": 180}
                answer = maker.ask("create", variant="isola", opponent="local", clock=clock)
                made = answer["room"]
            last = rooms
            _show_growth(f"{rooms} rooms", process)
        watchers: list[Wire] = []
        for count in (100, 1000):
            while len(watchers) < count:
                watchers.append(Wire(server.address, cookie(server.address)))
                watchers[-1].ask("enter", room=made)
            _show_growth(f"{count} spectators", process)
        for wire in watchers:
            wire.close()


def _show_growth(label: str, process: psutil.Process) -> None:
    begun = cpu(process.pid)
    time.sleep(5)
    busy = (cpu(process.pid) - begun) / 5
    held = process.memory_info().rss / 1e6
    print(f"{label:16} {held:6.0f} MB, {busy:5.1%} of a core when idle", flush=True)


def measure_thinking(games: int = 20) -> None:
    """The worst acknowledgement of people's moves, idle and while engines think in many games."""
    with site(RATE_LIMITS="off") as server:
        moves = script(60)
        worst = {}
        for label in ("idle", "thinking"):
            maker = Wire(server.address, cookie(server.address))
            for _ in range(games if label == "thinking" else 0):
                made = maker.ask(
                    "create", variant="classic", opponent="computers", level=8, second_level=7
                )
                maker.ask("enter", room=made["room"])  # they play while somebody watches
            took = []
            for _ in range(5):
                pair, game = seat_two(server.address)
                play = table(pair, moves, {"game": game})
                for ply in range(len(moves)):
                    took.append(play(ply))
                    time.sleep(0.02)
            took.sort()
            worst[label] = took[-1]
            p99 = took[int(len(took) * 0.99)]
            print(
                f"{label:9} acknowledged in p99 {p99 * 1000:.1f} ms,"
                f" {took[-1] * 1000:.1f} ms at worst",
                flush=True,
            )
        print(f"worst while {games} games think: {worst['thinking'] / worst['idle']:.1f} x idle")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--moves", type=int, default=30)
    arguments = parser.parse_args()
    moves = script(arguments.moves)
    echo = measure_echo(arguments.games, moves)
    site = measure_site(arguments.games, moves)
    aims = Aims()
    ratio = site[0] / echo[0]
    missed = aims.check(f"{SHARE_OF_ECHO} of the echo's moves: {ratio:.2f}", ratio >= SHARE_OF_ECHO)
    print(
        f"site against echo: {ratio:.2f} of its moves a second of CPU{missed},"
        f" p50 {site[1] / echo[1]:.1f} x, p99 {site[2] / echo[2]:.1f} x"
    )
    measure_thinking()
    measure_growth()
    aims.finish()


if __name__ == "__main__":
    main()
