"""Reloads, cut connections, second tabs, and a server that goes away under an open page."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor, play_out
from tests.server import Server


def seconds(clock: str) -> float:
    minutes, _, rest = clock.rpartition(":")
    return int(minutes or 0) * 60 + float(rest)


def clocks(visitor: Visitor) -> list[float]:
    return [seconds(text) for text in visitor.page.locator(".clock").all_inner_texts()]


def begin(ann: Visitor, ben: Visitor, game: str, **fields: str) -> str:
    path = ann.begin(game, "friend", side="1", **fields)
    ben.join(path)
    assert ann.wait_for_turn()
    return path


def test_a_reload_in_the_middle_of_a_turn(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben, "classic", clock="5+3")
    lot = random.Random(5)
    for player in (ann, ben, ann, ben):
        assert player.wait_for_turn()
        player.take_turn(lot)
    assert ann.wait_for_turn()
    ann.next_cells.first.click()  # the first step of two
    expect(ann.part("task")).to_have_text("Your turn: now block a square.")
    moves, before = ann.moves, clocks(ann)
    ann.page.reload()
    expect(ann.part("task")).to_have_text("Your turn: now block a square.")
    assert ann.moves == moves
    assert ann.page.locator("#player-bottom .player-name").inner_text() == "Ann"
    for was, now in zip(before, clocks(ann), strict=True):
        assert was - 20 < now <= was  # the time runs on, and nobody is given any
    ann.take_turn(lot)
    expect(ben.page.locator("#moves button")).to_have_count(5)
    ann.page.reload()
    expect(ann.part("task")).to_have_text("Ben's turn.")


def test_a_cut_connection_in_the_middle_of_a_turn(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben, "classic")
    ann.next_cells.first.click()
    ann.context.set_offline(True)
    ann.next_cells.first.click()  # made while there is no connection
    expect(ann.part("task")).to_have_text("Sending your move …")
    expect(ann.part("connection")).to_be_visible(timeout=60_000)
    ann.context.set_offline(False)
    expect(ann.part("connection")).to_be_hidden()
    expect(ann.page.locator("#moves button")).to_have_count(1)
    expect(ben.page.locator("#moves button")).to_have_count(1)
    assert ann.moves == ben.moves
    assert ben.wait_for_turn()


def test_what_happened_meanwhile_is_there_when_the_connection_is(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben, "knights")
    lot = random.Random(2)
    ann.take_turn(lot)
    assert ben.wait_for_turn()
    ann.context.set_offline(True)
    expect(ben.page.locator("#player-top .player-about")).to_have_text("away", timeout=60_000)
    ben.take_turn(lot)
    ann.context.set_offline(False)
    expect(ann.page.locator("#moves button")).to_have_count(2)
    expect(ben.page.locator("#player-top .player-about")).to_have_text("")
    assert ann.wait_for_turn()


def test_a_second_tab_is_the_same_player_in_the_same_game(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    path = begin(ann, ben, "linear")
    first, second = ann.page, ann.new_page()
    ann.page = second
    ann.open(path)
    assert ann.wait_for_turn()
    ann.take_turn(random.Random(1))
    expect(first.locator("#moves button")).to_have_count(1)
    assert first.locator(".is-next").count() == 0
    second.close()
    ann.page = first
    expect(ben.page.locator("#player-top .player-about")).to_have_text("")  # still here
    play_out([ann, ben], random.Random(4))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, RATE_LIMITS="off") as running:
        yield running


def test_the_game_goes_on_when_the_server_was_killed(browser: Browser, own_server: Server) -> None:
    ann = Visitor(browser, own_server.address, "Ann", {})
    ben = Visitor(browser, own_server.address, "Ben", {})
    begin(ann, ben, "isola", clock="10+5")
    lot = random.Random(9)
    for player in (ann, ben, ann):
        assert player.wait_for_turn()
        player.take_turn(lot)
    assert ben.wait_for_turn()
    own_server.kill()
    for player in (ann, ben):
        expect(player.part("connection")).to_be_visible()
    own_server.start()
    for player in (ann, ben):
        expect(player.part("connection")).to_be_hidden()
    assert ann.moves == ben.moves
    assert len(ann.moves) == 3
    play_out([ann, ben], lot)
    assert ann.complaints == ben.complaints == []
    ann.close()
    ben.close()


def test_a_name_outlasts_a_reconnection(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    path = ann.begin("classic", "friend", side="1")
    ben.open(path)
    ben.page.fill("#name", "Benjamin")
    ben.page.click("#join")
    expect(ben.part("join-panel")).to_be_hidden()
    ben.context.set_offline(True)
    expect(ben.part("connection")).to_have_text("Reconnecting …")
    ben.context.set_offline(False)
    expect(ben.part("connection")).to_have_text("Reconnected.")
    ben.page.fill("#chat-text", "still me")
    ben.page.keyboard.press("Enter")
    expect(ann.part("chat")).to_have_text("Benjamin still me")


# As behind a proxy that does not let them through.
NO_WEBSOCKETS = """window.WebSocket = class {
    constructor() { setTimeout(() => this.onerror(new Event("error")), 10); }
    close() {}
}"""


def test_without_websockets_the_page_says_what_to_do(visit: Visit) -> None:
    ann = visit()
    ann.context.add_init_script(NO_WEBSOCKETS)
    ann.open()
    expect(ann.part("connection")).to_have_text(
        re.compile("blocks WebSockets.*Try another network")
    )


# A connection that never comes about, as when the network goes while it is being made.
FIRST_WEBSOCKET_HANGS = """{
    const Real = window.WebSocket;
    let count = 0;
    window.WebSocket = class {
        constructor(...address) { if (count++) return new Real(...address); }
        close() {}
    };
}"""


def test_the_network_goes_while_the_page_is_connecting(visit: Visit) -> None:
    ann = visit()
    ann.context.add_init_script(FIRST_WEBSOCKET_HANGS)
    ann.open()
    ann.context.set_offline(True)
    expect(ann.part("connection")).to_have_text("Reconnecting …")
    ann.context.set_offline(False)
    expect(ann.part("connection")).to_have_text("Reconnected.")


def test_a_visitor_who_is_not_known_any_more(visit: Visit) -> None:
    ann = visit()
    ann.open()
    ann.context.clear_cookies()
    ann.context.set_offline(True)
    expect(ann.part("connection")).to_have_text("Reconnecting …")
    ann.context.set_offline(False)
    expect(ann.part("connection")).to_have_text(re.compile("Load the page again"))
    ann.page.click("text=Load the page again")
    expect(ann.part("connection")).to_be_hidden()


def test_looking_back_does_not_lose_a_move_on_its_way(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben, "classic")
    lot = random.Random(3)
    ann.take_turn(lot)
    assert ben.wait_for_turn()
    ben.take_turn(lot)
    assert ann.wait_for_turn()
    ann.page.click("#first")
    ann.page.click("#live")
    ann.next_cells.first.click()
    ann.context.set_offline(True)
    ann.next_cells.first.click()
    expect(ann.part("task")).to_have_text("Sending your move …")
    ann.page.click("#first")
    expect(ann.part("task")).to_have_text("Viewing the start. It's your turn.")
    ann.page.click("#live")
    expect(ann.part("task")).to_have_text("Sending your move …")
    assert ann.next_cells.count() == 0
    ann.context.set_offline(False)
    expect(ben.page.locator("#moves button")).to_have_count(3)


def test_a_second_tab_learns_that_it_plays(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    path = ann.begin("linear", "friend", side="2")
    ben.open(path)
    first = ben.page
    ben.page = ben.new_page()
    ben.join(path)
    expect(first.locator("#task")).to_have_text(re.compile("^Your turn"))
