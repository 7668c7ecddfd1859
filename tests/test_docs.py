"""The documentation names every game, option, command and setting, and its links lead somewhere.

The examples in it are run as doctests, by pytest itself.
"""

import json
import re
from pathlib import Path

import pytest

from isolation.bots import match
from isolation.bots.process import START_SECONDS
from isolation.engines import go, program
from isolation.isolation import Isolation
from isolation.rooms.errors import SENTENCES
from isolation.rules import (
    VARIANTS,
    GameRecord,
    Outcome,
    Reason,
    ending_words,
    read_ending,
    read_record,
)
from isolation.terminal.commands import COMMANDS
from isolation.terminal.main import make_parser
from isolation.web.limits import RATES
from isolation.web.settings import SETTINGS
from isolation.web.streams import MOST_STREAMS
from tests.terminal import ROOT, run
from tools import wire

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted(DOCS.glob("*.md"))]


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def section(page: str, heading: str) -> str:
    """What stands under a heading of the second level."""
    found = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", text(page), re.M | re.S)
    assert found, f"{page} has no section {heading}"
    return found[1]


@pytest.mark.parametrize("key", VARIANTS)
def test_every_game_and_option_is_documented(key: str) -> None:
    assert f"`{key}`" in text("README.md")
    rules = section("docs/rules.md", key)
    for option in VARIANTS[key].options:
        assert f"`{option.name}`" in rules
        assert f"--{option.name} " in text("docs/terminal.md")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_its_arguments_are_documented(command: str) -> None:
    assert f"`{command}`" in text("README.md")
    words = section("docs/terminal.md", command) + text("docs/terminal.md").split("## ")[0]
    parser = make_parser()._subparsers._group_actions[0].choices[command]  # type: ignore[union-attr,index]
    for action in parser._actions:
        for name in action.option_strings[-1:] or [str(action.metavar)]:
            if name != "--help":
                assert name in words, f"{command} {name}"


def test_how_long_bots_and_programs_may_take_to_start_is_documented() -> None:
    assert f"has {START_SECONDS:g} s to start" in text("docs/bots.md")


def test_every_line_of_the_engine_protocol_is_documented() -> None:
    page = text("docs/engine-protocol.md")
    for word in [
        *program.COMMANDS,
        *program.QUERIES,
        *go.LIMITS,
        "searchmoves",
        "infinite",
        "quit",
        "bestmove",
    ]:
        assert re.search(rf"`[^`]*\b{word}\b[^`]*`", page), word


def test_the_tables_of_commands_are_up_to_date() -> None:
    """In the documentation of the protocol and of the API for bots, and in the pages' types."""
    assert not wire.outdated(), "run `python -m tools.wire`"


def test_every_code_and_event_of_the_server_is_documented() -> None:
    """And the limits. (The events of clients are made from the table of commands.)"""
    page = text("docs/protocol.md")
    sources = [*Path("isolation/rooms").glob("*.py"), *Path("isolation/web").glob("*.py")]
    code = "".join(text(str(source)) for source in sources)
    codes = set(re.findall(r'Refused\(\s*"(\w+)"', code)) | {key.split()[0] for key in SENTENCES}
    for error in codes:
        assert f"`{error}`" in page, error
    sent = set(re.findall(r'(?:tell|tell_players|tell_stands|emit)\(\s*[^"]*?"(\w+)"', code))
    sent |= set(re.findall(r'return "(\w+)", ', text("isolation/rooms/telling.py")))
    sent |= set(re.findall(r'\[\("(\w+)", ', text("isolation/rooms/telling.py")))
    assert {"moved", "state", "snapshot", "presence", "rematch", "lobby"} <= sent | {"chat"}
    for event in sent | {"chat"}:
        assert re.search(rf"^\| `{event}` \| [a-z]", page, re.MULTILINE), event
    for kind, rate in RATES.items():
        assert f"{rate.burst:,}" in page, kind


def test_how_many_streams_a_bot_has_is_documented() -> None:
    assert f"{MOST_STREAMS} streams" in text("docs/bot-api.md")


def test_every_setting_is_documented() -> None:
    for setting in SETTINGS:
        row = f"| `{setting.name}` | `{setting.default}` | "
        assert row in text("docs/settings.md")


def test_the_public_names_of_the_knights_api_are_documented() -> None:
    page = text("docs/knights-api.md")
    public = [name for name in vars(Isolation) if not name.startswith("_")]
    for name in [*public, "Agent", "play", "fork_get_action", "Status", "StopSearch"]:
        assert name in page, name
    assert f"{match.__name__}" in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_page_is_linked_from_the_readme() -> None:
    for page in sorted(DOCS.glob("*.md")):
        assert f"(docs/{page.name})" in text("README.md")


def test_the_command_line_examples_print_what_they_say() -> None:
    shown = re.findall(
        r"^    \$ python -m isolation (.+)\n((?:    .+\n)+)", text("docs/terminal.md"), re.M
    )
    assert shown
    for arguments, output in shown:
        assert run(*arguments.split()).stdout == re.sub(r"^    ", "", output, flags=re.M)


def test_the_record_shown_can_be_read() -> None:
    shown = re.search(r"((?:^    \[.+\n)+\n    1\. .+\n)", text("docs/records.md"), re.M)
    assert shown
    record = read_record(re.sub(r"^    ", "", shown[1], flags=re.M))
    assert record.outcome == Outcome(0, Reason.RESIGNED, 1)
    as_json = re.search(r"^    (\{(?:.+\n)+?.+\})$", text("docs/records.md"), re.M)
    assert as_json
    data = json.loads(as_json[1])
    assert GameRecord.from_dict(data).to_dict() == data


@pytest.mark.parametrize("reason", Reason)
def test_every_way_a_game_ends_is_documented(reason: Reason) -> None:
    rows = section("docs/records.md", "How games end").splitlines()
    row = next(row for row in rows if row.startswith(f"| `{reason}` |"))
    words = row.split("|")[2].strip()
    outcome = read_ending(words, 0)
    assert outcome.reason == reason
    assert ending_words(outcome) == words
