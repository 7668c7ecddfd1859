"""Moves chosen where every position is solved: what is best, and among ties what is hardest."""

from collections import Counter
from collections.abc import Sequence

from isolation.engines.engine import Decision, Report
from isolation.engines.solving.slider import SliderTable, dead_positions
from isolation.engines.solving.values import Value
from isolation.rules import Move, Position


def decide(
    table: SliderTable,
    position: Position,
    history: Sequence[Position],
    lines: int,
    report: Report | None = None,
) -> list[Decision]:
    """The best few moves, best first."""
    dead = dead_positions(history, position)
    values = table.moves(position, dead)
    seen = Counter(before.repetition_key for before in history)

    def rank(move: Move) -> tuple[tuple[int, int], int, float]:
        after = position.after(move)
        chances = 0.0 if values[move].sign else _chances(table, after)
        return values[move].rank, -seen[after.repetition_key], chances

    best = sorted(values, key=rank, reverse=True)[:lines]
    decisions = [_decision(table, position, move, values[move], not dead) for move in best]
    for number, decision in enumerate(decisions, start=1):
        if report:
            report(number, decision)
    return decisions


def _chances(table: SliderTable, position: Position) -> float:
    """How many of the opponent's moves would turn a tie into a loss."""
    values = list(table.moves(position).values()) if not position.outcome() else []
    return sum(value.sign < 0 for value in values) / max(1, len(values))


def _decision(
    table: SliderTable, position: Position, move: Move, value: Value, is_simple: bool
) -> Decision:
    """With its line, unless dead positions may lie on it."""
    line = (move, *table.line(position.after(move))) if is_simple else (move,)
    return Decision(move, value.score, max(1, value.plies), len(line), line)
