"""Every page of the site in a state worth looking at: for axe, for phones, for screenshots."""

import random
import re
from collections.abc import Iterator

from playwright.sync_api import expect

from isolation.rules import VARIANTS
from tests.browser.visitor import Visitor

STILL = ("/", "/watch", "/rules", "/about", "/nowhere")


def tour(ann: Visitor, ben: Visitor) -> Iterator[str]:
    """Names of states; at each of them Ann's page shows it."""
    ann.expected = re.compile("404")  # one of them is not there
    for path in STILL:
        ann.open(path)
        yield path.strip("/") or "home"
    for key in VARIANTS:
        ann.open(f"/rules/{key}")
        expect(ann.page.locator(".diagram-task").last).not_to_have_text("")
        yield f"rules-{key}"
    ann.open()
    ann.page.keyboard.press("?")
    yield "keyboard"
    ann.open()
    ann.page.click("[data-game=slider][data-opponent=friend]")
    expect(ann.part("new-game")).to_be_visible()
    yield "new-game"
    for key in VARIANTS:
        yield from games(ann, key)
    yield from friends(ann, ben)
    yield from bots(ann)


def bots(ann: Visitor) -> Iterator[str]:
    """Everything around bots; where there is a ladder, it has matches."""
    ann.open("/bots")
    ann.page.fill("#token-name", "Tock")
    ann.page.fill("#token-label", "Laptop")
    ann.page.click("text=Create token")
    expect(ann.page.locator("#tokens li").first).to_be_visible()
    yield "bots"
    ann.open("/bots/api")
    yield "bots-api"
    ann.open("/ladder")
    yield "ladder"
    if (games := ann.page.locator("a[href^='/ladder/games/']")).count():
        games.first.click()
        expect(ann.page.locator("#moves button").first).to_be_visible()
        yield "ladder-game"
    ann.open("/controller?game=isola")
    ann.page.select_option("#speed", "0")
    ann.page.click("#run")
    expect(ann.page.locator("#actions li").nth(11)).to_be_visible()
    ann.page.click("#run")
    yield "controller"
    ann.open("/workshop")
    expect(ann.page.locator("#editor .cm-line").first).to_be_visible()
    ann.page.select_option("#speed", "0")
    ann.page.click("#run")
    expect(ann.part("task")).to_contain_text("wins")
    yield "workshop"
    ann.page.click("#new")
    yield "templates"


def games(ann: Visitor, key: str) -> Iterator[str]:
    """A game at one screen, in its middle."""
    fields = {"option__size": "27"} if key == "isola" else {}
    ann.begin(key, "local", **fields)
    lot = random.Random(11)
    for _ in range(4):
        if ann.wait_for_turn():
            ann.take_turn(lot)
    if ann.wait_for_turn() and key == "classic":
        ann.next_cells.first.click()
    yield f"room-{key}"


def friends(ann: Visitor, ben: Visitor) -> Iterator[str]:
    """A game between two: waiting, offered a draw, looked back at, ended, replayed, watched."""
    path = ann.begin("slider", "friend", side="1", clock="5+3", public="yes", option__size="6")
    yield "waiting"
    ben.join(path)
    lot = random.Random(4)
    for player in (ann, ben, ann, ben):
        assert player.wait_for_turn()
        player.take_turn(lot)
    ben.page.fill("#chat-text", "Good luck!")
    ben.page.keyboard.press("Enter")
    ben.page.click("#draw")
    ben.page.click("#sure [value=yes]")
    expect(ann.part("offer")).to_be_visible()
    yield "offer"
    ann.open("/watch")
    expect(ann.page.locator(".tile").filter(has_text="– Ben").first).to_be_visible()
    yield "watching"
    ann.open(path)
    ann.page.click("#previous")
    expect(ann.part("live")).to_be_visible()
    yield "past"
    ann.page.click("#live")
    expect(ann.part("live")).to_be_hidden()
    ann.page.click("#resign")
    ann.page.click("#sure [value=yes]")
    expect(ann.part("result")).to_be_visible()
    yield "result"
    ann.page.click("#replay")
    expect(ann.page.locator("#moves button").first).to_be_visible()
    ann.page.keyboard.press("End")
    yield "replay"
