"""Whole games with the keyboard alone, from the home page on; and what is read aloud."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

ENOUGH = 80  # stops with Tab from one end of a page to the other


def tab_to(visitor: Visitor, wanted: Locator) -> None:
    for _ in range(ENOUGH):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} can't be reached with the keyboard")


def begin_by_keyboard(visitor: Visitor, game: str) -> None:
    visitor.open()
    button = visitor.page.locator(f"[data-game={game}][data-opponent=computer]")
    tab_to(visitor, button)
    visitor.page.keyboard.press("Enter")
    expect(visitor.part("start")).to_be_focused()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**/room/*")


def walk_to(visitor: Visitor, target: Locator) -> None:
    """From the focused cell to another, with arrow keys."""
    where = "element => { const box = element.getBoundingClientRect(); return [box.x, box.y] }"
    to_x, to_y = target.evaluate(where)
    focused = visitor.page.locator(".board-cell:focus")
    for axis, forward, back in ((0, "ArrowRight", "ArrowLeft"), (1, "ArrowDown", "ArrowUp")):
        for _ in range(30):
            here, there = focused.evaluate(where)[axis], (to_x, to_y)[axis]
            if abs(here - there) < 1:
                break
            visitor.page.keyboard.press(forward if here < there else back)
    expect(target).to_be_focused()


def play_by_keyboard(visitor: Visitor) -> None:
    while visitor.wait_for_turn():
        made = len(visitor.moves)
        if not visitor.page.locator(".board-cell:focus").count():
            visitor.page.keyboard.press("b")
        while len(visitor.moves) == made and not visitor.is_over:
            if visitor.page.locator(".board-exit").is_visible():
                visitor.page.keyboard.press("o")
            elif count := visitor.next_cells.count():
                walk_to(visitor, visitor.next_cells.nth((made * 7) % count))
                visitor.page.keyboard.press("Enter")
                continue
            visitor.wait_for_moves(made + 1)


def test_a_whole_game_of_two_steps_a_turn(visit: Visit) -> None:
    ann = visit()
    begin_by_keyboard(ann, "classic")
    play_by_keyboard(ann)
    tab_to(ann, ann.part("rematch"))
    ann.page.keyboard.press("Enter")
    expect(ann.part("result")).to_be_hidden()
    assert ann.wait_for_turn()
    # The button is gone; the keyboard is where one goes on.
    expect(ann.page.locator(".board-cell:focus, #task:focus")).to_have_count(1)


def test_a_whole_game_of_slider(visit: Visit) -> None:
    ann = visit()
    ann.open()
    ann.page.evaluate("""localStorage['isolation.slider.computer'] =
        JSON.stringify({level: "5", "option.size": "4", side: "1"})""")
    begin_by_keyboard(ann, "slider")
    play_by_keyboard(ann)


def test_a_turn_is_taken_back_before_it_is_whole(visit: Visit) -> None:
    ann = visit()
    ann.begin("classic", "local")
    ann.wait_for_turn()
    ann.page.keyboard.press("b")
    walk_to(ann, ann.cell("c7"))
    ann.page.keyboard.press("Enter")
    expect(ann.part("task")).to_have_text("Player 1: now block a square.")
    ann.page.keyboard.press("Escape")
    expect(ann.part("task")).to_have_text("Player 1: move your pawn.")
    expect(ann.cell("c7")).to_have_attribute("aria-label", "c7, can be chosen")


def test_moves_are_typed_and_wrong_ones_explained(visit: Visit) -> None:
    ann = visit()
    ann.begin("classic", "local")
    ann.wait_for_turn()
    ann.page.fill("#move-text", "c5/c4")
    ann.page.keyboard.press("Enter")
    expect(ann.part("move-refusal")).to_have_text(re.compile(r"^C?c5.*\.$", re.IGNORECASE))
    expect(ann.part("board")).to_have_class(re.compile("board-refused"))
    assert ann.moves == []
    ann.page.fill("#move-text", "c7/c4")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#moves button")).to_have_text(["c7/c4"])
    expect(ann.part("move-refusal")).to_have_text("")


def test_what_happens_is_read_aloud(visit: Visit) -> None:
    ann, ben = visit("Ann"), visit("Ben")
    ben.join(ann.begin("classic", "friend", side="1"))
    ann.wait_for_turn()
    ann.page.fill("#move-text", "c7/c4")
    ann.page.keyboard.press("Enter")
    told = "Ann: c7, taking away c4. Your turn: move your pawn."
    expect(ben.page.get_by_role("status").filter(has_text=told)).to_have_count(1)
    expect(ben.cell("c7")).to_have_attribute("aria-label", "c7, Player 1")
    expect(ben.cell("c4")).to_have_attribute("aria-label", "c4, blocked")


def test_the_help_opens_and_closes(visit: Visit) -> None:
    ann = visit()
    ann.open()
    ann.page.keyboard.press("?")
    expect(ann.part("keys")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(ann.part("keys")).to_be_hidden()


def test_looking_back_with_the_arrow_keys(visit: Visit) -> None:
    ann = visit()
    ann.begin("classic", "local")
    for move in ("c7/c4", "d2/d4", "c6/e4"):
        ann.wait_for_turn()
        made = len(ann.moves)
        ann.page.fill("#move-text", move)
        ann.page.keyboard.press("Enter")
        expect(ann.page.locator("#moves button")).to_have_count(made + 1)
    ann.page.locator("#moves button").last.focus()
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.part("task")).to_have_text(re.compile("^Viewing move 2 of 3."))
    expect(ann.cell("c7")).to_have_attribute("aria-label", "c7, Player 1")
    expect(ann.cell("e4")).to_have_attribute("aria-label", "e4")
    assert ann.next_cells.count() == 0
    ann.page.keyboard.press("Home")
    expect(ann.cell("c8")).to_have_attribute("aria-label", "c8, Player 1")
    expect(ann.part("previous")).to_be_disabled()
    ann.page.keyboard.press("End")
    expect(ann.part("live")).to_be_hidden()
    assert ann.next_cells.count() > 0
