"""The child process in which a bot in Python runs: calls it, and tells what it answered.

It reads requests as lines of JSON and answers each with one line. Nothing that the bot does reaches
farther than this process: it is limited in memory, what it prints goes nowhere, and the parent
believes nothing without checking it. Run as `python -m isolation.bots.host FILE MEGABYTES`.
"""

import importlib.util
import inspect
import json
import os
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

MODULES = Path(__file__).parent / "modules"  # what bots written for the texts import
PREFERRED = "CustomPlayer"
WORDS = 600  # letters of a fault that are told: the end of a traceback


class BadBot(Exception):
    """The file is no bot; the text says why."""


def main() -> None:
    """Serve one bot until the input ends."""
    requests, answers = _take_pipes()
    _limit_memory(int(sys.argv[2]))
    host = Host()
    for line in requests:
        request = json.loads(line)
        try:
            answer = getattr(host, f"do_{request.pop('do')}")(**request)
        except BadBot as problem:
            answer = {"fault": str(problem)}
        except BaseException as error:
            answer = {"fault": _told(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _take_pipes() -> tuple[TextIO, TextIO]:
    """The pipes to the parent, out of the bot's way: its own output goes to stderr."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, answers


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # where there is none, the parent's time limit has to do
        return
    most = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _told(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "MemoryError: it wants more memory than it may have"
    words = "".join(traceback.format_exception_only(error)).strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_bots(frame)]
    where = f" (line {frames[-1].lineno})" if frames else ""
    return f"{words[-WORDS:]}{where}"


def _is_bots(frame: traceback.FrameSummary) -> bool:
    return frame.filename == str(Path(sys.argv[1]).resolve())


class Host:
    """What the parent can ask for."""

    def __init__(self) -> None:
        self._kind: Any = None  # the bot's class or function
        self._player: Any = None
        self._api = ""

    def do_load(self) -> dict[str, Any]:
        """Load the file; which API its bot is written for, and what it is called."""
        path = Path(sys.argv[1]).resolve()
        sys.path[:0] = [str(MODULES), str(path.parent)]
        self._api, self._kind = _find_bot(_load(path), path)
        return {"api": self._api, "name": getattr(self._kind, "__name__", path.stem)}

    def do_begin(self, player: int) -> dict[str, Any]:
        """A new game: as Player 1 (0) or Player 2 (1)."""
        if self._api == "agent":
            self._player = self._kind(player_id=player)
        elif self._api == "competitor":
            self._player = self._kind()
        return {}

    def do_move(self, data: Any, player: int) -> dict[str, Any]:
        return _timed(lambda: self._kind(data, player))

    def do_competitor(
        self, method: str, board: list[str], mine: Any, theirs: Any
    ) -> dict[str, Any]:
        from IsolaGame import GameState, Position  # type: ignore[import-not-found]

        state = GameState([list(row) for row in board], Position(*mine), Position(*theirs))
        answer = _timed(lambda: getattr(self._player, method)(state))
        place = answer["value"]
        if not isinstance(place, Position):
            raise BadBot(f"{method} must return a Position, not {place!r:.60}")
        return {**answer, "value": [place.getRow(), place.getCol()]}

    def do_agent(self, board: str, ply_count: int, locs: Any, ms: float) -> dict[str, Any]:
        from queue import Empty

        from isolation.bots.match import AgentError, fork_get_action
        from isolation.isolation import Isolation

        state = Isolation(int(board), ply_count, tuple(locs))
        try:
            return _timed(lambda: int(fork_get_action(state, self._player, ms)))
        except Empty as problem:
            raise BadBot(str(problem)) from None
        except AgentError as error:
            raise BadBot(str(error).strip().splitlines()[-1][-WORDS:]) from None


def _timed(call: Any) -> dict[str, Any]:
    begun = time.perf_counter_ns()
    value = call()
    return {"value": value, "ns": time.perf_counter_ns() - begun}


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise BadBot("this is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _find_bot(module: ModuleType, path: Path) -> tuple[str, Any]:
    """The bot in a module: the class of its file's name, CustomPlayer, or the last one there is."""
    found: list[tuple[str, Any]] = []
    for value in vars(module).values():
        if inspect.isclass(value) and value.__module__ == module.__name__:
            api = _api_of(value)
            found += [(api, value)] if api else []
    for name in (path.stem, PREFERRED):
        found.sort(key=lambda one: one[1].__name__ == name)
    if found:
        return found[-1]
    if callable(getattr(module, "move", None)):
        return "move", module.move
    raise BadBot(
        "there is no bot in this file: it needs a class with get_action (knights), a class with "
        "getNextMove and getNextSteal (isola), or a function move(data, player_number)"
    )


def _api_of(kind: type) -> str | None:
    if callable(getattr(kind, "get_action", None)):
        return "agent"
    has_both = all(callable(getattr(kind, name, None)) for name in ("getNextMove", "getNextSteal"))
    return "competitor" if has_both else None


if __name__ == "__main__":
    main()
