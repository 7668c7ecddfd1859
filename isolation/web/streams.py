"""HTTP streams of lines of JSON for bots: what happens to them, and what happens in their games.

A stream that is not read holds up nobody: what is to be told waits, so much and no more, and the
state of a game is made when it can be sent.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from typing import Any
from uuid import uuid4

from isolation.rooms.errors import Refused
from isolation.rooms.game import Game
from isolation.rooms.ports import Directory, OnlineBot
from isolation.rooms.room import Visitor
from isolation.rooms.service import Rooms
from isolation.rooms.views import bots as views

KEEP_ALIVE_S = 6.0  # between empty lines, by which both sides see that the other is there
MOST_WAITING = 200  # things to tell, before a stream that is not read is ended
MOST_STREAMS = 40  # of one bot at a time
MOST_OF_ADDRESS = 200
LISTED = 50  # bots that are online
BOARD_EVENTS = ("moved", "state", "snapshot", "asked")
MayListen = Callable[[], bool]


@dataclass
class Listener:
    """One open stream."""

    visitor: Visitor
    address: str
    may_listen: MayListen  # asked before anything is told
    games: tuple[str, ...] = ()  # what it plays, for event streams
    begun: set[str] = field(default_factory=set)  # games that it has been told of
    waiting: dict[str, int] = field(default_factory=dict)  # games that hadn't begun, at a version
    queue: Queue[tuple[str, Any]] = field(default_factory=lambda: Queue(MOST_WAITING))
    is_full: bool = False
    is_over: bool = False  # ended from here: the bot opens another
    told_at: float = field(default_factory=time.monotonic)

    def put(self, kind: str, item: Any = None) -> None:
        try:
            self.queue.put_nowait((kind, item))
        except Full:
            self.is_full = True

    def end(self) -> None:
        self.is_over = True
        self.put("idle")

    def items(self) -> Iterator[tuple[str, Any]]:
        """What is to be told, as it comes; "idle" when nothing has been told for a while.

        It ends when the listener may no longer listen, because its token was revoked.
        """
        while not (self.is_full or self.is_over):
            left = self.told_at + KEEP_ALIVE_S - time.monotonic()
            try:
                item = self.queue.get(timeout=max(0.0, left))
            except Empty:
                item = "idle", None
            if self.is_over or not self.may_listen():
                return
            yield item

    def line(self, told: dict[str, Any] | None) -> str:
        """A line to send; an empty one says that the stream is alive."""
        self.told_at = time.monotonic()
        return (json.dumps(told) if told else "") + "\n"


class Streams:
    """All open streams of bots."""

    def __init__(
        self,
        rooms: Rooms,
        directory: Directory,
        now: Callable[[], float],
        changed: Callable[[], None],
    ) -> None:
        """`changed` is called when a bot comes online or goes, in any process."""
        self._rooms = rooms
        self._directory = directory
        self._now = now
        directory.listen(self._hear, changed)
        self._in_rooms: dict[str, list[Listener]] = {}
        self._events: dict[str, list[Listener]] = {}  # by identity
        self._games: dict[str, tuple[float, dict[str, int]]] = {}  # of a bot, when we last looked

    # What is told.

    def tell(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        """Something has happened in a room: to all, or to its players."""
        listeners = self._in_rooms.get(room, ())
        if event in ("chat", "presence"):
            for listener in listeners:
                listener.put(event, dict(payload))
        if event not in BOARD_EVENTS:
            return
        for listener in listeners:
            listener.put("board")
        if event == "snapshot" or payload.get("outcome"):  # it may have begun, or is over
            self.tell_game(self._rooms.latest(room))

    def tell_game(self, game: Game) -> None:
        """To the bots that play it, wherever they are: a game has begun, or is over."""
        self._tell_here(game)
        for seat in game.seats:
            if seat.is_bot and seat.identity:
                self._directory.send(seat.identity, {"game": game.id})

    def _tell_here(self, game: Game) -> None:
        for seat in game.seats:
            for listener in self._events.get(seat.identity or "", ()):
                if told := _news(listener, game):
                    listener.put("event", told)

    def challenge(self, bot: str, challenge: dict[str, Any]) -> None:
        """Tell a bot that somebody waits for it in a room, or Refused."""
        online = next((one for one in self._directory.online() if one.identity == bot), None)
        if online is None:
            raise Refused("unknown", why="bot")
        if challenge["variant"] not in online.games:
            words = {"name": online.name, "games": ", ".join(online.games)}
            more = {"problem": "wrong", "allowed": list(online.games)}
            raise Refused("invalid", why="bot", field="room", **more, words=words)
        self._challenge_here(bot, challenge)
        if not self._directory.reach(bot, {"challenge": challenge}) and bot not in self._events:
            raise Refused("unsure", why="bot")

    def _challenge_here(self, bot: str, challenge: Mapping[str, Any]) -> None:
        for listener in self._events.get(bot, ()):
            listener.put("event", views.challenged(challenge))

    def _hear(self, bot: str, message: Mapping[str, Any]) -> None:
        """Another process has something for a bot that's connected here."""
        if "challenge" in message:
            self._challenge_here(bot, message["challenge"])
        else:
            self._tell_here(self._rooms.game(message["game"]))

    def online(self) -> list[dict[str, Any]]:
        """The bots that wait for games."""
        return [views.online(bot) for bot in self._directory.online()[-LISTED:]]

    # The streams.

    def end(self) -> None:
        """End them all."""
        for listener in self._open():
            listener.end()

    def _open(self) -> list[Listener]:
        groups = [*self._in_rooms.values(), *self._events.values()]
        return [one for group in groups for one in group]

    def check_room_for(self, visitor: Visitor, address: str) -> None:
        """Refused, if a bot or an address has too many streams open."""
        all_open = self._open()
        mine = sum(one.visitor.identity == visitor.identity for one in all_open)
        if mine >= MOST_STREAMS:
            raise Refused("too_many", why="streams", most=MOST_STREAMS)
        if sum(one.address == address for one in all_open) >= MOST_OF_ADDRESS:
            raise Refused("too_many", why="address", most=MOST_OF_ADDRESS)

    def events(
        self, visitor: Visitor, address: str, games: tuple[str, ...], may_listen: MayListen
    ) -> Iterator[str]:
        """Challenges, games that begin, games that end; first the games that go on."""
        listener = Listener(visitor, address, may_listen, games)
        self._events.setdefault(visitor.identity, []).append(listener)
        self._introduce(visitor)
        try:
            yield from self._untold(listener, self._look(visitor.identity))
            yield listener.line(None)
            for kind, item in listener.items():
                if kind == "idle":
                    games_now = self._look(visitor.identity, KEEP_ALIVE_S / 2)
                    yield from self._untold(listener, games_now)
                yield listener.line(item)
        finally:
            _remove(self._events, visitor.identity, listener)
            self._introduce(visitor)

    def _look(self, bot: str, within: float = 0.0) -> dict[str, int]:
        """The unfinished games of a bot: one look serves all its streams."""
        now = time.monotonic()
        looked, games = self._games.get(bot, (0.0, {}))
        if now - looked >= within:
            games = self._rooms.games_of(bot)
            self._games[bot] = now, games
        return games

    def _untold(self, listener: Listener, games: Mapping[str, int]) -> Iterator[str]:
        """What a bot hasn't heard of its games: a process may die before it tells of a change.

        Only those are read that have changed since, and may have begun or ended by it.
        """
        begun, waiting = listener.begun, listener.waiting
        new = [game for game, v in games.items() if game not in begun and waiting.get(game) != v]
        for game_id in [*new, *(begun - games.keys())]:
            game = self._rooms.game(game_id)
            waiting[game_id] = game.v
            if told := _news(listener, game):
                yield listener.line(told)
        for game_id in [one for one in waiting if one not in games or one in begun]:
            del waiting[game_id]

    def _introduce(self, visitor: Visitor) -> None:
        """Say what a bot plays, on all its streams together, or that it's gone."""
        listeners = self._events.get(visitor.identity, ())
        games = dict.fromkeys(game for one in listeners for game in one.games)
        if games:
            self._directory.come(OnlineBot(visitor.identity, visitor.name, tuple(games)))
        else:
            self._games.pop(visitor.identity, None)
            self._directory.go(visitor.identity)

    def game(
        self, visitor: Visitor, address: str, game: Game, may_listen: MayListen
    ) -> Iterator[str]:
        """A game: all of it, then its state whenever that changes, until it is over."""
        room, name = game.start.room, f"stream {uuid4().hex}"
        listener = Listener(visitor, address, may_listen)
        self._in_rooms.setdefault(room, []).append(listener)
        try:
            self._rooms.enter(visitor, room, name)
            game = self._rooms.game(game.id)
            full = views.game_full(game, visitor.identity, self._state(game))
            known, gone = _mark(full["state"]), False
            yield listener.line(full)
            if game.outcome:
                return
            for kind, item in listener.items():
                if kind == "idle":
                    self._rooms.game(game.id)  # what was missed is told as a change of it
                    yield listener.line(None)
                elif kind == "chat":
                    yield listener.line(views.chat_line(item))
                elif kind == "presence":
                    told = views.opponent_gone(item, 1 - full["you"])
                    if gone != told["gone"]:
                        gone = told["gone"]
                        yield listener.line(told)
                else:
                    game = self._rooms.game(game.id)
                    state = self._state(game)
                    if _mark(state) != known:
                        known = _mark(state)
                        yield listener.line(state)
                if game.outcome:
                    return
        finally:
            _remove(self._in_rooms, room, listener)
            self._rooms.leave(visitor, room, name)

    def _state(self, game: Game) -> dict[str, Any]:
        is_held = self._rooms.is_held(game.start.room)
        return views.game_state(game, is_held, self._now())


def _news(listener: Listener, game: Game) -> dict[str, Any] | None:
    """What a bot is to be told of a game of its own: that it has begun, or is over."""
    if game.is_on and game.id not in listener.begun:
        listener.begun.add(game.id)
        return views.game_start(game, listener.visitor.identity)
    if game.outcome and game.id in listener.begun:
        listener.begun.discard(game.id)
        return views.game_finish(game)
    return None


def _mark(state: Mapping[str, Any]) -> tuple[Any, Any]:
    """Two states with the same mark say the same."""
    return state["v"], state["status"]


def _remove(where: dict[str, list[Listener]], key: str, listener: Listener) -> None:
    where[key].remove(listener)
    if not where[key]:
        del where[key]
