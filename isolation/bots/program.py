"""A program that speaks the engine protocol, run as a bot: it answers in time, or it's given up."""

import time
from pathlib import Path

from isolation.bots.faults import BotFault
from isolation.bots.process import BotProcess, Ended, Silent, printable
from isolation.engines.request import Request
from isolation.rules import IllegalMove, Move

START_SECONDS = 120.0  # ours compiles its cores when it's started for the first time
REFUSAL = "info string error"


class Program:
    """One process. After a BotFault it has to be closed."""

    def __init__(self, file: Path) -> None:
        self._process = BotProcess([str(file)], file.parent)
        self._is_ready = False

    def search(self, request: Request) -> Move:
        """Its move, or BotFault."""
        if not self._is_ready:
            self._ask("isready", "readyok", START_SECONDS)
            self._is_ready = True
        answer = self._ask("\n".join(request.lines()), "bestmove", request.deadline())
        position = request.position()
        try:
            move = position.parse(answer.removeprefix("bestmove").strip())
            position.play(move)
        except IllegalMove as error:
            raise BotFault(f"{printable(answer[:60])}: {error}") from None
        return move

    def _ask(self, lines: str, word: str, seconds: float) -> str:
        """The first line that begins with a word. All others are for people."""
        until = time.monotonic() + seconds
        self._process.send(lines)
        try:
            while time.monotonic() < until:
                line = self._process.receive(until).strip()
                if line.split(" ", 1)[0] == word:
                    return line
                if line.startswith(REFUSAL):
                    raise BotFault(printable(line[:200]))
            raise Silent
        except Silent:
            raise BotFault(
                self._process.with_last_lines(f"no {word} within {seconds:g} s")
            ) from None
        except Ended as ended:
            raise BotFault(self._process.with_last_lines(str(ended))) from None

    def close(self) -> None:
        self._process.close()
