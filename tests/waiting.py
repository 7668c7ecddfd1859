"""Waiting for something to come about, however busy the machine is."""

import time
from collections.abc import Callable
from typing import TypeVar

SECONDS = 120.0
T = TypeVar("T")


def wait_until(is_so: Callable[[], T]) -> T:
    """What it says, once that's true."""
    until = time.monotonic() + SECONDS
    while not (value := is_so()):
        assert time.monotonic() < until, "it doesn't come about"
        time.sleep(0.05)
    return value
