"""Tunes the weights of an evaluation by self-play: a change stays if it wins a match clearly.

Run: python -m benchmarks.tune GAME [--minutes M] [--nodes N] [--pairs N]
"""

import argparse
import time
from random import Random

from benchmarks.matches import Player, match
from isolation.engines import sliding, walking
from isolation.engines.deepening import Deepening
from isolation.engines.engine import Limits
from isolation.rules import VARIANTS, GameRecord, Move

ACCEPT = 0.57
STEPS = (0.5, 0.7, 0.85, 1.2, 1.5, 2.0)


def make(game: str, weights: tuple[int, ...]) -> Deepening:
    if game == "slider":
        return sliding.SlidingEngine(weights)
    return walking.WalkingEngine(weights)


def player(engine: Deepening, nodes: int) -> Player:
    def choose(record: GameRecord) -> Move:
        return engine.choose(record.position, Limits(nodes=nodes), record.positions[:-1]).move

    return choose


def changed(weights: tuple[int, ...], lot: Random) -> tuple[int, ...]:
    """One weight a good deal larger or smaller; one that is nothing may become something."""
    at = lot.randrange(len(weights))
    value = round(weights[at] * lot.choice(STEPS)) if weights[at] else lot.choice([-3, 3])
    if value == weights[at]:
        value += lot.choice([-1, 1])
    return (*weights[:at], value, *weights[at + 1 :])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=[game for game in VARIANTS if game != "linear"])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game, lot = arguments.game, Random(arguments.seed)
    best = tuple(sliding.WEIGHTS if game == "slider" else walking.WEIGHTS[game])
    until = time.monotonic() + 60 * arguments.minutes
    number = 0
    while time.monotonic() < until:
        number += 1
        candidate = changed(best, lot)
        score = match(
            game,
            player(make(game, candidate), arguments.nodes),
            player(make(game, best), arguments.nodes),
            arguments.pairs,
            seed=number,
        )
        kept = score.share >= ACCEPT
        print(f"{candidate} against {best}: {score}{'  kept' if kept else ''}", flush=True)
        if kept:
            best = candidate
    print(f"best: {best}")


if __name__ == "__main__":
    main()
