"""A room: a series of games between two sides, and who is there."""

from dataclasses import dataclass, field
from threading import RLock

from isolation.rooms.game import Game
from isolation.rooms.ports import RoomRow


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is connected. The identity is a secret of theirs; the name is not."""

    identity: str
    name: str


@dataclass
class Room:
    """What is known of a room while the server runs; the store knows the rest."""

    row: RoomRow
    games: list[Game]  # the latest is the one being played
    lock: RLock = field(default_factory=RLock)
    present: dict[str, set[str]] = field(default_factory=dict)  # connections by identity
    gone_since: dict[str, float] = field(default_factory=dict)
    rematch_offer: int | None = None  # the player of the latest game who wants another

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def game(self) -> Game:
        return self.games[-1]

    def score(self) -> list[float]:
        """The points of the two players of the latest game, over the whole series."""
        points = [0.0, 0.0]
        for game in self.games:
            outcome = game.outcome
            if outcome is None or game.is_aborted:
                continue
            for player in (0, 1):
                won = 0.5 if outcome.winner is None else float(outcome.winner == player)
                points[self._side(game, player)] += won
        return [points[self._side(self.game, player)] for player in (0, 1)]

    @staticmethod
    def _side(game: Game, player: int) -> int:
        return game.start.first if player == 0 else 1 - game.start.first

    def watchers(self) -> int:
        """How many are there who do not play."""
        return sum(not self.game.players_of(identity) for identity in self.present)

    def is_present(self, player: int) -> bool:
        seat = self.game.seats[player]
        return seat.identity is None or seat.identity in self.present

    def presence(self) -> dict[str, object]:
        return {
            "room": self.id,
            "players": [self.is_present(player) for player in (0, 1)],
            "watchers": self.watchers(),
        }
