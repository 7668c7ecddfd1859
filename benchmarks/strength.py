"""Full strength against plain opponents, sides swapped: the aim is at least 98 %.

Run: python -m benchmarks.strength [GAME ...] [--pairs N] [--seconds S] [--size N]
"""

import argparse
from functools import partial
from random import Random

from benchmarks.matches import match
from benchmarks.opponents import OPPONENTS
from isolation.engines.all_games import AllGames
from isolation.engines.engine import Limits
from isolation.rules import VARIANTS, GameRecord, Move

OPTIONS: dict[str, dict[str, object]] = {"linear": {"length": "random"}}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=list(VARIANTS))
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--size", type=int)
    parser.add_argument("--against", nargs="*", default=list(OPPONENTS))
    arguments = parser.parse_args()
    engine = AllGames()

    def full(record: GameRecord) -> Move:
        limits = Limits(seconds=arguments.seconds)
        return engine.choose(record.position, limits, record.positions[:-1]).move

    for game in arguments.games:
        options = dict(OPTIONS.get(game, {}))
        if arguments.size:
            options["size"] = arguments.size
        for name in arguments.against:
            opponent = partial(OPPONENTS[name], lot=Random(name))
            score = match(game, full, opponent, arguments.pairs, options)
            print(f"{game:8} full strength against {name:8} {score}", flush=True)


if __name__ == "__main__":
    main()
