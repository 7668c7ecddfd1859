"""Messages that a page never gets, and clocks that the server has stopped."""

import json
import random
from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

OUTAGE = "The server can't save moves right now. Clocks are stopped."
MOVED = '42["moved",'


def change_messages(visitor: Visitor, change: Callable[[str], str | None]) -> None:
    """Let messages reach a visitor's page only as `change` says, or not at all."""

    def meet(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            changed = message if isinstance(message, bytes) else change(message)
            if changed is not None:
                page.send(changed)

        server.on_message(pass_on)

    visitor.page.route_web_socket("**/socket.io/**", meet)


def ply(message: str) -> int | None:
    """After which turn a move came that is told, if one is."""
    return json.loads(message[2:])[1]["ply"] if message.startswith(MOVED) else None


def test_a_move_that_was_lost_is_seen_all_the_same(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    path = ann.begin("classic", "friend", side="1")
    change_messages(ben, lambda message: None if ply(message) == 1 else message)
    ben.join(path)
    assert ann.wait_for_turn()
    ann.take_turn(random.Random(1))
    assert ben.wait_for_turn()  # nothing else is told: the page asks
    assert ben.moves == ann.moves


def test_a_gap_is_closed_when_the_next_move_shows_it(visit: Visit) -> None:
    lot = random.Random(2)
    ann, eve = visit("Ann"), visit("Eve")
    path = ann.begin("classic", "local")
    change_messages(eve, lambda message: None if ply(message) in (1, 2) else message)
    eve.open(path)
    expect(eve.part("task")).to_have_text("Player 1's turn.")
    for _ in range(3):
        ann.take_turn(lot)
    eve.wait_for_moves(3)
    assert eve.moves == ann.moves


def stop_clocks(message: str) -> str | None:
    """As if the server had stopped them after the second turn, and never said more."""
    if ply(message) == 2:
        return message.replace('"running":true', '"running":false')
    return None if message.startswith("43") and '"missed"' in message else message


def test_stopped_clocks_look_stopped(visit: Visit) -> None:
    lot = random.Random(3)
    ann, ben = visit("Ann"), visit("Ben")
    path = ann.begin("classic", "friend", side="1", clock="5+3")
    change_messages(ben, stop_clocks)
    ben.join(path)
    for player in (ann, ben):
        assert player.wait_for_turn()
        player.take_turn(lot)
    expect(ben.part("outage")).to_have_text(OUTAGE)
    expect(ben.page.locator(".clock.is-running")).to_have_count(0)
    shown = ben.page.locator(".clock").all_inner_texts()
    ben.page.wait_for_timeout(1500)
    assert ben.page.locator(".clock").all_inner_texts() == shown
    assert ann.wait_for_turn()
    ann.take_turn(lot)
    expect(ben.part("outage")).to_be_hidden()
    expect(ben.page.locator(".clock.is-running")).to_have_count(1)
