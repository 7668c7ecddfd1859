"""What the pages cost: bytes of the home page, a redraw of the largest board, long tasks.

    python -m benchmarks.pages

Aims: the home page under 150 kB gzipped; a redraw of 27 x 27 under 8 ms, the ground repainted and
the pixels really there; no task over 50 ms when a move arrives.
"""

import gzip
import random
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Response, expect

from tests import chromium
from tests.browser.visitor import Visitor
from tests.server import Server

MOVES = 30
REDRAWS = 200

WATCH_TASKS = """window.tasks = [];
    new PerformanceObserver(list => list.getEntries().forEach(entry => tasks.push(entry.duration)))
        .observe({type: "longtask"});"""

# Both layers whole, as after a move; reading a pixel waits until they are painted.
TIME_REDRAWS = """async count => {
    const { Layers } = await import("/static/js/board/layers.js");
    let layers = null;
    const paint = Layers.prototype.paint;
    Layers.prototype.paint = function () { layers = this; return paint.call(this); };
    document.querySelector("#flip").click();
    await new Promise(resolve => setTimeout(resolve, 500));
    const times = [];
    for (let at = 0; at < count; at++) {
        layers.groundName = "";
        const begun = performance.now();
        layers.paint();
        for (const canvas of [layers.ground, layers.figures]) {
            canvas.getContext("2d").getImageData(0, 0, 1, 1);
        }
        times.push(performance.now() - begun);
        await new Promise(requestAnimationFrame);
    }
    Layers.prototype.paint = paint;
    return times;
}"""


def home_bytes(browser: Browser, address: str) -> tuple[int, int]:
    """Bytes of everything that the home page loads, gzipped and as it is."""
    page = browser.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address, wait_until="networkidle")
    bodies = [answer.body() for answer in answers if "socket.io/?" not in answer.url]
    page.close()
    return sum(len(gzip.compress(body)) for body in bodies), sum(map(len, bodies))


def large_board(browser: Browser, address: str) -> tuple[list[float], list[float]]:
    """Milliseconds of redraws, and of long tasks while moves arrive."""
    ann, ben = Visitor(browser, address, "Ann", {}), Visitor(browser, address, "Ben", {})
    ben.context.add_init_script(WATCH_TASKS)
    ben.join(ann.begin("isola", "friend", side="1", option__size="27"))
    ben.page.evaluate("tasks.length = 0")
    lot = random.Random(3)
    for at in range(MOVES):
        player = (ann, ben)[at % 2]
        player.wait_for_turn()
        player.take_turn(lot)
        expect(ben.page.locator("#moves button")).to_have_count(at + 1)
    tasks: list[float] = ben.page.evaluate("tasks")
    times: list[float] = ben.page.evaluate(TIME_REDRAWS, REDRAWS)
    ann.close()
    ben.close()
    return sorted(times), tasks


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as data,
        chromium.running() as browser,
        Server(Path(data), RATE_LIMITS="off") as server,
    ):
        zipped, plain = home_bytes(browser, server.address)
        print(f"home page: {zipped / 1000:.0f} kB gzipped, {plain / 1000:.0f} kB as it is")
        times, tasks = large_board(browser, server.address)
    median, worst = statistics.median(times), times[int(len(times) * 0.99)]
    print(
        f"redraw of 27 x 27: {median:.1f} ms at the median, {worst:.1f} ms at the 99th percentile"
    )
    long = [round(task) for task in tasks]
    print(f"tasks over 50 ms while {MOVES} moves arrived: {len(long)} {long}")


if __name__ == "__main__":
    main()
