"""The computer as a player: a listener that thinks when it's its turn, and moves like anyone."""

import logging
from contextlib import suppress
from dataclasses import replace
from random import Random
from zlib import crc32

from isolation.engines.engine import Limits
from isolation.engines.levels import LEVELS, Level
from isolation.engines.request import Request
from isolation.engines.search import EngineFailed, NoEngines
from isolation.rooms.change import Committed
from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.journal import Journal
from isolation.rooms.moving import thought
from isolation.rooms.ports import EngineRunner, Lease, Presence, World
from isolation.rooms.room import Room
from isolation.rooms.subjects import note_room
from isolation.rules import PASS, Move

logger = logging.getLogger(__name__)

MAX_FAILURES = 3  # of all engines, before a move is made without them
AGAIN_S = 1.0
UNHURRIED_S = 10.0


class _Overtaken(Exception):
    """The game has gone another way."""


class Computers:
    """Thinks about games in which a computer is to move, one thought for each at a time."""

    def __init__(
        self,
        journal: Journal,
        presence: Presence,
        lease: Lease,
        engines: EngineRunner,
        world: World,
        lot: Random,
    ) -> None:
        self._journal = journal
        self._presence = presence
        self._lease = lease
        self._engines = engines
        self._world = world
        self._lot = lot
        self._thinking: set[str] = set()  # rooms

    def committed(self, news: Committed) -> None:
        self.consider(news.after)

    def consider(self, room: Room) -> None:
        """Begin to think, if it's a computer's turn and nobody thinks about it."""
        if room.id in self._thinking or not self._may_think(room):
            return
        self._thinking.add(room.id)
        self._world.spawn(self._think, room.id)

    def is_thinking(self, room_id: str) -> bool:
        return room_id in self._thinking

    def _may_think(self, room: Room) -> bool:
        """Whether a computer is to move and wanted to. Two play only while somebody looks."""
        if not room.game.is_computer_to_move or room.is_held:
            return False
        if not room.kind.needs_spectators:
            return True
        return bool(self._presence.of(room.id, self._world.now()).present)

    def _think(self, room_id: str) -> None:
        """Find and make the computer's moves, for as long as it's its turn."""
        note_room(room_id)
        try:
            if not self._lease.take(room_id):
                return  # another process thinks; if it dies, the sweep finds the game
            try:
                while self._may_think(room := self._journal.room(room_id)):
                    with suppress(_Overtaken):
                        move, spent = self._find(room)
                        self._make(room, move, spent)
            finally:
                self._lease.give_back(room_id)
        finally:
            self._thinking.discard(room_id)
        self.consider(self._journal.room(room_id))

    def _make(self, room: Room, move: Move, spent: float) -> None:
        """Make a move, unless the game has gone another way; as soon as the store works."""
        text = room.game.record.position.notate(move)
        while True:
            try:
                self._journal.act(room.id, lambda now, _: thought(now, room.game, text, spent))
            except Refused as refusal:
                logger.info("the computer came too late in room %s: %s", room.id, refusal)
            except Exception:
                logger.exception("the computer's move in room %s", room.id)
                self._world.sleep(AGAIN_S)
                continue
            return

    def _find(self, room: Room) -> tuple[Move, float]:
        """A move, after a natural while, and the seconds to be charged for it."""
        begun, game = self._world.now(), room.game
        level = _level(game)
        if room.kind.is_directed:  # the one who asked waits for it
            return self._search(room, level, UNHURRIED_S), self._world.now() - begun
        most = longest_thought(game)
        delay = min(level.delay(game.record.position, self._lot), most)
        move = self._search(room, level, most)
        self._world.sleep(max(0.0, delay - (self._world.now() - begun)))
        # The time in which no engine was free is not charged.
        allowed = max(delay, min(most, level.limits.seconds or 0.0))
        return move, min(self._world.now() - begun, allowed)

    def _search(self, room: Room, level: Level, most: float) -> Move:
        game = room.game
        request = Request.after(
            game.record,
            level=game.seats[game.to_move].level,
            seed=1 + crc32(f"{game.id} {game.ply}".encode()),
        )
        if level.limits.seconds and level.limits.seconds > most:
            request = replace(request, level=None, limits=Limits(seconds=most))
        failures, is_told = 0, False
        while failures < MAX_FAILURES:
            try:
                return self._engines.choose(_visitor(room), request)
            except NoEngines as error:  # they're worth waiting for: any other move is a bad one
                if not is_told:
                    logger.warning("the computer waits in game %s: %s", game.id, error)
                is_told = True
                self._check_turn(room)
            except EngineFailed as error:
                failures += 1
                logger.warning("no engine moves in game %s: %s", game.id, error)
            except Exception:
                failures += 1
                logger.exception("no engine moves in game %s", game.id)
            self._world.sleep(AGAIN_S)
        return self._any_move(game)

    def _check_turn(self, room: Room) -> None:
        """_Overtaken, if there's nothing left to think about."""
        now, game = self._journal.room(room.id), room.game
        if now.game.id != game.id or now.game.record.turns != game.record.turns:
            raise _Overtaken
        if not self._may_think(now):
            raise _Overtaken

    def _any_move(self, game: Game) -> Move:
        move = PASS
        while cells := game.record.position.next_cells(move):
            move = (*move, self._lot.choice(cells))
        return move


def _visitor(room: Room) -> str:
    """For whom it thinks: the engines are shared fairly among visitors."""
    people = (seat.identity for seat in room.game.seats if seat.identity)
    return next(people, None) or room.row.owner or room.id


def _level(game: Game) -> Level:
    return LEVELS[game.start.variant][(game.seats[game.to_move].level or 1) - 1]


def longest_thought(game: Game) -> float:
    """The most that a computer should take for a move, so that its time doesn't run out."""
    clock = game.start.clock
    if clock is None or clock.is_per_turn:
        return UNHURRIED_S
    return min(UNHURRIED_S, game.left[game.to_move] / 25 + 0.8 * clock.increment)
