"""How long a game waits for people who don't come back. Pure.

An invitation that nobody takes up is withdrawn after a week. A game whose clock hasn't started is
aborted after an hour, or the time that one player has if that's longer. An untimed game in which
nobody moves for thirty days is over: the player to move has left it.
"""

from isolation.rooms.game import CLOCKS_START, Game

HOUR, DAY = 3600.0, 86400.0
INVITATION_S = 7 * DAY
FIRST_MOVES_S = HOUR
UNTIMED_S = 30 * DAY


def patience(game: Game) -> float:
    """Seconds after the beginning of the turn until the game ends by itself."""
    clock = game.start.clock
    if not all(seat.is_taken for seat in game.seats):
        return INVITATION_S
    if clock is None:
        return UNTIMED_S
    if game.ply < CLOCKS_START:
        return max(FIRST_MOVES_S, clock.initial)
    return UNTIMED_S  # the clock decides, and long before
