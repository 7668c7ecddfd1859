"""One engine for all five games: it hands each position to the engine that knows its game."""

import logging
from collections.abc import Callable, Sequence

from isolation.engines.cache import has_compiler
from isolation.engines.claiming import ClaimingEngine
from isolation.engines.engine import (
    FULL_STRENGTH,
    Decision,
    Engine,
    Handicap,
    Limits,
    Report,
)
from isolation.engines.plain import PlainEngine
from isolation.rules import Position

logger = logging.getLogger(__name__)


def _walking() -> Engine:
    from isolation.engines.walking import WalkingEngine

    return WalkingEngine()


def _sliding() -> Engine:
    from isolation.engines.sliding import SlidingEngine

    return SlidingEngine()


COMPILED: dict[str, Callable[[], Engine]] = {
    "classic": _walking,
    "isola": _walking,
    "knights": _walking,
    "slider": _sliding,
}


class AllGames:
    """Keeps an engine for each game that it has been asked about."""

    def __init__(self) -> None:
        self._engines: dict[str, Engine] = {}

    def choose(
        self,
        position: Position,
        limits: Limits,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
    ) -> Decision:
        return self._engine(position).choose(position, limits, history, handicap, report)

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
    ) -> list[Decision]:
        return self._engine(position).analyse(position, limits, lines, history)

    def _engine(self, position: Position) -> Engine:
        if position.game not in self._engines:
            self._engines[position.game] = self._make(position.game)
        return self._engines[position.game]

    def _make(self, game: str) -> Engine:
        if game not in COMPILED:
            return ClaimingEngine()
        if has_compiler():
            return COMPILED[game]()
        logger.warning("numba is not installed: the slower engine in plain Python plays %s", game)
        return PlainEngine()
