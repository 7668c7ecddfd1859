"""Every page: nothing that keeps people out, nothing cut off on a phone, quiet where asked."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from isolation.rules import VARIANTS
from isolation.web.diagrams import Diagram, find_diagram
from tests.browser.conftest import Visit
from tests.browser.tour import tour
from tests.ladders import small_ladder
from tests.server import Server

ROOT = Path(__file__).parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SMALL_DESKTOP: dict[str, Any] = {"viewport": {"width": 1024, "height": 640}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}

RUN_AXE = """async () => (await axe.run(document)).violations
    .filter(found => ["serious", "critical"].includes(found.impact))
    .map(found => found.id + ": " + found.nodes.map(node => node.html).join(" | ").slice(0, 400))"""

TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    const inside = [...document.querySelectorAll("main *, header *")].filter(one => {
        const box = one.getBoundingClientRect();
        const apart = ".is-zoomed, .moves, .sheet, .hidden, .skip, .brand, select, "
            + "dialog:not([open])";
        return box.width && !one.closest(apart) && (box.right > width + 1 || box.left < -1);
    });
    const more = document.documentElement.scrollWidth - width;
    return [more, ...inside.map(one => one.outerHTML.slice(0, 120))];
}"""


def violations(page: Page) -> list[str]:
    # Through the debugger, not as a script of the page: the policy of the pages stays as it is.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(RUN_AXE)
    return found


@pytest.fixture(scope="module", autouse=True)
def _ladder(server: Server) -> None:
    small_ladder(server.folder / "ladder")


@pytest.mark.parametrize(
    ("scheme", "screen"), [("light", SMALL_DESKTOP), ("dark", PHONE)], ids=["light", "dark phone"]
)
def test_no_page_keeps_anybody_out_or_is_cut_off(
    scheme: str, screen: dict[str, Any], visit: Visit
) -> None:
    ann, ben = visit("W" * 24, color_scheme=scheme, **screen), visit("Ben")
    seen = {name: [*violations(ann.page), ann.page.evaluate(TOO_WIDE)] for name in tour(ann, ben)}
    assert {name: found for name, found in seen.items() if found != [[0]]} == {}
    assert len(seen) > 25


def test_the_largest_board_by_touch(visit: Visit) -> None:
    ann = visit("Ann", **PHONE)
    ann.begin("isola", "local", option__size="27")
    ann.wait_for_turn()
    ann.cell("n26").tap()  # a finger is larger than the cell: this only aims
    expect(ann.part("task")).to_have_text("n26: tap again to choose it.")
    ann.cell("m26").tap()  # a little to the left
    expect(ann.part("task")).to_have_text("m26: tap again to choose it.")
    ann.cell("m26").tap()
    expect(ann.part("task")).to_have_text("Player 1: now steal a square.")
    ann.cell("n20").tap()
    assert ann.moves == []
    ann.cell("n20").tap()
    expect(ann.page.locator("#moves button")).to_have_text(["m26/n20"])
    # Or zoom in, and choose with one tap.
    ann.page.click("#zoom")
    ann.cell("n2").tap()
    expect(ann.part("task")).to_have_text("Player 2: now steal a square.")
    ann.cell("n9").tap()
    expect(ann.page.locator("#moves button")).to_have_text(["m26/n20", "n2/n9"])


COUNT_FRAMES = """window.frames_asked = 0;
    const ask = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = then => { window.frames_asked++; return ask(then); };"""


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_motion_is_shown_to_those_who_want_it(motion: str, moves: bool, visit: Visit) -> None:
    ann = visit("Ann", reduced_motion=motion)
    ann.context.add_init_script(COUNT_FRAMES)
    ann.begin("linear", "local")
    ann.wait_for_turn()
    before = ann.page.evaluate("frames_asked")
    ann.page.fill("#move-text", "3")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#moves button")).to_have_count(1)
    ann.page.wait_for_timeout(300)  # longer than a piece takes to move
    asked = ann.page.evaluate("frames_asked") - before
    assert (asked > 6) == moves


COUNT_NOTES = """window.notes = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
        window.notes++;
        return start.call(this, at);
    };"""


def test_sounds_and_their_mute_that_is_remembered(visit: Visit) -> None:
    ann = visit()
    ann.context.add_init_script(COUNT_NOTES)

    def notes_of_a_move() -> int:
        ann.begin("linear", "local")
        ann.wait_for_turn()
        ann.page.locator(".is-next").first.click()
        expect(ann.page.locator("#moves button")).to_have_count(1)
        ann.page.locator(".is-next").first.click()
        expect(ann.page.locator("#moves button")).to_have_count(2)
        found: int = ann.page.evaluate("notes")
        return found

    assert notes_of_a_move() > 0
    ann.page.keyboard.press("m")
    expect(ann.part("mute")).to_have_attribute("aria-pressed", "true")
    assert notes_of_a_move() == 0
    expect(ann.part("mute")).to_have_attribute("aria-pressed", "true")
    ann.page.click("#mute")
    assert notes_of_a_move() > 0


def test_squares_are_named_where_one_points(visit: Visit) -> None:
    ann = visit()
    ann.begin("classic", "local")
    ann.wait_for_turn()
    ann.cell("c7").hover()
    expect(ann.part("cell-name")).to_have_text("c7 · (1, 2)")
    ann.page.click("#flip")
    ann.cell("a1").hover()
    expect(ann.part("cell-name")).to_have_text("a1 · (7, 0)")


def test_a_friend_is_invited(visit: Visit) -> None:
    ann = visit()
    path = ann.begin("knights", "friend")
    expect(ann.part("link")).to_have_value(ann.address + path)
    dark = """code => {
        const { data } = code.getContext("2d").getImageData(0, 0, code.width, code.height);
        return data.filter((value, at) => at % 4 === 0 && value < 50).length / (data.length / 4);
    }"""
    expect(ann.part("code")).to_have_attribute("width", re.compile(r"^\d\d$"))  # as many modules
    assert 0.2 < ann.part("code").evaluate(dark) < 0.6
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.click("#copy")
    expect(ann.part("copy")).to_have_text("Copied")
    assert ann.page.evaluate("navigator.clipboard.readText()") == ann.address + path


def test_the_dialog_remembers(visit: Visit) -> None:
    ann = visit()
    ann.begin("slider", "computer", level="2", option__size="5", side="2", clock="10+5")
    ann.open()
    ann.page.click("[data-game=slider][data-opponent=computer]")
    chosen = ann.page.locator("#fields select").evaluate_all("all => all.map(one => one.value)")
    assert chosen == ["2", "5", "[]", '"H"', "2", "10+5", "no"]


def test_a_replay(visit: Visit, tmp_path: Path) -> None:
    ann = visit()
    ann.begin("classic", "local")
    moves = ["c7/c4", "d2/d4", "c6/e4"]
    for at, move in enumerate(moves):
        ann.wait_for_turn()
        ann.page.fill("#move-text", move)
        ann.page.keyboard.press("Enter")
        expect(ann.page.locator("#moves button")).to_have_count(at + 1)
    ann.page.click("#resign")
    ann.page.click("#sure [value=yes]")
    ann.page.click("#replay")
    expect(ann.page.locator("#moves button")).to_have_text(moves)
    expect(ann.part("task")).to_have_text("Start of the game.")
    ann.page.select_option("#speed", "120")
    ann.page.click("#play")
    expect(ann.part("task")).to_have_text("Move 3 of 3: c6/e4")
    expect(ann.part("play")).to_have_text("Play")
    expect(ann.part("ending")).to_have_text("Player 1 wins: Player 2 resigned.")
    ann.page.click("#previous")
    assert ann.page.url.endswith("#2")
    expect(ann.cell("d2")).to_have_attribute("aria-label", "d2, Player 2")
    ann.page.reload()  # the address is the position
    expect(ann.part("task")).to_have_text("Move 2 of 3: d2/d4")
    ann.part("scrub").fill("1")
    expect(ann.cell("c4")).to_have_attribute("aria-label", "c4, blocked")
    with ann.page.expect_download() as picture:
        ann.page.click("#picture")
    picture.value.save_as(tmp_path / "board.png")
    assert (tmp_path / "board.png").read_bytes()[:4] == b"\x89PNG"
    with ann.page.expect_download() as record:
        ann.page.click("text=Export as text")
    record.value.save_as(tmp_path / "game.txt")
    assert "c7/c4" in (tmp_path / "game.txt").read_text()


def test_watching_all_games_at_once(visit: Visit) -> None:
    ann, eve = visit("Ann"), visit("Eve")
    ann.begin("knights", "computer", level="1", side="1", public="yes")
    ann.wait_for_turn()
    eve.open("/watch")
    tile = eve.page.locator(".tile").filter(has_text="Ann – Computer 1")
    expect(tile.locator(".tile-state")).to_have_text("Move 1")
    ann.next_cells.first.click()
    expect(tile.locator(".tile-state")).to_have_text("Move 3")
    tile.click()
    eve.page.wait_for_url("**/room/*")
    expect(ann.part("watchers")).to_have_text("1 watching")


def test_two_computers_from_the_watch_page(visit: Visit) -> None:
    ann = visit()
    ann.open("/watch")
    ann.page.click("[data-show=linear]")
    ann.page.wait_for_url("**/room/*")
    expect(ann.page.locator("#moves button").first).to_be_visible()


SOLUTIONS = {key: find_diagram(key, "win") for key in VARIANTS}


@pytest.mark.parametrize(("key", "diagram"), SOLUTIONS.items())
def test_diagrams_can_be_played(key: str, diagram: Diagram, visit: Visit) -> None:
    ann = visit()
    ann.open(f"/rules/{key}")
    figure = ann.page.locator("[data-name=win]")
    for name in re.split("[/-]", str(diagram.solution)):
        if name == "off":
            figure.locator(".board-exit").click()
        else:
            figure.locator(f".board-cell.is-next[aria-label^='{name},']").click()
    expect(figure.locator(".diagram-task")).to_have_text(re.compile("wins"))
    figure.get_by_text("Start again").click()
    expect(figure.locator(".is-next").first).to_be_visible()
