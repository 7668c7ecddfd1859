"""Perft: how many move sequences of a length there are, the proof of a move generator."""

from isolation.rules.position import Position


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` moves can be played from here."""
    if depth == 0:
        return 1
    if depth == 1:
        return position.count_moves()
    return sum(perft(position.after(move), depth - 1) for move in position.legal_moves())
