"""Full strength against the engine in trial.c, an independent one, at equal time.

The aim is at least 60 %. The clock is that of the wall: let nothing else run beside it.
Run: python -m benchmarks.trial [GAME ...] [--pairs N] [--seconds S] [--seed N]
"""

import argparse
import subprocess
import tempfile
from pathlib import Path
from statistics import mean

from benchmarks.compiling import compile_c
from benchmarks.matches import match
from isolation.engines.all_games import AllGames
from isolation.engines.engine import Limits
from isolation.rules import GameRecord, Move

WORD = (1 << 64) - 1
PLIES = 4  # of a random opening; in knights both tokens are placed then, and have jumped


class Trial:
    """The program, and the depths it has reached."""

    def __init__(self, program: Path, seconds: float) -> None:
        self._milliseconds = round(seconds * 1000)
        self.depths: list[int] = []
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, record: GameRecord) -> Move:
        position = record.position
        mine, theirs = position.pieces[position.to_move], position.pieces[1 - position.to_move]
        tokens = [mask.bit_length() - 1 for mask in (mine, theirs)]
        words = [position.empty & WORD]
        if position.game == "knights":
            words.append(position.empty >> 64)
        line = [position.game, self._milliseconds, *tokens, *(f"{word:x}" for word in words)]
        assert self._process.stdin
        assert self._process.stdout
        print(*line, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline().split()
        at = answer.index("depth")
        self.depths.append(int(answer[at + 1]))
        return tuple(int(cell) for cell in answer[:at])

    def close(self) -> None:
        self._process.communicate("quit\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=["classic", "isola", "knights"])
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    limits = Limits(seconds=arguments.seconds)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "trial")
        if not compile_c(Path(__file__).with_name("trial.c"), program):
            raise SystemExit("there is no C compiler")
        for game in arguments.games:
            engine, trial, depths = AllGames(), Trial(program, arguments.seconds), []

            def full(record: GameRecord) -> Move:
                decision = engine.choose(record.position, limits, record.positions[:-1])  # noqa: B023
                depths.append(decision.depth)  # noqa: B023
                return decision.move

            score = match(game, full, trial, arguments.pairs, plies=PLIES, seed=arguments.seed)
            trial.close()
            print(
                f"{game:8} against the trial at {arguments.seconds} s {score}"
                f"  depth {mean(depths):.1f} against {mean(trial.depths):.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
