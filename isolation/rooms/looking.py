"""Rooms and games as somebody finds them who only looks."""

from isolation.rooms.game import Game
from isolation.rooms.parts import Answer, Parts
from isolation.rooms.room import Room

GAMES_LISTED = 100  # of one visitor


class Looking(Parts):
    """Finds rooms, and games of any time."""

    def room(self, room_id: str) -> Room:
        """A room as it is, or Refused."""
        return self.journal.room(room_id)

    def latest(self, room_id: str) -> Game:
        """The latest game of a room, or Refused."""
        return self.journal.room(room_id).game

    def game(self, game_id: str) -> Game:
        """A game of any time, as it was a second ago at most, even if news got lost; or Refused."""
        return self.journal.game(game_id)

    def is_held(self, room_id: str) -> bool:
        """Whether bots in this room wait to be asked."""
        return self.journal.room(room_id).is_held

    def may_invite(self, identity: str, room_id: str) -> bool:
        """Whether somebody plays in a room, or directs it."""
        return self.journal.fresh(room_id).is_inside(identity)

    def games_of(self, identity: str) -> dict[str, int]:
        """The unfinished games in which somebody has a seat, and their versions in the store."""
        return self._store.games_of(identity, GAMES_LISTED)

    def room_shown(self, game: Game, identity: str | None) -> str | None:
        """The room of a game, for those who may know it: of a private one, its players."""
        room = self.journal.room(game.start.room)
        is_known = identity is not None and (
            room.is_inside(identity) or bool(game.players_of(identity))
        )
        return room.id if room.row.is_public or is_known else None

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
