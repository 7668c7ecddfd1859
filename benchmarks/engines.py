"""Speed of the engines, as ratios within one run.

Perft by the compiled core against the rules in plain Python and against C compiled here and now;
nodes per second and depth of a search on every size of board; how well time limits are kept; and
the memory of a worker.
Run: python -m benchmarks.engines
"""

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.compiling import compile_c
from isolation.engines.all_games import AllGames
from isolation.engines.engine import Limits
from isolation.engines.jumping import JumpingEngine
from isolation.engines.pool import Pool
from isolation.engines.request import Request
from isolation.engines.sliding import SlidingEngine
from isolation.engines.walking import WalkingEngine
from isolation.rules import VARIANTS, Position, perft

C_CLASSIC = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define W 6
#define H 8
typedef uint64_t u64;
static u64 king[48];
static long perft(u64 open, int me, int opp, int depth) {
    u64 steps = king[me] & open & ~(1ULL << opp);
    if (depth == 1) {
        int blocks = __builtin_popcountll(open & ~(1ULL << opp)) - 1;
        return (long)__builtin_popcountll(steps) * blocks;
    }
    long total = 0;
    for (; steps; steps &= steps - 1) {
        int to = __builtin_ctzll(steps);
        for (u64 b = open & ~(1ULL << opp) & ~(1ULL << to); b; b &= b - 1)
            total += perft(open & ~(b & -b), opp, to, depth - 1);
    }
    return total;
}
int main(int argc, char **argv) {
    for (int c = 0; c < 48; c++)
        for (int d = 0; d < 48; d++)
            if (c != d && abs(c % W - d % W) <= 1 && abs(c / W - d / W) <= 1) king[c] |= 1ULL << d;
    printf("%ld\n", perft((1ULL << 48) - 1, 44, 3, atoi(argv[1])));
}
"""

C_KNIGHTS = r"""
#include <stdio.h>
#include <stdlib.h>
typedef unsigned __int128 u128;
static u128 jump[99];
static int count(u128 x) {
    return __builtin_popcountll((unsigned long long)x) +
           __builtin_popcountll((unsigned long long)(x >> 64));
}
static int first(u128 x) {
    unsigned long long low = (unsigned long long)x;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long)(x >> 64));
}
static long perft(u128 open, int me, int opp, int depth) {
    u128 steps = me < 0 ? open : jump[me] & open;
    if (depth == 1) return count(steps);
    long total = 0;
    for (; steps; steps &= steps - 1) {
        int to = first(steps);
        total += perft(open & ~((u128)1 << to), opp, to, depth - 1);
    }
    return total;
}
int main(int argc, char **argv) {
    for (int c = 0; c < 99; c++)
        for (int d = 0; d < 99; d++) {
            int x = abs(c % 11 - d % 11), y = abs(c / 11 - d / 11);
            if (x * y == 2) jump[c] |= (u128)1 << d;
        }
    printf("%ld\n", perft(((u128)1 << 99) - 1, -1, -1, atoi(argv[1])));
}
"""


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    result = call()
    return time.perf_counter() - begun, result


def c_perft(source: str, depth: int) -> tuple[float, int] | None:
    """Seconds and count of a C program, or None where there is no compiler."""
    with tempfile.TemporaryDirectory() as folder:
        code, program = Path(folder, "perft.c"), Path(folder, "perft")
        code.write_text(source)
        if not compile_c(code, program):
            return None
        seconds, run = timed(
            lambda: subprocess.run([program, str(depth)], capture_output=True, check=True)
        )
        return seconds, int(run.stdout)


def compare_perft(game: str, engine: Any, depth: int, source: str | None) -> None:
    start = VARIANTS[game].start()
    engine.perft(start, 1)
    fast, nodes = timed(lambda: engine.perft(start, depth))
    shallow = depth - (2 if game == "knights" else 1)
    slow, fewer = timed(lambda: perft(start, shallow))
    words = [f"perft {game:8} {nodes / fast / 1e6:8.1f} Mn/s"]
    words.append(f"{nodes / fast / (fewer / slow):6.1f} times plain Python")
    if source and (measured := c_perft(source, depth)):
        seconds, count = measured
        if count != nodes:
            raise SystemExit(f"C counts {count}, the core {nodes}")
        words.append(f"{seconds / fast:5.2f} of C")
    print("  ".join(words), flush=True)


def search_speed(label: str, position: Position, engine: AllGames) -> None:
    decision = engine.choose(position, Limits(seconds=1.0))
    print(f"search {label:10} {decision.nodes / 1e6:6.2f} Mn/s, depth {decision.depth}", flush=True)


def overrun(engine: AllGames) -> None:
    """How long after its limit a search answers, at worst, over all games and sizes."""
    starts = [VARIANTS[game].start() for game in VARIANTS if game != "linear"]
    starts.append(VARIANTS["isola"].start(size=27))
    for limit in (0.02, 0.1, 0.5):
        late = []
        for start in starts:
            for _ in range(5):
                late.append(timed(lambda: engine.choose(start, Limits(seconds=limit)))[0] - limit)  # noqa: B023
        print(f"time limit {limit * 1000:5.0f} ms: at worst {max(late) * 1000:5.1f} ms late")


def worker_memory() -> None:
    pool = Pool(size=1)
    for size in (7, 27):
        start = VARIANTS["isola"].start(size=size)
        pool.choose("game", Request(start, limits=Limits(seconds=1)))
        status = Path(f"/proc/{pool._idle[0].pid}/status").read_text()
        peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        print(f"worker after isola {size}: {int(peak.split()[1]) / 1024:.0f} MB at its peak")
    pool.close()


def main() -> None:
    walking, sliding, engine = WalkingEngine(), SlidingEngine(), AllGames()
    compare_perft("classic", walking, 4, C_CLASSIC)
    compare_perft("knights", JumpingEngine(), 8, C_KNIGHTS)
    compare_perft("slider", sliding, 7, None)
    for game in ("classic", "knights", "slider"):
        start = VARIANTS[game].start()
        for text in ("f5", "d3") if game == "knights" else ():
            start = start.play(start.parse(text))
        search_speed(game, start, engine)
    for size in (7, 9, 11, 15, 19, 23, 27):
        search_speed(f"isola {size}", VARIANTS["isola"].start(size=size), engine)
    overrun(engine)
    worker_memory()


if __name__ == "__main__":
    main()
