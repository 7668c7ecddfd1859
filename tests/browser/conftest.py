"""A browser and a server for each module of these tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests import chromium
from tests.browser.visitor import Visitor
from tests.server import Server

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium.running() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Its log must be empty in the end: nothing went wrong unseen."""
    running = Server(tmp_path_factory.mktemp("site"), RATE_LIMITS="off")
    with running:
        yield running
    assert running.errors.read_text() == ""


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """A new visitor with a browser of their own; at the end none of their pages has complained."""
    visitors: list[Visitor] = []

    def come(name: str = "Ann", **options: Any) -> Visitor:
        options = {"reduced_motion": "reduce", **options}  # a quarter less work for the machine
        visitors.append(Visitor(browser, server.address, name, options))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
    for visitor in visitors:
        assert visitor.complaints == []
