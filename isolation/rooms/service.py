"""The rooms of a process: journal, decisions and listeners put together.

What people do goes through `_act`: the decision is pure, the journal stores it, and the listeners
tell everyone, wake computers and set timers.
"""

from collections.abc import Callable, Iterator
from random import Random
from secrets import token_urlsafe
from typing import Any

from isolation.rooms import agreeing, contest, leaving, moving, seating
from isolation.rooms.alone import alone
from isolation.rooms.change import Committed
from isolation.rooms.chat import KEPT as CHAT_KEPT
from isolation.rooms.chat import Chat
from isolation.rooms.computer import Computers
from isolation.rooms.deadlines import Deadlines
from isolation.rooms.deciding import Decided
from isolation.rooms.errors import Refused
from isolation.rooms.game import Game, GameStart
from isolation.rooms.journal import FRESH_S, Journal
from isolation.rooms.lobby import Lobby
from isolation.rooms.plan import Plan, plan_contest, plan_game
from isolation.rooms.ports import (
    Audience,
    ChatLine,
    EngineRunner,
    News,
    Shared,
    Store,
    World,
)
from isolation.rooms.room import Room, RoomRow, Visitor
from isolation.rooms.telling import Teller
from isolation.rooms.views import rooms as views

GAMES_LISTED = 100  # of one visitor

Answer = dict[str, Any]


class Rooms:
    """All rooms, as one process sees them, and what it shares with the others."""

    def __init__(
        self,
        store: Store,
        engines: EngineRunner,
        audience: Audience,
        world: World,
        shared: Shared | None = None,
    ) -> None:
        self._store = store
        self._audience = audience
        self._world = world
        self._lot = Random()
        shared = shared or alone()
        self._bus = shared.bus
        self._presence = shared.presence
        self.journal = Journal(store, self, world)
        self._teller = Teller(audience, self._presence, self.journal.outages, world)
        self._chat = Chat(store, self._teller.said, self.publish, world)
        self._lobby = Lobby(self.journal, audience, self._presence, shared.listing, world)
        self._computers = Computers(
            self.journal, self._presence, shared.lease, engines, world, self._lot
        )
        self.deadlines = Deadlines(store, self.journal, self._computers, world)
        for listener in (self, self._teller, self._lobby, self.deadlines, self._computers):
            self.journal.add_listener(listener)
        self._bus.listen(self.hear)
        self._presence.listen(self._others_moved)
        shared.listing.listen(audience.lobby_changed)

    # Making rooms, coming and going.

    def create(self, visitor: Visitor, *wanted: Any, **more: Any) -> Room:
        """A new room with its first game; the visitor has a seat, or watches two computers."""
        return self._open(plan_game(visitor, self._lot, *wanted, **more), visitor)

    def contest(self, visitor: Visitor, **wanted: Any) -> Room:
        """A new room with a game between bots, which the visitor directs."""
        return self._open(plan_contest(visitor, self._lot, **wanted), visitor)

    def _open(self, plan: Plan, visitor: Visitor) -> Room:
        now = self._world.now()
        row = RoomRow(token_urlsafe(9), plan.is_public, plan.kind, now, visitor.identity)
        start = GameStart(
            token_urlsafe(9),
            row.id,
            1,
            plan.variant,
            plan.options,
            plan.clock,
            seating.emptied(plan.seats),
            plan.first,
            now,
            plan.position,
        )
        return self.journal.open(row, start, seating.seated(plan.seats))

    def join(self, visitor: Visitor, room_id: str) -> int:
        """Take the free seat; the player that the visitor is from now on."""
        room, _ = self.journal.act(room_id, lambda room, now: seating.join(room, visitor, now))
        return room.played_by(visitor.identity)[0]

    def enter(self, visitor: Visitor, room_id: str, connection: str) -> Answer:
        """Be present in a room, to play or to watch; all there is to know about it."""
        # Who comes from another process knows what was done there, maybe before we've heard of it.
        room = self.journal.fresh(room_id, 0.0 if self._bus.has_others else FRESH_S)
        is_inside = room.is_inside(visitor.identity)
        lines = self._store.load_chat(room_id, is_inside, CHAT_KEPT)
        self._presence.enter(room_id, visitor.identity, connection, self._world.now())
        room = self.journal.room(room_id)  # which may have gone on while the store was asked
        self._came_or_went(room)
        chat = [views.chat_line(line) for line in lines]
        return {**self._teller.snapshot(room), **views.own(room, visitor.identity), "chat": chat}

    def leave(self, visitor: Visitor, room_id: str, connection: str) -> None:
        """A connection has gone, or looks at something else."""
        room = self.journal.cached(room_id)
        is_player = bool(room and room.game.players_of(visitor.identity))
        now = self._world.now()
        self._presence.leave(room_id, visitor.identity, connection, now, is_player)
        if room:
            self._came_or_went(room)

    def _came_or_went(self, room: Room) -> None:
        self._attended(room)
        self.publish(News(room.id, is_presence=True))

    def _attended(self, room: Room) -> None:
        self._audience.presence_changed(room.id)
        if room.row.is_public:
            self._lobby.update(room)
        self._computers.consider(room)

    def say(self, visitor: Visitor, room_id: str, text: str) -> Answer:
        """Players, and the owner of a contest, are heard by players; spectators by spectators."""
        room = self.journal.room(room_id)
        player = next(iter(room.game.players_of(visitor.identity)), None)
        is_inside = room.is_inside(visitor.identity)
        line = ChatLine(self._world.now(), visitor.name, text, player, is_inside)
        self._chat.say(room_id, line)
        return {}

    def sync(self, visitor: Visitor, room_id: str, game_id: str, v: int) -> Answer:
        """What a client has missed that knows a game up to version `v`."""
        room = self.journal.fresh(room_id)
        missed = self._teller.missed(room, game_id, v)
        snapshot = self._teller.snapshot(room) if missed is None else None
        own = views.own(room, visitor.identity)
        return views.synced(self._teller.now(room), missed, snapshot and {**snapshot, **own})

    # Playing.

    def move(self, visitor: Visitor, game_id: str, ply: int, text: str, move_id: str) -> Answer:
        """Make a move. One that was accepted before is accepted again, and made only once."""
        try:
            return self._act(moving.move, visitor, game_id, ply, text, move_id)
        except Refused as refusal:
            game = self.journal.game(game_id)
            if not game.players_of(visitor.identity):  # who may not know the room of this game
                raise
            if move_id in game.moves_made:
                return {"v": game.v, "ply": game.ply, "repeated": True}
            refusal.details["snapshot"] = self.snapshot(self.latest_room(game_id))
            raise

    def fault(self, visitor: Visitor, *fields: Any) -> Answer:
        return self._act(moving.fault, visitor, *fields)

    def ask(self, visitor: Visitor, game_id: str, ply: int) -> Answer:
        return self._act(contest.ask, visitor, game_id, ply)

    def answer(self, visitor: Visitor, game_id: str, *fields: Any) -> Answer:
        return self._act(contest.answer, visitor, game_id, *fields)

    def own_fault(self, visitor: Visitor, game_id: str, *fields: Any) -> Answer:
        return self._act(contest.fault, visitor, game_id, *fields)

    def stop(self, visitor: Visitor, game_id: str) -> Answer:
        return self._act(contest.stop, visitor, game_id)

    def resign(self, visitor: Visitor, game_id: str) -> Answer:
        return self._act(leaving.resign, visitor, game_id)

    def abort(self, visitor: Visitor, game_id: str) -> Answer:
        return self._act(leaving.abort, visitor, game_id)

    def claim(self, visitor: Visitor, game_id: str, result: str) -> Answer:
        # Of a room in memory: of any other, nobody here knows who was there.
        attendance = self._teller.fresh_attendance(self.latest_room(game_id).id)
        return self._act(leaving.claim, visitor, game_id, result, attendance)

    def draw(self, visitor: Visitor, game_id: str, action: str) -> Answer:
        return self._act(agreeing.draw, visitor, game_id, action)

    def takeback(self, visitor: Visitor, game_id: str, action: str) -> Answer:
        return self._act(agreeing.takeback, visitor, game_id, action)

    def rematch(self, visitor: Visitor, game_id: str) -> Answer:
        return self._act(agreeing.rematch, visitor, game_id, token_urlsafe(9))

    def _act(
        self, decide: Callable[..., Decided], visitor: Visitor, game_id: str, *fields: Any
    ) -> Answer:
        room, decided = self.journal.act(
            self.journal.room_of(game_id),
            lambda room, now: decide(room, visitor, now, game_id, *fields),
        )
        return {"v": room.game.v, "ply": room.game.ply, **decided.answer}

    # Looking.

    def snapshot(self, room: Room) -> Answer:
        """All that anybody may know about a room."""
        return self._teller.snapshot(room)

    def room(self, room_id: str) -> Room:
        """A room as it is, or Refused."""
        return self.journal.room(room_id)

    def latest_room(self, game_id: str) -> Room:
        """The room in which a game is, or was, played."""
        return self.journal.room(self.journal.room_of(game_id))

    def latest(self, room_id: str) -> Game:
        """The latest game of a room, or Refused."""
        return self.journal.room(room_id).game

    def game(self, game_id: str) -> Game:
        """A game of any time, or Refused."""
        return self.journal.game(game_id)

    def fresh_game(self, game_id: str) -> Game:
        """The same, whatever news got lost."""
        self.journal.fresh(self.journal.room_of(game_id))
        return self.journal.game(game_id)

    def is_held(self, room_id: str) -> bool:
        """Whether bots in this room wait to be asked."""
        return self.journal.room(room_id).is_held

    def may_invite(self, identity: str, room_id: str) -> bool:
        """Whether somebody plays in a room, or directs it."""
        return self.journal.room(room_id).is_inside(identity)

    def games_of(self, identity: str) -> Iterator[Game]:
        """The unfinished games in which somebody has a seat, whatever news got lost."""
        for room_id in self._store.games_of(identity, GAMES_LISTED):
            game = self.journal.fresh(room_id).game
            if not game.outcome and game.players_of(identity):
                yield game
            self._world.sleep(0)  # each may be a long one

    def room_shown(self, game: Game, identity: str | None) -> str | None:
        """The room of a game, for those who may know it: of a private one, its players."""
        room = self.journal.room(game.start.room)
        is_known = identity is not None and (
            room.is_inside(identity) or bool(game.players_of(identity))
        )
        return room.id if room.row.is_public or is_known else None

    def presence(self, room_id: str) -> Answer | None:
        """Who is in a room, if anybody cares."""
        room = self.journal.cached(room_id)
        return self._teller.presence(room) if room else None

    def is_public(self, room_id: str) -> bool:
        room = self.journal.cached(room_id)
        return room is not None and room.row.is_public

    def lobby(self) -> Answer:
        """Public rooms in which somebody is: those with a free seat, and those being played."""
        return self._lobby.show()

    def live(self) -> list[Answer]:
        """The public games being played, with their boards."""
        return self._lobby.live()

    def live_rooms(self) -> set[str]:
        """The rooms of those games."""
        return self._lobby.live_rooms()

    def miniature(self, room_id: str) -> Answer | None:
        """A public game as one sees it from afar; None where there's none to be seen."""
        room = self.journal.cached(room_id)
        if room is None or not room.row.is_public or not (room.game.is_on or room.game.outcome):
            return None
        attendance = self._presence.of(room_id, self._world.now())
        return views.miniature(room, attendance) if attendance.present else None

    def count(self) -> dict[str, int]:
        """Of the rooms in memory: games that are on, games that wait for a player."""
        games = [room.game for room in self.journal.rooms() if self._presence.counts(room.id)]
        return {
            "playing": sum(game.is_on for game in games),
            "waiting": sum(not game.is_on and not game.outcome for game in games),
        }

    # Other processes.

    def committed(self, news: Committed) -> None:
        for step in news.steps if news.before else ():  # in a new room there's nobody yet
            if step.event.kind == "seat":
                self._audience.seated(news.after.id, step.event.data["identity"])

    def hear(self, news: News) -> None:
        """Another process has done something."""
        if news.events:
            self.journal.hear(news)
        if news.line:
            self._chat.hear(news.room, news.line)
        if news.is_presence:
            self._presence.look(news.room)

    def _others_moved(self, room_id: str) -> None:
        """People came or went in other processes."""
        if room := self.journal.cached(room_id):
            self._attended(room)

    def catch_up(self) -> None:
        """Look at everything in memory: news may have been lost."""
        for room in self.journal.rooms():
            self.journal.catch_up(room.id)
            self._chat.catch_up(room.id)
            self._world.sleep(0)
        self._audience.lobby_changed()

    def reconsider(self) -> None:
        """A process has died, and with it the thoughts of its computers."""
        for room in self.journal.rooms():
            self._computers.consider(room)

    @property
    def is_hearing(self) -> bool:
        return self._bus.is_hearing

    def publish(self, news: News) -> None:
        self._bus.publish(news)

    def follow(self, room: str) -> None:
        self._chat.follow(room)
        self._bus.follow(room)
        self._presence.follow(room, self._world.now())

    def unfollow(self, room: str) -> None:
        self._chat.unfollow(room)
        self._bus.unfollow(room)
        self._presence.unfollow(room)

    # Keeping rooms in memory.

    def is_wanted(self, room_id: str) -> bool:
        """Whether a room must stay in memory."""
        is_looked_at = self._presence.is_here(room_id) or self._lobby.shows(room_id)
        return is_looked_at or self._computers.is_thinking(room_id)

    def forget_idle(self) -> None:
        self.journal.forget_idle(self.is_wanted)
