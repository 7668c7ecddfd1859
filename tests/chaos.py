"""Three web processes, an engine host, PostgreSQL and Redis, of which something always fails.

Twenty games are played meanwhile, by people, computers and bots who connect to any process that's
alive, as behind a proxy. No tests here: `test_chaos.py` and `benchmarks/chaos.py` run it.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from isolation.store import SqlStore
from tests.client import Client
from tests.drivers import Actor, Driver
from tests.mishaps import SECONDS, Event, Mishaps, Site
from tests.onlookers import BotPlayer, Watcher
from tests.tables import ISOLA, LINEAR, RAPID, Counts, Opening, Table, Tables

GAMES = 20  # at a time, besides the one that just shows its clock
LAG_S = 30.0  # for which a process may be behind, outages of PostgreSQL included
PAUSE_S = 0.8  # between turns, so that two cores are enough for all of this
SMALL: dict[str, Any] = {"variant": "isola", "options": {"size": 7}}  # soon over: a rematch
OWN = ("you", "directs", "left", "chat", "presence")  # what isn't the same for all, or runs


@dataclass
class Report:
    """What a run has shown."""

    waits: list[float]
    events: list[Event]
    kills: int = 0
    drains: list[float] = field(default_factory=list)  # acknowledgements meanwhile
    answers: list[float] = field(default_factory=list)  # all acknowledgements
    refused: int = 0
    counts: Counts = field(default_factory=Counts)

    def lines(self) -> Iterator[str]:
        worst = max(self.events, key=lambda event: abs(event.deviation))
        yield f"{self.kills} kills of web processes, {len(self.events)} events in all"
        yield from self.counts.lines()
        yield "0 acknowledged moves lost, 0 double plies"
        yield f"{self.refused} refusals that passed"
        yield f"worst clock deviation: {worst.deviation:+.2f} s ({worst.label})"
        yield (
            "all games had gone on after "
            f"{statistics.median(self.waits):.2f} s, {max(self.waits):.2f} s at worst"
        )
        yield f"worst acknowledgement: {max(self.answers):.2f} s; during a drain: " + (
            f"{max(self.drains):.2f} s" if self.drains else "none"
        )


class Chaos:
    """Games of every kind, and what befalls the site meanwhile."""

    def __init__(self, at: Site, lot: Random, suspended_s: float) -> None:
        self._site = at
        self._lot = lot
        self._mishaps = Mishaps(at, lot, suspended_s)
        self._opening = Opening(at.find, lot, lag_s=LAG_S, pause_s=PAUSE_S)
        self._playing = Tables(list(self._open()))
        assert len(self._playing.tables) == GAMES
        people = self._playing.tables[:6]
        self._watchers = [self._watcher(table, own) for table in people for own in (False, True)]
        self.report = Report(self._playing.waits, self._mishaps.events)

    # Who plays.

    def _open(self) -> Iterator[Table]:
        opening = self._opening
        for at in range(5):
            yield opening.people(f"people {at}", SMALL if at % 2 else ISOLA)
        for at in range(5):
            yield opening.people(f"timed people {at}", SMALL if at % 2 else ISOLA, clock=RAPID)
        for at in range(3):
            yield opening.computer(f"computer {at}")
        yield opening.computer("timed computer", clock=RAPID)
        yield opening.contest("own bots", ISOLA, {"kind": "own", "name": "Other"})
        for at in range(2):
            yield opening.contest(
                f"bot and computer {at}", LINEAR, {"kind": "computer", "level": 1}
            )
        for at in range(3):
            yield self._bot(f"bot over HTTP {at}")

    def _bot(self, label: str) -> Table:
        ann = self._opening.come("Ann")
        room = ann.do("create", **ISOLA, side=1)["room"]
        more = {"lag_s": LAG_S, "pause_s": PAUSE_S}
        bot = BotPlayer(self._site.find, room, self._opening.seed(), **more)
        return Table(label, [self._opening.player(ann, room), bot], 2)

    def _watcher(self, table: Table, is_own: bool) -> Watcher:
        """Somebody else who watches, or another tab of a player."""
        player = table.drivers[0]
        assert isinstance(player, Driver)
        client = self._opening.come("Eve", player.client.cookie if is_own else None)
        return Watcher(client, player.room, 0, claims=is_own)

    @property
    def _actors(self) -> list[Actor]:
        return [*self._playing.drivers, *self._watchers]

    # What happens.

    def run(
        self, kills: int, rounds: int = 1, seconds: float = float("inf"), combined: int = 0
    ) -> None:
        """So many kills, and so many rounds of everything else, in any order."""
        until = time.monotonic() + seconds
        mishaps = self._mishaps
        events = [mishaps.kill] * kills + [*mishaps.each, self._drain] * rounds
        events += mishaps.combined * combined
        self._lot.shuffle(events)
        for watcher in self._watchers:
            watcher.start()
        self._playing.start()
        try:
            self._playing.wait_until_all_go_on()
            for event in events:
                if time.monotonic() > until:
                    break
                event()
                self._playing.wait_until_all_go_on()
                self._check()
        finally:
            self._playing.stop()
        self._check()

    def _check(self) -> None:
        self._playing.check_failures()
        failures = [watcher.failure for watcher in self._watchers if watcher.failure]
        assert not failures, "\n".join(failures)
        unanswered = [call for actor in self._actors for call in actor.unanswered]
        assert not unanswered, unanswered

    def _drain(self) -> None:
        """Nobody sees an error; but while a process comes up, nobody can claim a game either."""
        began, refused = time.monotonic(), self._refused("unsure")
        self._mishaps.drain()
        assert self._refused("unsure") == refused, [dict(actor.refused) for actor in self._actors]
        self.report.drains += [
            one.seconds
            for actor in self._actors
            for one in list(actor.acknowledgements)
            if one.at > began
        ]

    def _refused(self, *besides: str) -> int:
        """How often anyone was refused something for a while, but for these codes."""
        codes = [code for actor in self._actors for code in actor.refused.elements()]
        return sum(code not in besides for code in codes)

    # What must hold in the end.

    def check_end(self) -> None:
        """Everybody sees the same, and what isn't over can be ended."""
        rooms = {table.label: table.drivers[0].room for table in self._playing.tables}
        clients = [Client(server.address, "Late") for server in self._site.living()]
        for label, room in rooms.items():
            self._agree(clients, label, room)
        for watcher in self._watchers:
            _wait_until(partial(self._sees_all, watcher, clients[0]), "a watcher is behind")
        for table in self._playing.tables:
            self._finish(table)
        for label, room in rooms.items():
            snapshot = self._agree(clients, label, room)
            assert snapshot["outcome"], label
        for watcher in self._watchers:
            watcher.stop()
        self._check()
        for client in clients:
            client.close()
        self._mishaps.close()

    def _agree(self, clients: list[Client], label: str, room: str) -> dict[str, Any]:
        def is_one() -> dict[str, Any] | None:
            shown = [self._shown(client, room) for client in clients]
            return shown[0] if all(one == shown[0] for one in shown) else None

        agreed: dict[str, Any] = _wait_until(is_one, f"processes don't agree on {label}")
        return agreed

    @staticmethod
    def _shown(client: Client, room: str) -> dict[str, Any]:
        snapshot: dict[str, Any] = client.do("enter", room=room)["snapshot"]
        presence = snapshot["presence"]
        people = {"players": presence["players"], "watchers": presence["watchers"]}
        return {**{key: snapshot[key] for key in snapshot if key not in OWN}, **people}

    @staticmethod
    def _sees_all(watcher: Watcher, client: Client) -> bool:
        snapshot = client.do("enter", room=watcher.room)["snapshot"]
        return bool((watcher.game, watcher.v) == (snapshot["game"], snapshot["v"]))

    def _finish(self, table: Table) -> None:
        """Over any process, unless it's over."""
        player = table.drivers[0]
        assert isinstance(player, Driver)
        client = Client(self._site.find, cookie=player.client.cookie)
        snapshot = client.do("enter", room=player.room)["snapshot"]
        if not snapshot["outcome"]:
            command = "stop" if snapshot["directs"] else "resign"
            if command == "resign" and snapshot["ply"] < 2:
                command = "abort"
            client.do(command, game=snapshot["game"])
        client.close()

    def check_store(self) -> None:
        """Once the processes have stopped, or before."""
        store = SqlStore(self._site.shared.database.address)
        self.report.counts = self._playing.compare(store)
        store.close()
        self.report.kills = self._mishaps.kills
        self.report.refused = self._refused()
        self.report.answers = [
            one.seconds for actor in self._actors for one in actor.acknowledgements
        ]


def _wait_until(find: Callable[[], Any], otherwise: str) -> Any:
    until = time.monotonic() + SECONDS
    while not (value := find()):
        assert time.monotonic() < until, otherwise
        time.sleep(0.2)
    return value
