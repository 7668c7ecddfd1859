"""What a position is worth when everything is known about it."""

from typing import NamedTuple

from isolation.engines.scores import MATE


class Value(NamedTuple):
    """For the player to move: 1 for a win, -1 for a loss, 0 for a tie; and when the game ends."""

    sign: int
    plies: int = 0

    def before(self) -> "Value":
        """That of the move that leads here, for the player who makes it."""
        return Value(-self.sign, self.plies + 1 if self.sign else 0)

    @property
    def score(self) -> int:
        """On the scale of the engines. A tie is 0, like an even game, and not called proven."""
        return self.sign * (MATE - self.plies) if self.sign else 0

    @property
    def rank(self) -> tuple[int, int]:
        """Larger is better: the quickest win, then a tie, then the slowest loss."""
        return self.sign, -self.sign * self.plies


def from_plies(plies: int) -> Value:
    """An entry of a table: odd for a win, even for a loss, 0 for a tie."""
    return Value((1 if plies & 1 else -1) if plies else 0, plies)
