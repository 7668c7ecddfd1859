"""The controller, the workshop and the pages around bots, in a real browser."""

import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, Route, expect

from isolation.rules import VARIANTS, read_record
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.checkouts import template
from tests.ladders import small_ladder
from tests.server import Server
from tests.terminal import ROOT, command

SAMPLES = ROOT / "isolation" / "bots" / "samples"
FIRST_OPEN = """
class FirstOpen extends IPlayer {
  getNextMove(state) {
    console.log("row", state.getMyPosition().getRow());
    const here = state.getMyPosition();
    for (const step of ["Down", "Up", "Left", "Right",
                        "UpLeft", "UpRight", "DownLeft", "DownRight"]) {
      const to = state[step](here);
      if (to && state.isValidMove(here, to)) return to;
    }
  }
  getNextSteal(state) {
    for (let row = 0; ; row++)
      for (let column = 0; column < state.getColumns(); column++)
        if (state.isValidSteal(new Position(row, column))) return new Position(row, column);
  }
}
"""
# What a bot may try, and what is said of it.
HOSTILE = {
    "hangs": ("function move() {\n  for (;;) {}\n}", "it took longer than 200 ms"),
    "raises": ("function move() {\n\n  throw new Error('not today');\n}", "not today (line 3)"),
    "garbage": ("function move() { return 'up'; }", "is not a move"),
    "too much": ("function move() { return 'x'.repeat(1e6); }", "it answered far too much"),
    "circle": ("function move() { const a = {}; a.a = a; return a; }", "circular"),
    "floods": ("function move() { for (;;) console.log('flood'); }", "it took longer than 200 ms"),
    "allocates": (
        "function move() { const a = []; for (;;) a.push(new Array(1e5).fill(Math.random())); }",
        "it took longer than 200 ms",
    ),
    "ends": ("function move() { self.close(); for (;;) {} }", "it took longer than 200 ms"),
}


def keep(page: Page, name: str, game: str, text: str) -> None:
    """A bot in the visitor's library, as if it had been written there."""
    page.evaluate(
        """([name, game, text]) => {
            const kept = JSON.parse(localStorage["isolation.bots"] ?? "[]");
            kept.unshift({ id: name, name, game, text });
            localStorage["isolation.bots"] = JSON.stringify(kept);
        }""",
        [name, game, text],
    )


def open_controller(visitor: Visitor, game: str, *players: str) -> None:
    visitor.open(f"/controller?game={game}")
    expect(visitor.part("task")).to_have_text("Choose the players, then press Auto Run or Step.")
    for number, player in enumerate(players):
        visitor.page.select_option(f"#player-{number}", player)
    visitor.page.select_option("#speed", "0")


def run_to_the_end(visitor: Visitor) -> str:
    visitor.page.click("#run")
    expect(visitor.part("task")).to_have_text(re.compile("wins|draw"), timeout=90_000)
    return visitor.part("task").inner_text()


@pytest.mark.parametrize("game", VARIANTS)
def test_a_contest_of_each_game_runs_to_its_end(game: str, visit: Visit) -> None:
    ann = visit()
    ann.open("/about")
    sample = {"classic": "pawn", "knights": "knight", "isola": "pawn"}.get(game, game)
    keep(ann.page, "Mine", game, (SAMPLES / f"{sample}_move.js").read_text())
    open_controller(ann, game, "own:Mine", "level:1")
    run_to_the_end(ann)
    assert ann.part("actions").locator("li").count() > 4
    assert "average" in ann.part("times-0").inner_text()
    assert re.search(r"\d ns", ann.part("times-1").inner_text())
    ann.page.click("#replay-link")
    expect(ann.part("task")).to_have_text("Start of the game.")
    assert "Mine" in ann.page.locator(".side").inner_text()


@pytest.mark.parametrize("path", ["/controller", "/workshop"])
def test_nothing_can_be_run_before_the_page_is_ready(path: str, visit: Visit) -> None:
    ann = visit()
    held: list[Route] = []
    ann.page.route("**/api/variants", lambda route: held.append(route))
    with ann.page.expect_request("**/api/variants"):
        ann.open(path)
    for name in ("run", "step"):
        expect(ann.part(name)).to_be_disabled()
    held.pop().continue_()
    ann.page.click("#run")  # which waits until it's enabled
    expect(ann.part("actions").locator("li").first).to_be_visible()


def test_a_step_is_one_action_the_move_and_then_the_steal(visit: Visit, server: Server) -> None:
    ann, eve = visit(), visit("Eve")
    ann.open("/about")
    keep(ann.page, "FirstOpen", "isola", FIRST_OPEN)
    open_controller(ann, "isola", "own:FirstOpen", "own:FirstOpen")
    actions = ann.part("actions").locator("li")
    ann.page.click("#step")
    expect(actions).to_have_count(1)
    expect(actions.first).to_contain_text("moves to d6 (1, 3)")
    expect(ann.cell("d6")).to_have_attribute("aria-label", "d6, Player 1, A")
    expect(ann.page.locator("[aria-label*=blocked]")).to_have_count(0)
    # It is stored whole: whoever watches sees both at once.
    eve.open(str(ann.part("watch-link").get_attribute("href")))
    expect(eve.page.locator("#moves button")).to_have_text(["d6/a7"])
    expect(eve.part("join-panel")).to_be_hidden()
    ann.page.click("#step")
    expect(actions).to_have_count(2)
    expect(actions.last).to_contain_text("steals a7 (0, 0)")
    expect(ann.cell("a7")).to_have_attribute("aria-label", "a7, blocked")
    ann.page.click("#step")
    expect(actions.last).to_contain_text("moves to d2 (5, 3)")
    assert all(re.search(r"\d ns", text) for text in actions.all_inner_texts())
    ann.cell("c4").click()
    expect(ann.part("position")).to_have_text("Position: c4 (3, 2)")
    expect(ann.part("console")).to_contain_text("row 0")
    # Auto Run goes on from here, and can be paused.
    ann.page.select_option("#speed", "1500")
    ann.page.click("#run")
    expect(actions).to_have_count(4)
    ann.page.click("#run")
    expect(ann.part("run")).to_have_text("Auto Run")
    ann.page.click("#step")
    expect(actions).to_have_count(5)


def test_the_size_by_scrolling_and_by_lot(visit: Visit) -> None:
    ann = visit()
    open_controller(ann, "isola")
    size = ann.page.locator("#options [name=size]")
    assert ann.page.locator(".board-cell").count() == 49
    size.hover()
    ann.page.mouse.wheel(0, -100)
    expect(ann.page.locator("#options output")).to_have_text("9")
    expect(ann.page.locator(".board-cell")).to_have_count(81)
    seen = set()
    for _ in range(12):
        ann.page.click("#randomize")
        seen.add(int(ann.page.locator("#options output").inner_text()))
    assert len(seen) > 2
    assert seen <= set(range(7, 28, 2))
    ann.page.select_option("#game", "slider")
    expect(ann.page.locator(".board-cell")).to_have_count(36)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_bot_costs_its_own_game_and_nothing_else(kind: str, visit: Visit) -> None:
    text, words = HOSTILE[kind]
    ann = visit()
    ann.open("/about")
    keep(ann.page, "Bad", "classic", text)
    open_controller(ann, "classic", "own:Bad", "level:1")
    ann.page.fill("#limit", "200")
    assert run_to_the_end(ann).startswith("Computer 1 wins. Bad made a fault: ")
    expect(ann.part("actions").locator("li.is-fault")).to_contain_text(words)
    assert ann.part("console").locator("div").count() <= 101
    ann.page.select_option("#player-0", "level:1")  # and the page goes on
    run_to_the_end(ann)


# A bot shares its world with the script that holds the port to the page, and takes it.
THIEF = """
const post = MessagePort.prototype.postMessage;
let port = null;
MessagePort.prototype.postMessage = function (...told) {
  port = this;
  return post.apply(this, told);
};
function move(data) {
  console.log("now I have it");
  BODY
  return [[0, 0], [1, 1]];
}
"""
STOLEN = {
    "floods": ("for (;;) post.call(port, { line: 'x'.repeat(50) });", "it wrote far too much"),
    "long lines": (
        "for (let n = 0; n < 9; n++) post.call(port, { line: 'x'.repeat(1e6) }); for (;;);",
        "it wrote far too much",
    ),
    "nothing": ("post.call(port, null); for (;;);", "something that can't be read"),
    "forged": (
        "for (let id = 0; id < 9; id++) post.call(port, { id, json: '{', ns: 'x' }); for (;;);",
        "something that can't be read",
    ),
}


@pytest.mark.parametrize("kind", STOLEN)
def test_a_bot_that_takes_the_port_gains_nothing(kind: str, visit: Visit) -> None:
    body, words = STOLEN[kind]
    ann = visit()
    ann.open("/about")
    keep(ann.page, "Thief", "classic", THIEF.replace("BODY", body))
    open_controller(ann, "classic", "own:Thief", "level:1")
    ann.page.fill("#limit", "300")
    run_to_the_end(ann)
    expect(ann.part("actions").locator("li.is-fault")).to_contain_text(words)
    expect(ann.page.locator("iframe")).to_have_count(0)


def test_the_page_takes_the_time_whatever_a_bot_says(visit: Visit) -> None:
    """The bot takes about 80 ms by a clock that ticks in milliseconds, and tells of none."""
    ann = visit()
    ann.open("/about")
    lying = """
        const post = MessagePort.prototype.postMessage;
        MessagePort.prototype.postMessage = function (told) {
          return post.call(this, told.json ? { ...told, ns: 1 } : told);
        };
        function move(data) {
          const until = Date.now() + 80;
          while (Date.now() < until);
          performance.now = Date.now = () => 0;
          return 7;
        }
    """
    keep(ann.page, "Liar", "linear", lying)
    open_controller(ann, "linear", "own:Liar", "level:1")
    ann.page.fill("#limit", "60000")
    ann.page.click("#step")
    expect(ann.part("actions").locator("li")).to_have_count(1)
    shown = ann.page.locator(".action-time").inner_text()
    assert int(re.sub(r"\D", "", shown)) > 70e6


def test_the_public_template_plays_and_hears_of_its_match(visit: Visit, tmp_path: Path) -> None:
    """Loaded from disk into the controller; in the workshop it's an imported file."""
    file = template(tmp_path, "console.log(JSON.stringify(self.calls));")
    ann = visit()
    ann.context.add_init_script("delete window.showOpenFilePicker")
    open_controller(ann, "classic", "level:1", "level:1")
    with ann.page.expect_file_chooser() as chooser:
        ann.page.click("#load-1")
    chooser.value.set_files(file)
    expect(ann.part("note-1")).to_have_text("Template.js is loaded.")
    run_to_the_end(ann)
    expect(ann.part("actions").locator(".is-fault")).to_have_count(0)
    log = ann.part("console")
    expect(log).to_contain_text('["start_match",{"player_number":1,"total_games":1,"data":{}}]')
    expect(log).to_contain_text(re.compile(r'"end_game",{"winner":[01],"draw":false},1'))
    expect(log).to_contain_text(re.compile(r'"player_wins":\[(0,1|1,0)\],"draws":0'))
    ann.open("/workshop")
    with ann.page.expect_file_chooser() as chooser:
        ann.page.click("#import")
    chooser.value.set_files(file)
    expect(ann.part("name")).to_have_value("Template")
    run_to_the_end(ann)
    expect(ann.part("actions").locator(".is-fault")).to_have_count(0)
    expect(log).to_contain_text('["start_match",{"player_number":0')


@pytest.mark.parametrize("waiting", ["level:8", "person"])
def test_a_new_game_while_somebody_is_awaited(waiting: str, visit: Visit) -> None:
    ann = visit()
    open_controller(ann, "isola", waiting, "level:1")
    ann.page.click("#run")
    expect(ann.part("again")).to_be_enabled()
    ann.page.click("#again")
    expect(ann.part("task")).to_have_text("Choose the players, then press Auto Run or Step.")
    ann.page.select_option("#player-0", "level:1")
    run_to_the_end(ann)


def test_what_could_not_begin_leaves_nothing_behind(visit: Visit) -> None:
    ann = visit()
    ann.open("/about")
    keep(ann.page, "FirstOpen", "isola", FIRST_OPEN)
    keep(ann.page, "Broken", "isola", "function move( {")
    open_controller(ann, "isola", "own:FirstOpen", "own:Broken")
    for _ in range(2):
        ann.page.click("#step")
        expect(ann.part("contest-refusal")).to_contain_text("Broken: SyntaxError")
        expect(ann.page.locator("iframe")).to_have_count(0)
    ann.page.select_option("#player-1", "own:FirstOpen")
    ann.page.fill("#limit", "5")
    ann.page.click("#step")
    expect(ann.part("contest-refusal")).to_have_text("A call may take 10 to 60,000 ms.")
    expect(ann.page.locator("iframe")).to_have_count(0)


def test_playing_the_own_bot_in_the_same_browser(visit: Visit) -> None:
    ann = visit()
    ann.open("/about")
    keep(ann.page, "Mine", "linear", (SAMPLES / "linear_move.js").read_text())
    open_controller(ann, "linear", "own:Mine", "person")
    ann.page.click("#run")
    expect(ann.part("task")).to_have_text("Waiting for a player to come …")
    directing, ann.page = ann.page, ann.new_page()
    ann.join(str(directing.locator("#watch-link").get_attribute("href")))
    while ann.wait_for_turn():
        made = len(ann.moves)
        ann.next_cells.first.click()
        ann.wait_for_moves(made + 1)
    expect(ann.part("takeback")).to_be_hidden()
    expect(directing.locator("#task")).to_have_text(re.compile("wins"))


NOSY = """
function move(data) {
  const tell = (what) => (error) => console.log(what, error?.name ?? "worked");
  fetch("/api/variants").then(tell("fetch"), tell("fetch"));
  fetch("ADDRESS/api/bot/token", { method: "POST" }).then(tell("post"), tell("post"));
  const address = "ADDRESS/socket.io/?EIO=4&transport=websocket".replace("http", "ws");
  const socket = new WebSocket(address);
  socket.onopen = () => console.log("socket worked");
  socket.onerror = () => console.log("socket refused");
  import("ADDRESS/static/js/room.js").then(tell("import"), tell("import"));
  const attempt = (what, task) => {
    try { task(); console.log(what, "worked"); } catch (error) { tell(what)(error); }
  };
  attempt("script", () => importScripts("ADDRESS/static/js/page.js"));
  attempt("store", () => indexedDB.open("x"));
  console.log([typeof document, typeof localStorage, typeof parent, self.origin].join(" "));
  const until = Date.now() + 1; while (Date.now() < until);
  return new Promise(() => {});
}
"""


def test_a_bot_can_connect_to_nothing_and_has_no_origin(visit: Visit, server: Server) -> None:
    ann = visit()
    # The browser says what it has refused: that is what this test is about.
    ann.expected = re.compile("Content Security Policy|Refused to|WebSocket|ERR_|Failed to")
    ann.open("/about")
    keep(ann.page, "Nosy", "isola", NOSY.replace("ADDRESS", server.address))
    asked: list[str] = []  # and answered: what the policy forbids is never sent
    ann.page.on("response", lambda response: asked.append(response.url))
    open_controller(ann, "isola", "own:Nosy", "level:1")
    asked.clear()
    ann.page.click("#step")
    log = ann.part("console")
    for line in ("fetch TypeError", "post TypeError", "socket refused"):
        expect(log).to_contain_text(line)
    for line in ("script NetworkError", "store SecurityError"):
        expect(log).to_contain_text(line)
    expect(log).to_contain_text("undefined undefined undefined null")
    assert "worked" not in log.inner_text()
    own = re.compile(
        r"/sandbox$|/static/js/sandbox/|^blob:|/static/icon|/socket\.io|/api/(games|start)/"
    )
    assert [url for url in asked if not own.search(url)] == []


def test_a_bot_file_is_loaded_again_kept_and_saved(visit: Visit, tmp_path: Path) -> None:
    ann = visit()
    ann.context.add_init_script("delete window.showOpenFilePicker")
    open_controller(ann, "isola")
    file = tmp_path / "FirstOpen.js"
    file.write_text(FIRST_OPEN)
    with ann.page.expect_file_chooser() as chooser:
        ann.page.click("#load-0")
    chooser.value.set_files(file)
    expect(ann.part("note-0")).to_have_text("FirstOpen.js is loaded.")
    ann.page.click("#step")
    expect(ann.part("name-0")).to_have_text("FirstOpen")
    expect(ann.part("actions").locator("li").last).to_contain_text("moves to d6")
    file.write_text(FIRST_OPEN.replace('["Down", "Up",', '["DownLeft", "Up",'))
    with ann.page.expect_file_chooser() as chooser:
        ann.page.click("#reload-0")
    chooser.value.set_files(file)
    expect(ann.part("actions").locator("li")).to_have_count(0)
    ann.page.click("#step")
    expect(ann.part("actions").locator("li").last).to_contain_text("moves to c6")
    with ann.page.expect_download() as download:
        ann.page.click("#save-0")
    assert download.value.suggested_filename == "FirstOpen.js"
    assert Path(download.value.path()).read_text() == file.read_text()
    ann.page.click("#keep-0")
    expect(ann.part("note-0")).to_have_text("It is in your workshop now, as FirstOpen.")
    bad = tmp_path / "bad.js"
    bad.write_text("function move() {\n  return [1,\n}\n")
    with ann.page.expect_file_chooser() as chooser:
        ann.page.click("#load-1")
    chooser.value.set_files(bad)
    expect(ann.part("note-1")).to_have_text(re.compile(r"Bad: SyntaxError: .*\(line 3\)"))


def test_a_python_bot_that_is_online_meets_one_of_the_workshop(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    ann.open("/about")
    keep(ann.page, "FirstOpen", "isola", FIRST_OPEN)
    open_controller(ann, "isola", "own:FirstOpen")
    sample = str(SAMPLES / "SampleAI.py")
    child = subprocess.Popen(
        command("bot", sample, "--serve", server.address, "--name", "Robo"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        online = ann.page.locator("#player-1 option", has_text="Robo")
        expect(online).to_have_count(1)
        ann.page.select_option("#player-1", label="Robo")
        run_to_the_end(ann)
        expect(ann.part("name-1")).to_have_text("Robo")
        # And it plays people, from the page of the bots.
        ann.open("/bots")
        ann.page.click("text=Play isola")
        ann.page.click("#start")
        ann.page.wait_for_url("**/room/*")
        expect(ann.page.locator(".player-name", has_text="Robo")).to_be_visible()
        assert ann.wait_for_turn()
        ann.take_turn(random.Random(1))
        ann.wait_for_moves(2)  # and it answers
    finally:
        child.kill()
        child.communicate()
    expect(ann.part("title")).to_have_text("Isola")


def test_the_connection_is_cut_in_the_middle_of_a_contest(visit: Visit) -> None:
    ann = visit()
    open_controller(ann, "linear", "level:1", "level:2")
    ann.page.click("#step")
    expect(ann.part("actions").locator("li")).to_have_count(1)
    ann.context.set_offline(True)
    ann.page.click("#run")
    expect(ann.part("connection")).to_be_visible(timeout=90_000)
    ann.context.set_offline(False)
    expect(ann.part("task")).to_have_text(re.compile("wins"), timeout=90_000)


def write(visitor: Visitor, text: str) -> None:
    """Put a text into the editor by hand."""
    content = visitor.page.locator("#editor .cm-content")
    content.click()
    visitor.page.keyboard.press("Control+a")
    visitor.page.keyboard.press("Delete")
    visitor.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    visitor.page.keyboard.press("Control+v")


@pytest.fixture
def ann(visit: Visit) -> Visitor:
    found = visit("Ann", permissions=["clipboard-read", "clipboard-write"])
    found.open("/workshop")
    expect(found.part("task")).to_have_text("Choose the players, then press Auto Run or Step.")
    found.page.select_option("#speed", "0")
    return found


def test_the_first_bot_of_the_workshop_plays_at_once(ann: Visitor) -> None:
    expect(ann.part("name")).to_have_value("My first bot")
    run_to_the_end(ann)
    expect(ann.part("name-0")).to_have_text("My first bot")
    ann.page.select_option("#seat", "2")
    run_to_the_end(ann)
    expect(ann.part("name-1")).to_have_text("My first bot")


@pytest.mark.parametrize(
    ("template", "game", "name"),
    [
        ("Knights, move()", "knights", "MyBot"),
        ("Isola, move()", "isola", "MyBot"),
        ("Isola, IPlayer", "isola", "SampleAI"),
        ("Slider, move()", "slider", "MyBot"),
        ("Linear, move()", "linear", "MyBot"),
    ],
)
def test_every_template_plays(template: str, game: str, name: str, ann: Visitor) -> None:
    ann.page.click("#new")
    ann.page.click(f"text={template}")
    expect(ann.part("name")).to_have_value(name)
    run_to_the_end(ann)
    expect(ann.part("contest-refusal")).to_have_text("")
    expect(ann.part("actions").locator(".is-fault")).to_have_count(0)


def test_the_console_errors_with_their_lines_and_endless_loops(ann: Visitor) -> None:
    write(
        ann, "function move(data) {\n  console.log('I am', data.player_number);\n  return oops;\n}"
    )
    ann.page.click("#run")
    expect(ann.part("console")).to_contain_text("I am 0")
    expect(ann.part("console")).to_contain_text("oops is not defined (line 3)")
    expect(ann.page.locator("#editor .cm-lint-marker-error")).to_have_count(1)
    expect(ann.part("task")).to_have_text(re.compile("Computer 1 wins"))
    write(ann, "function move(data) {\n  return [;\n}")
    ann.page.click("#run")
    expect(ann.part("console")).to_contain_text("SyntaxError")
    expect(ann.part("console")).to_contain_text("(line 2)")
    write(ann, "function move(data) {\n  for (;;) {}\n}")
    ann.page.fill("#limit", "100")
    ann.page.click("#run")
    expect(ann.part("console")).to_contain_text("It took longer than 100 ms")
    write(ann, "function move(data) {\n  return [[0, 0], [0, 0]];\n}")
    ann.page.click("#run")
    expect(ann.part("console")).to_contain_text("a8 is not next to c8")


def test_bots_are_kept_exported_imported_and_deleted(ann: Visitor, tmp_path: Path) -> None:
    text = "// mine\nfunction move(data) { return [[0, 0], [1, 1]]; }\n"
    write(ann, text)
    ann.page.fill("#name", "Cut Off")
    ann.page.keyboard.press("Tab")
    expect(ann.part("kept")).to_have_text("Kept in this browser.")
    ann.page.reload()
    expect(ann.part("name")).to_have_value("Cut Off")
    expect(ann.page.locator("#editor .cm-line").first).to_have_text("// mine")
    with ann.page.expect_download() as download:
        ann.page.click("#export")
    assert download.value.suggested_filename == "Cut_Off.js"
    assert Path(download.value.path()).read_text() == text
    ann.context.add_init_script("delete window.showOpenFilePicker")
    ann.page.reload()
    file = tmp_path / "FirstOpen.js"
    file.write_text(FIRST_OPEN)
    with ann.page.expect_file_chooser() as chooser:
        ann.page.click("#import")
    chooser.value.set_files(file)
    expect(ann.part("name")).to_have_value("FirstOpen")
    options = ann.page.locator("#bots option")
    expect(options).to_have_text(["Cut Off · Classic", "FirstOpen · Isola"])
    run_to_the_end(ann)
    ann.page.click("#delete")
    ann.page.click("#sure [value=yes]")
    expect(ann.part("name")).to_have_value("Cut Off")
    expect(options).to_have_count(1)


def test_a_bot_of_the_workshop_plays_a_person_in_a_live_room(ann: Visitor, visit: Visit) -> None:
    ann.page.click("#new")
    ann.page.click("text=Linear, move()")
    ann.page.select_option("#opponent", "person")
    ann.page.click("#run")
    expect(ann.part("task")).to_have_text("Waiting for a player to come …")
    ben = visit("Ben")
    ben.join(str(ann.part("watch-link").get_attribute("href")))
    while ben.wait_for_turn():
        made = len(ben.moves)
        ben.next_cells.first.click()
        ben.wait_for_moves(made + 1)
    expect(ann.part("task")).to_have_text(re.compile("wins"))
    assert "MyBot" in ben.page.locator(".table").inner_text()


def test_a_token_from_the_page_is_a_token(visit: Visit) -> None:
    ann = visit()
    ann.open("/bots")
    ann.page.fill("#token-name", "Tock")
    ann.page.click("text=Create token")
    expect(ann.part("token-of")).to_have_text("Tock")
    assert account(ann.page.input_value("#token"), ann)["name"] == "Tock"


def account(token: str, visitor: Visitor) -> dict[str, Any]:
    """What the site says to a bot with this token."""
    answer = requests.get(
        f"{visitor.address}/api/bot/account",
        headers={"Authorization": f"Bearer {token}"},
        timeout=60,
    )
    return dict(answer.json())


def test_tokens_are_listed_and_revoked_with_the_keyboard_alone(visit: Visit) -> None:
    ann = visit(viewport={"width": 360, "height": 740})
    keys = ann.page.keyboard
    ann.open("/bots")
    expect(ann.part("tokens-panel")).to_be_hidden()
    tokens = []
    for name, label, expires in (("Tick", "", "Never"), ("Tock", "Laptop", "In 30 days")):
        ann.page.focus("#token-name")
        ann.page.fill("#token-name", "")
        keys.type(name)
        keys.press("Tab")
        keys.type(label)
        keys.press("Tab")
        keys.type(expires)
        keys.press("Tab")
        keys.press("Enter")
        expect(ann.part("token-of")).to_have_text(name)
        tokens.append(ann.page.input_value("#token"))
    rows = ann.part("tokens").locator("li")
    expect(rows).to_have_count(2)  # the newest first
    expect(rows.first).to_contain_text("Tock · Laptop")
    expect(rows.first).to_contain_text(
        re.compile(r"Created \d+ \w+ \d{4}.*Never used.*Expires \d+")
    )
    expect(rows.last).to_contain_text("Never expires")
    assert account(tokens[1], ann)["name"] == "Tock"
    ann.page.reload()
    expect(rows.first).to_contain_text(re.compile(r"Last used \d+ \w+ \d{4}"))
    assert not any(token in ann.page.content() for token in tokens)
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= 360
    revoke = ann.page.get_by_role("button", name="Revoke the token for Tock, Laptop")
    revoke.focus()
    keys.press("Enter")
    expect(ann.part("sure")).to_be_visible()
    keys.press("Enter")  # no
    expect(rows).to_have_count(2)
    revoke.focus()
    keys.press("Enter")
    keys.press("Shift+Tab")
    keys.press("Enter")
    expect(rows).to_have_count(1)
    expect(ann.part("tokens-note")).to_have_text("The token for Tock, Laptop is revoked.")
    expect(ann.page.get_by_role("button", name="Revoke the token for Tick")).to_be_focused()
    assert "revoked" in account(tokens[1], ann)["error"]["message"]
    assert account(tokens[0], ann)["name"] == "Tick"
    keys.press("Enter")
    keys.press("Shift+Tab")
    keys.press("Enter")
    expect(rows).to_have_text("You have no tokens.")
    expect(ann.part("tokens-title")).to_be_focused()


def test_the_ladder_and_its_replays(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.open("/ladder")
    expect(ann.page.locator("main")).to_contain_text("No entries yet")
    ladder = small_ladder(server.folder / "ladder")
    ann.page.reload()
    rows = ann.page.locator("[aria-label=Ranking] tbody tr")
    expect(rows).to_have_count(3)
    assert [row.split("\t")[1] for row in rows.all_inner_texts()] == [
        entry.name for entry in ladder.entries
    ]
    assert "±" in rows.first.inner_text()
    matches = ann.page.locator("[aria-label=Matches] tbody tr")
    expect(matches).to_have_count(len(ladder.matches))
    matches.last.locator("a").first.click()
    first = ladder.record(ladder.matches[0].rounds[0])
    assert first
    expect(ann.page.locator("#moves li")).to_have_count(len(first.turns))
    for name in (first.tags["Player1"], first.tags["Player2"]):
        expect(ann.page.locator(".player-name", has_text=name).first).to_be_visible()
    with ann.page.expect_download() as download:
        ann.page.click("text=Export as text")
    assert read_record(Path(download.value.path()).read_text()).turns == first.turns
    ann.expected = re.compile("404")
    ann.open("/ladder/games/..%2fsecret")
    expect(ann.page.locator("h1")).to_be_visible()
    ann.open("/ladder/games/99999")
    expect(ann.page.locator("main")).to_contain_text("no such game on the ladder")
