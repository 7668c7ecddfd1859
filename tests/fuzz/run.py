"""A whole fuzz run against a server, and what must be true of the server afterwards."""

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import psutil
import requests

from isolation.web.application import create_app
from isolation.web.commands import REQUESTS
from tests.attacks.attacker import descriptors
from tests.client import Client, new_cookie
from tests.fuzz.connections import open_connections
from tests.fuzz.frames import send_frames
from tests.fuzz.requests import send_requests
from tests.fuzz.traffic import Tally
from tests.fuzz.values import Ids, Values
from tests.server import Server

GROWTH = 20_000_000  # bytes that a second run may add
QUIET_S = 60.0  # for connections to be gone
SPARE_DESCRIPTORS = 3
VISITORS = 6
GAMES = {  # that others have played before, and nobody else may change
    "classic": ("d6/c3", "d2/e5"),
    "slider": ("a2-b2", "c1-c2"),
    "linear": ("1", "5", "9"),
    "isola": (),
    "knights": (),
}


@dataclass(frozen=True)
class Sizes:
    """How much of each."""

    events: int
    requests: int
    connections: int


@dataclass
class Run:
    """What happened in one run. `tallies` are by name."""

    tallies: dict[str, Tally]
    memory: int
    descriptors: int
    connections: int  # that the server still believes in


@dataclass
class Report:
    """Two equal runs, and what is wrong after them."""

    baseline: int  # descriptors
    runs: list[Run] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def growth(self) -> int:
        return self.runs[1].memory - self.runs[0].memory


class Witnesses:
    """Games that others have begun, or finished."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.rooms: list[str] = []
        self.games: list[str] = []
        ann, bob = Client(address, "Ann"), Client(address, "Bob")
        for variant, moves in GAMES.items():
            made = ann.do("create", variant=variant, side=1, public=True)
            ann.do("enter", room=made["room"])
            bob.do("join", room=made["room"])
            for ply, move in enumerate(moves):
                (ann, bob)[ply % 2].move(made["game"], ply, move)
            self.rooms.append(made["room"])
            self.games.append(made["game"])
        bob.do("resign", game=self.games[1])
        ann.close()
        bob.close()
        self.before = self.look()

    def look(self) -> list[Any]:
        return [
            requests.get(f"{self._address}/api/games/{game}{part}", timeout=60).text
            for game in self.games
            for part in ("", ".txt", "/positions")
        ]


def fuzz_twice(
    server: Server, sizes: Sizes, seed: int, tell: Callable[[str], None] = lambda _: None
) -> Report:
    """Do the same twice, and look what is left of it."""
    witnesses = Witnesses(server.address)
    _play(server.address)
    report = Report(descriptors(server.pid))
    for number in (1, 2):
        run = _fuzz(server, sizes, seed, witnesses, report.baseline, tell)
        report.runs.append(run)
        tell(
            f"run {number}: {run.memory / 1e6:.1f} MB, {run.descriptors} descriptors"
            f" ({report.baseline} before), {run.connections} connections left"
        )
    _judge(server, report, witnesses)
    return report


def _fuzz(
    server: Server,
    sizes: Sizes,
    seed: int,
    witnesses: Witnesses,
    baseline: int,
    tell: Callable[[str], None],
) -> Run:
    address = server.address
    values = Values(Random(seed), Ids(witnesses.rooms), Ids(witnesses.games))
    cookies = [new_cookie(address) for _ in range(VISITORS)]
    tokens = [_new_token(address) for _ in range(VISITORS)]
    rules = [*(rule.rule for rule in create_app().url_map.iter_rules()), *_added_rules()]
    parts: dict[str, Callable[[], Tally]] = {
        "events": lambda: send_frames(address, sizes.events, values, cookies),
        "requests": lambda: send_requests(address, sizes.requests, values, rules, cookies, tokens),
        "connections": lambda: open_connections(address, sizes.connections, Random(seed), cookies),
    }
    tallies = {}
    for name, part in parts.items():
        begun = time.monotonic()
        tally = tallies[name] = part()
        tally.seconds = time.monotonic() - begun
        answers = ", ".join(f"{kind} {count:,}" for kind, count in tally.answers.most_common())
        memory = psutil.Process(server.pid).memory_info().rss / 1e6
        tell(
            f"{name}: {tally.sent:,} over {tally.connections:,} connections in"
            f" {tally.seconds:.0f} s, {memory:.0f} MB: {answers}"
        )
    _wait_until(lambda: descriptors(server.pid) <= baseline + SPARE_DESCRIPTORS)
    return Run(
        tallies,
        psutil.Process(server.pid).memory_info().rss,
        descriptors(server.pid),
        _connections(address),
    )


def _added_rules() -> list[str]:
    """The addresses that come with a running site."""
    shown = ("/healthz", "/metrics", "/api/variants", "/api/start/<variant>")
    games = ("/api/games/<game>", "/api/games/<game>.txt", "/api/games/<game>/positions")
    for_bots = (one.http.address.replace("{", "<").replace("}", ">") for one in REQUESTS)
    return [*shown, *games, "/api/diagrams/<variant>/<name>", *for_bots]


def _new_token(address: str) -> str:
    made = requests.post(f"{address}/api/bot/token", json={"name": "Eve"}, timeout=60)
    return str(made.json()["token"])


def _connections(address: str) -> int:
    """How many the server believes are open; those that have gone unseen are noticed in time."""
    gauge = re.compile(r"^isolation_connections (\d+)", re.MULTILINE)

    def count() -> int:
        found = gauge.search(requests.get(f"{address}/metrics", timeout=60).text)
        return int(found[1]) if found else -1

    _wait_until(lambda: count() == 0)
    return count()


def _wait_until(is_true: Callable[[], bool]) -> None:
    until = time.monotonic() + QUIET_S
    while not is_true() and time.monotonic() < until:
        time.sleep(0.2)


def _play(address: str) -> None:
    """Somebody comes and makes a move."""
    client = Client(address, "Zoe")
    made = client.do("create", variant="linear", opponent="local", options={"length": 9})
    client.do("enter", room=made["room"])
    answer = client.move(made["game"], 0, "1")
    client.close()
    assert answer.get("ok"), answer


def _judge(server: Server, report: Report, witnesses: Witnesses) -> None:
    """Note everything that is wrong."""
    problems = report.problems
    if not _is_alive(server.pid):
        problems.append("the server is gone")
        return
    log = server.errors.read_text(errors="replace")
    if "Traceback" in log:
        problems.append(f"{log.count('Traceback')} tracebacks: {log[-3000:]}")
    if report.growth > GROWTH:
        problems.append(f"the second run added {report.growth / 1e6:.1f} MB")
    for number, run in enumerate(report.runs, start=1):
        if run.descriptors > report.baseline + SPARE_DESCRIPTORS:
            problems.append(f"{run.descriptors} descriptors after run {number}")
        if run.connections:
            problems.append(f"{run.connections} connections left after run {number}")
        problems += _problems_of(run)
    if witnesses.look() != witnesses.before:
        problems.append("games of others were changed")
    try:
        _play(server.address)
    except Exception as error:
        problems.append(f"nobody can play any more: {error!r}")


def _problems_of(run: Run) -> list[str]:
    found = [
        f"{name}: {count} times the server didn't hang up on {what}"
        for name, tally in run.tallies.items()
        for what, count in tally.hung.items()
    ]
    failed = run.tallies["events"].answers["internal"], run.tallies["requests"].answers["500"]
    if any(failed):
        found.append(f"{failed[0]} events and {failed[1]} requests failed inside the server")
    return found


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
