"""Kills a server again and again under games of every kind, and counts what got lost.

    python -m benchmarks.kills [--kills N] [--minutes N]

Aims: no acknowledged move lost, none made twice, all games go on, and no clock off by more than
the outage plus 2 s. Stops with an error where one isn't met, or if the time was too short for so
many kills.
"""

import argparse
import tempfile
from pathlib import Path

from tests.killing import Killing
from tests.server import Server


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=60.0)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with Server(Path(folder), ENGINES="1", RATE_LIMITS="off") as server:
            killing = Killing(server)
            killing.run(wanted.kills, 60 * wanted.minutes)
        killing.check_store()
        print(*killing.report.lines(), sep="\n")
        if log := server.errors.read_text():
            raise SystemExit(f"the server complained:\n{log[-2000:]}")
        if (done := len(killing.report.kills)) < wanted.kills:
            minutes = f"{wanted.minutes:g} minutes"
            raise SystemExit(f"MISSED: {done} kills of {wanted.kills} in {minutes}")


if __name__ == "__main__":
    main()
