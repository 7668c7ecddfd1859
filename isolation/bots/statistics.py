"""What numbers of games say, and how sure they are."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt
from typing import NamedTuple

Z = 1.96  # of 100 such intervals 95 hold the truth


class Interval(NamedTuple):
    low: float
    high: float


def interval(points: float, games: int) -> Interval:
    """Where the true share of points lies, as Wilson has it: sound for few games, too."""
    if not games:
        return Interval(0.0, 1.0)
    share = points / games
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    reach = (
        Z / (1 + Z * Z / games) * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    )
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


# Glicko-2, after Mark Glickman's description of 2013; the numbers are those of its text.
SCALE = 173.7178
TAU = 0.5
CLOSE = 1e-6


@dataclass(frozen=True)
class Rating:
    """How strong somebody is, how unsure that is, and how steady."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def _mu(self) -> float:
        return (self.value - 1500) / SCALE

    @property
    def _phi(self) -> float:
        return self.deviation / SCALE

    def after(self, results: Iterable[tuple["Rating", float]]) -> "Rating":
        """The rating after a period: opponents, as they were before it, and the points got."""
        played = list(results)
        if not played:
            deviation = sqrt(self._phi**2 + self.volatility**2) * SCALE
            return replace(self, deviation=min(350.0, deviation))
        weights = [1 / sqrt(1 + 3 * other._phi**2 / pi**2) for other, _ in played]
        expected = [
            1 / (1 + exp(-weight * (self._mu - other._mu)))
            for weight, (other, _) in zip(weights, played, strict=True)
        ]
        terms = list(zip(weights, expected, played, strict=True))
        variance = 1 / sum(weight**2 * share * (1 - share) for weight, share, _ in terms)
        surprise = sum(weight * (points - share) for weight, share, (_, points) in terms)
        volatility = self._new_volatility(variance, variance * surprise)
        phi = 1 / sqrt(1 / (self._phi**2 + volatility**2) + 1 / variance)
        mu = self._mu + phi**2 * surprise
        return Rating(mu * SCALE + 1500, phi * SCALE, volatility)

    def _new_volatility(self, variance: float, change: float) -> float:
        """By regula falsi, in Illinois' way, as the text says."""
        phi, start = self._phi, log(self.volatility**2)

        def slope(x: float) -> float:
            grown = phi**2 + variance + exp(x)
            return exp(x) * (change**2 - grown) / (2 * grown**2) - (x - start) / TAU**2

        low, high = start, log(max(CLOSE, change**2 - phi**2 - variance))
        if change**2 <= phi**2 + variance:
            steps = 1
            while slope(start - steps * TAU) < 0:
                steps += 1
            high = start - steps * TAU
        at_low, at_high = slope(low), slope(high)
        while abs(high - low) > CLOSE:
            new = low + (low - high) * at_low / (at_high - at_low)
            at_new = slope(new)
            if at_new * at_high <= 0:
                low, at_low = high, at_high
            else:
                at_low /= 2
            high, at_high = new, at_new
        return exp(low / 2)
