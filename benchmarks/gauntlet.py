"""Matches between engine programs at equal time: random openings, sides swapped, one at a time.

No change to an engine lands on faith: play it against the version before (`--against landed`), the
rivals (alphabeta, mcts, narrow, hugger), which share nothing with it, and public engines by their
command line. Greedy, minimax and uct are weak: the aim against those is 98 %. With `--sprt` a match
stops as soon as it's sure that our share is nearer to one of two values than to the other.
The clock on the wall counts, so both sides suffer alike if something else is running.

Run: python -m benchmarks.gauntlet [GAME ...] [--against NAME|FOLDER|COMMAND ...]
     [--ours NAME|FOLDER|COMMAND] [--sprt 0.5 0.55] [--pairs N] [--ms N] [--size N] [--commit C]
     [--plies N] [--seed N]
"""

import argparse
import sys
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.matches import Score, opening
from benchmarks.programs import GAMES, RIVALS, Fault, Program, find_program
from benchmarks.sprt import Sprt
from isolation.rules import GameRecord
from isolation.rules.position import PASS

PLIES = 4  # of a random opening: in knights both tokens are placed then, and have jumped
LONGEST = 600  # plies, then it's a tie
TELL = 5  # pairs between two running scores
OPTIONS: dict[str, dict[str, Any]] = {"linear": {"length": "random"}}
LATE = 20.0  # milliseconds over the limit that are worth telling


@dataclass
class Tally:
    """The score of the first program, its pairs by half points, and what went wrong."""

    score: Score = field(default_factory=Score)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: list[str] = field(default_factory=list)

    def count(self, results: list[float]) -> None:
        """The points of both games of a pair."""
        for points in results:
            self.score.wins += points == 1
            self.score.ties += points == 0.5
            self.score.losses += points == 0
        self.pairs[round(2 * sum(results))] += 1


def play_game(
    record: GameRecord, programs: tuple[Program, Program], ms: int, margin: float, tally: Tally
) -> float:
    """The points of player 0. A program that's silent, or plays what isn't legal, loses."""
    for program in programs:
        program.new_game()
    while not record.outcome and len(record.turns) < LONGEST:
        mover = record.position.to_move
        if record.must_pass:
            record = record.play(PASS)
            continue
        try:
            record = record.play(programs[mover].choose(record, ms, margin))
        except Fault as fault:
            tally.faults.append(str(fault))
            return float(mover)
    winner = record.outcome.winner if record.outcome else None
    return 0.5 if winner is None else 1.0 - winner


def play_match(
    ours: Program, theirs: Program, game: str, chosen: argparse.Namespace, options: dict[str, Any]
) -> Tally:
    lot, tally = Random(f"{game} {chosen.seed}"), Tally()
    for program in (ours, theirs):
        program.begin(game, options)
    for _ in range(chosen.pairs):
        begun = opening(game, options, chosen.plies, lot)
        limits = (chosen.ms, chosen.margin, tally)
        first = play_game(begun, (ours, theirs), *limits)
        second = 1 - play_game(begun, (theirs, ours), *limits)
        tally.count([first, second])
        if chosen.sprt and chosen.sprt.verdict(tally.pairs) is not None:
            break
        if not chosen.quiet and sum(tally.pairs) % TELL == 0:
            print(f"  so far {describe(tally, chosen.sprt)}", file=sys.stderr, flush=True)
    return tally


def describe(tally: Tally, sprt: Sprt | None) -> str:
    text = f"{tally.score}  pairs {'/'.join(map(str, tally.pairs))}"
    if not sprt:
        return text
    verdict = sprt.verdict(tally.pairs)
    ending = "" if verdict is None else f": rather {verdict:.1%}"
    return f"{text}  SPRT {sprt.ratio(tally.pairs):+.2f} of ±{sprt.bound:.2f}{ending}"


def lateness(program: Program) -> str:
    late = [over for over in program.late if over > LATE]
    if not late:
        return ""
    return f"  ({program.name}: {len(late)} moves over {LATE:.0f} ms late, worst {max(late):.0f})"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--against", nargs="+", help="landed, a name, a command; else all rivals")
    parser.add_argument("--ours", default="ours", help="the program to measure")
    parser.add_argument("--commit", default="HEAD", help="which version `landed` is")
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("LOW", "HIGH"), help="two shares")
    parser.add_argument("--pairs", type=int, default=50, help="at the most")
    parser.add_argument("--ms", type=int, default=100, help="a move")
    parser.add_argument("--margin", type=float, default=5000, help="ms late that lose the game")
    parser.add_argument("--size", type=int)
    parser.add_argument("--plies", type=int, default=PLIES, help="of a random opening")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quiet", action="store_true", help="only the final scores")
    chosen = parser.parse_args()
    chosen.sprt = Sprt(*chosen.sprt) if chosen.sprt else None
    return chosen


def main() -> None:
    chosen = arguments()
    for game in chosen.games:
        options = OPTIONS.get(game, {}) | ({"size": chosen.size} if chosen.size else {})
        for name in chosen.against or [name for name in RIVALS if game in RIVALS[name]]:
            with (
                find_program(chosen.ours, chosen.commit) as ours,
                find_program(name, chosen.commit) as theirs,
            ):
                tally = play_match(ours, theirs, game, chosen, options)
                print(f"{game:8} {chosen.ms} ms against {theirs.name:12} ", end="")
                print(describe(tally, chosen.sprt), lateness(ours), lateness(theirs), flush=True)
            for fault in tally.faults:
                print(f"         forfeit: {fault}", flush=True)


if __name__ == "__main__":
    main()
