"""The engine as a program: it reads commands line by line and answers, as UCI and UGI engines do.

docs/engine-protocol.md describes the lines. The program ends when its input does, even in the
middle of a search, so that nobody can leave one behind.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from isolation.engines.all_games import AllGames
from isolation.engines.engine import Decision, Engine, Handicap, Limits, StopFlag
from isolation.engines.levels import LEVELS, find_level
from isolation.rules import (
    VARIANTS,
    IllegalMove,
    InvalidOption,
    InvalidPosition,
    Position,
    find_variant,
    position_from_dict,
)
from isolation.rules.options import Option
from isolation.rules.words import shown

MAX_LINE = 65536
MAX_LINES = 20  # of MultiPV


class BadCommand(ValueError):
    """A line that can not be obeyed; the text says why."""


class Program:
    """The state between two lines: the game, its options, the position, the search under way."""

    def __init__(self, write: Callable[[str], None], engine: Engine | None = None) -> None:
        self._write = write
        self._engine = engine or AllGames()
        self._variant = next(iter(VARIANTS.values()))
        self._values: dict[str, Any] = {}
        self._lines = 1
        self._positions: list[Position] = [self._variant.start()]
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
        if is_searching and word not in ("isready", "stop", "ugi"):
            raise BadCommand(f"{word} has to wait for the search under way: stop it first")
        return COMMANDS[word]

    def _say_hello(self, rest: str) -> None:
        self._write("id name Isolation")
        self._write("id author the Isolation contributors")
        variants = " ".join(f"var {key}" for key in VARIANTS)
        self._write(f"option name Variant type combo default {self._variant.key} {variants}")
        for name, option in _all_options().items():
            default = option.write(option.default)
            self._write(f"option name {name.capitalize()} type string default {default}")
        self._write(f"option name MultiPV type spin default 1 min 1 max {MAX_LINES}")
        self._write("ugiok")

    def _be_ready(self, rest: str) -> None:
        if not self._is_searching:
            for game in VARIANTS.values():  # load every core now, not in the middle of a game
                self._engine.choose(game.start(), Limits(depth=1))
        self._write("readyok")

    def _new_game(self, rest: str) -> None:
        self._positions = [self._variant.start(**self._values)]

    def _set_option(self, rest: str) -> None:
        words = rest.split()
        if len(words) < 4 or words[0] != "name" or words[2] != "value":
            raise BadCommand("write: setoption name NAME value VALUE")
        name, value = words[1].lower(), " ".join(words[3:])
        if name == "variant":
            self._variant, self._values = find_variant(value), {}
        elif name == "multipv":
            self._lines = _number(value, MAX_LINES)
        else:
            self._set_game_option(name, value)
        self._new_game("")

    def _set_game_option(self, name: str, value: str) -> None:
        option = next((o for o in self._variant.options if o.name == name), None)
        if option is None:
            known = ", ".join(["Variant", "MultiPV", *(o.name for o in self._variant.options)])
            raise BadCommand(
                f"{self._variant.key} has no option {shown(name)} (options are: {known})"
            )
        values = {**self._values, name: option.read(value)}
        self._variant.check(values)
        self._values = values

    def _set_position(self, rest: str) -> None:
        kind, _, tail = rest.partition(" ")
        if kind == "startpos":
            start, tail = self._variant.start(**self._values), tail.strip()
        elif kind == "json":
            start, tail = _read_json(tail.strip())
        else:
            raise BadCommand("write: position startpos [moves ...] or position json {...}")
        word, *moves = tail.split() or ["moves"]
        if word != "moves":
            raise BadCommand(f"{shown(word)} is not moves")
        positions = [start]
        for text in moves:
            positions.append(positions[-1].play(positions[-1].parse(text)))
        self._positions = positions
        self._variant = VARIANTS[start.game]

    def _go(self, rest: str) -> None:
        limits, handicap, is_endless = self._read_go(rest.split())
        if self._positions[-1].outcome():
            self._write("info string error the game is over")
            self._write("bestmove none")
            return
        self._flag = StopFlag()
        limits = replace(limits, stop=self._flag)
        self._is_searching = True
        self._search = threading.Thread(target=self._think, args=(limits, handicap, is_endless))
        self._search.start()

    def _read_go(self, words: list[str]) -> tuple[Limits, Handicap, bool]:
        values: dict[str, int] = {}
        is_endless = words == ["infinite"]
        if not is_endless:
            if len(words) % 2 or not words:
                raise BadCommand(_GO_USAGE)
            for name, text in zip(words[::2], words[1::2], strict=True):
                if name not in _GO_LIMITS:
                    raise BadCommand(_GO_USAGE)
                values[name] = _number(text, _GO_LIMITS[name])
        if "level" in values:
            level = find_level(self._variant.key, values["level"])
            return level.limits, level.handicap(values.get("seed", 0)), False
        seconds = values["movetime"] / 1000 if "movetime" in values else None
        limits = Limits(seconds, values.get("nodes"), values.get("depth"))
        return limits, Handicap(seed=values.get("seed", 0)), is_endless

    def _think(self, limits: Limits, handicap: Handicap, is_endless: bool) -> None:
        begun = time.perf_counter()
        *history, position = self._positions

        is_single = self._lines == 1

        def report(number: int, decision: Decision) -> None:
            elapsed = time.perf_counter() - begun
            self._write(_info(position, decision, elapsed, None if is_single else number))

        try:
            best, *_ = self._engine.analyse(
                position, limits, self._lines, history, handicap, report
            )
        except Exception as error:
            self._write(f"info string error {type(error).__name__}: {shown(str(error))}")
            self._answer("none")
            return
        if is_endless:
            stopped = threading.Event()
            self._flag.when_set(stopped.set)
            stopped.wait()
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
    "go": Program._go,
    "stop": Program._stop,
    "show": Program._show,
}

_GO_LIMITS = {
    "movetime": 86_400_000,
    "nodes": 1 << 60,
    "depth": 120,
    "level": max(map(len, LEVELS.values())),
    "seed": 1 << 62,
}
_GO_USAGE = "write: go movetime MS, go nodes N, go depth N, go level N seed N, or go infinite"


def _number(text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and 1 <= int(text) <= most):
        raise BadCommand(f"{shown(text)} is not a number from 1 to {most}")
    return int(text)


def _read_json(text: str) -> tuple[Position, str]:
    """The position at the beginning of a text, and the rest of it."""
    try:
        data, end = json.JSONDecoder().raw_decode(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadCommand(f"the position is not JSON: {shown(str(error))}") from None
    return position_from_dict(data), text[end:].strip()


def _info(position: Position, decision: Decision, elapsed: float, number: int | None) -> str:
    words = ["info"]
    if number is not None:
        words += ["multipv", str(number)]
    proven = decision.proven
    score = f"cp {decision.score}"
    if proven is not None:
        score = f"win {proven}" if proven > 0 else f"loss {-proven}"
    nps = int(decision.nodes / max(elapsed, 1e-6))
    words += [f"depth {decision.depth} score {score} nodes {decision.nodes} nps {nps}"]
    words += [f"time {int(elapsed * 1000)} pv {_notated(position, decision)}"]
    return " ".join(words)


def _notated(position: Position, decision: Decision) -> str:
    texts = []
    for move in decision.line:
        texts.append(position.notate(move))
        position = position.after(move)
    return " ".join(texts)


def _all_options() -> dict[str, Option]:
    return {o.name: o for variant in VARIANTS.values() for o in variant.options}
