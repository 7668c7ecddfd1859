"""What people do in rooms: one method for each thing, checked, stored, told, in that order.

Nothing is told to anybody before it is stored. Whoever inserts an event first has won a race, here
or in another process; the loser folds the log again and is checked again.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from secrets import token_urlsafe
from threading import Lock
from typing import Any
from zlib import crc32

from isolation.engines.levels import LEVELS, find_level
from isolation.engines.pool import EngineFailed, Request
from isolation.rooms import payloads
from isolation.rooms.clock import TimeControl, grace
from isolation.rooms.errors import Refused
from isolation.rooms.game import COMPUTER, Event, Game, GameStart, Seat
from isolation.rooms.ports import (
    Audience,
    ChatLine,
    EngineRunner,
    RoomRow,
    SeqTakenError,
    Store,
    World,
)
from isolation.rooms.room import Room, Visitor
from isolation.rules import PASS, InvalidOption, Move, find_variant
from isolation.rules.words import shown

logger = logging.getLogger(__name__)

FRIEND, LOCAL, COMPUTERS = "friend", "local", "computers"
OPPONENTS = (FRIEND, COMPUTER, LOCAL, COMPUTERS)
ATTEMPTS = 5  # at storing an event, each after another one came first
CHAT_KEPT = 100
BEAT_SECONDS = 2.0
MAX_FAILURES = 3  # of all engines, before a move is made without them

Draft = tuple[str, dict[str, Any]]  # the kind and data of an event that is not stored yet


class Rooms:
    """All rooms of this process."""

    def __init__(
        self, store: Store, engines: EngineRunner, audience: Audience, world: World
    ) -> None:
        self._store = store
        self._engines = engines
        self._audience = audience
        self._world = world
        self._rooms: dict[str, Room] = {}
        self._by_game: dict[str, Room] = {}  # by the latest game of each
        self._timed: dict[str, Room] = {}  # those in which a clock runs
        self._lock = Lock()
        self._lot = Random()
        self.moves = 0  # made since the start

    # Beginning and ending.

    def resume(self) -> None:
        """Take up what the last process left: nobody's clock has run since."""
        since = self._store.last_beat()
        for room_id in self._store.unfinished_rooms():
            room = self._load(room_id)
            game = room.game
            if since is not None and game.is_clock_running:
                gap = self._world.now() - max(since, game.turn_began)
                if gap > 0:
                    with room.lock:
                        self._append(room, lambda _: [("resume", {"gap": gap})])  # noqa: B023
            for player, seat in enumerate(room.game.seats):
                if seat.identity and not room.is_present(player):
                    room.gone_since[seat.identity] = self._world.now()
            if room.game.is_clock_running:
                self._timed[room.id] = room
            self._go_on(room)
        self.beat()

    def beat(self) -> None:
        self._store.beat(self._world.now())

    def watch_clocks(self) -> None:
        """End the games whose time is up, and note that we are alive; never returns."""
        last_beat = self._world.now()
        while True:
            now = self._world.now()
            for room in list(self._timed.values()):
                deadline = room.game.deadline
                if deadline is not None and now >= deadline:
                    try:
                        self._flag(room)
                    except Exception:
                        logger.exception("the flag in room %s", room.id)
            if now - last_beat >= BEAT_SECONDS:
                last_beat = now
                try:
                    self.beat()
                except Exception:
                    logger.exception("the heartbeat")
            self._world.sleep(0.1)

    def _flag(self, room: Room) -> None:
        with room.lock:
            game, now = room.game, self._world.now()
            if game.deadline is not None and now >= game.deadline:
                self._append(room, lambda game: [("flag", {"player": game.to_move})])
                self._tell_state(room)

    # Rooms.

    def create(
        self,
        visitor: Visitor,
        variant: object,
        options: object = None,
        opponent: object = FRIEND,
        level: object = None,
        second_level: object = None,
        side: object = "random",
        clock: object = None,
        public: bool = False,
    ) -> Room:
        """A new room with its first game; the visitor has a seat, or watches two computers."""
        if opponent not in OPPONENTS:
            raise Refused("invalid", f"opponent is one of {', '.join(OPPONENTS)}")
        if side not in (1, 2, "random"):
            raise Refused("invalid", f'side is 1, 2 or "random", not {shown(side)}')
        try:
            rules = find_variant(variant)
            given = {} if options is None else options
            if not isinstance(given, Mapping):
                raise InvalidOption(f"options are named values, not {shown(given)}")
            settled = rules.draw(given, self._lot)
            levels = [level, second_level if opponent == COMPUTERS else level]
            if opponent in (COMPUTER, COMPUTERS):
                for wanted in levels:
                    find_level(rules.key, wanted)
        except InvalidOption as error:
            raise Refused("invalid", str(error)) from None
        control = TimeControl.from_dict(clock)
        mine = Seat(identity=visitor.identity, name=visitor.name)
        other = {
            FRIEND: Seat(),
            COMPUTER: Seat(COMPUTER, levels[0]),  # type: ignore[arg-type]
            LOCAL: mine,
            COMPUTERS: Seat(COMPUTER, levels[1]),  # type: ignore[arg-type]
        }[str(opponent)]
        if opponent == COMPUTERS:
            mine = Seat(COMPUTER, levels[0])  # type: ignore[arg-type]
        creator = self._lot.randrange(2) if side == "random" else int(str(side)) - 1
        sides = (mine, other) if creator == 0 else (other, mine)
        now = self._world.now()
        row = RoomRow(token_urlsafe(9), public, str(opponent), now)
        # The creator is side 0 of the room.
        start = GameStart(
            token_urlsafe(9), row.id, 1, rules.key, settled, control, _empty(sides), creator, now
        )
        room = self._keep(Room(row, [self._begin(start, _seated(sides), row)]))
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
            if mine := room.game.players_of(visitor.identity):
                return mine[0]

            def sit(game: Game) -> list[Draft]:
                for player, seat in enumerate(game.seats):
                    if not seat.is_taken:
                        return [_seat_draft(player, visitor.identity, visitor.name)]
                raise Refused("taken", "both seats are taken: you are welcome to watch")

            self._append(room, sit)
            self._tell_state(room)
            self._audience.tell(room.id, "snapshot", self.snapshot(room))
            self._go_on(room)
            return room.game.players_of(visitor.identity)[0]

    def enter(self, visitor: Visitor, room_id: str, connection: str) -> dict[str, Any]:
        """Be present in a room, to play or to watch; all there is to know about it."""
        with self._room(room_id) as room:
            room.present.setdefault(visitor.identity, set()).add(connection)
            room.gone_since.pop(visitor.identity, None)
            self._tell_presence(room)
            return self.snapshot(room, visitor)

    def leave(self, visitor: Visitor, room_id: str, connection: str) -> None:
        """A connection has gone, or looks at something else."""
        room = self._rooms.get(room_id)
        if room is None:
            return
        with room.lock:
            connections = room.present.get(visitor.identity, set())
            connections.discard(connection)
            if not connections and visitor.identity in room.present:
                del room.present[visitor.identity]
                room.gone_since[visitor.identity] = self._world.now()
                self._tell_presence(room)
            if not room.present and room.game.outcome:
                self._forget(room)  # the store remembers it

    # Playing.

    def move(
        self, visitor: Visitor, game_id: str, ply: int, text: str, move_id: str
    ) -> dict[str, Any]:
        """Make a move. One that was accepted before is accepted again, and made only once."""
        with self._game(game_id) as room:
            game = room.game
            if move_id in game.moves_made:
                return {"v": game.v, "ply": game.ply, "repeated": True}
            if game.start.id == game_id and self._is_late(game):
                self._flag(room)
            self._check_turn(room, visitor, game_id, ply)
            self._make_move(room, ply, {"move": text, "id": move_id})
            return {"v": room.game.v, "ply": room.game.ply}

    def _is_late(self, game: Game) -> bool:
        return game.deadline is not None and self._world.now() >= game.deadline

    def _check_turn(self, room: Room, visitor: Visitor, game_id: str, ply: int) -> None:
        game = room.game
        self._check_latest(room, game_id)
        players = game.players_of(visitor.identity)
        if not players:
            raise Refused("not_yours", "you watch this game, you do not play it")
        if game.outcome:
            raise self._with_snapshot(room, Refused("over", "the game is over"))
        if ply != game.ply:
            message = f"that was move {ply}, the game is at move {game.ply}"
            raise self._with_snapshot(room, Refused("stale", message))
        if game.to_move not in players:
            raise self._with_snapshot(room, Refused("not_your_turn", "it is not your turn"))

    def _with_snapshot(self, room: Room, refusal: Refused) -> Refused:
        refusal.details["snapshot"] = self.snapshot(room)
        return refusal

    def _make_move(self, room: Room, ply: int, data: dict[str, Any]) -> None:
        """Play, store and tell a move, and the pass that must follow it."""

        def draft(game: Game) -> list[Draft]:
            if game.ply != ply:
                raise Refused("stale", f"that was move {ply}, the game is at move {game.ply}")
            return [("move", data)]

        while True:
            before = room.game
            try:
                self._append(room, draft)
            except Refused as refusal:
                raise self._with_snapshot(room, refusal) from None
            self.moves += 1
            payload = payloads.moved(before, room.game, self._world.now())
            self._audience.tell(room.id, "moved", payload)
            if not room.game.is_on or room.game.record.position.next_cells():
                break
            ply = room.game.ply
            data = {"move": "pass", "id": f"pass {ply} {room.game.v}"}
        if room.game.outcome:
            self._audience.lobby_changed()
        self._go_on(room)

    def resign(self, visitor: Visitor, game_id: str) -> dict[str, Any]:
        return self._act(visitor, game_id, lambda player: [("resign", {"player": player})])

    def abort(self, visitor: Visitor, game_id: str) -> dict[str, Any]:
        return self._act(visitor, game_id, lambda player: [("abort", {"player": player})])

    def claim(self, visitor: Visitor, game_id: str, result: str) -> dict[str, Any]:
        """Claim the win, or a draw, against an opponent who has been gone for long."""
        with self._game(game_id) as room:
            self._check_latest(room, game_id)
            player = self._player(room, visitor)
            other = room.game.seats[1 - player].identity
            since = room.gone_since.get(other or "")
            if since is None or other == visitor.identity:
                raise Refused("present", "your opponent is here")
            wait = since + grace(room.game.start.clock) - self._world.now()
            if wait > 0:
                message = f"your opponent may be gone for {wait:.0f} s more"
                raise Refused("too_early", message, seconds=round(wait, 1))
            return self._act(
                visitor, game_id, lambda me: [("claim", {"player": me, "result": result})]
            )

    def draw(self, visitor: Visitor, game_id: str, action: str) -> dict[str, Any]:
        """Offer, accept or decline a draw. At one screen an offer is an agreement."""

        def drafts(room: Room, player: int) -> list[Draft]:
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
            if action != "propose":
                kind = "takeback_agreed" if action == "accept" else "takeback_declined"
                return [(kind, {"player": player})]
            if room.row.kind == LOCAL:
                player = 1 - player  # at one screen the last move is taken back, whoever made it
            proposed: Draft = ("takeback_proposed", {"player": player})
            if room.row.kind == FRIEND:
                return [proposed]
            return [proposed, ("takeback_agreed", {"player": 1 - player})]

        with self._game(game_id) as room:
            ply = room.game.ply
            answer = self._act_in(visitor, game_id, drafts)
            if room.game.ply != ply:
                self._audience.tell(room.id, "snapshot", self.snapshot(room))
                self._go_on(room)
            return answer

    def rematch(self, visitor: Visitor, game_id: str) -> dict[str, Any]:
        """Ask for another game with sides swapped; when both want it, it begins."""
        with self._game(game_id) as room:
            self._check_latest(room, game_id)
            player = self._player(room, visitor)
            if not room.game.outcome:
                raise Refused("not_over", "the game is not over yet")
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
        room.games.append(self._begin(start, _seated(swapped)))
        room.rematch_offer = None
        self._by_game.pop(old.start.id, None)
        self._by_game[start.id] = room
        self._audience.tell(room.id, "snapshot", self.snapshot(room))
        self._audience.lobby_changed()
        self._go_on(room)

    def say(self, visitor: Visitor, room_id: str, text: str) -> dict[str, Any]:
        """Players are heard by players; who watches, by those who watch, until the game is over."""
        with self._room(room_id) as room:
            players = room.game.players_of(visitor.identity)
            player = players[0] if players else None
            line = ChatLine(self._world.now(), visitor.name, text, player)
            self._store.add_chat(room.id, line)
            payload = {"room": room.id, **_line(line)}
            tell = self._audience.tell_stands if player is None else self._audience.tell_players
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
            self._player(room, visitor)
            self._append(room, lambda game: draft(room, self._player(room, visitor)))
            self._tell_state(room)
            if room.game.outcome:
                self._audience.lobby_changed()
            return {"v": room.game.v}

    # Looking.

    def snapshot(self, room: Room, visitor: Visitor | None = None) -> dict[str, Any]:
        """All there is to know about a room; for a visitor, also who they are in it."""
        now = self._world.now()
        found = {
            **payloads.snapshot(room.game, now),
            "kind": room.row.kind,
            "public": room.row.is_public,
            "score": room.score(),
            "games": [game.start.id for game in room.games],
            "presence": room.presence(),
            "rematch_offer": room.rematch_offer,
            "has_draws": room.game.record.variant.has_draws,
        }
        if visitor:
            mine = room.game.players_of(visitor.identity)
            lines = self._store.load_chat(room.id, CHAT_KEPT)
            found["you"] = mine
            found["chat"] = [
                _line(line) for line in lines if (line.player is not None) == bool(mine)
            ]
        return found

    def presence(self, room_id: str) -> dict[str, object] | None:
        """Who is in a room, if anybody is."""
        room = self._rooms.get(room_id)
        return room.presence() if room else None

    def game(self, game_id: str) -> Game | None:
        """A game of any time, or None."""
        if room := self._by_game.get(game_id):
            return room.game
        loaded = self._store.load_game(game_id)
        return Game.fold(*loaded) if loaded else None

    def lobby(self) -> dict[str, Any]:
        """Public rooms: those with a free seat, whose maker is there, and those being played."""
        free, live = [], []
        for room in list(self._rooms.values()):
            if not room.row.is_public or room.game.outcome:
                continue
            entry = _lobby_entry(room)
            if room.game.is_on:
                live.append(entry)
            elif any(seat.identity in room.present for seat in room.game.seats):
                free.append(entry)
        return {"open": free[-50:], "live": live[-50:]}

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
        """Let the computer think, if it is its turn."""
        game = room.game
        if game.is_on and game.seats[game.to_move].kind == COMPUTER:
            self._world.spawn(self._think, room, game)

    def _think(self, room: Room, game: Game) -> None:
        """Find a move and make it, unless the game has gone another way meanwhile."""
        begun, seat = self._world.now(), game.seats[game.to_move]
        level = LEVELS[game.start.variant][(seat.level or 1) - 1]
        position = game.record.position
        delay = level.delay(position, self._lot)
        move = self._find_move(game, seat.level or 1)
        self._world.sleep(max(0.0, delay - (self._world.now() - begun)))
        with room.lock:
            now = room.game
            if now.start.id != game.start.id or now.record.turns != game.record.turns:
                return
            # The time in which no engine was free is not charged.
            spent = min(self._world.now() - begun, delay + (level.limits.seconds or 0.0))
            data = {"move": position.notate(move), "id": f"computer {game.v}", "spent": spent}
            try:
                self._make_move(room, game.ply, data)
            except Refused:
                logger.info("the computer came too late in room %s", room.id)

    def _find_move(self, game: Game, level: int) -> Move:
        turns = tuple(turn for turn in game.record.turns if not isinstance(turn, str))
        seed = 1 + crc32(f"{game.start.id} {game.ply}".encode())
        request = Request(game.record.positions[0], turns, level=level, seed=seed)
        for _ in range(MAX_FAILURES):
            try:
                return self._engines.choose(game.start.id, request)
            except EngineFailed:
                logger.exception("no engine moves in game %s", game.start.id)
                self._world.sleep(1.0)
        move = PASS
        while cells := game.record.position.next_cells(move):
            move = (*move, self._lot.choice(cells))
        return move

    # Finding and storing.

    @contextmanager
    def _room(self, room_id: str) -> Iterator[Room]:
        room = self._load(room_id)
        with room.lock:
            yield room

    @contextmanager
    def _game(self, game_id: str) -> Iterator[Room]:
        """The room in which a game is, or was, played."""
        room = self._by_game.get(game_id)
        if room is None:
            loaded = self._store.load_game(game_id)
            if not loaded:
                raise Refused("unknown", "there is no such game")
            room = self._load(loaded[0].room)
        with room.lock:
            yield room

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
        return self._keep(Room(row, games))

    def _keep(self, room: Room) -> Room:
        """The room from now on, if no other thread has loaded it meanwhile."""
        with self._lock:
            room = self._rooms.setdefault(room.id, room)
            self._by_game[room.game.start.id] = room
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

    def _append(self, room: Room, draft: Callable[[Game], list[Draft]]) -> None:
        """Check, store, and only then believe what happens next in the latest game of a room."""
        for _ in range(ATTEMPTS):
            game, now = room.game, self._world.now()
            events = []
            for kind, data in draft(game):
                events.append(Event(game.v + 1, kind, data, now))
                game = game.after(events[-1])
            ended = game.record.result if game.outcome else None
            try:
                self._store.append(game.start.id, events, ended)
            except SeqTakenError:
                found = self._store.load_game(game.start.id)
                if found:
                    room.games[-1] = Game.fold(*found)
                continue
            room.games[-1] = game
            if game.is_clock_running:
                self._timed[room.id] = room
            else:
                self._timed.pop(room.id, None)
            return
        raise Refused("busy", "too much happens at once: try again")

    # Telling.

    def _tell_state(self, room: Room) -> None:
        payload = {**payloads.state(room.game, self._world.now()), "score": room.score()}
        self._audience.tell(room.id, "state", payload)

    def _tell_presence(self, room: Room) -> None:
        self._audience.presence_changed(room.id)
        if room.row.is_public:
            self._audience.lobby_changed()


def _seat_draft(player: int, identity: str, name: str) -> Draft:
    return "seat", {"seat": player, "identity": identity, "name": name}


def _empty(seats: tuple[Seat, Seat]) -> tuple[Seat, Seat]:
    """The seats as a game begins with them: who sits there is in the log."""
    first, second = (replace(seat, identity=None, name="") for seat in seats)
    return first, second


def _seated(seats: tuple[Seat, Seat]) -> list[Draft]:
    return [
        _seat_draft(player, seat.identity, seat.name)
        for player, seat in enumerate(seats)
        if seat.identity
    ]


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
