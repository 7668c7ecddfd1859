"""Somebody with a browser: opens pages, clicks, types, and looks."""

import json
import random
import re
import time
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

SECONDS = 60.0  # far more than a busy machine needs
# The browser itself says this of a server that is not there; the tests take it away on purpose.
EXPECTED = re.compile(r"WebSocket connection|ERR_CONNECTION|ERR_INTERNET|ERR_EMPTY|ERR_SOCKET")

expect.set_options(timeout=SECONDS * 1000)


class Visitor:
    """One browser context, with its own cookie; `page` is the page looked at."""

    def __init__(self, browser: Browser, address: str, name: str, options: dict[str, Any]) -> None:
        self.address = address
        self.complaints: list[str] = []
        self.expected = EXPECTED
        desktop = {"viewport": {"width": 1200, "height": 800}}
        self.context = browser.new_context(**{**desktop, **options})
        self.context.set_default_timeout(SECONDS * 1000)
        kept = json.dumps(json.dumps(name))
        # Frames in which bots run have no storage.
        keep = f"if (origin !== 'null') localStorage['isolation.name'] ??= {kept}"
        self.context.add_init_script(keep)
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not self.expected.search(message.text):
            self.complaints.append(message.text)

    def close(self) -> None:
        self.context.close()

    def open(self, path: str = "/") -> None:
        self.page.goto(self.address + path)

    def part(self, name: str) -> Locator:
        return self.page.locator(f"#{name}")

    def begin(self, game: str, opponent: str, **fields: str) -> str:
        """Begin a game from the home page; the address of its room."""
        self.open()
        self.page.click(f"[data-game={game}][data-opponent={opponent}]")
        for name, value in fields.items():
            self.page.select_option(f"[name='{name.replace('__', '.')}']", value)
        self.page.click("#start")
        self.page.wait_for_url("**/room/*")
        expect(self.part("title")).to_have_text(game.capitalize())
        return self.page.url.removeprefix(self.address)

    def join(self, path: str) -> None:
        self.open(path)
        self.page.click("#join")
        expect(self.part("join-panel")).to_be_hidden()

    @property
    def next_cells(self) -> Locator:
        return self.page.locator(".is-next")

    @property
    def is_over(self) -> bool:
        return self.part("result").is_visible()

    @property
    def moves(self) -> list[str]:
        return self.page.locator("#moves button").all_inner_texts()

    def cell(self, name: str) -> Locator:
        """The cell that is called so."""
        begins = f".board-cell[aria-label^='{name},']"
        return self.page.locator(f".board-cell[aria-label='{name}'], {begins}")

    def wait_for_turn(self) -> bool:
        """Whether it is this player's turn, and not the end."""
        self.page.locator(".is-next, #result:not([hidden])").first.wait_for()
        return not self.is_over

    def take_turn(self, lot: random.Random) -> None:
        """Choose cells by lot until the move is whole and the server has told it."""
        made = len(self.moves)
        until = time.monotonic() + SECONDS
        while len(self.moves) == made and not self.is_over:
            assert time.monotonic() < until, "the turn does not come to an end"
            leave = self.page.locator(".board-exit")
            if leave.is_visible():
                leave.click()
            elif count := self.next_cells.count():
                self.next_cells.nth(lot.randrange(count)).click()
                continue
            self.wait_for_moves(made + 1)

    def wait_for_moves(self, count: int) -> None:
        """Until the list has that many: at once when it has, where `expect` looks now and then."""
        self.page.locator("#moves li").nth(count - 1).wait_for(state="attached")


def play_out(players: list[Visitor], lot: random.Random) -> None:
    """Play until the game is over: whoever has a turn takes it."""
    until = time.monotonic() + 4 * SECONDS
    while not players[0].is_over:
        assert time.monotonic() < until, "the game does not come to an end"
        for player in players:
            if player.next_cells.count() or player.page.locator(".board-exit").is_visible():
                player.take_turn(lot)
    for player in players:
        expect(player.part("result")).to_be_visible()
