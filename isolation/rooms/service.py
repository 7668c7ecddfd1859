"""What people do in rooms: one method for each thing, checked, stored, told, in that order.

Nothing is told to anybody before it is stored. Whoever inserts an event first has won a race, here
or in another process; the loser folds the log again and is checked again.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import pairwise
from random import Random
from secrets import token_urlsafe
from threading import Lock
from typing import Any

from isolation.bots.apis import APIS, after_answers
from isolation.bots.child import BotFault
from isolation.rooms import payloads
from isolation.rooms.clock import grace
from isolation.rooms.computer import Computer
from isolation.rooms.errors import Refused
from isolation.rooms.game import COMPUTER, Event, Game, GameStart, Seat
from isolation.rooms.plan import COMPUTERS, FRIEND, LOCAL, Plan, plan_contest, plan_game
from isolation.rooms.ports import (
    Audience,
    ChatLine,
    EngineRunner,
    RoomRow,
    SeqTakenError,
    Store,
    World,
)
from isolation.rooms.room import PastGame, Room, Visitor
from isolation.rules import PASS, IllegalMove, Move
from isolation.rules.variants import Fault

logger = logging.getLogger(__name__)

ATTEMPTS = 5  # at storing an event, each after another one came first
CHAT_KEPT = 100
BEAT_SECONDS = 2.0
TICK_SECONDS = 0.1
OUTAGE_SECONDS = 5.0  # between two ticks: more than any pause of ours
IDLE_SECONDS = 120.0  # before a room that nobody is in is forgotten
GAMES_TOLD = 20  # of a long series
LISTED = 50  # public games at a time
STORE_AGAIN_SECONDS = 1.0

Draft = tuple[str, dict[str, Any]]  # the kind and data of an event that is not stored yet


class Rooms:
    """All rooms of this process."""

    def __init__(
        self, store: Store, engines: EngineRunner, audience: Audience, world: World
    ) -> None:
        self._store = store
        self._audience = audience
        self._world = world
        self._rooms: dict[str, Room] = {}
        self._by_game: dict[str, Room] = {}  # by the latest game of each
        self._timed: dict[str, Room] = {}  # those in which a clock runs
        self._lock = Lock()
        self._lot = Random()
        self._computer = Computer(engines, world, self._lot)
        self.moves = 0  # made since the start

    # Beginning and ending.

    def resume(self) -> None:
        """Take up what the last process left: nobody's clock has run since."""
        since = self._store.last_beat()
        for room_id in self._store.unfinished_rooms():
            try:
                room = self._load(room_id)
                with room.lock:
                    if since is not None:
                        self._give_back(room, self._world.now() - max(since, room.game.turn_began))
                    self._go_on(room)
            except Exception:
                logger.exception("room %s can not be taken up", room_id)
        self.beat()

    def _give_back(self, room: Room, gap: float) -> None:
        """Charge a time in which the server was away to nobody."""
        if gap > 0 and room.game.is_clock_running:
            self._append(room, lambda _: [("resume", {"gap": gap})])

    def beat(self) -> None:
        self._store.beat(self._world.now())

    def watch_clocks(self) -> None:
        """End the games whose time is up, and note that we are alive; never returns."""
        last = last_beat = self._world.now()
        while True:
            now = self._world.now()
            for room in list(self._timed.values()):
                try:
                    if now - last > OUTAGE_SECONDS:  # the machine slept, or its clock was set
                        with room.lock:
                            self._give_back(room, now - last)
                    self._flag(room)
                except Exception:
                    logger.exception("the clock in room %s", room.id)
            if now - last_beat >= BEAT_SECONDS:
                last_beat = now
                try:
                    self.beat()
                    self._sweep(now)
                except Exception:
                    logger.exception("the heartbeat")
            last = now
            self._world.sleep(TICK_SECONDS)

    def _flag(self, room: Room) -> None:
        """End the game if the time of a person is up. A computer is charged when it has moved."""
        if not self._is_late(room.game):
            return
        with room.lock:
            if self._is_late(room.game):
                self._append(room, lambda game: [("flag", {"player": game.to_move})])
                self._tell_state(room)
                self._audience.lobby_changed()

    def _is_late(self, game: Game) -> bool:
        deadline = game.deadline
        return (
            deadline is not None and self._world.now() >= deadline and not game.is_computer_to_move
        )

    def _sweep(self, now: float) -> None:
        """Forget rooms that nobody uses: the store remembers them."""
        for room in list(self._rooms.values()):
            is_idle = not room.present and not room.is_thinking and now - room.used > IDLE_SECONDS
            if is_idle and not room.game.is_clock_running:
                with room.lock:
                    if not room.present:
                        self._forget(room)

    # Rooms.

    def create(self, visitor: Visitor, *wanted: Any, **more: Any) -> Room:
        """A new room with its first game; the visitor has a seat, or watches two computers."""
        return self._open(plan_game(visitor, self._lot, *wanted, **more))

    def contest(self, visitor: Visitor, **wanted: Any) -> Room:
        """A new room with a game between bots, which the visitor directs."""
        return self._open(plan_contest(visitor, self._lot, **wanted), visitor.identity)

    def _open(self, plan: Plan, owner: str | None = None) -> Room:
        now = self._world.now()
        row = RoomRow(token_urlsafe(9), plan.is_public, plan.kind, now, owner)
        start = GameStart(
            token_urlsafe(9),
            row.id,
            1,
            plan.variant,
            plan.options,
            plan.clock,
            _empty(plan.seats),
            plan.first,
            now,
        )
        room = self._keep(Room(row, self._begin(start, _seated(plan.seats), row), used=now))
        self._audience.lobby_changed()
        self._go_on(room)
        return room

    def _begin(self, start: GameStart, drafts: list[Draft], room: RoomRow | None = None) -> Game:
        """A game with the seats that are taken from the beginning, stored."""
        now = self._world.now()
        events = [Event(seq, *draft, now) for seq, draft in enumerate(drafts, start=1)]
        game = Game.fold(start, events)
        self._store.create_game(start, events, room)
        return game

    def join(self, visitor: Visitor, room_id: str) -> int:
        """Take the free seat; the player that the visitor is from now on."""
        with self._room(room_id) as room:
            if mine := room.played_by(visitor.identity):
                return mine[0]

            def sit(game: Game) -> list[Draft]:
                for player, seat in enumerate(game.seats):
                    if not seat.is_taken:
                        return [_seat_draft(player, replace(seat, **_person(visitor)))]
                raise Refused("taken", "both seats are taken: you are welcome to watch")

            self._append(room, sit)
            self._tell_state(room)
            self._tell_snapshot(room)
            self._go_on(room)
            return room.played_by(visitor.identity)[0]

    def enter(self, visitor: Visitor, room_id: str, connection: str) -> dict[str, Any]:
        """Be present in a room, to play or to watch; all there is to know about it."""
        with self._room(room_id) as room:
            lines = self._store.load_chat(room_id, room.is_inside(visitor.identity), CHAT_KEPT)
            room.present.setdefault(visitor.identity, set()).add(connection)
            room.gone_since.pop(visitor.identity, None)
            room.used = self._world.now()
            self._tell_presence(room)
            self._go_on(room)
            mine, directs = room.played_by(visitor.identity), room.row.owner == visitor.identity
            chat = [_line(line) for line in lines]
            return {**self.snapshot(room), "you": mine, "directs": directs, "chat": chat}

    def leave(self, visitor: Visitor, room_id: str, connection: str) -> None:
        """A connection has gone, or looks at something else."""
        room = self._rooms.get(room_id)
        if room is None:
            return
        with room.lock:
            connections = room.present.get(visitor.identity, set())
            connections.discard(connection)
            room.used = self._world.now()
            if not connections and visitor.identity in room.present:
                del room.present[visitor.identity]
                if room.game.players_of(visitor.identity):
                    room.gone_since[visitor.identity] = room.used
                self._tell_presence(room)

    # Playing.

    def move(
        self, visitor: Visitor, game_id: str, ply: int, text: str, move_id: str
    ) -> dict[str, Any]:
        """Make a move. One that was accepted before is accepted again, and made only once."""
        now = self._world.now()
        with self._game(game_id) as room:
            game = room.game if room.game.start.id == game_id else self.game(game_id)
            if game and not game.players_of(visitor.identity):
                raise Refused("not_yours", "you watch this game, you do not play it")
            if game and move_id in game.moves_made:
                return {"v": game.v, "ply": game.ply, "repeated": True}
            try:
                self._check_latest(room, game_id)
                self._flag(room)
                self._check_turn(room.game, visitor, ply)
                self._check_asked(room, visitor)
                self._make_move(room, ply, {"move": text, "id": move_id, **_asked_for(room, now)})
            except Refused as refusal:
                refusal.details["snapshot"] = self.snapshot(room)
                raise
            return {"v": room.game.v, "ply": room.game.ply}

    @staticmethod
    def _check_turn(game: Game, visitor: Visitor, ply: int) -> None:
        if game.outcome:
            raise Refused("over", "the game is over")
        _check_ply(game, ply)
        if game.is_on and game.to_move not in game.players_of(visitor.identity):
            raise Refused("not_your_turn", "it is not your turn")

    @staticmethod
    def _check_asked(room: Room, visitor: Visitor) -> None:
        if visitor.is_bot and room.is_held:
            raise Refused("not_your_turn", "wait until you are asked")

    def _make_move(self, room: Room, ply: int, data: dict[str, Any]) -> None:
        """Play, store and tell a move, together with the passes that must follow it."""

        def draft(game: Game) -> list[Draft]:
            _check_ply(game, ply)
            return [("move", data)]

        self._play(room, draft)

    def _play(self, room: Room, draft: Callable[[Game], list[Draft]]) -> None:
        """Store and tell moves. A player who can do nothing else passes."""
        steps = self._append(room, lambda game: _with_passes(game, draft(game)))
        for before, after in pairwise(steps):
            self.moves += 1
            payload = payloads.moved(before, after, self._world.now())
            self._audience.tell(room.id, "moved", payload)
        if room.game.outcome:
            self._tell_state(room)  # with the score
            self._audience.lobby_changed()
        self._tell_claims(room)
        self._go_on(room)

    def resign(self, visitor: Visitor, game_id: str) -> dict[str, Any]:
        return self._act(visitor, game_id, lambda player: [("resign", {"player": player})])

    def fault(
        self,
        visitor: Visitor,
        game_id: str,
        ply: int,
        why: str = "",
        calls: Sequence[int] = (),
    ) -> dict[str, Any]:
        """A bot owns up to a turn that it could not take: it costs what the game says."""
        with self._game(game_id) as room:
            self._check_latest(room, game_id)
            player = self._player(room, visitor)
            self._check_turn(room.game, visitor, ply)
            self._check_asked(room, visitor)
            data = {"player": player, "why": why, "calls": list(calls)}
            if room.game.record.variant.fault is Fault.LOSE:
                return self._act(visitor, game_id, lambda _: [("fault", data)])
            self._play(room, lambda _: [("discard", data)])
            return {"v": room.game.v, "ply": room.game.ply}

    # Directing a contest.

    def ask(self, visitor: Visitor, game_id: str, ply: int) -> dict[str, Any]:
        """Let the player to move take a turn."""
        with self._directed(visitor, game_id) as room:
            _check_ply(room.game, ply)
            if not room.game.is_on:
                raise Refused("waiting", "a seat is still free")
            if room.asked != ply:
                room.asked, room.asked_at = ply, self._world.now()
            payload = {"room": room.id, "game": game_id, "ply": ply}
            self._audience.tell(room.id, "asked", payload)
            self._go_on(room)
            return {}

    def answer(
        self,
        visitor: Visitor,
        game_id: str,
        ply: int,
        api: str,
        answers: Sequence[Any],
        calls: Sequence[int],
        move_id: str,
    ) -> dict[str, Any]:
        """What the visitor's own bot is asked next, once it has answered this; or it moves."""
        with self._directed(visitor, game_id) as room:
            game = room.game
            if move_id in game.moves_made:
                return {"v": game.v, "ply": game.ply, "repeated": True}
            self._check_turn(game, visitor, ply)
            if game.start.variant not in APIS[api].games:
                games = ", ".join(APIS[api].games)
                raise Refused("invalid", f"bots of that kind play {games} only")
            try:
                found = after_answers(api, game.record.position, answers)
            except BotFault as fault:
                return {"fault": str(fault), **self.fault(visitor, game_id, ply, str(fault), calls)}
            if isinstance(found, dict):
                return {"request": found}
            text = game.record.position.notate(found)
            self._make_move(room, ply, {"move": text, "id": move_id, "calls": list(calls)})
            return {"v": room.game.v, "ply": room.game.ply}

    def own_fault(
        self, visitor: Visitor, game_id: str, ply: int, why: str, calls: Sequence[int]
    ) -> dict[str, Any]:
        """The visitor's own bot could not answer at all."""
        with self._directed(visitor, game_id):
            return self.fault(visitor, game_id, ply, why, calls)

    def stop(self, visitor: Visitor, game_id: str) -> dict[str, Any]:
        """End a contest that is not wanted any more."""
        with self._directed(visitor, game_id) as room:
            self._append(room, lambda _: [("stop", {})])
            self._tell_state(room)
            self._audience.lobby_changed()
            return {"v": room.game.v}

    @contextmanager
    def _directed(self, visitor: Visitor, game_id: str) -> Iterator[Room]:
        with self._game(game_id) as room:
            self._check_latest(room, game_id)
            if room.row.owner != visitor.identity:
                raise Refused("not_yours", "you do not direct this game")
            yield room

    def is_held(self, room_id: str) -> bool:
        """Whether bots in this room wait to be asked."""
        room = self._rooms.get(room_id)
        return room is not None and room.is_held

    # Ending and agreeing.

    def abort(self, visitor: Visitor, game_id: str) -> dict[str, Any]:
        return self._act(visitor, game_id, lambda player: [("abort", {"player": player})])

    def claim(self, visitor: Visitor, game_id: str, result: str) -> dict[str, Any]:
        """Claim the win, or a draw, against an opponent who has been gone for long."""
        with self._game(game_id) as room:
            self._check_latest(room, game_id)
            player, game = self._player(room, visitor), room.game
            other = game.seats[1 - player].identity
            if other not in room.gone_since or other == visitor.identity:
                raise Refused("present", "your opponent is here")
            if grace(game.start.clock) is None:
                raise Refused("too_early", "your opponent has days to move: the clock decides")
            wait = room.claim_in(1 - player, self._world.now())
            if wait is None:
                raise Refused("too_early", "the game has hardly begun: you can abort it")
            if wait > 0:
                message = f"your opponent may come back: wait {wait:.0f} seconds more"
                raise Refused("too_early", message, seconds=round(wait, 1))
            return self._act(
                visitor, game_id, lambda me: [("claim", {"player": me, "result": result})]
            )

    def draw(self, visitor: Visitor, game_id: str, action: str) -> dict[str, Any]:
        """Offer, accept or decline a draw. At one screen an offer is an agreement."""

        def drafts(room: Room, player: int) -> list[Draft]:
            _check_free(room)
            if action != "offer":
                kind = "draw_agreed" if action == "accept" else "draw_declined"
                return [(kind, {"player": player})]
            offered: Draft = ("draw_offered", {"player": player})
            if room.row.kind == LOCAL:
                return [offered, ("draw_agreed", {"player": 1 - player})]
            if room.row.kind == COMPUTER:
                return [offered, ("draw_declined", {"player": 1 - player})]
            return [offered]

        return self._act_in(visitor, game_id, drafts)

    def takeback(self, visitor: Visitor, game_id: str, action: str) -> dict[str, Any]:
        """Propose, accept or decline to take a move back. Computers always agree."""

        def drafts(room: Room, player: int) -> list[Draft]:
            _check_free(room)
            if action != "propose":
                kind = "takeback_agreed" if action == "accept" else "takeback_declined"
                return [(kind, {"player": player})]
            if room.row.kind == LOCAL:
                player = 1 - player  # at one screen the last move is taken back, whoever made it
            proposed: Draft = ("takeback_proposed", {"player": player})
            if room.row.kind == FRIEND:
                return [proposed]
            return [proposed, ("takeback_agreed", {"player": 1 - player})]

        return self._act_in(visitor, game_id, drafts)

    def rematch(self, visitor: Visitor, game_id: str) -> dict[str, Any]:
        """Ask for another game with sides swapped; when both want it, it begins."""
        with self._game(game_id) as room:
            self._check_latest(room, game_id)
            player = self._player(room, visitor)
            _check_free(room)
            if not room.game.outcome:
                raise Refused("not_over", "the game is not over yet")
            if not all(seat.is_taken for seat in room.game.seats):
                raise Refused("waiting", "nobody has taken the other seat")
            if room.row.kind == FRIEND and room.rematch_offer in (None, player):
                room.rematch_offer = player
                payload = {"room": room.id, "game": game_id, "player": player}
                self._audience.tell(room.id, "rematch", payload)
                return {"offered": True}
            self._begin_rematch(room)
            return {"game": room.game.start.id}

    def _begin_rematch(self, room: Room) -> None:
        old = room.game
        swapped = (old.seats[1], old.seats[0])
        start = replace(
            old.start,
            id=token_urlsafe(9),
            number=old.start.number + 1,
            seats=_empty(swapped),
            first=1 - old.start.first,
            created=self._world.now(),
        )
        game = self._begin(start, _seated(swapped))
        room.past.append(PastGame.of(old))
        room.game = game
        room.rematch_offer = None
        self._by_game.pop(old.start.id, None)
        self._by_game[start.id] = room
        self._tell_snapshot(room)
        self._audience.lobby_changed()
        self._go_on(room)

    def say(self, visitor: Visitor, room_id: str, text: str) -> dict[str, Any]:
        """Players, and the owner of a contest, are heard by players; spectators by spectators."""
        with self._room(room_id) as room:
            players = room.game.players_of(visitor.identity)
            player = players[0] if players else None
            is_inside = room.is_inside(visitor.identity)
            line = ChatLine(self._world.now(), visitor.name, text, player, is_inside)
            self._store.add_chat(room.id, line)
            payload = {"room": room.id, **_line(line)}
            tell = self._audience.tell_players if is_inside else self._audience.tell_stands
            tell(room.id, "chat", payload)
            return {}

    def _act(
        self, visitor: Visitor, game_id: str, draft: Callable[[int], list[Draft]]
    ) -> dict[str, Any]:
        return self._act_in(visitor, game_id, lambda _, player: draft(player))

    def _act_in(
        self, visitor: Visitor, game_id: str, draft: Callable[[Room, int], list[Draft]]
    ) -> dict[str, Any]:
        """Something a player does that is neither a move nor a rematch."""
        with self._game(game_id) as room:
            self._check_latest(room, game_id)
            player = self._player(room, visitor)
            self._flag(room)
            ply = room.game.ply
            self._append(room, lambda _: draft(room, player))
            if room.game.ply == ply:
                self._tell_state(room)
            else:  # a move was taken back: the board is another
                self._tell_snapshot(room)
                self._go_on(room)
            if room.game.outcome:
                self._audience.lobby_changed()
            return {"v": room.game.v}

    # Looking.

    def snapshot(self, room: Room) -> dict[str, Any]:
        """All that anybody may know about a room."""
        return {
            **payloads.snapshot(room.game, self._world.now()),
            "kind": room.row.kind,
            "public": room.row.is_public,
            "score": room.score(),
            "games": [*(game.id for game in room.past[-GAMES_TOLD:]), room.game.start.id],
            "presence": room.presence(self._world.now()),
            "rematch_offer": room.rematch_offer,
            "has_draws": room.game.record.variant.has_draws,
            "turns_board": room.game.record.variant.position.turns_board,
        }

    def variant_of(self, room_id: str) -> str | None:
        """The game that is played in a room, or None if there is no such room."""
        try:
            return self._load(room_id).game.start.variant
        except Refused:
            return None

    def presence(self, room_id: str) -> dict[str, object] | None:
        """Who is in a room, if anybody is."""
        room = self._rooms.get(room_id)
        return room.presence(self._world.now()) if room else None

    def game(self, game_id: str) -> Game | None:
        """A game of any time, or None."""
        if room := self._by_game.get(game_id):
            return room.game
        loaded = self._store.load_game(game_id)
        return Game.fold(*loaded) if loaded else None

    def rooms_of(self, identity: str) -> list[Game]:
        """The unfinished games in which somebody has a seat."""
        found = []
        for room_id in self._store.rooms_of(identity):
            with suppress(Refused):
                found.append(self._load(room_id).game)
        return [game for game in found if not game.outcome]

    def latest(self, room_id: str) -> Game:
        """The latest game of a room, or Refused."""
        return self._load(room_id).game

    def may_invite(self, identity: str, room_id: str) -> bool:
        """Whether somebody plays in a room, or directs it."""
        return self._load(room_id).is_inside(identity)

    def room_shown(self, game: Game, identity: str | None) -> str | None:
        """The room of a game, for those who may know it: of a private one, its players."""
        room = self._load(game.start.room)
        is_known = identity is not None and (
            room.is_inside(identity) or bool(game.players_of(identity))
        )
        return room.id if room.row.is_public or is_known else None

    def lobby(self) -> dict[str, Any]:
        """Public rooms in which somebody is: those with a free seat, and those being played."""
        free, live = [], []
        for room in list(self._rooms.values()):
            if not room.row.is_public or room.game.outcome or not room.present:
                continue
            entry = _lobby_entry(room)
            if room.game.is_on:
                live.append(entry)
            elif any(seat.identity in room.present for seat in room.game.seats):
                free.append(entry)
        return {"open": free[-LISTED:], "live": live[-LISTED:]}

    def is_public(self, room_id: str) -> bool:
        room = self._rooms.get(room_id)
        return room is not None and room.row.is_public

    def live(self) -> list[dict[str, Any]]:
        """The public games being played, with their boards."""
        found = (self.miniature(entry["room"]) for entry in self.lobby()["live"])
        return [entry for entry in found if entry]

    def miniature(self, room_id: str) -> dict[str, Any] | None:
        """A public game as one sees it from afar; None where there is none to be seen."""
        room = self._rooms.get(room_id)
        if room is None or not room.row.is_public or not room.present:
            return None
        if not (room.game.is_on or room.game.outcome):
            return None
        return {
            **_lobby_entry(room),
            "game": room.game.start.id,
            "board": payloads.board(room.game.record.position),
            "to_move": room.game.to_move,
            "last": payloads.last_move(room.game),
            "outcome": payloads.outcome(room.game),
        }

    def count(self) -> dict[str, int]:
        """How many games are on, wait for a player, and how many people are in rooms."""
        rooms = list(self._rooms.values())
        return {
            "playing": sum(room.game.is_on for room in rooms),
            "waiting": sum(not room.game.is_on and not room.game.outcome for room in rooms),
            "present": sum(len(room.present) for room in rooms),
        }

    # The computer.

    def _go_on(self, room: Room) -> None:
        """Let the computer think, if it is its turn; and pass for whoever can only pass."""
        game = room.game
        if game.is_on and game.record.position.can_pass and not game.record.position.next_cells():
            self._play(room, lambda _: [])
        elif not room.is_thinking and _may_think(room):
            room.is_thinking = True
            self._world.spawn(self._think, room)

    def _think(self, room: Room) -> None:
        """Find and make the computer's moves, for as long as it is its turn."""
        try:
            while _may_think(room):
                game, is_contest = room.game, room.row.owner is not None
                think = self._computer.think_at_once if is_contest else self._computer.think
                move, spent = think(game)
                self._make_found_move(room, game, move, spent)
        finally:
            room.is_thinking = False
        with room.lock:
            self._go_on(room)

    def _make_found_move(self, room: Room, game: Game, move: Move, spent: float) -> None:
        """Make the computer's move, unless the game has gone another way meanwhile."""
        with room.lock:
            now = room.game
            if now.start.id != game.start.id or now.record.turns != game.record.turns:
                return
            text = game.record.position.notate(move)
            data = {"move": text, "id": f"computer {game.v}", "spent": spent}
            if room.row.owner is not None:
                data["calls"] = [_nanoseconds(spent)]
            try:
                self._make_move(room, game.ply, data)
            except Refused:
                logger.info("the computer came too late in room %s", room.id)
            except Exception:
                logger.exception("the computer's move in room %s", room.id)
                self._world.sleep(STORE_AGAIN_SECONDS)

    # Finding and storing.

    @contextmanager
    def _room(self, room_id: str) -> Iterator[Room]:
        """A room, nobody else doing anything in it."""
        while True:
            room = self._load(room_id)
            with room.lock:
                if self._rooms.get(room_id) is room:  # it may have been forgotten meanwhile
                    yield room
                    return

    @contextmanager
    def _game(self, game_id: str) -> Iterator[Room]:
        """The room in which a game is, or was, played."""
        room = self._by_game.get(game_id)
        room_id = room.id if room else self._room_of(game_id)
        with self._room(room_id) as found:
            yield found

    def _room_of(self, game_id: str) -> str:
        loaded = self._store.load_game(game_id)
        if not loaded:
            raise Refused("unknown", "there is no such game")
        return loaded[0].room

    def _load(self, room_id: str) -> Room:
        room = self._rooms.get(room_id)
        if room:
            return room
        loaded = self._store.load_room(room_id)
        if not loaded:
            raise Refused("unknown", "there is no such room")
        row, game_ids = loaded
        games = []
        for game_id in game_ids:
            found = self._store.load_game(game_id)
            if found:
                games.append(Game.fold(*found))
        now = self._world.now()
        past = [PastGame.of(game) for game in games[:-1]]
        gone = {seat.identity: now for seat in games[-1].seats if seat.identity}
        return self._keep(Room(row, games[-1], past, used=now, gone_since=gone))

    def _keep(self, room: Room) -> Room:
        """The room from now on, if no other thread has loaded it meanwhile."""
        with self._lock:
            room = self._rooms.setdefault(room.id, room)
            self._by_game[room.game.start.id] = room
            if room.game.is_clock_running:
                self._timed[room.id] = room
            return room

    def _forget(self, room: Room) -> None:
        with self._lock:
            self._rooms.pop(room.id, None)
            self._by_game.pop(room.game.start.id, None)
            self._timed.pop(room.id, None)

    @staticmethod
    def _check_latest(room: Room, game_id: str) -> None:
        if room.game.start.id != game_id:
            raise Refused("over", "that game is over: another one is played in this room")

    @staticmethod
    def _player(room: Room, visitor: Visitor) -> int:
        players = room.game.players_of(visitor.identity)
        if not players:
            raise Refused("not_yours", "you watch this game, you do not play it")
        return room.game.to_move if len(players) == 2 else players[0]

    def _append(self, room: Room, draft: Callable[[Game], list[Draft]]) -> list[Game]:
        """Check, store, and only then believe what happens next in the latest game of a room.

        The game before, and after each of the events.
        """
        for _ in range(ATTEMPTS):
            steps, events, now = [room.game], [], self._world.now()
            for kind, data in draft(room.game):
                events.append(Event(steps[-1].v + 1, kind, data, now))
                steps.append(steps[-1].after(events[-1]))
            game = steps[-1]
            try:
                self._store.append(game.start.id, events, game.result if game.outcome else None)
            except SeqTakenError:
                room.game = Game.fold(*self._log(room))
                continue
            except Exception:
                # The connection may have gone after the commit: look whether it is there.
                start, log = self._log(room)
                if log[-len(events) :] != events:
                    room.game = Game.fold(start, log)
                    raise
            self._believe(room, game)
            return steps
        raise Refused("busy", "too much happens at once: try again")

    def _log(self, room: Room) -> tuple[GameStart, list[Event]]:
        found = self._store.load_game(room.game.start.id)
        if not found:
            raise Refused("unknown", "there is no such game")
        return found

    def _believe(self, room: Room, game: Game) -> None:
        room.game, room.used = game, self._world.now()
        if game.is_clock_running:
            self._timed[room.id] = room
        else:
            self._timed.pop(room.id, None)

    # Telling.

    def _tell_state(self, room: Room) -> None:
        payload = {**payloads.state(room.game, self._world.now()), "score": room.score()}
        self._audience.tell(room.id, "state", payload)

    def _tell_snapshot(self, room: Room) -> None:
        self._audience.tell(room.id, "snapshot", self.snapshot(room))
        self._tell_claims(room)

    def _tell_claims(self, room: Room) -> None:
        """A turn has begun: whoever is gone has another while to come back."""
        if room.gone_since:
            self._audience.presence_changed(room.id)

    def _tell_presence(self, room: Room) -> None:
        self._audience.presence_changed(room.id)
        if room.row.is_public:
            self._audience.lobby_changed()


def _check_ply(game: Game, ply: int) -> None:
    if ply != game.ply:
        raise Refused("stale", f"that was move {ply}, the game is at move {game.ply}")


def _with_passes(game: Game, drafts: list[Draft]) -> list[Draft]:
    """These moves, and the passes of players who have nothing else to do after them."""
    record = game.record
    if not record.position.can_pass:
        return drafts
    for _, data in drafts:
        try:
            record = record.play(record.position.parse(data["move"]))
        except IllegalMove:
            return drafts  # which is refused when it is checked
    found = list(drafts)
    while not record.outcome and not record.position.next_cells():
        found.append(("move", {"move": "pass", "id": f"pass {len(record.turns)} {game.v}"}))
        record = record.play(PASS)
    return found


def _may_think(room: Room) -> bool:
    """Whether the computer is to move, and wanted to. Two play only while somebody looks."""
    if not room.game.is_computer_to_move or room.is_held:
        return False
    return bool(room.present) or room.row.kind != COMPUTERS


def _asked_for(room: Room, now: float) -> dict[str, Any]:
    """How long a bot in a contest took since it was asked."""
    if room.row.owner is None or room.asked != room.game.ply:
        return {}
    return {"calls": [_nanoseconds(now - room.asked_at)]}


def _nanoseconds(seconds: float) -> int:
    return max(1, round(seconds * 1e9))


def _check_free(room: Room) -> None:
    if room.row.owner is not None:
        raise Refused("not_here", "in a contest the players only make moves")


def _person(visitor: Visitor) -> dict[str, Any]:
    return {"identity": visitor.identity, "name": visitor.name, "is_bot": visitor.is_bot}


def _seat_draft(player: int, seat: Seat) -> Draft:
    data = {"seat": player, "identity": seat.identity, "name": seat.name}
    return "seat", {**data, "bot": True} if seat.is_bot else data


def _empty(seats: tuple[Seat, Seat]) -> tuple[Seat, Seat]:
    """The seats as a game begins with them: who sits there is in the log."""
    first, second = (replace(seat, identity=None, name="", is_bot=False) for seat in seats)
    return first, second


def _seated(seats: tuple[Seat, Seat]) -> list[Draft]:
    return [_seat_draft(player, seat) for player, seat in enumerate(seats) if seat.identity]


def _line(line: ChatLine) -> dict[str, Any]:
    return {"at": line.at, "name": line.name, "text": line.text, "player": line.player}


def _lobby_entry(room: Room) -> dict[str, Any]:
    game = room.game
    return {
        "room": room.id,
        "variant": game.start.variant,
        "options": dict(game.start.options),
        "clock": game.start.clock.to_dict() if game.start.clock else None,
        "players": payloads.players(game),
        "ply": game.ply,
        "watchers": room.watchers(),
    }
