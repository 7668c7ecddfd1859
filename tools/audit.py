"""What `tools/audit` runs: known vulnerabilities and licences of every pinned package.

PyPI is asked directly. pip-audit asks the same addresses, but calls it "no known vulnerabilities"
when PyPI has no answer for any package at all.
"""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from pip._internal.models.index import PyPI

from isolation.web import assets

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ("requirements.txt", "requirements-dev.txt")
TIMEOUT_S = 20.0
NONE_FOUND, FOUND, NOT_CHECKED = 0, 1, 2
UNKNOWN = "unknown"

Ask = Callable[[str], dict[str, Any] | None]


class Package(NamedTuple):
    name: str
    version: str


@dataclass
class Findings:
    """What is known about the packages of one registry."""

    checked: int = 0
    vulnerable: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--licences"]):
        print("isolation: tools/audit takes --licences or nothing", file=sys.stderr)
        return NOT_CHECKED
    code = NONE_FOUND
    if not arguments:
        python, npm = check_python(python_packages(), ask_pypi), check_npm()
        show("Python", python)
        show("npm", npm)
        code = exit_code(python, npm)
        print()
    show_licences("Python", ((*package, python_licence(package)) for package in python_packages()))
    print()
    show_licences("npm", npm_licences())
    return code


def exit_code(*findings: Findings) -> int:
    if any(one.vulnerable for one in findings):
        return FOUND
    return NOT_CHECKED if any(one.unchecked for one in findings) else NONE_FOUND


# Python.


def python_packages() -> list[Package]:
    """Every pinned package, that of Node.js too, which is installed where the system has none."""
    lines = [line for name in REQUIREMENTS for line in (ROOT / name).read_text().splitlines()]
    pins = [line for line in lines if line and not line.startswith(("#", "-r "))]
    return sorted(_package(pin) for pin in (*pins, assets.NPM_FROM_PYPI))


def _package(pin: str) -> Package:
    name, _, version = pin.partition(";")[0].strip().partition("==")
    if not version:
        raise SystemExit(f"isolation: {pin!r} isn't pinned. Write it as name==version")
    return Package(name, version)


def check_python(packages: list[Package], ask: Ask) -> Findings:
    findings = Findings()
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda package: _advisories(package, ask), packages)
        for package, answer in zip(packages, answers, strict=True):
            if isinstance(answer, str):
                findings.unchecked.append(f"{package.name} {package.version}: {answer}")
                continue
            findings.checked += 1
            findings.vulnerable += [
                f"{package.name} {package.version}: {_words(advisory)}" for advisory in answer
            ]
    return findings


def _advisories(package: Package, ask: Ask) -> list[dict[str, Any]] | str:
    """The advisories that hold for a package, or why there's no telling."""
    try:
        # Mirrors often know the page of the latest version only.
        answer = ask(f"{package.name}/{package.version}/json") or ask(f"{package.name}/json")
    except (OSError, ValueError) as error:
        return f"PyPI can't be asked ({_first_line(error)})"
    if answer is None or "vulnerabilities" not in answer:
        return "PyPI has no advisories for it"
    latest = answer["info"]["version"]
    if latest != package.version:
        return f"PyPI only answers for the latest version, {latest}"
    return [one for one in answer["vulnerabilities"] if not one.get("withdrawn")]


def _words(advisory: dict[str, Any]) -> str:
    names = ", ".join([advisory["id"], *advisory.get("aliases", ())])
    fixed = ", ".join(advisory.get("fixed_in", ())) or "no version yet"
    return f"{names}; fixed in {fixed}"


def ask_pypi(page: str) -> dict[str, Any] | None:
    """A page of PyPI's JSON API, or None where there is none."""
    try:
        with urllib.request.urlopen(f"{PyPI.pypi_url}/{page}", timeout=TIMEOUT_S) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
            return found
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 404:
                return None
            raise


def python_licence(package: Package) -> str:
    """What the installed package says about itself."""
    try:
        about = metadata.metadata(package.name)
    except metadata.PackageNotFoundError:
        return f"{UNKNOWN} (not installed here)"
    if expression := about.get_all("License-Expression", []):
        return str(expression[0])
    classifiers = [
        one.rpartition(" :: ")[2]
        for one in about.get_all("Classifier", [])
        if one.startswith("License :: ")
    ]
    lines = "".join(about.get_all("License", [])).strip().splitlines()
    return " AND ".join(classifiers) or (lines[0] if lines else UNKNOWN)


# npm.


def npm_packages() -> dict[str, dict[str, Any]]:
    """What the lock file says about each package, by its folder."""
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    return {folder: about for folder, about in lock["packages"].items() if folder}


def check_npm() -> Findings:
    try:
        run = subprocess.run(  # noqa: S603
            [assets.npm(), "audit", "--json", "--package-lock-only"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        answer = json.loads(run.stdout)
    except (OSError, ValueError, assets.AssetsMissing) as error:
        return Findings(unchecked=[f"all packages: npm audit failed ({_first_line(error)})"])
    return read_npm_answer(answer)


def read_npm_answer(answer: dict[str, Any]) -> Findings:
    if "vulnerabilities" not in answer:
        code = answer.get("statusCode")
        why = f"it answers {code}" if code else "it can't be reached"
        return Findings(
            unchecked=[f"all {len(npm_packages())} packages: no audit by the npm registry ({why})"]
        )
    vulnerable = []
    for name, about in answer["vulnerabilities"].items():
        # A plain name here says that the trouble comes from another package of the list.
        causes = [via["title"] for via in about["via"] if isinstance(via, dict)]
        words = "; ".join(causes) or f"needs {', '.join(about['via'])}"
        vulnerable.append(f"{name}: {about['severity']}: {words}")
    return Findings(len(npm_packages()), vulnerable)


def npm_licences() -> Iterable[tuple[str, str, str]]:
    for folder, about in npm_packages().items():
        name = folder.rpartition("node_modules/")[2]
        yield name, about["version"], about.get("license") or _licence_in(ROOT / folder)


def _licence_in(folder: Path) -> str:
    """The licence that an installed package names, in the old form too."""
    try:
        about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return f"{UNKNOWN} (not installed here)"
    named = about.get("license") or about.get("licenses") or UNKNOWN
    return " OR ".join(
        one["type"] if isinstance(one, dict) else one
        for one in (named if isinstance(named, list) else [named])
    )


# Showing.


def show(registry: str, findings: Findings) -> None:
    count, vulnerable = findings.checked, len(findings.vulnerable)
    known = (
        f"{vulnerable or 'no'} known {'vulnerability' if vulnerable == 1 else 'vulnerabilities'}"
    )
    print(f"{registry}: {known} in {count} packages checked")
    for line in findings.vulnerable:
        print(f"  VULNERABLE {line}")
    for line in findings.unchecked:
        print(f"  couldn't check {line}")


def show_licences(registry: str, rows: Iterable[tuple[str, str, str]]) -> None:
    print(f"Licences ({registry}):")
    for name, version, licence in rows:
        print(f"  {name} {version}: {licence}")


def _first_line(error: Exception) -> str:
    return re.split(r"[\r\n]", str(error))[0] or type(error).__name__


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
