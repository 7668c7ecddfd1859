"""What becomes of game clocks when somebody sets the clock of the machine.

    python -m benchmarks.wallclock

Starts the real server under libfaketime (Debian: apt-get install faketime), which reads the wall
clock's offset from a file; the monotonic clock is left alone. A game clock runs while the wall
clock is set an hour forward and back, with the server running, and across kills. Aim: no game clock
changes by more than 2 s beyond what has passed. A server that finds the wall clock behind its own
last beat goes on from that beat, so its dates stay ahead until the wall clock has caught up.
"""

import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import requests

from isolation.rooms.upkeep import BEAT_S
from tests.client import Client
from tests.server import Server
from tests.still_clock import Reading, StillClock

LIBRARIES = (
    *Path("/usr/lib").glob("*/faketime/libfaketime.so.1"),
    *Path("/usr/local/lib/faketime").glob("libfaketime.so.1"),
)
HOUR = 3600
SETTLES_S = 5.0  # more than two beats


class Machine:
    """A server, and the wall clock that it sees."""

    def __init__(self, folder: Path, library: Path) -> None:
        self._offset = folder / "offset"
        self.set_wall_clock(0)
        self.server = Server(
            folder,
            ENGINES="0",
            LD_PRELOAD=str(library),
            FAKETIME_TIMESTAMP_FILE=str(self._offset),
            FAKETIME_NO_CACHE="1",
            FAKETIME_DONT_FAKE_MONOTONIC="1",
        )

    def set_wall_clock(self, seconds: int) -> None:
        """So far before or after the true time, from now on."""
        fresh = self._offset.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n")
        os.replace(fresh, self._offset)  # never read half written


def server_is_ahead(server: Server) -> float:
    """How far what the server dates by is ahead of the true time, in hours."""
    client = Client(server.address)
    game = client.do("create", variant="linear", opponent="local")["game"]
    client.close()
    made = requests.get(f"{server.address}/api/games/{game}", timeout=60).json()["created"]
    return (float(made) - time.time()) / HOUR


def deviation(before: Reading, after: Reading, outage: float) -> float:
    """How far a clock is from what it should show: more than 0 where time was lost."""
    passed = (after.asked + after.answered - before.asked - before.answered) / 2
    return before.left - after.left - (passed - outage)


def show(label: str, changes: Iterable[float]) -> float:
    worst = max(changes, key=abs)
    print(f"{label:52} {worst:+.2f} s", flush=True)
    return abs(worst)


def while_running(machine: Machine, clock: StillClock, offset: int) -> float:
    """Set it under a running server, and look at once and after some beats."""
    before = clock.read()
    machine.set_wall_clock(offset)
    at_once = deviation(before, clock.read(), 0.0)
    time.sleep(SETTLES_S)
    later = deviation(before, clock.read(), 0.0)
    return show(f"set to {offset / HOUR:+.0f} h while it runs", (at_once, later))


def across_a_kill(machine: Machine, clock: StillClock, offset: int) -> float:
    """Set it while the server is dead. What lies between its last beat and its start is given."""
    before = clock.read()
    machine.server.kill()
    killed = time.monotonic()
    machine.set_wall_clock(offset)
    machine.server.start()
    outage = time.monotonic() - killed
    at_once = deviation(before, clock.read(), outage)
    time.sleep(SETTLES_S)
    later = deviation(before, clock.read(), outage)
    ahead = server_is_ahead(machine.server)
    label = f"set to {offset / HOUR:+.0f} h across a kill (games dated {ahead:+.1f} h)"
    return show(label, (at_once, later))


def main() -> None:
    if not LIBRARIES:
        raise SystemExit("libfaketime isn't installed")
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder), LIBRARIES[0])
        with machine.server as server:
            clock = StillClock(server.address)
            changes = [while_running(machine, clock, offset) for offset in (HOUR, 0, -HOUR, 0)]
            changes += [across_a_kill(machine, clock, offset) for offset in (HOUR, 0, -HOUR, 0)]
            # A wall clock that was set under the server, which is then killed and started.
            for offset in (HOUR, 0, -HOUR):
                changes.append(while_running(machine, clock, offset))
                changes.append(across_a_kill(machine, clock, offset))
        log = server.errors.read_text()
    worst = max(changes)
    print(f"at worst {worst:.2f} s, beside a beat of {BEAT_S:.0f} s that a kill may give back")
    if worst > BEAT_S + 0.5 or log:
        raise SystemExit(f"more than allowed, or the server complained:\n{log[-2000:]}")


if __name__ == "__main__":
    main()
