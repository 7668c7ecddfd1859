"""A sequential test: whether a player's share of the points is nearer to one value or another.

It counts pairs of games, not games. Both games of a pair begin from the same opening, and an
opening that favours one side gives each player a win: such pairs vary far less than two games of
their own would, and a test that counts games needs more of them. A pair is worth 0, 1/2, 1, 3/2 or
2 points, so the five counts are all that the test needs (the "pentanomial" test of chess engines).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # the share of a pair that each result is worth
UNSEEN = 1e-3  # counted for a result that never came up, so that it isn't ruled out
STEPS = 60  # of a bisection


def log_likelihood_ratio(pairs: Sequence[int], low: float, high: float) -> float:
    """How much better a share of `high` explains the five counts than a share of `low`."""
    counts = [max(count, UNSEEN) for count in pairs]
    return sum(
        count * log(likely / unlikely)
        for count, likely, unlikely in zip(
            counts, most_likely(counts, high), most_likely(counts, low), strict=True
        )
    )


def most_likely(counts: Sequence[float], share: float) -> list[float]:
    """The chances of the five results that explain the counts best, if the share is this one."""
    total = sum(counts)
    seen = [count / total for count in counts]
    low, high = -1 / (1 - share), 1 / share

    def imbalance(tilt: float) -> float:
        return sum(
            chance * (points - share) / (1 + tilt * (points - share))
            for chance, points in zip(seen, POINTS, strict=True)
        )

    for _ in range(STEPS):
        tilt = (low + high) / 2
        low, high = (tilt, high) if imbalance(tilt) > 0 else (low, tilt)
    return [
        chance / (1 + tilt * (points - share)) for chance, points in zip(seen, POINTS, strict=True)
    ]


@dataclass(frozen=True)
class Sprt:
    """Stops when one of two shares is sure enough; errs in one of twenty matches either way."""

    low: float
    high: float
    error: float = 0.05

    @property
    def bound(self) -> float:
        return log((1 - self.error) / self.error)

    def ratio(self, pairs: Sequence[int]) -> float:
        return log_likelihood_ratio(pairs, self.low, self.high)

    def verdict(self, pairs: Sequence[int]) -> float | None:
        """The share that the counts speak for, or None while the test goes on."""
        ratio = self.ratio(pairs)
        if abs(ratio) < self.bound:
            return None
        return self.high if ratio > 0 else self.low
