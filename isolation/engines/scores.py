"""The scale of scores, the same for every engine: a score says by its size whether it's proven.

A guess counts about 10 for a pawn's step and stays within GUESS. Anything beyond PROVEN is exact.
"""

from typing import Final

MATE: Final = 30000  # less the plies to the end of the game
PROVEN: Final = 29000  # scores beyond this come from real ends of the game, over all moves
GUESS: Final = 20000  # as far as a guess goes: well inside, so that no error makes it a proof


def proven_plies(score: int) -> int | None:
    """The plies to a certain end: positive for a win, negative for a loss, None for a guess."""
    if abs(score) < PROVEN:
        return None
    return MATE - score if score > 0 else -(MATE + score)
