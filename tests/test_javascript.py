"""The scripts of the pages: types, lint, pure parts by Node's test runner; what npm installs."""

import re
import subprocess
from pathlib import Path

import pytest

from isolation.web import assets

ROOT = Path(__file__).parents[1]


def node(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [assets.node(), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "tool", [("typescript/bin/tsc",), ("eslint/bin/eslint.js", ".", "--max-warnings=0")]
)
def test_the_scripts_are_sound(tool: tuple[str, ...]) -> None:
    """Their types, as told in their comments; and what a linter sees."""
    assets.install(with_tools=True)
    run = node(f"node_modules/{tool[0]}", *tool[1:])
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_pure_modules() -> None:
    files = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.js"))
    assert files
    run = node("--test", *files)
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"^\S* ?pass (\d+)$", run.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) >= 120


def test_what_the_pages_need_is_installed_once() -> None:
    assets.install()
    assert assets.are_there()
    assert "socket.io" in (assets.VENDOR / "socket.io.js").read_text().lower()[:300]


def test_no_page_has_a_script_or_style_of_its_own() -> None:
    """The policy allows none: everything comes from files."""
    for page in (ROOT / "templates").rglob("*.*"):
        text = page.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", text), page.name
