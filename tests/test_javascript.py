"""The parts of the pages that are pure, by Node's own test runner; and what npm installs."""

import re
import subprocess
from pathlib import Path

from isolation.web import assets

ROOT = Path(__file__).parents[1]


def test_the_pure_modules() -> None:
    files = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.js"))
    assert files
    run = subprocess.run(
        [*assets.node(), "--test", *files], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"^\S* ?pass (\d+)$", run.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) >= 15


def test_what_the_pages_need_is_installed_once() -> None:
    assets.install()
    assert assets.are_there()
    assert "socket.io" in (assets.VENDOR / "socket.io.js").read_text().lower()[:300]


def test_no_page_has_a_script_or_style_of_its_own() -> None:
    """The policy allows none: everything comes from files."""
    for page in (ROOT / "templates").glob("*"):
        text = page.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", text), page.name
