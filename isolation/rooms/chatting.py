"""What people say to each other in a room."""

from isolation.rooms.parts import Answer, Parts
from isolation.rooms.ports import ChatLine
from isolation.rooms.room import Visitor


class Chatting(Parts):
    """Lets people say something to those who may hear it."""

    def say(self, visitor: Visitor, room_id: str, text: str) -> Answer:
        """Players, and the owner of a contest, are heard by players; spectators by spectators."""
        room = self.journal.fresh(room_id, 0.0)  # who has just sat down is a player
        player = next(iter(room.game.players_of(visitor.identity)), None)
        is_inside = room.is_inside(visitor.identity)
        line = ChatLine(self._world.now(), visitor.name, text, player, is_inside)
        self._chat.say(room_id, line)
        return {}
