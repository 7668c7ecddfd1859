"""When moves couldn't be stored: the clocks stand still meanwhile, and nobody is charged for it."""

from bisect import insort
from collections.abc import Iterable
from threading import Lock

from isolation.rooms.ports import Beat, Store, StoreDownError, World
from isolation.rooms.timing import Outage

REMEMBERED_S = 60 * 86400.0  # longer than any turn lasts
STALL_S = 5.0  # more than any pause of ours: the machine slept, or we were stopped
AGAIN_S = 1.0  # between two tries to end an outage
PROMPT_S = 2.5  # from one beat to the end of the next, of a process that can store
LIVING_S = 5.0  # after its last beat a process may still be alive
DEAD_S = 86400.0  # since when a process must be dead to be forgotten
NEWS_S = 120.0  # what others stored is known here long before


class Outages:
    """The outages that may matter to a running game, and whether there's one right now."""

    def __init__(self, store: Store, world: World) -> None:
        self._store = store
        self._world = world
        self._process = ""
        self._up = 0.0  # since when we have worked without a pause
        self._beaten = 0.0  # when a beat of ours last was stored
        self._ending = Lock()
        self._tried: float | None = None  # when somebody last tried to end the outage there is
        self._alive: float | None = None  # when we last were, once we watch that
        self._since: float | None = None  # when the store began to fail
        self._excused = 0.0  # when it last began to work again for us, if only for us
        self.ended: list[Outage] = []  # by their ends

    def resume(self, process: str = "alone", is_first: bool = True) -> None:
        """Take up where others left: nobody's clock has run since the last beat of anyone.

        Only the first one up says so. Once it has, others may be up, and have served people.
        """
        now = self._world.now()
        self._process, self._up = process, now
        if is_first:
            last = self._store.last_beat()
            if last is not None and last < now:
                self._store.add_outage(Outage(last, now))
        self.ended = sorted(self._store.outages(now - REMEMBERED_S), key=_end)
        self._store.prune_beats(now - DEAD_S)
        self._store.beat(process, now, now)
        self._beaten = self._world.now()

    @property
    def since(self) -> float | None:
        """When the outage began that there is: the store fails, or we were stopped for a while."""
        is_stalled = self._alive is not None and self._world.now() - self._alive > STALL_S
        return self._alive if is_stalled and self._since is None else self._since

    @property
    def last_ended(self) -> float:
        """When everything last began to work again."""
        return max(self._excused, self.ended[-1].ended if self.ended else 0.0)

    @property
    def is_failing(self) -> bool:
        """Whether the store couldn't be used when somebody last tried."""
        return self._since is not None

    def clock(self) -> float:
        """The time that game clocks show: it stands still during an outage."""
        since = self.since
        return self._world.now() if since is None else since

    def failed(self, at: float) -> bool:
        """Note that a call failed that began then; whether that is news.

        The first to fail needn't have been the first to begin.
        """
        since = self.since
        self._since = at if since is None else min(at, since)
        return since is None

    def recover(self) -> bool:
        """Whether an outage has just ended; StoreDownError while it lasts.

        A store that hangs must not hold up everybody: one caller tries, about once a second, and
        the others needn't wait to hear that it failed.
        """
        if self.since is None:
            return False
        now = self._world.now()
        if self._tried is not None and now - self._tried < AGAIN_S:
            raise StoreDownError("it failed a moment ago")
        if not self._ending.acquire(blocking=False):
            raise StoreDownError("somebody is finding out whether it works again")
        try:
            return self._end()
        finally:
            self._ending.release()

    def _end(self) -> bool:
        """Store that an outage has ended: a disk that has room for this has room for a move.

        Where others worked meanwhile, people could play there, and their clocks ran.
        """
        if (since := self.since) is None:  # since we looked
            return False
        self._tried = self._world.now()
        others = [beat for beat in self._store.beats() if beat.process != self._process]
        now = self._world.now()
        if missed := unserved(Outage(since, now), others):
            self._store.add_outage(missed)
        self._store.beat(self._process, now, now)  # others ask since when we have worked
        self.hear()
        self._up = self._excused = now
        self._beaten = self._world.now()
        self._since = self._tried = None
        self._alive = self._alive and now
        return True

    def live(self) -> None:
        """We go on without a pause, unless there was one."""
        if self.since is None:
            self._alive = self._world.now()

    def beat(self) -> None:
        """Leave word that we're alive, and hear from the others when nothing could be stored."""
        now = self._world.now()
        # Until an outage has been ended here, nobody may think that we serve people.
        up = self._up if self.since is None else None
        clock = self._store.beat(self._process, now, up, self._beaten + PROMPT_S - now)
        if self._world.now() - self._beaten > PROMPT_S:
            self._up = self._world.now()  # it hung, and so did whatever people did here
        self._beaten = self._world.now()
        self._tried = None  # something was stored: the next one needn't wait to try
        if clock is not None:
            self._world.follow(clock, now)
        self.hear()

    def hear(self) -> None:
        """Of outages that others have stored."""
        for outage in self._store.outages(self._world.now() - NEWS_S):
            if outage not in self.ended:
                insort(self.ended, outage, key=_end)


def unserved(outage: Outage, others: Iterable[Beat]) -> Outage | None:
    """The part of an outage of ours in which none of the others could store anything either.

    Others that beat during it have worked since they said so, and still do if that was just now;
    if another beat is overdue, they may hang as we did. Those that last beat before it may have
    failed as we did.
    """
    began, ended = outage.began, outage.ended
    for other in sorted(others, key=lambda beat: beat.up or 0.0):
        if other.up is None or other.at <= outage.began:
            continue
        silent = outage.ended - other.at
        if other.up <= began:
            began = max(began, ended if silent < PROMPT_S else other.at)
        elif silent < LIVING_S:
            ended = min(ended, other.up)
    return Outage(began, ended) if began < ended else None


def _end(outage: Outage) -> float:
    return outage.ended
