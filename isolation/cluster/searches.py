"""Searches on engine hosts elsewhere, for a process that serves people and has no engines itself.

Redis holds the jobs, as JSON; `searches.lua` says who's next. Answers come by pub/sub, and are kept
for a minute too: each second this process asks for what it hasn't heard of, says that it still
waits, and asks anew for what Redis has forgotten. So a lost message costs a second, and a Redis
that lost all its data costs nothing but time.

Two threads serve all searches; a search itself needs none.
"""

import json
import logging
import threading
import time
from dataclasses import dataclass
from functools import partial
from secrets import token_urlsafe
from typing import Any

from redis import RedisError

from isolation.cluster.connecting import TIMEOUT_S
from isolation.cluster.steps import BEAT_S, PREFIX, Ear, Steps
from isolation.engines.pool import PoolState
from isolation.engines.request import Request
from isolation.engines.search import EngineFailed, Hear, NoEngines, Purpose, Search, Withdrawn
from isolation.rules import Move

logger = logging.getLogger(__name__)

PATIENCE_S = 30.0  # without any host in sight, before a search is given up
LONGEST_S = 600.0  # that a search may take, waiting included
MARGIN_S = 5.0  # beyond a search's own deadline, before its host loses it
AT_ONCE = 1000  # jobs asked about in one step: Lua takes no more than some thousands

NO_REDIS = "Redis doesn't answer, so no engine can be reached"
NO_HOST = "no engine host is running: start one with `python -m isolation worker`"
CLOSING = "the site is closing"
TOO_LATE = f"no engine had time for it within {LONGEST_S / 60:.0f} minutes"


@dataclass(slots=True)
class Pending:
    """A search that hasn't been answered."""

    search: Search
    job: tuple[str | float, ...]  # as it's submitted
    asked: float
    is_stopping: bool = False


class Searches:
    """Asks engine hosts, and hears their answers. What `Pool` is for engines of this process."""

    def __init__(self, url: str, process: str, patience: float = PATIENCE_S) -> None:
        self._steps = Steps(url)
        self._process = process
        self._channel = f"{PREFIX}asker:{process}"
        self._patience = patience
        self._pending: dict[str, Pending] = {}
        self._ear = Ear(self._steps.redis, self._heed, self._channel)
        self._watcher = threading.Thread(target=self._run, daemon=True)
        self._is_closed = threading.Event()
        self._served = time.monotonic()  # when a host was last known to be there
        self._state = PoolState(0, 0, 0, 0, 0, 0.0)
        self._searches = 0
        self._waited = 0.0

    def start(self) -> None:
        """Begin to hear answers. It needs no Redis yet."""
        self._ear.start()
        self._watcher.start()

    def choose(self, who: str, request: Request) -> Move:
        """The move for a visitor's game; or EngineFailed, if no host finds one in time."""
        return self.begin(who, request, purpose=Purpose.GAME).result()

    def begin(
        self,
        who: str,
        request: Request,
        hear: Hear | None = None,
        purpose: Purpose = Purpose.ANALYSIS,
    ) -> Search:
        """Search for a visitor in the background."""
        search = Search(request, hear)
        number = f"{self._process}-{token_urlsafe(8)}"
        body = json.dumps({"request": request.to_dict(), "is_heard": search.is_heard})
        seconds = request.deadline() + MARGIN_S
        job = (number, who, int(purpose), self._channel, seconds, body)
        if self._is_closed.is_set():
            search.fail(NoEngines(CLOSING))
            return search
        self._searches += 1
        self._pending[number] = pending = Pending(search, job, time.monotonic())
        if self._steps.is_up:  # else the watcher does it, as soon as Redis is back
            self._submit(pending)
        search.flag.when_set(partial(self._stop, number))
        return search

    def _submit(self, pending: Pending) -> None:
        try:
            self._steps("submit", *pending.job)
        except RedisError:
            return  # the watcher finds out that Redis knows nothing of it

    def _stop(self, number: str) -> None:
        pending = self._pending.get(number)
        if pending is None:
            return
        pending.is_stopping = True
        try:
            is_running = self._steps("stop", number)
        except RedisError:
            return  # the watcher tries again
        if not is_running:
            self._fail(number, Withdrawn("the search was stopped before it began"))

    def _heed(self, message: dict[str, Any]) -> None:
        """What a host says: a line of a search, or how it ended."""
        number = message.get("id", "")
        if "line" in message:
            if pending := self._pending.get(number):
                pending.search.tell(message["line"])
        elif "move" in message:
            if pending := self._pending.pop(number, None):
                self._waited = message["waited"]
                pending.search.finish(tuple(message["move"]))
        elif "error" in message:
            self._fail(number, EngineFailed(message["error"]))

    def _fail(self, number: str, error: EngineFailed) -> None:
        if pending := self._pending.pop(number, None):
            pending.search.fail(error)

    def _run(self) -> None:
        while not self._is_closed.is_set():
            try:
                self._watch()
            except RedisError:
                self._state = PoolState(0, 0, 0, self._searches, self._state.failures, self._waited)
            except Exception:
                logger.exception("watching the searches")
            self._give_up()
            self._is_closed.wait(BEAT_S)

    def _watch(self) -> None:
        """Say that this process still waits, and make up for whatever was lost."""
        numbers = list(self._pending)
        for at in range(0, max(1, len(numbers)), AT_ONCE):
            some = numbers[at : at + AT_ONCE]
            answers, gone, state = self._steps("watch", self._channel, *some)
            for answer in answers:
                self._heed(json.loads(answer))
            for number in gone:
                self._ask_again(number)
        for number in numbers:
            if (pending := self._pending.get(number)) and pending.is_stopping:
                self._stop(number)
        workers, busy, queued, failures = state
        self._state = PoolState(workers, busy, queued, self._searches, failures, self._waited)
        if workers:
            self._served = time.monotonic()

    def _ask_again(self, number: str) -> None:
        pending = self._pending.get(number)
        if pending and not pending.is_stopping:
            self._submit(pending)

    def _give_up(self) -> None:
        now = time.monotonic()
        for number, pending in list(self._pending.items()):
            if now > pending.asked + LONGEST_S:
                self._drop(number, EngineFailed(TOO_LATE))
            elif now > max(pending.asked, self._served) + self._patience:
                self._drop(number, NoEngines(NO_HOST if self._steps.is_up else NO_REDIS))

    def _drop(self, number: str, why: EngineFailed) -> None:
        self._fail(number, why)
        if self._steps.is_up:
            try:
                self._steps("stop", number)
            except RedisError:
                return  # it's dropped once this process no longer says that it waits

    def state(self) -> PoolState:
        """What the latest look at the hosts showed, a second ago at the most."""
        return self._state

    def close(self) -> None:
        """Those who wait fail, and nothing of theirs stays behind."""
        self._is_closed.set()
        for number in list(self._pending):
            self._drop(number, NoEngines(CLOSING))
        self._ear.close()
        self._watcher.join(2 * TIMEOUT_S)
        self._steps.redis.close()
