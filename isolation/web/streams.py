"""HTTP streams of lines of JSON for bots: what happens to them, and what happens in their games.

A stream that is not read holds up nobody: what is to be told waits as a mark, not as a message, and
the lines are made when they can be sent.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from typing import Any
from uuid import uuid4

from isolation.rooms import payloads
from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.room import Visitor
from isolation.rooms.service import Rooms

KEEP_ALIVE_S = 6.0  # between empty lines, by which both sides see that the other is there
MOST_WAITING = 200  # things to tell, before a stream that is not read is ended
MOST_STREAMS = 40  # of one bot at a time
BOARD_EVENTS = ("moved", "state", "snapshot", "asked")


@dataclass
class Listener:
    """One open stream."""

    visitor: Visitor
    games: tuple[str, ...] = ()  # what it plays, for event streams
    queue: Queue[tuple[str, Any]] = field(default_factory=lambda: Queue(MOST_WAITING))
    is_full: bool = False

    def put(self, item: tuple[str, Any]) -> None:
        try:
            self.queue.put_nowait(item)
        except Full:
            self.is_full = True


class Streams:
    """All open streams of bots."""

    def __init__(self, rooms: Rooms, now: Callable[[], float], changed: Callable[[], None]) -> None:
        self._rooms = rooms
        self._now = now
        self._changed = changed  # called when a bot comes online or goes
        self._in_rooms: dict[str, list[Listener]] = {}
        self._events: dict[str, list[Listener]] = {}  # by identity

    # What is told.

    def tell(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        """Something has happened in a room: to all, or to its players."""
        if event == "chat":
            for listener in self._in_rooms.get(room, ()):
                listener.put(("chat", dict(payload)))
        if event not in BOARD_EVENTS:
            return
        for listener in self._in_rooms.get(room, ()):
            listener.put(("board", None))
        game = self._rooms.latest(room) if self._events else None
        for seat in game.seats if game else ():
            for listener in self._events.get(seat.identity or "", ()):
                listener.put(("game", game))

    def challenge(self, bot: str, challenge: dict[str, Any]) -> bool:
        """Tell a bot that somebody waits for it in a room; whether it is there."""
        listeners = self._events.get(bot, [])
        for listener in listeners:
            listener.put(("challenge", challenge))
        return bool(listeners)

    def online(self) -> list[dict[str, Any]]:
        """The bots that wait for games."""
        return [
            {"id": identity, "name": found[-1].visitor.name, "games": list(found[-1].games)}
            for identity, found in self._events.items()
            if found
        ]

    # The streams.

    def check_room_for(self, visitor: Visitor) -> None:
        """Refused, if a bot has too many streams open."""
        groups = [*self._in_rooms.values(), *self._events.values()]
        mine = sum(one.visitor.identity == visitor.identity for group in groups for one in group)
        if mine >= MOST_STREAMS:
            raise Refused("too_many", f"{MOST_STREAMS} streams at a time are enough")

    def events(self, visitor: Visitor, games: tuple[str, ...]) -> Iterator[str]:
        """Challenges, games that begin, games that end; first the games that go on."""
        listener = Listener(visitor, games)
        self._events.setdefault(visitor.identity, []).append(listener)
        self._changed()
        begun: set[str] = set()
        try:
            for game in self._rooms.rooms_of(visitor.identity):
                yield from self._game_lines(visitor, game, begun)
            for kind, item in _items(listener):
                if kind == "challenge":
                    yield _line({"type": "challenge", "challenge": item})
                elif kind == "game":
                    yield from self._game_lines(visitor, item, begun)
                else:
                    yield "\n"
        finally:
            _remove(self._events, visitor.identity, listener)
            self._changed()

    @staticmethod
    def _game_lines(visitor: Visitor, game: Game, begun: set[str]) -> Iterator[str]:
        start = game.start
        told = {"id": start.id, "room": start.room, "variant": start.variant}
        if game.is_on and start.id not in begun:
            begun.add(start.id)
            you = game.players_of(visitor.identity)[0]
            yield _line({"type": "gameStart", "game": {**told, "you": you}})
        elif game.outcome and start.id in begun:
            begun.discard(start.id)
            yield _line({"type": "gameFinish", "game": {**told, "result": game.result}})

    def game(self, visitor: Visitor, game: Game) -> Iterator[str]:
        """A game: all of it, then its state whenever that changes, until it is over."""
        listener, room, name = Listener(visitor), game.start.room, f"stream {uuid4().hex}"
        self._in_rooms.setdefault(room, []).append(listener)
        try:
            self._rooms.enter(visitor, room, name)
            game = self._rooms.game(game.start.id) or game
            full = self._full(visitor, game)
            told = (full["state"]["v"], full["state"]["status"])
            yield _line(full)
            if game.outcome:
                return
            for kind, item in _items(listener):
                if kind == "chat":
                    yield _line({"type": "chatLine", **item})
                elif kind == "board":
                    game = self._rooms.game(game.start.id) or game
                    state = self._state(game)
                    if (state["v"], state["status"]) != told:
                        told = (state["v"], state["status"])
                        yield _line(state)
                elif kind == "idle":
                    yield "\n"
                if game.outcome:
                    return
        finally:
            _remove(self._in_rooms, room, listener)
            self._rooms.leave(visitor, room, name)

    def _full(self, visitor: Visitor, game: Game) -> dict[str, Any]:
        start = game.start
        return {
            "type": "gameFull",
            "id": start.id,
            "room": start.room,
            "variant": start.variant,
            "options": dict(start.options),
            "clock": start.clock.to_dict() if start.clock else None,
            "players": payloads.players(game),
            "you": game.players_of(visitor.identity)[0],
            "state": self._state(game),
        }

    def _state(self, game: Game) -> dict[str, Any]:
        told = payloads.state(game, self._now())
        kept = ("v", "ply", "to_move", "left", "running", "draw_offer", "takeback_offer", "outcome")
        is_waiting = not game.is_on or self._rooms.is_held(game.start.room)
        return {
            "type": "gameState",
            "status": "finished" if game.outcome else "waiting" if is_waiting else "started",
            "moves": " ".join(game.record.notation()),
            **{name: told[name] for name in kept},
        }


def _items(listener: Listener) -> Iterator[tuple[str, Any]]:
    """What is to be told, as it comes; "idle" when nothing does."""
    while not listener.is_full:
        try:
            yield listener.queue.get(timeout=KEEP_ALIVE_S)
        except Empty:
            yield "idle", None


def _remove(where: dict[str, list[Listener]], key: str, listener: Listener) -> None:
    where[key].remove(listener)
    if not where[key]:
        del where[key]


def _line(told: dict[str, Any]) -> str:
    return json.dumps(told) + "\n"
