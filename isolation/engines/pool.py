"""Engine workers: child processes that search, so that whoever asks for a move never has to.

Each worker is `python -m isolation engine`. There is one a core at the most, kept warm. Games wait
their turn fairly: whoever asks often does not push in before the others. A worker that hangs, dies
or answers nonsense is killed and replaced, and the search is asked again.

Plain threads and pipes, nothing else: under a monkey-patched server they turn green by themselves.
"""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Self

from isolation.engines.engine import Limits
from isolation.rules import GameRecord, IllegalMove, Move, Position

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "isolation", "engine")
MOST_LINES = 10_000  # that a worker has said and nobody has read
LONGEST_LINE = 100_000
START_SECONDS = 120.0  # the first start of all compiles the cores
MARGIN_SECONDS = 2.0  # beyond the limit of a search, before its worker counts as hung
UNLIMITED_SECONDS = 60.0  # for a search limited by nodes or depth alone
TRIES = 3


class EngineFailed(RuntimeError):
    """No worker could be made to answer."""


class WorkerFailed(Exception):
    """One worker hung, died or answered nonsense."""


@dataclass(frozen=True, slots=True)
class Request:
    """A search: the position at the end of a game, and how to think about it."""

    start: Position
    moves: tuple[Move, ...] = ()
    limits: Limits = field(default_factory=Limits)
    level: int | None = None
    seed: int = 1

    @classmethod
    def after(cls, record: GameRecord, **more: Any) -> Self:
        """A search at the end of a game; from its last discarded turn on, which no move tells."""
        turns = record.turns
        last = max((at + 1 for at, turn in enumerate(turns) if isinstance(turn, str)), default=0)
        moves = tuple(turn for turn in turns[last:] if not isinstance(turn, str))
        return cls(record.positions[last], moves, **more)

    def position(self) -> Position:
        position = self.start
        for move in self.moves:
            position = position.after(move)
        return position

    def lines(self) -> list[str]:
        """What a worker is told."""
        notation, position = [], self.start
        for move in self.moves:
            notation.append(position.notate(move))
            position = position.after(move)
        given = f"position json {json.dumps(self.start.to_dict())} moves {' '.join(notation)}"
        return [given.strip(), f"go {self._limits()}"]

    def _limits(self) -> str:
        if self.level is not None:
            return f"level {self.level} seed {max(1, self.seed)}"
        limits = self.limits
        words = []
        if limits.seconds is not None:
            words.append(f"movetime {max(1, round(limits.seconds * 1000))}")
        if limits.nodes is not None:
            words.append(f"nodes {limits.nodes}")
        if limits.depth is not None:
            words.append(f"depth {limits.depth}")
        return " ".join(words) or "movetime 1000"

    def deadline(self) -> float:
        """Seconds after which a worker that has not answered is given up."""
        seconds = self.limits.seconds
        return (UNLIMITED_SECONDS if seconds is None else seconds) + MARGIN_SECONDS


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
        self._is_ready = False

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def search(self, request: Request) -> Move:
        """The worker's move, or WorkerFailed."""
        if not self._is_ready:
            self._tell("isready")
            self._await("readyok", START_SECONDS)
            self._is_ready = True
        for line in request.lines():
            self._tell(line)
        answer = self._await("bestmove", request.deadline())
        position = request.position()
        try:
            move = position.parse(answer.removeprefix("bestmove").strip())
            position.play(move)
        except IllegalMove as error:
            raise WorkerFailed(f"{answer!r:.80}: {error}") from None
        return move

    def _tell(self, line: str) -> None:
        try:
            if self._process.stdin is None:
                raise WorkerFailed("no way to talk to it")
            self._process.stdin.write(f"{line}\n".encode())
        except OSError as error:
            raise WorkerFailed(f"it does not listen: {error}") from None

    def _await(self, word: str, seconds: float) -> str:
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

    def __init__(self, size: int | None = None, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._size = size or max(1, os.cpu_count() or 1)
        self._idle: list[Worker] = []
        self._busy = 0
        self._queues: OrderedDict[str, deque[threading.Event]] = OrderedDict()
        self._lock = threading.Lock()
        self._searches = self._failures = 0
        self._waited = 0.0
        self._is_closed = False

    def warm(self) -> None:
        """Start the workers now, so that the first search finds one."""
        with self._lock:
            missing = self._size - len(self._idle) - self._busy
            self._idle += [Worker(self._command) for _ in range(missing)]

    def choose(self, game: str, request: Request) -> Move:
        """The move for a game, after waiting for a turn; or EngineFailed."""
        self._take_turn(game)
        try:
            return self._search(request)
        finally:
            self._end_turn()

    def _take_turn(self, game: str) -> None:
        asked = time.monotonic()
        turn = threading.Event()
        with self._lock:
            if self._is_closed:
                raise EngineFailed("the pool is closed")
            if self._busy < self._size:
                self._busy += 1
                turn.set()
            else:
                self._queues.setdefault(game, deque()).append(turn)
        turn.wait()
        self._waited = time.monotonic() - asked

    def _end_turn(self) -> None:
        """Hand the place on to the game that has waited longest since it last had one."""
        with self._lock:
            self._searches += 1
            if not self._queues:
                self._busy -= 1
                return
            game, queue = self._queues.popitem(last=False)
            queue.popleft().set()
            if queue:
                self._queues[game] = queue

    def _search(self, request: Request) -> Move:
        for _ in range(TRIES):
            worker = self._worker()
            try:
                move = worker.search(request)
            except WorkerFailed as error:
                logger.warning("engine worker %d is replaced: %s", worker.pid, error)
                self._failures += 1
                worker.kill()
            except BaseException:
                worker.kill()
                raise
            else:
                with self._lock:
                    self._idle.append(worker)
                return move
        raise EngineFailed(f"no answer from {TRIES} workers one after the other")

    def _worker(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return Worker(self._command)

    def state(self) -> PoolState:
        with self._lock:
            queued = sum(map(len, self._queues.values()))
            workers = sum(worker.is_alive for worker in self._idle) + self._busy
            return PoolState(
                workers, self._busy, queued, self._searches, self._failures, self._waited
            )

    def close(self) -> None:
        """End the idle workers; a search under way ends its own."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()
