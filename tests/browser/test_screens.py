"""What needs an answer is in view on every screen, and mistakes can be undone."""

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "tablet": {"viewport": {"width": 768, "height": 1024}, "has_touch": True},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
    "phone with bars": {"viewport": {"width": 360, "height": 620}, "has_touch": True},
    "phone on its side": {"viewport": {"width": 740, "height": 340}, "has_touch": True},
}

# Inside the viewport, and nothing lies over it.
IS_IN_VIEW = """element => {
    const box = element.getBoundingClientRect();
    const inside = box.left >= 0 && box.top >= 0
        && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return box.width > 0 && inside && element.contains(document.elementFromPoint(x, y));
}"""
WHERE = """element => {
    const { x, y } = element.getBoundingClientRect();
    return [x + scrollX, y + scrollY];
}"""


def see(visitor: Visitor, *ids: str) -> None:
    """These parts are there, and in view without scrolling."""
    for name in ids:
        expect(visitor.part(name)).to_be_visible()
        assert visitor.part(name).evaluate(IS_IN_VIEW), name


def type_move(visitor: Visitor, move: str) -> None:
    visitor.page.fill("#move-text", move)
    visitor.page.keyboard.press("Enter")


def play(visitors: list[Visitor], moves: list[str]) -> None:
    for at, move in enumerate(moves):
        assert visitors[at % 2].wait_for_turn()
        type_move(visitors[at % 2], move)
        for visitor in visitors:
            visitor.wait_for_moves(at + 1)


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_what_needs_an_answer_is_in_view(screen: dict[str, Any], visit: Visit) -> None:
    ann, ben = visit("Ann", **screen), visit("Ben", **screen)
    path = ann.begin("slider", "friend", side="1", option__size="6")
    see(ann, "link", "copy", "code")
    ben.open(path)
    see(ben, "name", "join")
    expect(ben.part("join-words")).to_have_text("Ann invites you to play")
    ben.page.click("#join")
    expect(ben.part("join-panel")).to_be_hidden()
    assert ann.wait_for_turn()
    see(ann, "board", "task")
    ann.cell("a2").click()
    see(ann, "undo", "board")
    ann.page.click("#undo")
    expect(ann.part("undo")).to_be_hidden()
    type_move(ann, "a2-f2")
    expect(ann.part("move-refusal")).not_to_have_text("")
    see(ann, "move-refusal", "move-text")
    play([ann, ben], ["a2-b2", "c1-c2", "a3-b3"])
    # An offer comes to somebody at the top of the page, and moves nothing that could be pressed.
    ann.page.evaluate("scrollTo(0, 0)")
    resign = ann.part("resign").evaluate(WHERE)
    ben.page.click("#draw")
    ben.page.click("#sure [value=yes]")
    see(ann, "accept", "decline")
    assert ann.part("resign").evaluate(WHERE) == resign
    ann.page.click("#decline")
    expect(ann.part("offer")).to_be_hidden()
    ben.open("/")
    see(ann, "claim", "claim-draw")
    assert ann.part("resign").evaluate(WHERE) == resign


def test_the_sheet_can_be_put_away(visit: Visit) -> None:
    ann, ben = visit("Ann", **SCREENS["phone"]), visit("Ben")
    path = ann.begin("classic", "friend", side="1")
    ann.page.click("#notices-toggle")
    expect(ann.part("link")).to_be_hidden()
    see(ann, "notices-toggle")
    ben.join(path)
    expect(ann.part("notices")).to_be_hidden()
    play([ann, ben], ["c7/c4", "d2/d4"])
    ben.open("/")
    see(ann, "claim")  # what's new is seen


def drag(page: Page, start: Locator, to: tuple[float, float]) -> None:
    box = start.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(*to, steps=4)
    page.mouse.up()


def middle(cell: Locator) -> tuple[float, float]:
    box = cell.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_pieces_can_be_dragged(visit: Visit) -> None:
    ann = visit()
    ann.begin("classic", "local")
    ann.wait_for_turn()
    drag(ann.page, ann.cell("c8"), middle(ann.cell("c7")))
    expect(ann.part("task")).to_have_text("Player 1: now block a square.")
    drag(ann.page, ann.cell("c7"), middle(ann.cell("d7")))  # changed my mind
    ann.cell("c4").click()
    expect(ann.page.locator("#moves button")).to_have_text(["d7/c4"])
    drag(ann.page, ann.cell("d1"), middle(ann.cell("d5")))  # too far
    expect(ann.part("refusal")).to_have_text("You can't choose d5. Choose a marked square.")
    expect(ann.part("task")).to_have_text("Player 2: move your pawn.")


def test_pieces_can_be_dragged_off_the_board(visit: Visit) -> None:
    ann = visit()
    ann.begin("slider", "local", option__size="4")
    play([ann, ann], ["a2-b2", "d1-d2", "b2-c2", "d2-d3", "c2-d2", "d3-d4"])
    ann.wait_for_turn()
    x, y = middle(ann.cell("d2"))
    drag(ann.page, ann.cell("d2"), (x + 90, y))
    expect(ann.page.locator("#moves button").last).to_have_text("d2-off")
    x, y = middle(ann.cell("d4"))
    ann.cell("d4").click()
    # The way out is above the piece, and finding room for it moves nothing.
    way_out = ann.page.locator(".board-exit").bounding_box()
    assert way_out
    assert way_out["y"] + way_out["height"] < y
    assert abs(way_out["x"] + way_out["width"] / 2 - x) < 2
    assert middle(ann.cell("d4")) == (x, y)
    ann.page.locator(".board-exit").click()
    expect(ann.page.locator("#moves button").last).to_have_text("d4-off")


def test_a_finger_drags_without_scrolling(visit: Visit) -> None:
    ann = visit("Ann", **SCREENS["phone"])
    ann.begin("classic", "local")
    ann.wait_for_turn()
    session = ann.context.new_cdp_session(ann.page)
    (x, y), (to_x, to_y) = middle(ann.cell("c8")), middle(ann.cell("c7"))
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x, "y": (y + to_y) / 2}]),
        ("touchMove", [{"x": to_x, "y": to_y}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(ann.part("task")).to_have_text("Player 1: now block a square.")
    assert ann.page.evaluate("scrollY") == 0


def test_squares_that_cannot_be_chosen_answer(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    ben.join(ann.begin("classic", "friend", side="1"))
    assert ann.wait_for_turn()
    for cell, words in (
        ("c8", "Choose a marked square to move to."),
        ("a1", "You can't choose a1. Choose a marked square."),
        ("d1", "That's Ben's piece."),
    ):
        ann.cell(cell).click()
        expect(ann.part("refusal")).to_have_text(words)
        expect(ann.cell(cell)).to_have_class(re.compile("is-missed"))
    ann.cell("c7").click()
    expect(ann.part("refusal")).to_have_text("")
    ann.cell("d1").click()  # the step stays
    expect(ann.part("task")).to_have_text("Your turn: now block a square.")
    ben.cell("d1").click()
    expect(ben.part("refusal")).to_have_text("It's Ann's turn.")


def test_a_seat_that_was_taken_meanwhile(visit: Visit) -> None:
    ann, ben, eve = visit("Ann"), visit("Ben"), visit("Eve")
    path = ann.begin("linear", "friend", side="1")
    for visitor in (ben, eve):
        visitor.open(path)
        expect(visitor.part("join")).to_be_visible()
    # Eve presses Join before she can know that Ben has.
    eve.page.evaluate("""() => {
        const panel = document.querySelector("#join-panel");
        new MutationObserver(() => document.querySelector("#join").click())
            .observe(panel, { attributes: true });
    }""")
    ben.page.click("#join")
    expect(eve.part("refusal")).to_have_text(re.compile("seats are taken"))
    see(eve, "refusal")


def test_joining_from_the_lobby_takes_one_click(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    ann.begin("linear", "friend", side="1", public="yes")
    ben.open()
    ben.page.click("#open li:has-text('Ann') a")
    ben.page.wait_for_url("**/room/*")
    assert ann.wait_for_turn()
    ann.take_turn(random.Random(1))
    assert ben.wait_for_turn()
    expect(ben.part("join-panel")).to_be_hidden()
