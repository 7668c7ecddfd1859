"""Starts a Chromium for the tests: the one here, else Debian's where we're root, else npm's.

`python -m tests.chromium` only makes sure that there is one.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from isolation.web import assets

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PACKAGE = "@sparticuz/chromium@147.0.2"  # newer ones need a newer Node.js
CACHE = Path(__file__).parents[1] / "node_modules" / ".cache" / "chromium"

# Packed for machines that have nothing: its own libraries and fonts come with it.
UNPACK = """
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
const found = createRequire(process.argv[1] + "/").resolve("@sparticuz/chromium");
const { default: chromium } = await import(pathToFileURL(found));
console.log(await chromium.executablePath());
console.log(process.env.LD_LIBRARY_PATH ?? "");
"""


class NoChromium(Exception):
    """There is none and none can be had."""


@cache
def find() -> tuple[str, dict[str, str]]:
    """The program, and what its environment must have."""
    found = os.environ.get("CHROMIUM") or _on_path() or _from_debian()
    return (found, {}) if found else _from_npm()


@contextmanager
def running() -> Iterator[Browser]:
    """A browser, closed at the end."""
    program, environment = find()
    # The Node.js that Playwright brings needs libatomic, which a bare Debian doesn't have.
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = assets.node()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"], env={**os.environ, **environment}
        )
        yield browser
        browser.close()


def _on_path() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)


def _from_debian() -> str | None:
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
    for command in (install, ["apt-get", "update", "-qq"], install):
        subprocess.run(command, env=environment, **quiet)  # type: ignore[call-overload]
        if found := _on_path():
            return found
    return None


def _from_npm() -> tuple[str, dict[str, str]]:
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE / "package.json").write_text('{"private": true, "type": "module"}')
    install = [assets.npm(), "install", "--no-audit", "--no-fund", PACKAGE]
    run = subprocess.run(install, cwd=CACHE, capture_output=True, text=True, check=False)
    if run.returncode:
        raise NoChromium(f"install Chromium, or set CHROMIUM to its path; npm: {run.stderr[-300:]}")
    # The package unpacks its libraries where it believes to be on Amazon's Linux.
    environment = {**os.environ, "AWS_EXECUTION_ENV": "AWS_Lambda_nodejs22.x"}
    run = subprocess.run(
        [assets.node(), "--input-type=module", "-e", UNPACK, str(CACHE)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise NoChromium(f"install Chromium, or set CHROMIUM to its path; {run.stderr[-300:]}")
    program, libraries = run.stdout.splitlines()[:2]
    return program, {
        "LD_LIBRARY_PATH": libraries,
        "FONTCONFIG_PATH": str(Path(program).parent / "fonts"),
    }


if __name__ == "__main__":
    print(f"Chromium for the tests: {find()[0]}")
