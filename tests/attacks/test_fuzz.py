"""Nonsense of all kinds, from a seed: a sample of `python -m benchmarks.fuzz`."""

from pathlib import Path

from tests.fuzz.run import Sizes, fuzz_twice
from tests.server import Server

SEED = 20261117


def test_nonsense_of_all_kinds(tmp_path: Path) -> None:
    """Send thousands of broken events, frames and requests, and misbehave on raw connections."""
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off") as server:
        report = fuzz_twice(server, Sizes(events=2000, requests=1500, connections=150), SEED)
        assert not report.problems
