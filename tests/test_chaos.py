"""Whatever fails under a site of several processes, no acknowledged move is lost, and all heals."""

from pathlib import Path
from random import Random

from tests.chaos import Chaos
from tests.mishaps import site

KILLS = 10
SUSPENDED_S = 10.0


def test_nothing_is_lost_whatever_fails(tmp_path: Path) -> None:
    lot = Random(14)
    with site(tmp_path, lot) as running:
        chaos = Chaos(running, lot, SUSPENDED_S)
        chaos.run(KILLS)
        chaos.check_end()
        chaos.check_store()
    print(*chaos.report.lines(), sep="\n")
    for log in running.complaints():
        assert "Traceback" not in log, log
