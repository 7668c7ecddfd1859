"""One engine for all five games: it hands each position to the engine that knows its game."""

import logging
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from isolation.engines.cache import has_compiler
from isolation.engines.claiming import ClaimingEngine
from isolation.engines.engine import (
    FULL_STRENGTH,
    Decision,
    Engine,
    Handicap,
    Limits,
    Note,
    Report,
    Resources,
)
from isolation.engines.plain import PlainEngine
from isolation.rules import Position

if TYPE_CHECKING:
    from isolation.engines.deepening import Deepening

logger = logging.getLogger(__name__)


def _walking() -> "Deepening":
    from isolation.engines.walking import WalkingEngine

    return WalkingEngine()


def _jumping() -> "Deepening":
    from isolation.engines.jumping import JumpingEngine

    return JumpingEngine()


def _sliding() -> "Deepening":
    from isolation.engines.sliding import SlidingEngine

    return SlidingEngine()


# The games with a compiled core. Importing one loads numba, so that is done on first use.
COMPILED: dict[str, Callable[[], "Deepening"]] = {
    "classic": _walking,
    "isola": _walking,
    "knights": _jumping,
    "slider": _sliding,
}


class AllGames(Engine):
    """Keeps an engine for each game that it has been asked about."""

    def __init__(self) -> None:
        self._claiming = ClaimingEngine()
        self._plain = PlainEngine()
        self._compiled: dict[str, Deepening] = {}
        self._resources = Resources()

    def analyse(
        self,
        position: Position,
        limits: Limits,
        lines: int = 3,
        history: Sequence[Position] = (),
        handicap: Handicap = FULL_STRENGTH,
        report: Report | None = None,
        note: Note | None = None,
    ) -> list[Decision]:
        engine = self._engine(position)
        return engine.analyse(position, limits, lines, history, handicap, report, note)

    def use(self, resources: Resources) -> None:
        if self._compiled:  # and with it the table of all
            next(iter(self._compiled.values())).use(resources)
        self._resources = resources

    def forget(self) -> None:
        for engine in self._compiled.values():
            engine.forget()

    def _engine(self, position: Position) -> Engine:
        game = position.game
        if game not in COMPILED:
            return self._claiming
        if not has_compiler():
            _say_once(f"numba is not installed: the slower engine in plain Python plays {game}")
            return self._plain
        if game not in self._compiled:
            self._compiled[game] = self._load(game)
        compiled = self._compiled[game]
        return compiled if compiled.has_room(position) else self._plain

    def _load(self, game: str) -> "Deepening":
        """All engines share one table: they take turns, and another game has no use for it."""
        engine = COMPILED[game]()
        if self._compiled:
            engine.memory = next(iter(self._compiled.values())).memory
        else:
            engine.use(self._resources)
        return engine


@cache
def _say_once(message: str) -> None:
    logger.warning(message)
