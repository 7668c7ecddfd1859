"""Engine programs that speak the lines of docs/engine-protocol.md, and where to find them."""

import json
import queue
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Any

from isolation.rules import VARIANTS, GameRecord, IllegalMove, Move
from isolation.rules.variants import RANDOM

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("classic", "isola", "knights", "slider")
RIVALS = {"alphabeta": GAMES, "mcts": GAMES, "narrow": GAMES, "hugger": ("classic", "isola")}
PLAIN = ("greedy", "minimax", "uct")  # weak ones, which know the rules and little else
START_SECONDS = 900.0  # a program may have to compile first, beside others


class Fault(Exception):
    """A program was silent, or said what isn't a move."""


@dataclass
class Program:
    """A running engine. It's asked for one move at a time, and idle in between."""

    name: str
    command: list[str]
    folder: Path = ROOT
    late: list[float] = field(default_factory=list)  # milliseconds over the limit, each move

    def __post_init__(self) -> None:
        self._process = subprocess.Popen(
            self.command,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._said: queue.Queue[str | None] = queue.Queue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._said.put(line.strip())
        self._said.put(None)

    def say(self, line: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Fault(f"{self.name} ended") from None

    def wait_for(self, word: str, seconds: float) -> str:
        """What follows this word in the first line that begins with it."""
        end = perf_counter() + seconds
        while True:
            try:
                line = self._said.get(timeout=max(0.0, end - perf_counter()))
            except queue.Empty:
                raise Fault(f"{self.name} didn't say {word} in {seconds:.1f} s") from None
            if line is None:
                raise Fault(f"{self.name} ended")
            if line.split(" ", 1)[0] == word:
                return line.partition(" ")[2]

    def begin(self, game: str, options: dict[str, Any]) -> None:
        self.say("ugi")
        self.wait_for("ugiok", START_SECONDS)
        self.say(f"setoption name Variant value {game}")
        for option in VARIANTS[game].options:
            if options.get(option.name, RANDOM) != RANDOM:
                value = option.write(options[option.name])
                self.say(f"setoption name {option.name.title()} value {value}")
        self.say("isready")
        self.wait_for("readyok", START_SECONDS)

    def new_game(self) -> None:
        self.say("uginewgame")
        self.say("isready")
        self.wait_for("readyok", START_SECONDS)

    def choose(self, record: GameRecord, milliseconds: int, margin: float) -> Move:
        """Its move, or Fault where it's no legal one or comes after the margin."""
        position = json.dumps(record.positions[0].to_dict())
        moves = " ".join(record.notation())
        self.say(f"position json {position}" + (f" moves {moves}" if moves else ""))
        began = perf_counter()
        self.say(f"go movetime {milliseconds}")
        answer = self.wait_for("bestmove", (milliseconds + margin) / 1000)
        self.late.append((perf_counter() - began) * 1000 - milliseconds)
        try:
            move = record.position.parse(answer.split()[0] if answer else "")
            record.position.play(move)
        except IllegalMove as problem:
            raise Fault(f"{self.name} said {answer!r}: {problem}") from None
        return move

    def close(self) -> None:
        try:
            self._process.communicate("quit\n", timeout=2)
        except (subprocess.TimeoutExpired, BrokenPipeError, ValueError):
            self._process.kill()
            self._process.wait()


@contextmanager
def find_program(name: str, commit: str = "HEAD") -> Iterator[Program]:
    """`ours`, `landed` (the engine of a commit), another checkout's folder, a name or a command."""
    engine = [sys.executable, "-m", "isolation", "engine"]
    if name == "ours":
        program = Program(name, engine)
    elif name == "landed":
        folder = check_out(commit)
        program = Program(f"landed {folder.name}", engine, folder)
    elif Path(name).is_dir():
        program = Program(name, engine, Path(name))
    elif name in RIVALS:
        program = Program(name, [sys.executable, "-m", f"benchmarks.rivals.{name}"])
    elif name in PLAIN:
        program = Program(name, [sys.executable, "-m", "benchmarks.opponents", name])
    else:
        program = Program(name, shlex.split(name))
    try:
        yield program
    finally:
        program.close()


def check_out(commit: str) -> Path:
    """A folder with the files of that commit, kept because its engine has to be compiled."""
    sha = _git("rev-parse", "--short=10", f"{commit}^{{commit}}").decode().strip()
    folder = ROOT / "instance" / "landed" / sha
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        half = Path(tempfile.mkdtemp(dir=folder.parent))
        subprocess.run(
            ["tar", "-x", "-C", half], input=_git("archive", sha, "isolation"), check=True
        )
        half.rename(folder)
    return folder


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
