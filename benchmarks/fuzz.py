"""Nonsense in bulk against a running server: events and frames, requests, connections. Twice.

    python -m benchmarks.fuzz [--events N] [--requests N] [--connections N] [--seed S]

Without rate limits, which would only refuse it all. Fails if the server ends, logs a traceback,
keeps memory or descriptors, doesn't hang up where it should, or if a game of others has changed.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz.run import Sizes, fuzz_twice
from tests.server import Server


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    sizes = Sizes(chosen.events, chosen.requests, chosen.connections)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder), ENGINES="0", RATE_LIMITS="off") as server,
    ):
        report = fuzz_twice(server, sizes, chosen.seed, lambda line: print(line, flush=True))
        print(f"the second run added {report.growth / 1e6:.1f} MB")
    for problem in report.problems:
        print(f"PROBLEM: {problem}")
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
