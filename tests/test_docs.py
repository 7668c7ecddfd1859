"""The documentation names every game, option, command and setting, and its links lead somewhere.

The examples in it are run as doctests, by pytest itself.
"""

import json
import re
from pathlib import Path

import pytest

from isolation.bots import match
from isolation.engines import program
from isolation.isolation import Isolation
from isolation.rules import VARIANTS, GameRecord, Outcome, read_record
from isolation.terminal.commands import COMMANDS
from isolation.terminal.main import make_parser
from isolation.web.limits import RATES
from isolation.web.openapi import OPERATIONS
from isolation.web.settings import SETTINGS
from isolation.web.sockets import EVENTS
from isolation.web.streams import MOST_STREAMS
from tests.terminal import ROOT, run

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


def test_every_line_of_the_engine_protocol_is_documented() -> None:
    page = text("docs/engine-protocol.md")
    for word in [*program.COMMANDS, *program._GO_LIMITS, "infinite", "quit", "bestmove"]:
        assert re.search(rf"`[^`]*\b{word}\b[^`]*`", page), word


def test_every_event_of_the_protocol_is_documented() -> None:
    """With its fields; and every error code, and every event that the server sends."""
    page = text("docs/protocol.md")
    for event, (fields, _) in EVENTS.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{event}` |"))
        for field in fields:
            assert f"`{field.name}`" in row, (event, field.name)
    sources = [*Path("isolation/rooms").glob("*.py"), *Path("isolation/web").glob("*.py")]
    code = "".join(text(str(source)) for source in sources)
    for error in set(re.findall(r'Refused\(\s*"(\w+)"', code)):
        assert f"`{error}`" in page, error
    sent = set(re.findall(r'(?:tell|tell_players|tell_stands|emit)\(\s*[^"]*?"(\w+)"', code))
    assert {"moved", "state", "snapshot", "presence", "rematch", "lobby"} <= sent | {"chat"}
    for event in sent | {"chat"}:
        assert re.search(rf"^\| `{event}` \| [a-z]", page, re.MULTILINE), event
    for kind, rate in RATES.items():
        assert f"{rate.burst:,}" in page, kind


def test_every_request_of_the_api_for_bots_is_documented() -> None:
    """With its fields. (The example is run in test_bot_api.)"""
    page = text("docs/bot-api.md")
    for operation in OPERATIONS:
        start = f"| `{operation.method} {operation.address}` |"
        row = next(line for line in page.splitlines() if line.startswith(start))
        for field in operation.fields:
            assert f"`{field.rstrip('?')}`" in row, (operation.name, field)
    assert f"{MOST_STREAMS} streams" in page


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
    assert record.outcome == Outcome(0, "Player 2 resigned")
    as_json = re.search(r"^    (\{.+\n.+\})$", text("docs/records.md"), re.M)
    assert as_json
    data = json.loads(as_json[1])
    assert GameRecord.from_dict(data).to_dict() == data
