"""The site's time: counted by this machine, kept together by the database's clock. Pure.

Everything is in seconds. `ticks` are read from a clock that nobody can set.
"""

from collections.abc import Iterable

from isolation.rooms.ports import Beat

SLEW_S = 0.01  # by which one beat may correct us
JUMP_S = 1.0  # no clock drifts so far between two beats: somebody has set the database's


class SiteTime:
    """Never goes back, and never jumps once people play by it."""

    def __init__(self, wall: float, ticks: float) -> None:
        self._offset = wall - ticks
        self._latest = wall
        self._ahead: float | None = None  # of the database's clock

    def now(self, ticks: float) -> float:
        self._latest = max(self._latest, self._offset + ticks)
        return self._latest

    def adopt(self, clock: float, since: float, ticks: float, others: Iterable[Beat]) -> None:
        """Before people play: take over the time of those who do, or else the database's.

        Its clock was read at some time since then. A beat is written a little after the time that
        it tells, so the one that's most ahead is the most exact.
        """
        known = [beat.at - beat.db_at for beat in others if beat.db_at is not None]
        self._ahead = max(known, default=0.0)
        passed = (self._offset + ticks - since) / 2
        self._latest = clock + self._ahead + passed
        self._offset = self._latest - ticks

    def go_on_from(self, at: float | None, ticks: float) -> None:
        """Before people play: count from there, if clocks were set back since."""
        behind = at - self.now(ticks) if at is not None else 0.0
        if behind > 0:
            self._offset += behind
            if self._ahead is not None:
                self._ahead += behind

    def follow(self, clock: float, since: float, ticks: float) -> None:
        """Correct ourselves by a look at the database's clock, as far as we can be sure of it."""
        now = self.now(ticks)
        doubt = abs(now - since) / 2
        seen = (now + since) / 2 - clock
        if self._ahead is None:
            self._ahead = seen
        drift = self._ahead - seen  # positive where we're behind
        certain = max(0.0, abs(drift) - doubt)
        if certain >= JUMP_S:
            self._ahead = seen
        else:
            step = min(certain, SLEW_S)
            self._offset += step if drift > 0 else -step
