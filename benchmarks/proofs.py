"""Every claim of a proof against a solver that looks at everything, at every level of every game.

Random late positions on small boards; every level with several seeds, full strength by time, nodes
and depth, several lines at once, some moves alone, games there and back with what's kept of earlier
searches, by one thread and by four, and the engine in plain Python. A claim is wrong if it names
the wrong winner, or if the game can last longer than it says; and a loss is, if moves were left
out.
Run: python -m benchmarks.proofs [GAME ...] [--positions N] [--seeds N]
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from isolation.engines.all_games import AllGames
from isolation.engines.engine import Decision, Engine, Limits, Resources
from isolation.engines.levels import LEVELS
from isolation.engines.plain import PlainEngine
from isolation.engines.scores import PROVEN
from isolation.engines.sliding import SlidingEngine
from isolation.rules import VARIANTS, Move, Position
from isolation.rules.classic import Classic
from isolation.rules.grid import mask_of
from isolation.rules.isola import Isola
from isolation.rules.knights import Knights
from isolation.rules.linear import Linear
from isolation.rules.slider import Slider
from tests.playing import play_at_random
from tests.solving import Exact, best_of, distance, solve_moves

LINES = 3
QUICK = Limits(seconds=0.01)


@dataclass(frozen=True)
class Case:
    """A position that isn't over, how it came about where that counts, and what its moves do."""

    position: Position
    history: Sequence[Position]
    values: dict[Move, Exact]

    def __str__(self) -> str:
        return " / ".join(self.position.rows())


@dataclass
class Tally:
    """How many claims there were, and which were wrong."""

    positions: int = 0
    answers: int = 0
    claims: int = 0
    wrong_winner: int = 0
    too_soon: int = 0
    mistakes: list[str] = field(default_factory=list)

    def check(self, case: Case, label: str, lines: Sequence[Decision]) -> None:
        """Each line speaks for its own move, the first for the position as well."""
        self.answers += 1
        for number, line in enumerate(lines, start=1):
            if abs(line.score) >= PROVEN:
                exact = [case.values[line.move]]
                if number == 1:
                    exact.append(best_of(list(case.values.values())))
                self._compare(line.proven or 0, exact, f"{label}, line {number}: {case}")

    def _compare(self, claim: int, truths: Sequence[Exact], label: str) -> None:
        self.claims += 1
        if any((claim > 0) - (claim < 0) != exact.sign for exact in truths):
            self.wrong_winner += 1
        elif any(abs(claim) < exact.plies for exact in truths):
            self.too_soon += 1
        else:
            return
        self.mistakes.append(f"{label}: {claim} for {truths}")

    def __str__(self) -> str:
        return (
            f"{self.positions} positions, {self.answers} answers, {self.claims} claims: "
            f"{self.wrong_winner} name the wrong winner, {self.too_soon} promise too much"
        )


def with_holes(start: Position, most: int, lot: Random) -> Position:
    """The pieces anywhere in a small part of the board, with a few open squares around them."""
    side, grid = lot.randint(3, 5), start.grid
    left, bottom = (lot.randint(0, max(0, size - side)) for size in (grid.width, grid.height))
    cells = [
        grid.cell(column, row)
        for column in range(left, min(left + side, grid.width))
        for row in range(bottom, min(bottom + side, grid.height))
    ]
    lot.shuffle(cells)
    opened = mask_of(cells[: 2 + lot.randint(most // 2, most)]) | getattr(start, "protected", 0)
    pieces = (1 << cells[0], 1 << cells[1])
    return replace(start, pieces=pieces, blocked=grid.full & ~opened, to_move=lot.randint(0, 1))


def draw_classic(lot: Random, most: int) -> list[Position]:
    width, height = lot.choice([(3, 3), (3, 4), (4, 4), (4, 5), (6, 8)])
    return [with_holes(Classic.start(width, height, lot.choice(["open", "fixed"])), most, lot)]


def draw_isola(lot: Random, most: int) -> list[Position]:
    """A board of 9 x 9 takes a word for each row, the smaller ones fit in one."""
    start = Isola.start(lot.choice([3, 5, 7, 9]), lot.choice(["open", "fixed"]))
    return [with_holes(start, most, lot)]


def draw_knights(lot: Random, most: int) -> list[Position]:
    """Some with a token still to be placed."""
    width, height = lot.choice([(3, 3), (3, 4), (4, 4), (5, 4), (11, 9)])
    start = Knights.start(width, height)
    if width == 3 and lot.random() < 0.5:
        return [play_at_random(start, lot.randint(0, 4), lot)]
    return [with_holes(start, most + 4, lot)]


def draw_slider(lot: Random, most: int) -> list[Position]:
    """A few pieces each, with and without blocks, after moves that may have gone in circles."""
    size = lot.choice([3, 3, 4])
    cells = lot.sample(range(size * size), 6)
    count = lot.randint(1, 2)
    pieces = mask_of(cells[:count]), mask_of(cells[2 : 2 + lot.randint(1, 3 - count)])
    blocked = mask_of(cells[4 : 4 + lot.randint(0, 2)])
    start = replace(Slider.start(size), pieces=pieces, blocked=blocked, to_move=lot.randint(0, 1))
    positions: list[Position] = [start]
    for _ in range(lot.choice([0, 0, 8, 16])):
        positions.append(_step(positions, lot))
        if positions[-1].outcome():
            break
    return positions


def _step(positions: list[Position], lot: Random) -> Position:
    """A random move, back to where the game has been once if there is one."""
    position = positions[-1]
    keys = [before.repetition_key for before in positions]
    after = [position.after(move) for move in position.legal_moves()]
    again = [child for child in after if keys.count(child.repetition_key) == 1]
    fresh = [child for child in after if keys.count(child.repetition_key) == 0]
    return lot.choice((again if lot.random() < 0.7 else fresh) or again or fresh or after)


def draw_linear(lot: Random, most: int) -> list[Position]:
    return [play_at_random(Linear.start(lot.randint(3, 6 + most)), lot.randint(0, 4), lot)]


DRAW: dict[str, Callable[[Random, int], list[Position]]] = {
    "classic": draw_classic,
    "knights": draw_knights,
    "isola": draw_isola,
    "slider": draw_slider,
    "linear": draw_linear,
}


def cases(game: str, count: int, most: int = 7) -> Iterator[Case]:
    """So many different positions that are not over, the same ones each time."""
    lot = Random(f"proofs {game}")
    seen: set[Position] = set()
    while len(seen) < count:
        *history, position = DRAW[game](lot, most)
        counts = [before.repetition_key for before in (*history, position)]
        is_tie = position.repetition_limit and counts.count(position.repetition_key) >= 3
        if position in seen or position.outcome() or is_tie:
            continue
        seen.add(position)
        yield Case(position, history, solve_moves(position, history))
        distance.cache_clear()


# Where small boards are solved, the search that plays the large ones is asked as well.
SEARCHING: dict[str, Engine] = {"slider": SlidingEngine(knows_solved=False)}


def examine(tally: Tally, case: Case, engine: Engine, plain: Engine, seeds: int) -> None:
    """Ask everybody about a position."""
    position, history = case.position, case.history
    tally.positions += 1
    for number, level in enumerate(LEVELS[position.game], start=1):
        limits = QUICK if level.limits.seconds else level.limits
        errs = bool(level.noise or level.blind)
        for seed in range(1, seeds + 1 if errs else 2):
            decision = engine.choose(position, limits, history, level.handicap(seed))
            tally.check(case, f"level {number} seed {seed}", [decision])
    players = [(engine, "full strength"), (plain, "plain")]
    if position.game in SEARCHING:
        players.append((SEARCHING[position.game], "search"))
    for player, name in players:
        for limits in (Limits(nodes=300), Limits(depth=1), Limits(depth=2), Limits(depth=5)):
            if player is plain and limits.depth == 5:
                continue
            lines = player.analyse(position, limits, LINES, history)
            tally.check(case, f"{name} {limits}", lines)
            decision = player.choose(position, limits, history)
            tally.check(case, f"{name} {limits}", [decision])


def examine_part(tally: Tally, case: Case, engine: Engine, lot: Random) -> None:
    """Ask about some of the moves alone: what's said of them may be a win, but never a loss."""
    moves = list(case.values)
    only = tuple(lot.sample(moves, lot.randint(1, len(moves))))
    for limits in (Limits(nodes=300, moves=only), Limits(depth=5, moves=only)):
        lines = engine.analyse(case.position, limits, LINES, case.history)
        tally.check(case, f"{len(only)} of {len(moves)} moves", lines)
        for line in lines:
            if line.move not in only or (len(only) < len(moves) and line.score <= -PROVEN):
                tally.mistakes.append(f"{line} of {only}: {case}")


def examine_game(tally: Tally, case: Case, engine: Engine, lot: Random) -> None:
    """Ask about every position of a game, there and back: what's kept must still be true."""
    positions = [*case.history, case.position]
    while not positions[-1].outcome() and len(positions) < len(case.history) + 4:
        positions.append(_step(positions, lot))
    places = [at for at, position in enumerate(positions) if not position.outcome()]
    for at in (*places, *reversed(places), *places):
        position, history = positions[at], positions[:at]
        values = solve_moves(position, history)
        decision = engine.choose(position, QUICK, history)
        tally.check(Case(position, history, values), f"turn {at + 1} again", [decision])


def crowded() -> AllGames:
    """An engine whose threads keep getting in each other's way: a small table, more than cores."""
    engine = AllGames()
    engine.use(Resources(hash_mb=1, threads=4))
    return engine


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=list(VARIANTS))
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seeds", type=int, default=4)
    arguments = parser.parse_args()
    engine, plain, threads = AllGames(), PlainEngine(), crowded()
    for game in arguments.games:
        tally, lot = Tally(), Random(f"parts {game}")
        for case in cases(game, arguments.positions):
            examine(tally, case, engine, plain, arguments.seeds)
            for player in (engine, plain):
                examine_part(tally, case, player, lot)
            for player in (engine, threads):
                examine_game(tally, case, player, lot)
        print(f"{game:8} {tally}", flush=True)
        for mistake in tally.mistakes[:5]:
            print(f"    {mistake}", flush=True)


if __name__ == "__main__":
    main()
