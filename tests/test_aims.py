"""A benchmark that misses an aim fails."""

import pytest

from benchmarks.aims import Aims


def test_a_run_that_misses_an_aim_fails() -> None:
    aims = Aims()
    assert aims.check("fast", True) == ""
    aims.finish()
    assert "MISSED" in aims.check("small", False)
    with pytest.raises(SystemExit, match="MISSED: small"):
        aims.finish()
