"""One game as it is at some point of its log: seats, position, clocks, offers and result.

A Game is immutable. `fold.py` says what each event of the log makes of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from isolation.rooms.clock import TimeControl
from isolation.rooms.log import Event
from isolation.rules import GameRecord, Outcome
from isolation.rules.tally import Tally

PERSON, COMPUTER = "person", "computer"
ABORTED = "aborted"
CLOCKS_START = 2  # plies: each player makes the first move in peace


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays: a computer of some level, or a person, once somebody has sat down."""

    kind: str = PERSON
    level: int | None = None
    identity: str | None = None
    name: str = ""
    is_bot: bool = False  # a program plays for this identity

    @property
    def shown_name(self) -> str:
        """What others see; nothing while nobody sits there."""
        return self.name or (f"Computer {self.level}" if self.level else "")

    @property
    def is_computer(self) -> bool:
        return self.kind == COMPUTER

    @property
    def is_taken(self) -> bool:
        return self.is_computer or self.identity is not None


@dataclass(frozen=True, slots=True)
class Note:
    """How long each call of a bot took for a turn, and why the turn was thrown away."""

    calls: tuple[int, ...] = ()
    fault: str = ""

    @classmethod
    def of(cls, event: Event) -> Self | None:
        """None where there's nothing to note, as in most games."""
        calls, fault = event.data.get("calls", ()), event.data.get("why", "")
        return cls(tuple(calls), fault) if calls or fault else None


@dataclass(frozen=True, slots=True)
class GameStart:
    """What a game begins with. `first` is the side of the room that plays as Player 1."""

    id: str
    room: str
    number: int
    variant: str
    options: Mapping[str, Any]
    clock: TimeControl | None
    seats: tuple[Seat, Seat]
    first: int
    created: float
    position: Mapping[str, Any] | None = None  # where it isn't the ordinary start
    score: tuple[float, float] | None = None  # of the two sides, before this game


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it is after `v` events."""

    start: GameStart
    record: GameRecord
    seats: tuple[Seat, Seat]
    v: int = 0
    latest: float = 0.0  # the time of the last event
    left: tuple[float, float] = (0.0, 0.0)  # seconds, as of the beginning of the turn
    turn_began: float = 0.0  # moved on by the length of every outage
    settled: float = 0.0  # until when outages are accounted for
    draw_offer: int | None = None  # who offers
    takeback_offer: int | None = None
    rematch_offer: int | None = None
    asked: int | None = None  # the ply for which the owner of a contest has asked
    asked_at: float = 0.0
    successor: str | None = None  # the game that was played next in the room
    is_aborted: bool = False
    moves_made: Tally = field(default_factory=Tally)  # ids of all moves, those taken back too
    notes: Mapping[int, Note] = field(default_factory=dict)  # by ply
    outcome: Outcome | None = None

    @classmethod
    def begin(cls, start: GameStart) -> Self:
        seconds = start.clock.initial if start.clock else 0.0
        record = GameRecord.begin(start.variant, start.options, position=start.position)
        return cls(
            start,
            record,
            start.seats,
            latest=start.created,
            left=(seconds, seconds),
            turn_began=start.created,
            settled=start.created,
        )

    @property
    def id(self) -> str:
        return self.start.id

    @property
    def ply(self) -> int:
        return len(self.record.turns)

    @property
    def to_move(self) -> int:
        return self.record.position.to_move

    @property
    def is_on(self) -> bool:
        """Whether moves can be made: everyone is there, and nobody has won."""
        return all(seat.is_taken for seat in self.seats) and self.outcome is None

    def players_of(self, identity: str) -> list[int]:
        """The players that a person is: none, one, or both at one screen."""
        return [player for player, seat in enumerate(self.seats) if seat.identity == identity]

    @property
    def is_computer_to_move(self) -> bool:
        return self.is_on and self.seats[self.to_move].is_computer

    @property
    def result(self) -> str:
        """As records write it; an aborted game has none."""
        return ABORTED if self.is_aborted else self.record.result

    @property
    def is_clock_running(self) -> bool:
        return self.start.clock is not None and self.ply >= CLOCKS_START and self.is_on

    @property
    def deadline(self) -> float | None:
        """When the time of the player to move is up."""
        return self.turn_began + self.left[self.to_move] if self.is_clock_running else None

    def time_left(self, now: float) -> tuple[float, float]:
        """What each player has left at that moment."""
        if not self.is_clock_running:
            return self.left
        return self.charged(max(0.0, now - self.turn_began))

    def charged(self, seconds: float) -> tuple[float, float]:
        """What each player has left, once the player to move is charged so much."""
        left = list(self.left)
        left[self.to_move] = max(0.0, left[self.to_move] - seconds)
        return left[0], left[1]
