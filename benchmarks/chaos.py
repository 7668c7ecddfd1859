"""Kills and suspends parts of a site of several processes, and counts what got lost.

    python -m benchmarks.chaos [--kills N] [--rounds N] [--combined N] [--minutes N] [--seed N]

A round is: the engine host killed, Redis restarted, Redis suspended, PostgreSQL restarted,
PostgreSQL suspended for long and for a moment, all web processes restarted one by one. Combined
are two and three kills at once, kills while Redis or PostgreSQL fails, and a web process that's
suspended. Aims: no acknowledged move lost, none
made twice, all games go on, and no clock off by more than the outage plus 2 s. Stops with an error
where one isn't met, or where the time was up before all kills were done.
"""

import argparse
import tempfile
from pathlib import Path
from random import Random

from tests.chaos import Chaos
from tests.mishaps import site

SUSPENDED_S = 10.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--combined", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    lot = Random(wanted.seed)
    with tempfile.TemporaryDirectory() as folder:
        with site(Path(folder), lot) as running:
            chaos = Chaos(running, lot, SUSPENDED_S)
            chaos.run(wanted.kills, wanted.rounds, 60 * wanted.minutes, wanted.combined)
            chaos.check_end()
            chaos.check_store()
        print(*chaos.report.lines(), sep="\n")
        logs = running.complaints()
    if troubled := [log for log in logs if "Traceback" in log]:
        raise SystemExit(f"a process complained:\n{troubled[0][-4000:]}")
    if chaos.report.kills < wanted.kills:
        raise SystemExit(
            f"only {chaos.report.kills} of {wanted.kills} kills in {wanted.minutes:g} minutes"
        )


if __name__ == "__main__":
    main()
