"""The lines that every rival speaks on its standard input and output (docs/engine-protocol.md).

Positions and moves are read and written by isolation.rules; the rest is the rival's own.
"""

import json
import sys
from collections.abc import Iterable
from threading import Timer
from typing import Any, Protocol

from isolation.rules import VARIANTS, GameRecord, Move, Position
from isolation.rules.variants import position_from_dict

Thought = tuple[int, int, Move, int]  # depth, score, move and nodes

EARLY = 0.003  # seconds kept for the answer's way


class Rival(Protocol):
    """What thinks: `think` yields depth, score, move and nodes until `stop` is called."""

    def think(self, position: Position, past: list[Position]) -> Iterable[Thought]: ...
    def begin(self) -> None: ...
    def stop(self) -> None: ...
    def forget(self) -> None: ...


class Lines:
    def __init__(self, name: str, rival: Rival) -> None:
        self.name, self.rival = name, rival
        self.game = "classic"
        self.options: dict[str, Any] = {}
        self.record = GameRecord.begin("classic")

    def hear(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            print(f"id name {self.name}\nugiok")
        elif word == "isready":
            self._warm_up()
            print("readyok")
        elif word == "setoption":
            self._set(*rest.removeprefix("name ").split(" value ", 1))
        elif word == "uginewgame":
            self.rival.forget()
            self.record = self._start()
        elif word == "position":
            self._place(rest)
        elif word == "go":
            self._go(rest.split())

    def _set(self, name: str, value: str) -> None:
        if name == "Variant":
            self.game, self.options = value, {}
            self.rival.forget()
        for option in VARIANTS[self.game].options:
            if option.name == name.lower():
                self.options[option.name] = option.read(value)
        self.record = self._start()

    def _start(self) -> GameRecord:
        return GameRecord.begin(self.game, self.options)

    def _place(self, text: str) -> None:
        if text.startswith("json"):
            data, end = json.JSONDecoder().raw_decode(text[5:])
            position = position_from_dict(data)
            self.record = GameRecord.begin(position.game, position=position)
            text = text[5 + end :]
        else:
            self.record = self._start()
        for word in text.partition("moves")[2].split():
            self.record = self.record.play(self.record.position.parse(word))

    def _go(self, words: list[str]) -> None:
        limits = dict(zip(words[::2], words[1::2], strict=False))
        clock = Timer(int(limits.get("movetime", 1000)) / 1000 - EARLY, self.rival.stop)
        self.rival.begin()
        clock.start()
        best = None
        for depth, score, move, nodes in self._thoughts():
            best = move
            print(f"info depth {depth} score cp {score} nodes {nodes}")
            if depth == int(limits.get("depth", 0)):
                break
        clock.cancel()
        print("bestmove", "none" if best is None else self.record.position.notate(best))

    def _thoughts(self) -> Iterable[Thought]:
        if self.record.outcome:
            return ()
        return self.rival.think(self.record.position, list(self.record.positions[:-1]))

    def _warm_up(self) -> None:
        """Compile, or load what's compiled, before any clock runs."""
        self.rival.stop()
        for _ in self._thoughts():
            pass
        self.rival.forget()


def serve(name: str, rival: Rival) -> None:
    lines = Lines(name, rival)
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        lines.hear(line)
        sys.stdout.flush()
