"""What a move costs the servers with one process and with several, on one PostgreSQL and one Redis.

In both cases the same number of games is played by the same clients. With several processes the two
players of each game are always on different ones, which is the most that there can be to share.
Loopback only. Run: python -m benchmarks.processes [--games N] [--moves N] [--processes N]
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from benchmarks.load import Wire, cookie, cpu, play_all, report, script
from tests.cluster import Cluster, cluster


def table(pair: tuple[Wire, Wire], moves: list[str], game: str) -> Callable[[int], float]:
    """Plays a ply, once the player has heard of the one before; the seconds until it's answered."""

    def play(ply: int) -> float:
        wire = pair[ply % 2]
        if ply:
            wire.wait_for("moved", f'"ply":{ply},')
        begun = time.perf_counter()
        answer = wire.ask("move", game=game, ply=ply, move=moves[ply], id=uuid4().hex)
        if not answer.get("ok"):
            raise SystemExit(f"move {ply}: {answer}")
        return time.perf_counter() - begun

    return play


def seat_across(site: Cluster, number: int) -> tuple[tuple[Wire, Wire], str]:
    """Two players of a game, each on another process if there are several."""
    count = len(site.servers)
    ann, bob = (Wire(site[at], cookie(site[at])) for at in (number % count, (number + 1) % count))
    made = ann.ask("create", variant="isola", options={"size": 11}, side=1)
    ann.ask("enter", room=made["room"])
    bob.ask("join", room=made["room"])
    return (ann, bob), made["game"]


def measure(processes: int, games: int, moves: list[str]) -> tuple[float, float, float]:
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(Path(folder), processes, ENGINES="0", RATE_LIMITS="off") as site,
    ):
        tables = []
        for number in range(games):
            pair, game = seat_across(site, number)
            tables.append(table(pair, moves, game))
        begun = sum(cpu(server.pid) for server in site.servers)
        took = play_all(tables, len(moves))
        spent = sum(cpu(server.pid) for server in site.servers) - begun
        return report(f"{processes} proc.", took, spent)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--processes", type=int, default=4)
    arguments = parser.parse_args()
    moves = script(arguments.moves)
    one = measure(1, arguments.games, moves)
    several = measure(arguments.processes, arguments.games, moves)
    print(
        f"{arguments.processes} processes: {one[0] / several[0]:.2f} x the CPU of one for a move,"
        f" p50 {several[1] / one[1]:.1f} x, p99 {several[2] / one[2]:.1f} x"
    )


if __name__ == "__main__":
    main()
