"""Settings that all tests share."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from isolation.engines.cache import is_warm
from tests.house import House

# How long an example takes says something about the machine, nothing about the rules.
# On CI the same examples are tried each time, so that what passed once passes again.
settings.register_profile(
    "isolation",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    derandomize="CI" in os.environ,
)
settings.load_profile("isolation")

# Files that mostly wait for one long test. Begun last, they'd keep everyone waiting at the end.
LONG = ("test_chaos.py", "test_killed.py", "test_supervisor.py", "test_hanging.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.fixture(scope="session", autouse=True)
def warm_engines() -> None:
    """Compile the search cores before the first test, if that has not been done yet."""
    if is_warm():
        return
    root = Path(__file__).parents[1]
    subprocess.run([sys.executable, "-m", "isolation", "warmup"], cwd=root, check=True)


@pytest.fixture(params=[1, 2], ids=["alone", "in turns"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """Rooms in one process, and in two that take turns on one store and hear of each other."""
    built = House(tmp_path / "games.db", request.param)
    yield built
    built.close()
