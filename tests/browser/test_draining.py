"""Pages that stay open while every process behind them is replaced."""

import os
import random
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.test_connection import begin
from tests.postgres import postgres
from tests.redis_server import redis_server
from tests.server import Server
from tests.supervised import children


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with postgres() as database, redis_server() as redis:
        environment: dict[str, Any] = {
            "DATABASE_URL": database,
            "REDIS_URL": redis.address,
            "PROCESSES": "2",
            "ENGINES": "remote",
            "RATE_LIMITS": "off",
        }
        running = Server(tmp_path_factory.mktemp("site"), **environment)
        with running:
            yield running
        assert "Traceback" not in running.errors.read_text()


def test_a_restart_under_an_open_page_is_not_noticed(visit: Visit, server: Server) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben, "classic")
    lot = random.Random(7)
    said: list[str] = []

    def say() -> None:
        """Not repeated by itself when the connection is lost; whether it was heard is known."""
        said.append(f"Ann line {len(said) + 1}")
        ann.page.fill("#chat-text", said[-1].removeprefix("Ann "))
        ann.page.keyboard.press("Enter")
        expect(ann.page.locator("#chat li")).to_have_count(len(said))

    before = children(server.pid)
    os.kill(server.pid, signal.SIGHUP)
    while children(server.pid) & before:
        say()
    ann.take_turn(lot)
    say()
    assert ann.page.locator("#chat li").all_inner_texts() == said
    for part in ("refusal", "chat-refusal"):
        expect(ann.part(part)).to_have_text("")
    for player in (ann, ben):
        expect(player.part("connection")).to_be_hidden()
    assert ben.wait_for_turn()
    ben.take_turn(lot)
    assert ann.wait_for_turn()
    assert ann.moves == ben.moves
