"""A room: two sides, a series of games between them, and what is allowed there. Immutable.

Who is there right now is not part of it: see attending.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from isolation.rooms.fold import follow
from isolation.rooms.game import Game, GameStart
from isolation.rooms.kinds import KINDS, Kind
from isolation.rooms.log import Event

STEPS_KEPT = 20  # for clients that have missed a few
GAMES_TOLD = 20  # of a long series

Score = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is connected. The identity is a secret of theirs; the name is not."""

    identity: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class RoomRow:
    """What a room begins with. `owner` made it, and directs it if it's a contest."""

    id: str
    is_public: bool
    kind: str
    created: float
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """An event of the latest game, and the game before and after it."""

    event: Event
    before: Game
    after: Game


@dataclass(frozen=True, slots=True)
class Room:
    """A room after everything that was committed in it."""

    row: RoomRow
    game: Game  # the latest
    score: Score = (0.0, 0.0)  # of the two sides, before the latest game
    earlier: tuple[str, ...] = ()  # the games before the latest, the last few of them
    steps: tuple[Step, ...] = ()  # the last few of the latest game

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def kind(self) -> Kind:
        return KINDS[self.row.kind]

    def after(self, event: Event) -> Self:
        """The room with one more event in the log of its latest game, or Refused."""
        step = Step(event, self.game, follow(self.game, event))
        return replace(self, game=step.after, steps=(*self.steps[1 - STEPS_KEPT :], step))

    def after_all(self, events: Iterable[Event]) -> tuple[Self, tuple[Step, ...]]:
        """The room with these events, and a step for each."""
        room, steps = self, []
        for event in events:
            room = room.after(event)
            steps.append(room.steps[-1])
        return room, tuple(steps)

    def succeeded(self, start: GameStart) -> Self:
        """The room with another game, which has just begun."""
        earlier = (*self.earlier, self.game.id)[1 - GAMES_TOLD :]
        return replace(
            self, game=Game.begin(start), score=start.score or (0.0, 0.0), earlier=earlier, steps=()
        )

    @property
    def is_held(self) -> bool:
        """Whether computers and bots wait to be asked."""
        return self.kind.is_directed and self.game.asked != self.game.ply

    def is_directed_by(self, identity: str) -> bool:
        return self.kind.is_directed and self.row.owner == identity

    def played_by(self, identity: str) -> list[int]:
        """The players that somebody is; for the owner of a contest not those of own bots."""
        mine = self.game.players_of(identity)
        if not self.is_directed_by(identity):
            return mine
        return [player for player in mine if not self.game.seats[player].is_bot]

    def is_inside(self, identity: str) -> bool:
        """Whether somebody plays here or directs the contest, and talks with the players."""
        return self.is_directed_by(identity) or bool(self.game.players_of(identity))

    def side_score(self) -> Score:
        """The points of the two sides, the latest game among them once it's over."""
        game = self.game
        if game.outcome is None or game.is_aborted:
            return self.score
        return added(self.score, game.start.first, game.outcome.winner)

    def player_score(self) -> list[float]:
        """The points of the two players of the latest game, over the whole series."""
        points = self.side_score()
        return [points[side_of(self.game.start.first, player)] for player in (0, 1)]


def added(score: Score, first: int, winner: int | None) -> Score:
    """A score with one more game in which side `first` was Player 1."""
    points = list(score)
    for player in (0, 1):
        points[side_of(first, player)] += 0.5 if winner is None else float(winner == player)
    return points[0], points[1]


def side_of(first: int, player: int) -> int:
    """The side of the room that a player is on, where `first` is Player 1."""
    return first if player == 0 else 1 - first
