"""What people do in rooms: each is a pure decision, which the journal stores."""

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from isolation.rooms import agreeing, contest, leaving, moving, seating
from isolation.rooms.deciding import Decided
from isolation.rooms.errors import Refused
from isolation.rooms.game import GameStart
from isolation.rooms.parts import Answer, Parts
from isolation.rooms.plan import Plan, plan_contest, plan_game
from isolation.rooms.room import Room, RoomRow, Visitor
from isolation.rooms.views import answers


class Playing(Parts):
    """Makes rooms, seats people and lets them play."""

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

    def move(self, visitor: Visitor, game_id: str, ply: int, text: str, move_id: str) -> Answer:
        """Make a move. One that was accepted before is accepted again, and made only once."""
        try:
            return self._act(moving.move, visitor, game_id, ply, text, move_id)
        except Refused as refusal:
            game = self.journal.game(game_id)
            if not game.players_of(visitor.identity):  # who may not know the room of this game
                raise
            if move_id in game.moves_made:
                return answers.repeated(game)
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
        return answers.acted(room.game, decided.answer)
