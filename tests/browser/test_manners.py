"""What two players can ask of each other: draws, takebacks, rematches; and leaving."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor


def begin(ann: Visitor, ben: Visitor, moves: int = 3) -> str:
    """A game of slider after some moves, Ben to move after an odd number."""
    path = ann.begin("slider", "friend", side="1", option__size="6")
    ben.join(path)
    for at, move in enumerate(("a2-b2", "c1-c2", "a3-b3", "d1-d2")[:moves]):
        player = (ann, ben)[at % 2]
        player.wait_for_turn()
        player.page.fill("#move-text", move)
        player.page.keyboard.press("Enter")
        for each in (ann, ben):
            each.wait_for_moves(at + 1)
    return path


def test_a_draw_is_declined_then_agreed(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben)
    for answer in ("decline", "accept"):
        ann.page.click("#draw")
        ann.page.click("#sure [value=yes]")
        expect(ann.part("task")).to_have_text("Ben's turn. You offered a draw.")
        expect(ben.part("offer-words")).to_have_text("Ann offers a draw.")
        ben.page.click(f"#{answer}")
        if answer == "decline":
            expect(ann.part("refusal")).to_have_text("Ben declined the draw.")
    for player in (ann, ben):
        expect(player.part("result-words")).to_have_text("A draw")
    # Who pressed Accept is not sent to the top of the page.
    expect(ben.part("task")).to_be_focused()


def test_a_move_is_taken_back(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben)
    ann.page.click("#takeback")
    expect(ben.part("offer-words")).to_have_text("Ann asks to take back the last move.")
    ben.page.click("#accept")
    for player in (ann, ben):
        expect(player.page.locator("#moves button")).to_have_count(2)
        told = re.compile("^Ben: c1 to c2.")
        expect(player.part("announce")).to_have_text(told)
    expect(ann.cell("a3")).to_have_attribute("aria-label", re.compile("Player 1, H"))
    assert ann.wait_for_turn()


def test_friends_play_again_with_sides_swapped(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben)
    ben.page.click("#resign")
    ben.page.click("#sure [value=yes]")
    expect(ben.part("result-reason")).to_have_text("You resigned.")
    expect(ann.part("result-reason")).to_have_text("Ben resigned.")
    ann.page.click("#rematch")
    expect(ann.part("rematch")).to_have_text("Rematch offered …")
    expect(ben.part("rematch")).to_have_text("Accept rematch")
    ben.page.click("#rematch")
    expect(ben.part("result")).to_be_hidden()  # the new game is there
    assert ben.wait_for_turn()
    expect(ann.page.locator("#player-bottom .score")).to_have_text("Score: 1")
    assert ann.moves == []


def test_a_claim_is_offered_when_it_is_due(visit: Visit) -> None:
    """Also to somebody who moves after the other has gone."""
    ann, ben = visit("Ann"), visit("Ben")
    path = begin(ann, ben, moves=2)
    ben.open("/")
    expect(ann.part("gone-words")).to_have_text(re.compile("^Ben left. If Ben isn't back"))
    expect(ann.part("claim")).to_be_disabled()
    ann.page.fill("#move-text", "a3-b3")
    ann.page.keyboard.press("Enter")
    ann.wait_for_moves(3)
    expect(ann.part("gone")).to_be_visible()
    ben.open(path)
    expect(ann.part("gone")).to_be_hidden()


def test_an_open_game_that_is_called_off_has_no_rematch(visit: Visit) -> None:
    ann = visit("Ann")
    ann.begin("classic", "friend")
    ann.page.click("#abort")
    ann.page.click("#sure [value=yes]")
    expect(ann.part("result-words")).to_have_text("Game aborted")
    expect(ann.part("rematch")).to_be_hidden()


def test_the_home_page_leads_back_to_own_games(visit: Visit) -> None:
    ann = visit("Ann")
    path = ann.begin("knights", "local")
    ann.wait_for_turn()
    ann.open()
    ann.page.click("#own a")
    ann.page.wait_for_url(f"**{path}")
    ann.wait_for_turn()
    ann.page.click("#abort")
    ann.page.click("#sure [value=yes]")
    expect(ann.part("result")).to_be_visible()
    ann.open()
    expect(ann.part("own-rooms")).to_be_hidden()


def test_looking_back_while_the_other_moves(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    begin(ann, ben)
    ann.page.click("#first")
    expect(ann.part("task")).to_have_text("Viewing the start.")
    ben.page.fill("#move-text", "d1-d2")
    ben.page.keyboard.press("Enter")
    expect(ann.part("task")).to_have_text("Viewing the start. It's your turn.")
    expect(ann.page).to_have_title(re.compile("^Your turn"))
    ann.page.locator("#moves button").first.click()
    expect(ann.part("task")).to_have_text(re.compile("^Viewing move 1 of 4."))
    ann.page.keyboard.press("Escape")
    expect(ann.part("live")).to_be_hidden()
    assert ann.wait_for_turn()
