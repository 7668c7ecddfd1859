"""Proof-number search against alpha-beta: who proves more late positions in the same time?

Positions from games of the engine against itself, after random openings, with so many open squares.
Run: python -m benchmarks.proving [GAME ...] [--positions N] [--seconds S] [--open LOW HIGH]
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random

from isolation.engines.all_games import AllGames
from isolation.engines.engine import Limits
from isolation.engines.solving.dfpn import Prover
from isolation.rules import VARIANTS, Position
from tests.playing import play_at_random

GAMES = ("classic", "isola", "knights")
QUICK = Limits(nodes=5_000)


def positions(game: str, low: int, high: int, lot: Random) -> Iterator[Position]:
    """One of each game: the first one in which few enough squares are open."""
    engine = AllGames()
    while True:
        position = play_at_random(VARIANTS[game].start(), 6, lot)
        goal = lot.randint(low, high)
        while not position.outcome() and position.empty.bit_count() > goal:
            position = position.after(engine.choose(position, QUICK).move)
        if not position.outcome() and position.empty.bit_count() == goal:
            yield position


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--open", type=int, nargs=2, default=(18, 30))
    arguments = parser.parse_args()
    limits = Limits(seconds=arguments.seconds)
    engine, prover = AllGames(), Prover()
    for game in arguments.games:
        found: Counter[str] = Counter()
        low, high = arguments.open
        drawn = positions(game, low, high, Random(f"proving {game}"))
        for _, position in zip(range(arguments.positions), drawn, strict=False):
            claim = engine.choose(position, limits).proven or 0
            proof = prover.prove(position, limits)
            assert claim * proof.sign >= 0, position.picture()
            found[f"alpha-beta {(claim > 0) - (claim < 0):+}, proofs {proof.sign:+}"] += 1
        print(game, arguments.open, dict(found), flush=True)


if __name__ == "__main__":
    main()
