"""Whole games in the browser: between two, with somebody who watches, and against the computer."""

import random
import re

import pytest
from playwright.sync_api import expect

from isolation.rules import VARIANTS, GameRecord
from tests.browser.conftest import Visit
from tests.browser.visitor import play_out

QUICK = {"slider": {"option__size": "4"}}  # a race by lot is a long one on more


@pytest.mark.parametrize("game", VARIANTS)
def test_two_browsers_play_and_a_third_watches(game: str, visit: Visit) -> None:
    ann, ben, eve = visit("Ann"), visit("Ben"), visit("Eve")
    path = ann.begin(game, "friend", side="1", **QUICK.get(game, {}))
    eve.open(path)
    ben.join(path)
    expect(eve.part("join-panel")).to_be_hidden()
    expect(ann.part("watchers")).to_have_text("1 watching")
    ann.wait_for_turn()
    assert ben.next_cells.count() == eve.next_cells.count() == 0
    lot = random.Random(7)
    ann.take_turn(lot)
    expect(eve.page.locator("#moves button")).to_have_count(1)
    eve.page.locator(".board-cell").first.click()  # watching is all she can do
    expect(eve.part("move-form")).to_be_hidden()
    play_out([ann, ben], lot)
    expect(eve.part("result")).to_be_visible()
    assert ann.moves == ben.moves == eve.moves
    ends = [visitor.part("result-words").inner_text() for visitor in (ann, ben, eve)]
    options = {"size": 4} if game == "slider" else {}
    outcome = GameRecord.begin(game, options).replay(ann.moves).outcome
    assert outcome
    expected = {
        0: ["You won!", "You lost", "Ann wins"],
        1: ["You lost", "You won!", "Ben wins"],
        None: ["A draw"] * 3,
    }
    assert ends == expected[outcome.winner]


@pytest.mark.parametrize("game", VARIANTS)
def test_a_game_against_the_computer_to_the_end(game: str, visit: Visit) -> None:
    ann = visit()
    ann.begin(
        game, "computer", level="7" if game != "linear" else "5", side="2", **QUICK.get(game, {})
    )
    lot = random.Random(3)
    while ann.wait_for_turn():
        ann.take_turn(lot)
    assert ann.part("result-words").inner_text() in ("You won!", "You lost", "A draw")
    assert ann.part("result-reason").inner_text().endswith(".")
    ann.page.click("#rematch")
    expect(ann.part("result")).to_be_hidden()
    assert ann.wait_for_turn()


def test_two_at_one_screen(visit: Visit) -> None:
    ann = visit()
    ann.begin("linear", "local")
    play_out([ann], random.Random(1))
    assert ann.part("result-words").inner_text() in ("Player 1 wins", "Player 2 wins")


def test_two_computers_are_watched(visit: Visit) -> None:
    ann = visit()
    ann.begin("linear", "computers", level="1", second_level="2")
    ended = re.compile(r"^Computer [12] wins$")
    expect(ann.part("result-words")).to_have_text(ended, timeout=60_000)
