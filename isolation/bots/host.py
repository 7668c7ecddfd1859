"""The child process in which a bot in Python runs: calls it, and tells what it answered.

It reads requests as lines of JSON and answers each with one line. Nothing that the bot does reaches
farther than this process: it's limited in memory, what it prints goes to stderr, and the parent
believes nothing without checking it. Run as `python -P -m isolation.bots.host FILE MEGABYTES`.
"""

import faulthandler
import importlib.util
import inspect
import json
import operator
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from types import ModuleType
from typing import Any, TextIO

from isolation.bots.turn import AgentError, Turn
from isolation.isolation import Isolation

MODULES = Path(__file__).parent / "modules"  # what bots written for the texts import
AGENT = "CustomPlayer"
FOREIGN = {"site-packages", "dist-packages"}  # folders of code that isn't the bot's
NO_BOT = (
    "there is no bot in this file: it needs a class with get_action (knights), a class with "
    "getNextMove and getNextSteal (isola), or a function move(data, player_number)"
)


class BadBot(Exception):
    """The bot did wrong without raising anything; the text says what."""


def main() -> None:
    """Serve one bot until the input ends."""
    requests, answers = _take_pipes()
    faulthandler.enable()  # a crash of the interpreter shows where it happened
    _limit_memory(int(sys.argv[2]))

    def tell(answer: dict[str, Any], key: str) -> None:
        answers.write(json.dumps({**answer, "id": key}) + "\n")
        answers.flush()

    host = Host(Path(sys.argv[1]).resolve(), tell)
    for line in requests:
        request = json.loads(line)
        tell(host.answer(request), request["id"])
        host.prepare()


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


def describe(error: BaseException, folder: Path) -> str:
    """What was raised, and where in the bot's own files."""
    if isinstance(error, AgentError):
        return str(error)  # described where it was raised
    lines = traceback.format_exception_only(error)
    if isinstance(error, SyntaxError):
        file, line = Path(error.filename or "?").name, error.lineno
        return f"{type(error).__name__}: {error.msg} ({file}, line {line})"
    words = lines[0].strip()
    if isinstance(error, MemoryError):
        words = "MemoryError: it wants more memory than it may have"
    own = [
        (path.relative_to(folder), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if (path := Path(frame.f_code.co_filename)).is_relative_to(folder)
        and not FOREIGN & set(path.parts)
    ]
    return f"{words} ({own[-1][0]}, line {own[-1][1]})" if own else words


class Host:
    """What the parent can ask for."""

    def __init__(self, path: Path, tell: Callable[[dict[str, Any], str], None]) -> None:
        self.path = path
        self.folder = path.parent
        self._tell = tell
        self._kind: Any = None  # the bot's class or function
        self._player: Any = None
        self._turn: Turn | None = None  # of an agent, in a process that's waiting for it
        self._api = ""
        self._key = ""  # of the request that's being answered

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """What its method has to say, or what went wrong in it."""
        fields = {name: value for name, value in request.items() if name not in ("do", "id")}
        self._key = request["id"]
        try:
            found: dict[str, Any] = getattr(self, f"do_{request['do']}")(**fields)
            json.dumps(found)
        except BadBot as problem:
            return {"fault": str(problem)}
        except Empty as problem:
            return {"fault": str(problem), "is_crash": True}
        except BaseException as error:
            return {"fault": describe(error, self.folder)}
        return found

    def do_load(self) -> dict[str, Any]:
        """Load the file; which API its bot is written for, and what it's called."""
        sys.path[:0] = [str(MODULES), str(self.folder)]
        self._api, name, self._kind = _find_bot(_load(self.path), self.path)
        return {"api": self._api, "name": name}

    def do_begin(self, player: int, match: dict[str, Any]) -> dict[str, Any]:
        """A new game: as Player 1 (0) or Player 2 (1). Nothing is kept from game to game."""
        if self._api == "agent":
            self._end_turn()
            self._player = self._kind(player_id=player)
        elif self._api == "competitor":
            self._player = self._kind()
        return {}

    def prepare(self) -> None:
        """Get a process ready for an agent's next turn, so that its time isn't spent on that."""
        if self._api == "agent" and self._player is not None and self._turn is None:
            self._turn = Turn(
                self._player,
                lambda error: describe(error, self.folder),
                lambda action, key: self._tell({"action": _number(action)}, key),
            )

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn:
            turn.close()

    def do_move(self, data: Any, player: int) -> dict[str, Any]:
        return {"value": self._kind(data, player)}

    def do_competitor(
        self, method: str, board: list[str], mine: Any, theirs: Any
    ) -> dict[str, Any]:
        from IsolaGame import GameState, Position  # type: ignore[import-not-found]

        state = GameState([list(row) for row in board], Position(*mine), Position(*theirs))
        place = getattr(self._player, method)(state)
        if not isinstance(place, Position):
            raise BadBot(f"{method} must return a Position, not {place!r:.60}")
        return {"value": [place.getRow(), place.getCol()]}

    def do_agent(self, board: str, ply_count: int, locs: Any, ms: float) -> dict[str, Any]:
        """A turn of an agent, whose process tells the parent of each action when it's put."""
        state = Isolation(int(board), ply_count, tuple(locs))
        self.prepare()
        try:
            if self._turn:
                self._turn.ask(state, ms, self._key)
        finally:
            self._end_turn()
        return {}


def _number(action: Any) -> int | str:
    """An action as a number, of whatever type; a text that is no action if it's none."""
    try:
        return operator.index(action)
    except TypeError:
        return f"{action!r:.60}"


def _load(path: Path) -> ModuleType:
    name = path.stem if path.stem not in sys.modules else f"bot_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadBot("this is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _find_bot(module: ModuleType, path: Path) -> tuple[str, str, Any]:
    """The API, name and class or function of the bot in a module.

    It's what the module calls by the file's name or CustomPlayer, wherever that was written; else
    the last class of its own that fits; else the function `move`, known by the file's name.
    """
    for name in (path.stem, AGENT):
        kind = getattr(module, name, None)
        if api := _api_of(kind):
            return api, name, kind
    for kind in reversed(list(vars(module).values())):
        if (api := _api_of(kind)) and kind.__module__ == module.__name__:
            return api, kind.__name__, kind
    if callable(getattr(module, "move", None)):
        return "move", path.stem, module.move
    raise BadBot(NO_BOT)


def _api_of(kind: Any) -> str | None:
    if not inspect.isclass(kind):
        return None
    if callable(getattr(kind, "get_action", None)):
        return "agent"
    has_both = all(callable(getattr(kind, name, None)) for name in ("getNextMove", "getNextSteal"))
    return "competitor" if has_both else None


if __name__ == "__main__":
    main()
