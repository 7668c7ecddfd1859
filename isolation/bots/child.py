"""A bot in a child process, as its parent sees it: it answers in time, or it's ended."""

import json
import secrets
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from isolation.bots.faults import BotFault
from isolation.bots.process import START_SECONDS, BotProcess, Ended, Silent, printable

HOSTS = Path(__file__).parent
HOOK_SECONDS = 5.0  # for a bot to take note of a result
MEGABYTES = 1500
NODE_MEGABYTES = 256
LONGEST_FAULT = 600
LONGEST_NAME = 60


class Child:
    """One child process with one bot. `ask` raises BotFault, and never takes longer than it may."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._process: BotProcess | None = None
        facts = self._start()
        self.api = str(facts.get("api"))
        self.name = printable(str(facts.get("name")))[:LONGEST_NAME]
        self.has_hooks = facts.get("hooks") is True

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def begin(self, player: int, match: dict[str, Any]) -> None:
        """A new game, in a match that may have begun before."""
        if self._process is None:
            self._start()
        self.ask({"do": "begin", "player": player, "match": match}, START_SECONDS)

    def tell(self, do: str, **fields: Any) -> None:
        """Say what became of a game or a match, if it wants to know and is still there."""
        if self.has_hooks and self._process:
            self.ask({"do": do, **fields}, HOOK_SECONDS)

    def ask(
        self,
        request: dict[str, Any],
        seconds: float,
        hear: Callable[[Any], None] = lambda _: None,
    ) -> dict[str, Any]:
        """Its answer to a request. Actions that it tells before that are heard as they come."""
        if self._process is None:
            raise BotFault("its process ended")
        until = time.monotonic() + seconds
        # Nobody can answer before being asked: the id can't be guessed.
        key = secrets.token_hex(8)
        self._process.send(json.dumps({**request, "id": key}))
        while True:
            answer = self._receive(until, seconds)
            if answer.get("id") != key:
                if time.monotonic() > until:
                    raise self._give_up(f"it didn't answer in {seconds:.2g} s")
            elif "action" in answer:
                hear(answer["action"])
            elif "fault" in answer:
                raise BotFault(self._fault(answer))
            else:
                return answer

    def _receive(self, until: float, seconds: float) -> dict[str, Any]:
        process = self._process
        try:
            answer = json.loads(process.receive(until)) if process else None
        except Silent:
            raise self._give_up(f"it didn't answer in {seconds:.2g} s") from None
        except Ended as ended:
            raise self._give_up(str(ended)) from None
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self._give_up("it answered something that can't be read")
        return answer

    def _fault(self, answer: dict[str, Any]) -> str:
        words = printable_lines(str(answer["fault"]))[:LONGEST_FAULT]
        if answer.get("is_crash") and self._process:
            return self._process.with_last_lines(words)
        return words

    def _give_up(self, words: str) -> BotFault:
        if self._process:
            words = self._process.with_last_lines(words)
        self.close()
        return BotFault(words)

    def _start(self) -> dict[str, Any]:
        self._process = BotProcess(_command(self.file), self.file.parent)
        try:
            return self.ask({"do": "load"}, START_SECONDS)
        except BotFault:
            self.close()
            raise

    def close(self) -> None:
        """End the process, and whatever it has started."""
        process, self._process = self._process, None
        if process:
            process.close()


def printable_lines(text: str) -> str:
    return "\n".join(printable(line) for line in text.splitlines())


def _command(file: Path) -> list[str]:
    if file.suffix in (".js", ".mjs"):
        node = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
        if not node:
            raise BotFault("bots in JavaScript need Node.js: install it, or run ./run.sh once")
        limit = f"--max-old-space-size={NODE_MEGABYTES}"
        return [node, limit, str(HOSTS / "host.mjs"), str(file)]
    # With a safe path, `isolation` is ours, whatever lies beside the file.
    return [sys.executable, "-P", "-m", "isolation.bots.host", str(file), str(MEGABYTES)]
