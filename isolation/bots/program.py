"""A program that speaks UGI, run as a bot: it answers in time, or it's given up."""

import time
from pathlib import Path

from isolation.bots.faults import BotFault
from isolation.bots.process import START_SECONDS, BotProcess, Ended, Silent, printable
from isolation.engines.request import Request
from isolation.rules import IllegalMove, Move

REFUSAL = "info string error"
VARIANT = "option name Variant "


class Program:
    """One process. After a BotFault it has to be closed."""

    def __init__(self, file: Path, patience: float = START_SECONDS) -> None:
        self._process = BotProcess([str(file)], file.parent)
        self._patience = patience
        self._is_begun = False
        self._has_variants = False
        self._game = ""
        self._is_new_game = True

    def new_game(self) -> None:
        """What it's asked next is about another game."""
        self._is_new_game = True

    def search(self, request: Request) -> Move:
        """Its move, or BotFault."""
        self._get_ready(request.start.game)
        answer = self._ask(request.ugi_lines(), "bestmove", request.deadline())
        position = request.position()
        try:
            move = position.parse(answer.removeprefix("bestmove").strip())
            position.play(move)
        except IllegalMove as error:
            raise BotFault(f"{printable(answer[:60])}: {error}") from None
        return move

    def _get_ready(self, game: str) -> None:
        """Tell it what's new since the last search, and wait until it's ready."""
        lines = []
        if not self._is_begun:
            self._ask(["ugi"], "ugiok", self._patience)
            self._is_begun = True
        if self._has_variants and game != self._game:
            lines.append(f"setoption name Variant value {game}")
        if self._is_new_game:
            lines.append("uginewgame")
        if lines:
            self._ask([*lines, "isready"], "readyok", self._patience)
        self._game, self._is_new_game = game, False

    def _ask(self, lines: list[str], word: str, seconds: float) -> str:
        """The first line that begins with a word. Most others are for people."""
        until = time.monotonic() + seconds
        self._process.send("\n".join(lines))
        try:
            while time.monotonic() < until:
                line = self._process.receive(until).strip()
                if line.split(" ", 1)[0] == word:
                    return line
                if line.startswith(REFUSAL):
                    raise BotFault(printable(line[:200]))
                self._has_variants |= line.startswith(VARIANT)
            raise Silent
        except Silent:
            raise BotFault(
                self._process.with_last_lines(f"no {word} within {seconds:g} s")
            ) from None
        except Ended as ended:
            raise BotFault(self._process.with_last_lines(str(ended))) from None

    def close(self) -> None:
        self._process.close()
