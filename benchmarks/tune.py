"""Tunes the weights of an evaluation by self-play: a change stays if it wins a match clearly.

Run: python -m benchmarks.tune GAME [--minutes M] [--nodes N] [--pairs N]
"""

import argparse
import time
from collections.abc import Callable, Sequence
from random import Random

from benchmarks.matches import Player, match
from isolation.engines import jumping, sliding, walking
from isolation.engines.deepening import Deepening
from isolation.engines.engine import Limits
from isolation.rules import GameRecord, Move

ACCEPT = 0.57
STEPS = (0.5, 0.7, 0.85, 1.2, 1.5, 2.0)


ENGINES: dict[str, tuple[Callable[[Sequence[int]], Deepening], tuple[int, ...]]] = {
    "classic": (walking.WalkingEngine, walking.WEIGHTS["classic"]),
    "isola": (walking.WalkingEngine, walking.WEIGHTS["isola"]),
    "knights": (jumping.JumpingEngine, jumping.WEIGHTS),
    "slider": (sliding.SlidingEngine, sliding.WEIGHTS),
}


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
    parser.add_argument("game", choices=ENGINES)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game, lot = arguments.game, Random(arguments.seed)
    make, best = ENGINES[game]
    until = time.monotonic() + 60 * arguments.minutes
    number = 0
    while time.monotonic() < until:
        number += 1
        candidate = changed(best, lot)
        score = match(
            game,
            player(make(candidate), arguments.nodes),
            player(make(best), arguments.nodes),
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
