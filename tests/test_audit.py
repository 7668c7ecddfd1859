"""The audit of dependencies: every pinned package is listed, and what can't be checked is said."""

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.server import ROOT
from tools import audit
from tools.audit import Findings, Package

FLASK = Package("flask", "3.1.3")
ADVISORY = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fixed_in": ["3.1.4"], "withdrawn": None}


def test_the_licence_of_every_pinned_package_is_listed_without_the_network() -> None:
    nowhere = "http://127.0.0.1:1"
    run = subprocess.run(
        [sys.executable, "-m", "tools.audit", "--licences"],
        cwd=ROOT,
        env={**os.environ, "https_proxy": nowhere, "http_proxy": nowhere, "no_proxy": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    listed = dict(re.findall(r"^  (\S+ \S+): (.+)$", run.stdout, re.MULTILINE))
    pins = "".join(
        (ROOT / name).read_text() for name in ("requirements.txt", "requirements-dev.txt")
    )
    pinned = {f"{name} {version}" for name, version in re.findall(r"^(\S+)==([^;\s]+)", pins, re.M)}
    lock = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    pinned |= {
        f"{folder.split('node_modules/')[-1]} {about['version']}"
        for folder, about in lock.items()
        if folder
    }
    assert len(pinned) > 150
    assert pinned <= set(listed)
    assert listed["flask 3.1.3"] == "BSD-3-Clause"
    assert listed["socket.io-client 4.8.4"] == "MIT"


def pypi(**pages: dict[str, Any]) -> audit.Ask:
    return lambda page: pages.get(page.replace("/", "_").replace(".", "_"))


def about(version: str, *advisories: dict[str, Any]) -> dict[str, Any]:
    return {"info": {"version": version}, "vulnerabilities": list(advisories)}


def test_a_package_is_checked_by_its_own_page_or_that_of_the_latest_version() -> None:
    assert audit.check_python([FLASK], pypi(flask_3_1_3_json=about("3.1.3"))) == Findings(1)
    assert audit.check_python([FLASK], pypi(flask_json=about("3.1.3"))) == Findings(1)
    newer = audit.check_python([FLASK], pypi(flask_json=about("3.2.0")))
    assert newer.unchecked == ["flask 3.1.3: PyPI only answers for the latest version, 3.2.0"]
    nothing = audit.check_python([FLASK], pypi())
    assert nothing.unchecked == ["flask 3.1.3: PyPI has no advisories for it"]


def test_a_vulnerable_package_is_told() -> None:
    withdrawn = {**ADVISORY, "withdrawn": "2026-01-01"}
    found = audit.check_python([FLASK], pypi(flask_json=about("3.1.3", ADVISORY, withdrawn)))
    assert found == Findings(1, ["flask 3.1.3: PYSEC-1, CVE-1; fixed in 3.1.4"])


def test_without_a_network_nothing_counts_as_checked() -> None:
    def unreachable(_: str) -> None:
        raise OSError("no route\nto the host")

    found = audit.check_python([FLASK], unreachable)
    assert found == Findings(unchecked=["flask 3.1.3: PyPI can't be asked (no route)"])


def test_what_npm_answers_is_read() -> None:
    by_itself = {"severity": "high", "via": [{"title": "Prototype pollution"}]}
    by_another = {"severity": "high", "via": ["ms"]}
    found = audit.read_npm_answer({"vulnerabilities": {"ms": by_itself, "debug": by_another}})
    assert found.vulnerable == ["ms: high: Prototype pollution", "debug: high: needs ms"]
    assert found.checked > 100
    assert audit.read_npm_answer({"vulnerabilities": {}}).vulnerable == []
    refused = audit.read_npm_answer({"message": "405 Method Not Allowed", "statusCode": 405})
    assert "no audit by the npm registry (it answers 405)" in refused.unchecked[0]


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ((Findings(5), Findings(7)), 0),
        ((Findings(5, ["bad"]), Findings(7, [], ["unclear"])), 1),
        ((Findings(5), Findings(0, [], ["unclear"])), 2),
    ],
)
def test_the_exit_code_says_what_was_found(findings: tuple[Findings, ...], code: int) -> None:
    assert audit.exit_code(*findings) == code
