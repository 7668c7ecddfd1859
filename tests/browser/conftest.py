"""A browser and a server for each module of these tests."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests import chromium
from tests.browser.visitor import Visitor
from tests.server import Server

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program, environment = chromium.find()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"], env={**os.environ, **environment}
        )
        yield launched
        launched.close()


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
        visitors.append(Visitor(browser, server.address, name, options))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
    for visitor in visitors:
        assert visitor.complaints == []
