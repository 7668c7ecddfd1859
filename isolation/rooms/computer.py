"""The computer as a player: how long it takes, and what it does when no engine answers."""

import logging
from dataclasses import replace
from random import Random
from zlib import crc32

from isolation.engines.engine import Limits
from isolation.engines.levels import LEVELS, Level
from isolation.engines.pool import Request
from isolation.rooms.game import Game
from isolation.rooms.ports import EngineRunner, World
from isolation.rules import PASS, Move

logger = logging.getLogger(__name__)

MAX_FAILURES = 3  # of all engines, before a move is made without them
AGAIN_SECONDS = 1.0
UNHURRIED_SECONDS = 10.0


class Computer:
    """Thinks about games in which it is to move."""

    def __init__(self, engines: EngineRunner, world: World, lot: Random) -> None:
        self._engines = engines
        self._world = world
        self._lot = lot

    def think(self, game: Game) -> tuple[Move, float]:
        """A move, after a natural while, and the seconds to be charged for it."""
        begun = self._world.now()
        level = _level(game)
        most = longest_thought(game)
        delay = min(level.delay(game.record.position, self._lot), most)
        move = self._find(game, level, most)
        self._world.sleep(max(0.0, delay - (self._world.now() - begun)))
        # The time in which no engine was free is not charged.
        allowed = max(delay, min(most, level.limits.seconds or 0.0))
        return move, min(self._world.now() - begun, allowed)

    def think_at_once(self, game: Game) -> tuple[Move, float]:
        """A move as soon as it is found, and the seconds that it took."""
        begun = self._world.now()
        level = _level(game)
        return self._find(game, level, UNHURRIED_SECONDS), self._world.now() - begun

    def _find(self, game: Game, level: Level, most: float) -> Move:
        request = Request.after(
            game.record,
            level=game.seats[game.to_move].level,
            seed=1 + crc32(f"{game.start.id} {game.ply}".encode()),
        )
        if level.limits.seconds and level.limits.seconds > most:
            request = replace(request, level=None, limits=Limits(seconds=most))
        for _ in range(MAX_FAILURES):
            try:
                return self._engines.choose(game.start.id, request)
            except Exception:
                logger.exception("no engine moves in game %s", game.start.id)
                self._world.sleep(AGAIN_SECONDS)
        move = PASS
        while cells := game.record.position.next_cells(move):
            move = (*move, self._lot.choice(cells))
        return move


def _level(game: Game) -> Level:
    return LEVELS[game.start.variant][(game.seats[game.to_move].level or 1) - 1]


def longest_thought(game: Game) -> float:
    """The most that a computer should take for a move, so that its time does not run out."""
    clock = game.start.clock
    if clock is None or clock.is_per_turn:
        return UNHURRIED_SECONDS
    return min(UNHURRIED_SECONDS, game.left[game.to_move] / 25 + 0.8 * clock.increment)
