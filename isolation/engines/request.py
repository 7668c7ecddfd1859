"""A search as an engine is asked for it, in lines of the engine protocol. Starts no process."""

import json
from dataclasses import dataclass, field
from typing import Any, Self

from isolation.engines.engine import Limits
from isolation.rules import GameRecord, Move, Position, position_from_dict, write_fen

MARGIN_SECONDS = 2.0  # beyond the limit of a search, before its worker counts as hung
UNLIMITED_SECONDS = 60.0  # for a search limited by nodes or depth alone


@dataclass(frozen=True, slots=True)
class Request:
    """A search: the position at the end of a game, and how to think about it."""

    start: Position
    moves: tuple[Move, ...] = ()
    limits: Limits = field(default_factory=Limits)
    level: int | None = None
    seed: int = 1
    best: int = 1  # how many of the best moves are told, not one

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """What `to_dict` wrote."""
        more = {**data, "start": position_from_dict(data["start"])}
        more["moves"] = tuple(map(tuple, data["moves"]))
        more["limits"] = Limits(**data["limits"])
        return cls(**more)

    def to_dict(self) -> dict[str, Any]:
        """For a host elsewhere. A flag that stops the search stays here."""
        limits = self.limits
        return {
            "start": self.start.to_dict(),
            "moves": self.moves,
            "limits": {
                "seconds": limits.seconds,
                "nodes": limits.nodes,
                "depth": limits.depth,
            },
            "level": self.level,
            "seed": self.seed,
            "best": self.best,
        }

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
        """What a worker of ours is told, whatever game it was asked about before."""
        start = json.dumps(self.start.to_dict())
        return [f"position json {start}{self._moves()}", f"go {self._limits()}"]

    def ugi_lines(self) -> list[str]:
        """What any UGI program is told that plays this game."""
        return [f"position fen {write_fen(self.start)}{self._moves()}", f"go {self._limits()}"]

    def _moves(self) -> str:
        notation, position = [""], self.start
        for move in self.moves:
            notation.append(position.notate(move))
            position = position.after(move)
        return " moves" + " ".join(notation) if self.moves else ""

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
