"""Each level against the one below, sides swapped: the aim is at least 70 %.

Run: python -m benchmarks.levels [GAME ...] [--pairs N] [--level N ...]
"""

import argparse
from itertools import count

from benchmarks.matches import Player, match
from isolation.engines.all_games import AllGames
from isolation.engines.levels import LEVELS, Level
from isolation.rules import VARIANTS, GameRecord, Move

OPTIONS: dict[str, dict[str, object]] = {"linear": {"length": "random"}}


def player(level: Level, engine: AllGames) -> Player:
    seeds = count(1)

    def choose(record: GameRecord) -> Move:
        history = record.positions[:-1]
        return level.choose(engine, record.position, history, next(seeds)).move

    return choose


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=list(VARIANTS))
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--level", type=int, nargs="*", help="these only, each against the next")
    arguments = parser.parse_args()
    engine = AllGames()
    for game in arguments.games:
        levels = LEVELS[game]
        for number in range(2, len(levels) + 1):
            if arguments.level and number not in arguments.level:
                continue
            stronger, weaker = levels[number - 1], levels[number - 2]
            score = match(
                game,
                player(stronger, engine),
                player(weaker, engine),
                arguments.pairs,
                OPTIONS.get(game),
            )
            print(
                f"{game:8} {number} {stronger.name:9} against {weaker.name:9} {score}", flush=True
            )


if __name__ == "__main__":
    main()
