"""Pictures of every page, light and dark, on a desktop and on a phone.

python -m tests.browser.screenshots [FOLDER]     by default into screenshots/, which git ignores
"""

import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests import chromium
from tests.browser.tour import tour
from tests.browser.visitor import Visitor
from tests.ladders import small_ladder
from tests.server import Server

SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "device_scale_factor": 2,
    },
}


def take(browser: Browser, address: str, folder: Path) -> int:
    """How many were taken."""
    count = 0
    for screen, scheme in product(SCREENS, ("light", "dark")):
        options = {**SCREENS[screen], "color_scheme": scheme, "reduced_motion": "reduce"}
        ann, ben = Visitor(browser, address, "Ann", options), Visitor(browser, address, "Ben", {})
        for name in tour(ann, ben):
            ann.page.wait_for_timeout(150)  # until fonts and canvases are there
            ann.page.screenshot(path=folder / f"{name}-{screen}-{scheme}.png", full_page=True)
            count += 1
        ann.close()
        ben.close()
    return count


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, chromium.running() as browser:
        small_ladder(Path(data) / "ladder")
        with Server(Path(data), RATE_LIMITS="off") as server:
            count = take(browser, server.address, folder)
    print(f"{count} pictures in {folder}")


if __name__ == "__main__":
    main()
