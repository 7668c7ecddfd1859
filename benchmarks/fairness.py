"""How long one visitor waits for an engine while another keeps many strong games going.

    python -m benchmarks.fairness

A real pool of two workers. A greedy visitor has a level-8 search waiting for each of so many rooms,
all the time; a modest one asks for level 1 again and again. The modest visitor's answers are
compared with those of an idle pool in the same run: once with every room asking in its own name,
as if each were a visitor, and once in the greedy visitor's name. An answer that takes too long is
given up, and counts with the time until then: the whole takes about a minute.
"""

import time
from contextlib import suppress
from statistics import median
from threading import Thread, Timer

from isolation.engines.pool import Pool
from isolation.engines.request import Request
from isolation.engines.search import EngineFailed
from isolation.rules import VARIANTS

WORKERS = 2
PAUSE_S = 0.1  # between an answer and the next question
WATCHED_S = 6.0
GIVEN_UP_S = 16.0  # after which the pool is closed, no matter who waits
START = VARIANTS["classic"].start()
STRONG, WEAK = Request(START, level=8), Request(START, level=1)


def together(pool: Pool, names: list[str], request: Request, is_endless: bool) -> list[Thread]:
    """A search for each name at once, and if endless another after each, until the pool closes."""

    def ask(who: str) -> None:
        with suppress(EngineFailed):
            pool.choose(who, request)
            while is_endless:
                pool.choose(who, request)

    threads = [Thread(target=ask, args=(who,)) for who in names]
    for thread in threads:
        thread.start()
    return threads


def join(threads: list[Thread]) -> None:
    for thread in threads:
        thread.join()


def answer_times(pool: Pool) -> list[float]:
    """Those of the modest visitor."""
    times: list[float] = []
    until = time.monotonic() + WATCHED_S
    while time.monotonic() < until:
        begun = time.monotonic()
        with suppress(EngineFailed):
            pool.choose("modest", WEAK)
        times.append(time.monotonic() - begun)
        time.sleep(PAUSE_S)
    return times


def measure(names: list[str]) -> list[float]:
    """The modest visitor's times while there's always a strong search for each of these names."""
    pool = Pool(WORKERS)
    join(together(pool, [f"warm {number}" for number in range(WORKERS)], WEAK, is_endless=False))
    closing = Timer(GIVEN_UP_S, pool.close)
    closing.start()
    rooms = together(pool, names, STRONG, is_endless=True)
    time.sleep(PAUSE_S)
    try:
        return answer_times(pool)
    finally:
        closing.cancel()
        pool.close()
        join(rooms)


def show(label: str, times: list[float], idle: float) -> None:
    words = [
        f"{name} {seconds * 1000:.1f} ms, {seconds / idle:.1f} x idle"
        for name, seconds in (("median", median(times)), ("worst", max(times)))
    ]
    print(f"{label}: {len(times)} answers; {'; '.join(words)}", flush=True)


def main() -> None:
    times = measure([])
    idle = median(times)
    show("idle pool", times, idle)
    for rooms in (20, 60):
        own_names = [f"room {number}" for number in range(rooms)]
        show(f"{rooms} rooms, each in its own name", measure(own_names), idle)
        show(f"{rooms} rooms of one visitor", measure(["greedy"] * rooms), idle)


if __name__ == "__main__":
    main()
