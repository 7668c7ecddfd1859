"""How long to think about a move when a clock runs for the whole game. Reads no clock itself."""

from isolation.rules import Position

LATENESS = 0.02  # seconds a move may take beyond its share: pipes, threads, a busy machine
SHORTEST = 0.001  # the first depth is searched in any case
FEWEST_TURNS, MOST_TURNS = 8, 40
TURNS_OF_A_RACE = 40  # of each player, where a game can go on however full the board is


def turns_left(position: Position) -> int:
    """About how many more turns the player to move has in the game."""
    if position.repetition_limit:
        return TURNS_OF_A_RACE
    # A turn of either player uses up a square, and games end with about a third left.
    return max(FEWEST_TURNS, min(position.empty.bit_count() // 3, MOST_TURNS))


def share(left: float, increment: float, turns: int) -> tuple[float, float]:
    """Seconds after which to begin no further depth, and when to stop at the latest.

    The first is less than an even share and the second more, since another depth takes longer than
    all before it. However often it's asked, less than `left` is used, with room for lateness.
    """
    spare = max(0.0, left - turns * LATENESS)
    even = spare / turns + 0.75 * increment
    latest = max(SHORTEST, min(2 * even, 0.6 * (left - 2 * LATENESS)))
    return min(0.6 * even, latest), latest
