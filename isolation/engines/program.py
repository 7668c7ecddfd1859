"""The engine as a program: it reads commands line by line and answers, as UGI engines do.

docs/engine-protocol.md describes the lines. The program ends when its input does, even in the
middle of a search, so that nobody can leave one behind.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from isolation.engines.all_games import AllGames
from isolation.engines.engine import Decision, Engine, Limits, Progress, StopFlag
from isolation.engines.go import BadCommand, Go, read_go
from isolation.engines.info import last_info, line_info, progress_info
from isolation.engines.settings import Settings
from isolation.rules import (
    VARIANTS,
    IllegalMove,
    InvalidOption,
    InvalidPosition,
    Outcome,
    Position,
    position_from_dict,
    read_fen,
)
from isolation.rules.record import judge
from isolation.rules.tally import Tally
from isolation.rules.trail import Trail
from isolation.rules.words import shown

MAX_LINE = 65536
WHILE_SEARCHING = ("isready", "stop", "ugi", "query")


class Program:
    """The state between two lines: the options, the position, the search under way."""

    def __init__(self, write: Callable[[str], None], engine: Engine | None = None) -> None:
        self._write = write
        self._engine = engine or AllGames()
        self._settings = Settings(self._engine)
        self._positions: list[Position] = [self._settings.start()]
        self._is_warm = False
        self._is_searching = False
        self._lock = threading.Lock()  # of the end of a search, and its last word
        self._search: threading.Thread | None = None
        self._flag = StopFlag()

    def run(self, lines: Iterable[str]) -> None:
        """Obey every line, until `quit` or the end."""
        for line in lines:
            if line.strip() == "quit":
                break
            self.obey(line)

    def end(self, seconds: float) -> bool:
        """Stop the search under way; whether it has ended within that time."""
        self._flag.set()
        if self._search:
            self._search.join(seconds)
        return self._search is None or not self._search.is_alive()

    def obey(self, line: str) -> None:
        """One line, whatever is in it."""
        try:
            if len(line) > MAX_LINE:
                raise BadCommand(f"a line has {MAX_LINE} characters at the most")
            word, _, rest = line.strip().partition(" ")
            if word:
                self._command(word)(self, rest.strip())
        except (BadCommand, IllegalMove, InvalidOption, InvalidPosition) as error:
            self._write(f"info string error {error}")

    def _command(self, word: str) -> Callable[["Program", str], None]:
        if word not in COMMANDS:
            known = ", ".join([*COMMANDS, "quit"])
            raise BadCommand(f"{shown(word)} is not a command (they are: {known})")
        with self._lock:
            is_searching = self._is_searching
        if is_searching and word not in WHILE_SEARCHING:
            raise BadCommand(f"{word} has to wait for the search under way: stop it first")
        return COMMANDS[word]

    def _say_hello(self, rest: str) -> None:
        self._write("id name Isolation")
        self._write("id author the Isolation contributors")
        for option in self._settings.describe():
            self._write(f"option name {option}")
        self._write("ugiok")

    def _be_ready(self, rest: str) -> None:
        # Load every core now, not in the middle of a game; but only once, since these searches
        # make a table forget, and `isready` may come before every move.
        if not (self._is_warm or self._is_searching):
            for game in VARIANTS.values():
                self._engine.choose(game.start(), Limits(depth=1))
            self._is_warm = True
        self._write("readyok")

    def _new_game(self, rest: str) -> None:
        self._engine.forget()
        self._positions = [self._settings.start()]

    def _set_option(self, rest: str) -> None:
        words = rest.split()
        if len(words) < 4 or words[0] != "name" or words[2] != "value":
            raise BadCommand("write: setoption name NAME value VALUE")
        if self._settings.set(words[1], " ".join(words[3:])):
            self._positions = [self._settings.start()]

    def _set_position(self, rest: str) -> None:
        kind, _, tail = rest.partition(" ")
        if kind not in _POSITIONS:
            raise BadCommand(
                "write: position startpos, position fen FEN or position json {...}; "
                "then moves MOVES, if there are any"
            )
        start, tail = _POSITIONS[kind](self._settings, tail.strip())
        word, *moves = tail.split() or ["moves"]
        if word != "moves":
            raise BadCommand(f"{shown(word)} is not moves")
        positions = [start]
        for text in moves:
            positions.append(positions[-1].play(positions[-1].parse(text)))
        self._positions = positions
        if start.game != self._settings.variant.key:
            self._settings.play(start.game)

    def _answer_query(self, rest: str) -> None:
        if rest not in QUERIES:
            raise BadCommand(f"write: query {', query '.join(QUERIES)}")
        self._write(f"response {QUERIES[rest](self._positions)}")

    def _go(self, rest: str) -> None:
        go = read_go(rest, self._positions[-1])
        if self._positions[-1].outcome():
            self._write("info string error the game is over")
            self._write("bestmove none")
            return
        self._flag = StopFlag()
        go = replace(go, limits=replace(go.limits, stop=self._flag))
        self._is_searching = True
        self._search = threading.Thread(target=self._think, args=(go,))
        self._search.start()

    def _think(self, go: Go) -> None:
        begun = time.perf_counter()
        *history, position = self._positions
        lines = self._settings.lines

        def elapsed() -> float:
            return time.perf_counter() - begun

        def report(number: int, line: Decision) -> None:
            self._write(line_info(position, line, elapsed(), None if lines == 1 else number))

        def note(progress: Progress) -> None:
            number = None if lines == 1 else progress.number
            self._write(progress_info(progress, elapsed(), number))

        try:
            best, *_ = self._engine.analyse(
                position, go.limits, lines, history, go.handicap, report, note
            )
        except Exception as error:
            self._write(f"info string error {type(error).__name__}: {shown(str(error))}")
            self._answer("none")
            return
        if go.is_endless:
            stopped = threading.Event()
            self._flag.when_set(stopped.set)
            stopped.wait()
        self._write(last_info(best, elapsed()))
        self._answer(position.notate(best.move))

    def _answer(self, move: str) -> None:
        """The last word of a search, before that of any other: the next may be asked for now."""
        with self._lock:
            self._is_searching = False
            self._write(f"bestmove {move}")

    def _stop(self, rest: str) -> None:
        self._flag.set()

    def _show(self, rest: str) -> None:
        position = self._positions[-1]
        for row in position.picture().splitlines():
            self._write(f"info string {row}")
        self._write(f"info string to move: {position.symbols.players[position.to_move]}")


COMMANDS: dict[str, Callable[[Program, str], None]] = {
    "ugi": Program._say_hello,
    "isready": Program._be_ready,
    "setoption": Program._set_option,
    "uginewgame": Program._new_game,
    "position": Program._set_position,
    "query": Program._answer_query,
    "go": Program._go,
    "stop": Program._stop,
    "show": Program._show,
}


def _from_start(settings: Settings, text: str) -> tuple[Position, str]:
    return settings.start(), text


def _from_fen(settings: Settings, text: str) -> tuple[Position, str]:
    fen, moves, rest = f"{text} ".partition(" moves ")
    return read_fen(settings.variant.key, fen), f"{moves}{rest}".strip()


def _from_json(settings: Settings, text: str) -> tuple[Position, str]:
    try:
        data, end = json.JSONDecoder().raw_decode(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadCommand(f"the position is not JSON: {shown(str(error))}") from None
    return position_from_dict(data), text[end:].strip()


# How a position is given: each reads one from the beginning of a text, and returns the rest.
_POSITIONS: dict[str, Callable[[Settings, str], tuple[Position, str]]] = {
    "startpos": _from_start,
    "fen": _from_fen,
    "json": _from_json,
}


def _outcome(positions: list[Position]) -> Outcome | None:
    """How the game stands by its rules, repetition included."""
    seen = Tally(position.repetition_key for position in positions)
    return judge(positions[-1], seen, Trail())


def _result(positions: list[Position]) -> str:
    outcome = _outcome(positions)
    if outcome is None:
        return "none"
    return "draw" if outcome.winner is None else f"p{outcome.winner + 1}win"


QUERIES: dict[str, Callable[[list[Position]], str]] = {
    "gameover": lambda positions: "true" if _outcome(positions) else "false",
    "p1turn": lambda positions: "false" if positions[-1].to_move else "true",
    "result": _result,
}
