"""A very long game of slider, played and replayed: what a turn costs late in it, and early.

The figures are ratios within one run: a turn of the whole game to a turn of its first hundred. Both
are the best of several rounds, taken in turn, so that other work on the machine counts little.
Run: python -m benchmarks.long_games [turns]
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from isolation.rules import GameRecord, Move, Position

SHORT, LONG = 100, 10_000
ROUNDS = 5
OPTIONS = {"size": 10}
FAR = 5  # columns or rows that pieces are let forward: there is room to shuffle, and nobody wins


def long_game(turns: int, lot: Random) -> list[str]:
    """Random turns in which nobody leaves the board and no position comes up three times."""
    position = GameRecord.begin("slider", OPTIONS).position
    times = Counter([position.repetition_key])
    notation: list[str] = []
    while len(notation) < turns:
        move = _shuffle(position, times, lot)
        notation.append(position.notate(move))
        position = position.after(move)
        times[position.repetition_key] += 1
    return notation


def _shuffle(position: Position, times: Counter[object], lot: Random) -> Move:
    """A turn sideways; now and then one forward, or where there is no other."""
    moves = position.legal_moves()
    lot.shuffle(moves)
    moves.sort(key=lambda move: _haste(position, move, lot))
    return next(move for move in moves if times[position.after(move).repetition_key] < 2)


def _haste(position: Position, move: Move, lot: Random) -> int:
    here, there = move
    if there >= position.grid.width * position.grid.height:
        return 2
    way = position.to_move  # columns count for H, rows for V
    before, after = (position.grid.column_row(cell)[way] for cell in (here, there))
    return int(after > before and (after > FAR or lot.random() < 0.7))


def play(notation: Sequence[str]) -> GameRecord:
    """Turn by turn, as the log of a game is folded."""
    record = GameRecord.begin("slider", OPTIONS)
    for text in notation:
        record = record.play(record.position.parse(text))
    return record


def replay(notation: Sequence[str]) -> GameRecord:
    return GameRecord.begin("slider", OPTIONS).replay(list(notation))


def play_twice(notation: Sequence[str]) -> GameRecord:
    """Each turn tried before it is made, as a server does that looks for passes."""
    record = GameRecord.begin("slider", OPTIONS)
    for text in notation:
        move = record.position.parse(text)
        record.play(move).with_passes()
        record = record.play(move)
    return record


def measure(way: Callable[[Sequence[str]], GameRecord], notation: list[str]) -> tuple[float, float]:
    """Microseconds a turn of the first hundred, and of all."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for at, (turns, repeats) in enumerate(
            ((SHORT, len(notation) // SHORT), (len(notation), 1))
        ):
            begun = time.process_time()
            for _ in range(repeats):
                way(notation[:turns])
            best[at] = min(best[at], (time.process_time() - begun) / (turns * repeats) * 1e6)
    return best[0], best[1]


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else LONG
    notation = long_game(turns, Random(1))
    print(f"slider 10 x 10, {turns:,} turns, CPU time of a turn")
    for way in (play, replay, play_twice):
        early, late = measure(way, notation)
        name = way.__name__.replace("_", " ")
        print(f"{name}: {early:.1f} µs in {SHORT} turns, {late:.1f} µs in all: {late / early:.2f}")
    record = replay(notation)
    begun = time.process_time()
    record.notation()
    print(f"notation of all: {(time.process_time() - begun) * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
