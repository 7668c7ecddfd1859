"""A room: a series of games between two sides, and who is there."""

from dataclasses import dataclass, field
from threading import RLock
from typing import Self

from isolation.rooms.clock import grace
from isolation.rooms.game import CLOCKS_START, Game
from isolation.rooms.ports import RoomRow


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is connected. The identity is a secret of theirs; the name is not."""

    identity: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class PastGame:
    """What a room remembers of a game that is over."""

    id: str
    first: int
    winner: int | None
    counts: bool

    @classmethod
    def of(cls, game: Game) -> Self:
        outcome = game.outcome
        winner = outcome.winner if outcome else None
        return cls(game.start.id, game.start.first, winner, not game.is_aborted)


@dataclass
class Room:
    """What is known of a room while the server runs; the store knows the rest."""

    row: RoomRow
    game: Game  # the latest
    past: list[PastGame] = field(default_factory=list)
    used: float = 0.0  # when somebody was there last, or something happened
    is_thinking: bool = False  # whether a task looks for the computer's move
    lock: RLock = field(default_factory=RLock)
    present: dict[str, set[str]] = field(default_factory=dict)  # connections by identity
    gone_since: dict[str, float] = field(default_factory=dict)
    rematch_offer: int | None = None  # the player of the latest game who wants another
    asked: int | None = None  # the ply for which the owner of a contest has asked
    asked_at: float = 0.0

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def is_held(self) -> bool:
        """Whether computers and bots wait to be asked."""
        return self.row.owner is not None and self.asked != self.game.ply

    def played_by(self, identity: str) -> list[int]:
        """The players that somebody is; for the owner of a contest not those of own bots."""
        mine = self.game.players_of(identity)
        if self.row.owner != identity:
            return mine
        return [player for player in mine if not self.game.seats[player].is_bot]

    def is_inside(self, identity: str) -> bool:
        """Whether somebody plays here or directs the contest, and talks with the players."""
        return self.row.owner == identity or bool(self.game.players_of(identity))

    def score(self) -> list[float]:
        """The points of the two players of the latest game, over the whole series."""
        games = self.past
        if self.game.outcome:
            games = [*games, PastGame.of(self.game)]
        points = [0.0, 0.0]  # of the sides of the room
        for game in games:
            for player in (0, 1):
                won = 0.5 if game.winner is None else float(game.winner == player)
                points[_side(game.first, player)] += won * game.counts
        return [points[_side(self.game.start.first, player)] for player in (0, 1)]

    def watchers(self) -> int:
        """How many are there who do not play."""
        return sum(not self.game.players_of(identity) for identity in self.present)

    def is_present(self, player: int) -> bool:
        seat = self.game.seats[player]
        return seat.identity is None or seat.identity in self.present

    def claim_in(self, player: int, now: float) -> float | None:
        """In how many seconds the game can be claimed against a player; None if it can not.

        Time that passed before this turn is not held against anybody.
        """
        since = self.gone_since.get(self.game.seats[player].identity or "")
        allowed = grace(self.game.start.clock)
        if since is None or allowed is None or self.game.ply < CLOCKS_START:
            return None
        return max(0.0, max(since, self.game.turn_began) + allowed - now)

    def presence(self, now: float) -> dict[str, object]:
        waits = (self.claim_in(player, now) for player in (0, 1))
        return {
            "room": self.id,
            "players": [self.is_present(player) for player in (0, 1)],
            "claim_in": [None if wait is None else round(wait, 1) for wait in waits],
            "watchers": self.watchers(),
        }


def _side(first: int, player: int) -> int:
    """The side of the room that a player is on, where `first` is Player 1."""
    return first if player == 0 else 1 - first
