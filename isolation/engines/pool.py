"""Engine workers: child processes that search, so that nobody who asks for a move has to.

Each worker is `python -m isolation engine`. There is one a core at the most, kept warm. Visitors
wait their turn fairly, by the seconds of workers they used lately (`turns.py`). A worker that
hangs, dies or answers nonsense is killed and replaced, and the search is asked again.

Plain threads and pipes, nothing else: under a monkey-patched server they turn green by themselves.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue

from isolation.engines.request import Request
from isolation.engines.search import EngineFailed, Hear, Purpose, Search
from isolation.engines.turns import Turns
from isolation.rules import IllegalMove, Move

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "isolation", "engine")
MOST_LINES = 10_000  # that a worker has said and nobody has read
LONGEST_LINE = 100_000
START_SECONDS = 120.0  # the first start of all compiles the cores
TRIES = 3


class WorkerFailed(Exception):
    """One worker hung, died or answered nonsense."""


class Worker:
    """One child process, and a thread that reads what it says."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        self._said: Queue[str | None] = Queue(MOST_LINES)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._telling = threading.Lock()
        self._is_ready = False
        self._search: Search | None = None  # under way
        self._best = 1  # MultiPV, as it was told last

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def get_ready(self) -> None:
        """Wait until a search can begin at once, or WorkerFailed."""
        if not self._is_ready:
            self._tell("isready")
            self._await("readyok", START_SECONDS)
            self._is_ready = True

    def run(self, search: Search) -> Move:
        """The worker's move, or WorkerFailed. A flag that's set meanwhile makes it answer now."""
        self.get_ready()
        with self._telling:
            self._ask(search.request)
            self._search = search
        search.flag.when_set(lambda: self._stop(search))
        try:
            answer = self._await("bestmove", search.request.deadline(), search.tell)
        finally:
            with self._telling:
                self._search = None
        return _read(answer, search.request)

    def _ask(self, request: Request) -> None:
        if request.best != self._best:
            self._tell(f"setoption name MultiPV value {request.best}")
            self._best = request.best
        for line in request.lines():
            self._tell(line)

    def _stop(self, search: Search) -> None:
        with self._telling, suppress(WorkerFailed):
            if self._search is search:  # and not the next one
                self._tell("stop")

    def _tell(self, line: str) -> None:
        try:
            if self._process.stdin is None:
                raise WorkerFailed("no way to talk to it")
            self._process.stdin.write(f"{line}\n".encode())
        except OSError as error:
            raise WorkerFailed(f"it does not listen: {error}") from None

    def _await(self, word: str, seconds: float, hear: Hear | None = None) -> str:
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            try:
                line = self._said.get(timeout=max(0.001, left))
                if left < 0:  # it talks and talks
                    raise Empty
            except Empty:
                raise WorkerFailed(f"no {word} within {seconds:g} s") from None
            if line is None:
                raise WorkerFailed("it died")
            if line.startswith("info string error"):
                raise WorkerFailed(line)
            if line.split(" ", 1)[0] == word:
                return line
            if hear and line.startswith("info "):
                hear(line)

    def _listen(self) -> None:
        stream = self._process.stdout
        if stream is not None:
            for raw in iter(lambda: stream.readline(LONGEST_LINE), b""):
                self._said.put(raw.decode("utf-8", "replace").strip())
        self._said.put(None)

    def kill(self) -> None:
        """End the process, and whatever it has started."""
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        # The listener comes to the end of the pipe, if there is room for what it hears until then;
        # only then may the pipe be closed.
        while self._listener.is_alive():
            with suppress(Empty):
                self._said.get(timeout=0.01)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def _read(answer: str, request: Request) -> Move:
    """The move that was answered, if it's one."""
    position = request.position()
    try:
        move = position.parse(answer.removeprefix("bestmove").strip())
        position.play(move)
    except IllegalMove as error:
        raise WorkerFailed(f"{answer!r:.80}: {error}") from None
    return move


@dataclass(frozen=True, slots=True)
class PoolState:
    """What can be seen of the pool from outside."""

    workers: int
    busy: int
    queued: int
    searches: int
    failures: int
    waited_seconds: float  # of the search that was taken last


class Pool:
    """Gives every search a worker of its own, in fair order."""

    def __init__(
        self,
        size: int | None = None,
        command: Sequence[str] = COMMAND,
        is_eager: bool = True,
    ) -> None:
        """One that isn't eager starts workers when they're first needed."""
        self._command = command
        self._is_eager = is_eager
        self._size = size or max(1, os.cpu_count() or 1)
        self._turns = Turns(self._size)
        self._idle: list[Worker] = []
        self._lock = threading.Lock()
        self._searches = self._failures = 0
        self._waited = 0.0
        self._is_closed = False

    def start(self) -> None:
        """Start the workers now, if wanted, so that the first search finds one."""
        if not self._is_eager:
            return
        busy, _ = self._turns.count()
        with self._lock:
            missing = self._size - len(self._idle) - busy
            self._idle += [Worker(self._command) for _ in range(missing)]

    def choose(self, who: str, request: Request) -> Move:
        """The move for a visitor's game, after waiting for a turn; or EngineFailed."""
        return self._take_turn(who, Search(request), Purpose.GAME)

    def begin(
        self,
        who: str,
        request: Request,
        hear: Hear | None = None,
        purpose: Purpose = Purpose.ANALYSIS,
    ) -> Search:
        """Search for a visitor in the background."""
        search = Search(request, hear)
        threading.Thread(target=self._run, args=(who, search, purpose), daemon=True).start()
        return search

    def _run(self, who: str, search: Search, purpose: Purpose) -> None:
        try:
            search.finish(self._take_turn(who, search, purpose))
        except EngineFailed as error:
            search.fail(error)
        except Exception as error:
            logger.exception("a search")
            search.fail(EngineFailed(f"the search failed: {error}"))

    def _take_turn(self, who: str, search: Search, purpose: Purpose) -> Move:
        asked = time.monotonic()
        with self._turns.turn(who, purpose, search.flag):
            with self._lock:
                self._searches += 1
                self._waited = time.monotonic() - asked
            return self._search(search)

    def _search(self, search: Search) -> Move:
        for _ in range(TRIES):
            worker = self._worker()
            try:
                move = worker.run(search)
            except WorkerFailed as error:
                logger.warning("engine worker %d is replaced: %s", worker.pid, error)
                self._failures += 1
                worker.kill()
            except BaseException:
                worker.kill()
                raise
            else:
                self._keep(worker)
                return move
        raise EngineFailed(f"no answer from {TRIES} workers one after the other")

    def _worker(self) -> Worker:
        with self._lock:
            if self._is_closed:
                raise EngineFailed("the pool is closed")
            if self._idle:
                return self._idle.pop()
        return Worker(self._command)

    def _keep(self, worker: Worker) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append(worker)
                return
        worker.kill()

    def state(self) -> PoolState:
        busy, queued = self._turns.count()
        with self._lock:
            workers = sum(worker.is_alive for worker in self._idle) + busy
            return PoolState(workers, busy, queued, self._searches, self._failures, self._waited)

    def close(self) -> None:
        """End the idle workers; a search under way ends its own, and those that wait fail."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()
