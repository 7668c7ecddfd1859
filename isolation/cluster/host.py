"""An engine host: warm engine processes that take searches from Redis for any process.

Each engine has a thread, which takes a job only when its engine is free. An engine that hangs, dies
or answers nonsense is replaced, and its job goes back to the front for any host to try. While a
search runs its host says so each second; if it doesn't, `searches.lua` gives the job to another.
"""

import json
import logging
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from redis import RedisError

from isolation.cluster.steps import BEAT_S, CALLS, PREFIX, Ear, Steps
from isolation.engines.pool import COMMAND, Worker, WorkerFailed
from isolation.engines.request import Request
from isolation.engines.search import Search

logger = logging.getLogger(__name__)

ANSWER_S = 60.0  # for which an answer is kept until Redis takes it
GRACE_S = 8.0  # for searches under way when the host is closed


@dataclass(slots=True)
class Job:
    """A search as it was taken from Redis."""

    id: str
    channel: str
    search: Search
    waited: float
    is_abandoned: bool = False  # nobody waits for it any more


class Host:
    """Takes searches, as many at a time as it has engines."""

    def __init__(
        self, url: str, engines: int | None = None, command: Sequence[str] = COMMAND
    ) -> None:
        self._steps = Steps(url)
        self.size = engines or max(1, os.cpu_count() or 1)
        self.is_ready = threading.Event()
        self._id = token_urlsafe(6)
        self._command = command
        self._ear = Ear(self._steps.redis, self._heed, CALLS, f"{PREFIX}host:{self._id}")
        self._threads = [
            threading.Thread(target=self._serve, daemon=True) for _ in range(self.size)
        ]
        self._beater = threading.Thread(target=self._beat, daemon=True)
        self._workers: set[Worker] = set()
        self._warm: set[int] = set()  # threads whose engine has been ready
        self._jobs: dict[str, Job] = {}  # under way
        self._renewing = threading.Lock()  # a job that's given back must not be claimed again
        self._taking = threading.Lock()  # one thread at a time looks for a job
        self._wake = threading.Event()
        self._is_closing = threading.Event()
        self._is_closed = threading.Event()
        self._silent_until = 0.0

    def start(self) -> None:
        for thread in (*self._threads, self._beater):
            thread.start()
        self._ear.start()

    def close(self, seconds: float = GRACE_S) -> None:
        """Take no more, finish what's under way, and give back what takes too long."""
        self._is_closing.set()
        self._wake.set()
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        self._is_closed.set()
        try:
            for number in list(self._jobs):
                self._drop(number)
                self._steps("give_back", self._id, number, "their host was closed")
            self._steps("leave", self._id)
        except RedisError:
            logger.warning("the engine host leaves without a word")  # it's missed in 3 s
        self._ear.close()
        for worker in list(self._workers):
            worker.kill()

    def _drop(self, number: str) -> None:
        with self._renewing:
            self._jobs.pop(number, None)

    def _beat(self) -> None:
        """Say that this host is alive, and hear which searches aren't wanted any more."""
        while not self._is_closed.wait(BEAT_S if self.is_ready.is_set() else BEAT_S / 10):
            if not self._warm or (self._is_closing.is_set() and not self._jobs):
                continue
            try:
                with self._renewing:
                    stopped, abandoned = self._steps(
                        "renew", self._id, len(self._warm), *list(self._jobs)
                    )
            except RedisError:
                self._is_closed.wait(BEAT_S)
                continue
            for number in abandoned:
                if job := self._jobs.get(number):
                    job.is_abandoned = True
            for number in (*stopped, *abandoned):
                self._stop(number)
            if len(self._warm) == self.size:
                self.is_ready.set()

    def _heed(self, message: dict[str, Any]) -> None:
        if "stop" in message:
            self._stop(message["stop"])
        elif "wake" in message:
            self._wake.set()

    def _stop(self, number: str) -> None:
        if job := self._jobs.get(number):
            job.search.stop()

    def _serve(self) -> None:
        """One engine: a job, another, and so on."""
        worker: Worker | None = None
        while not self._is_closing.is_set():
            try:
                worker = worker or self._engine()
                job = self._take() if worker else None
                if worker and job and not self._run(worker, job):
                    self._end(worker)
                    worker = None
            except Exception:  # no memory for an engine, perhaps
                logger.exception("an engine host")
                self._is_closing.wait(BEAT_S)
        if worker:
            self._end(worker)

    def _engine(self) -> Worker | None:
        """An engine that's ready."""
        worker = Worker(self._command)
        self._workers.add(worker)
        try:
            worker.get_ready()
        except WorkerFailed as error:
            logger.warning("engine %d doesn't start: %s", worker.pid, error)
            self._end(worker)
            self._is_closing.wait(BEAT_S)
            return None
        self._warm.add(threading.get_ident())
        return worker

    def _end(self, worker: Worker) -> None:
        self._workers.discard(worker)
        worker.kill()

    def _take(self) -> Job | None:
        """The next job, as soon as there is one; None when the host closes."""
        with self._taking:
            while not self._is_closing.is_set():
                self._wake.clear()
                try:
                    taken = self._steps("take", self._id)
                    if taken:
                        return self._read(*taken)
                except RedisError:
                    self._is_closing.wait(BEAT_S)
                    continue
                self._wake.wait(BEAT_S)
        return None

    def _read(self, number: str, channel: str, body: str, waited: str, stop: str) -> Job | None:
        def publish(line: str) -> None:
            self._publish(channel, {"id": number, "line": line})

        try:
            data = json.loads(body)
            request = Request.from_dict(data["request"])
        except Exception as error:  # of another version, perhaps: another host may know it
            logger.warning("search %s can't be read: %r", number, error)
            self._steps("give_back", self._id, number, "it isn't a search")
            return None
        search = Search(request, publish if data["is_heard"] else None)
        if stop == "1":
            search.stop()
        return Job(number, channel, search, float(waited))

    def _publish(self, channel: str, message: dict[str, Any]) -> None:
        """Lines are dropped while Redis is away: waiting for it would hold up the engine."""
        if time.monotonic() < self._silent_until:
            return
        try:
            self._steps.publish(channel, message)
        except RedisError:
            self._silent_until = time.monotonic() + BEAT_S

    def _run(self, worker: Worker, job: Job) -> bool:
        """Search and answer; whether the engine can be used again."""
        self._jobs[job.id] = job
        try:
            move = worker.run(job.search)
        except Exception as error:
            if not self._is_closed.is_set():
                logger.warning("engine %d is replaced: %s", worker.pid, error)
                self._give_back(job.id, "they died, hung or made no sense")
            return False
        if job.is_abandoned:
            self._give_back(job.id, "nobody waited for it")
        else:
            answer = {"id": job.id, "move": move, "waited": job.waited}
            self._deliver("finish", self._id, job.id, job.channel, json.dumps(answer))
            self._drop(job.id)
        return True

    def _give_back(self, number: str, reason: str) -> None:
        self._drop(number)
        self._deliver("give_back", self._id, number, reason)

    def _deliver(self, *step: str) -> None:
        """Tell how a search ended, as soon as Redis hears it."""
        until = time.monotonic() + ANSWER_S
        while time.monotonic() < until and not self._is_closed.is_set():
            try:
                self._steps(*step)
                return
            except RedisError:
                self._is_closed.wait(BEAT_S / 2)
