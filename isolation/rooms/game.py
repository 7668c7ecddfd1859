"""One game as the fold of its log: seats, position, clocks, offers and result.

A Game is immutable. `after(event)` is the game with one more event, or Refused: so whatever is in a
log has been checked, and any log can be folded again.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from isolation.rooms.clock import TimeControl
from isolation.rooms.errors import Refused
from isolation.rules import PASS, GameRecord, IllegalMove, InvalidRecord, Outcome
from isolation.rules.tally import Tally
from isolation.rules.words import player_name, printable

PERSON, COMPUTER = "person", "computer"
ABORTED = "aborted"
MAX_REASON = 200  # letters of the reason for which a game has ended
CLOCKS_START = 2  # plies: each player makes the first move in peace


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a game's log. `seq` counts from 1 without gaps."""

    seq: int
    kind: str
    data: Mapping[str, Any]
    at: float


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
    def is_taken(self) -> bool:
        return self.kind == COMPUTER or self.identity is not None


@dataclass(frozen=True, slots=True)
class Note:
    """How long each call of a bot took for a turn, and why the turn was thrown away."""

    calls: tuple[int, ...] = ()
    fault: str = ""

    @classmethod
    def of(cls, event: Event) -> Self:
        return cls(tuple(event.data.get("calls", ())), event.data.get("why", ""))


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


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it is after `v` events."""

    start: GameStart
    record: GameRecord
    seats: tuple[Seat, Seat]
    v: int = 0
    left: tuple[float, float] = (0.0, 0.0)  # seconds, as of the beginning of the turn
    turn_began: float = 0.0
    draw_offer: int | None = None  # who offers
    takeback_offer: int | None = None
    is_aborted: bool = False
    moves_made: Tally = field(default_factory=Tally)  # ids of all moves, those taken back too
    notes: tuple[Note, ...] = ()  # of every turn
    outcome: Outcome | None = None

    @classmethod
    def begin(cls, start: GameStart) -> Self:
        seconds = start.clock.initial if start.clock else 0.0
        record = GameRecord.begin(start.variant, start.options)
        return cls(start, record, start.seats, left=(seconds, seconds), turn_began=start.created)

    @classmethod
    def fold(cls, start: GameStart, events: Iterable[Event]) -> Self:
        game = cls.begin(start)
        for event in events:
            game = game.after(event)
        return game

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
        return self.is_on and self.seats[self.to_move].kind == COMPUTER

    @property
    def result(self) -> str:
        """As records write it; a game that was called off has none."""
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
        return self._charged(max(0.0, now - self.turn_began))

    def _charged(self, seconds: float) -> tuple[float, float]:
        left = list(self.left)
        left[self.to_move] = max(0.0, left[self.to_move] - seconds)
        return left[0], left[1]

    def after(self, event: Event) -> Self:
        """The game with this event, or Refused."""
        if event.seq != self.v + 1:
            raise Refused("stale", f"event {event.seq} can not follow event {self.v}")
        game: Self = _KINDS[event.kind](self, event)
        return replace(game, v=event.seq, outcome=game.record.outcome)

    def _seat(self, event: Event) -> Self:
        seat = event.data["seat"]
        if self.seats[seat].is_taken:
            raise Refused("taken", "somebody else has taken this seat")
        self._check_open()
        taken = replace(
            self.seats[seat],
            identity=event.data["identity"],
            name=event.data["name"],
            is_bot=event.data.get("bot", False),
        )
        seats = (taken, self.seats[1]) if seat == 0 else (self.seats[0], taken)
        return replace(self, seats=seats, turn_began=event.at)

    def _move(self, event: Event) -> Self:
        self._check_on()
        position = self.record.position
        try:
            record = self.record.play(position.parse(event.data["move"]))
        except IllegalMove as error:
            raise Refused("illegal", str(error)) from None
        return replace(
            self,
            record=record,
            left=self._after_turn(event),
            turn_began=event.at,
            draw_offer=None if self.draw_offer == 1 - position.to_move else self.draw_offer,
            takeback_offer=None,
            moves_made=self.moves_made.plus(event.data["id"]),
            notes=(*self.notes, Note.of(event)),
        )

    def _after_turn(self, event: Event) -> tuple[float, float]:
        """What each player has left when a turn is made."""
        if not (self.start.clock and self.is_clock_running):
            return self.left
        charged = list(self._charged(event.data.get("spent", event.at - self.turn_began)))
        charged[self.to_move] = self.start.clock.after_turn(charged[self.to_move])
        return charged[0], charged[1]

    def _discard(self, event: Event) -> Self:
        """A bot's turn is thrown away, as its game says."""
        self._check_on()
        try:
            record = self.record.discard()
        except (IllegalMove, InvalidRecord) as error:
            raise Refused("illegal", str(error)) from None
        return replace(
            self,
            record=record,
            left=self._after_turn(event),
            turn_began=event.at,
            notes=(*self.notes, Note.of(event)),
        )

    def _fault(self, event: Event) -> Self:
        player, why = event.data["player"], printable(event.data.get("why", ""))
        reason = f"{player_name(player)} made a fault{': ' if why else ''}{why}"
        return self._ended(event, 1 - player, reason[:MAX_REASON])

    def _resign(self, event: Event) -> Self:
        player = event.data["player"]
        return self._ended(event, 1 - player, f"{player_name(player)} resigned")

    def _flag(self, event: Event) -> Self:
        player = event.data["player"]
        left = (0.0, self.left[1]) if player == 0 else (self.left[0], 0.0)
        ended = self._ended(event, 1 - player, f"{player_name(player)} ran out of time")
        return replace(ended, left=left)

    def _claim(self, event: Event) -> Self:
        player = event.data["player"]
        winner = None if event.data["result"] == "draw" else player
        return self._ended(event, winner, f"{player_name(1 - player)} left the game")

    def _abort(self, event: Event) -> Self:
        self._check_open()
        if self.ply >= CLOCKS_START:
            raise Refused("too_late", "a game can be aborted before the second move only")
        return self._called_off()

    def _stop(self, event: Event) -> Self:
        """Whoever directs a contest has enough of it."""
        self._check_open()
        return self._called_off()

    def _called_off(self) -> Self:
        record = self.record.end(Outcome(None, ABORTED))
        return replace(self, record=record, is_aborted=True)

    def _ended(self, event: Event, winner: int | None, reason: str) -> Self:
        self._check_on()
        record = self.record.end(Outcome(winner, reason))
        left = self.time_left(event.at)
        return replace(self, record=record, left=left, draw_offer=None, takeback_offer=None)

    def _offer_draw(self, event: Event) -> Self:
        self._check_on()
        if not self.record.variant.has_draws:
            raise Refused("no_draws", f"{self.record.variant.title} has no draws")
        if self.draw_offer is not None:
            raise Refused("offered", "a draw is offered already")
        return replace(self, draw_offer=event.data["player"])

    def _agree_draw(self, event: Event) -> Self:
        self._check_offer(self.draw_offer, event, "draw")
        return self._ended(event, None, "a draw was agreed")

    def _decline_draw(self, event: Event) -> Self:
        self._check_offer(self.draw_offer, event, "draw")
        return replace(self, draw_offer=None)

    def _propose_takeback(self, event: Event) -> Self:
        self._check_on()
        if self.takeback_offer is not None:
            raise Refused("offered", "a takeback is proposed already")
        if self._turns_back(event.data["player"]) > self.ply:
            raise Refused("nothing", "you have not made a move that could be taken back")
        return replace(self, takeback_offer=event.data["player"])

    def _turns_back(self, player: int) -> int:
        """How many turns must go for the last one that this player chose to be gone."""
        turns = 1 if player != self.to_move else 2
        while turns <= self.ply and self.record.turns[-turns] == PASS:
            turns += 2
        return turns

    def _left_without(self, turns: int, now: float) -> tuple[float, float]:
        """The clocks without these turns: what was spent is spent, what was given is taken back."""
        clock = self.start.clock
        if clock is None or clock.is_per_turn:
            return (clock.initial, clock.initial) if clock else self.left
        left = list(self.time_left(now))
        for ply in range(max(CLOCKS_START, self.ply - turns), self.ply):
            player = self.record.positions[ply].to_move
            left[player] = max(0.0, left[player] - clock.increment)
        return left[0], left[1]

    def _agree_takeback(self, event: Event) -> Self:
        self._check_offer(self.takeback_offer, event, "takeback")
        turns = self._turns_back(1 - event.data["player"])
        return replace(
            self,
            record=self.record.take_back(turns),
            notes=self.notes[:-turns],
            left=self._left_without(turns, event.at),
            turn_began=event.at,
            takeback_offer=None,
            draw_offer=None,
        )

    def _decline_takeback(self, event: Event) -> Self:
        self._check_offer(self.takeback_offer, event, "takeback")
        return replace(self, takeback_offer=None)

    def _resume(self, event: Event) -> Self:
        """The server was away: that time is nobody's."""
        return replace(self, turn_began=self.turn_began + event.data["gap"])

    def _check_open(self) -> None:
        if self.outcome:
            raise Refused("over", "the game is over")

    def _check_on(self) -> None:
        self._check_open()
        if not self.is_on:
            raise Refused("waiting", "the game has not begun: a seat is still free")

    def _check_offer(self, offer: int | None, event: Event, what: str) -> None:
        self._check_on()
        if offer is None or offer == event.data["player"]:
            raise Refused("no_offer", f"there is no {what} to answer")


_KINDS: dict[str, Callable[[Any, Event], Any]] = {
    "seat": Game._seat,
    "move": Game._move,
    "discard": Game._discard,
    "fault": Game._fault,
    "resign": Game._resign,
    "flag": Game._flag,
    "claim": Game._claim,
    "abort": Game._abort,
    "stop": Game._stop,
    "draw_offered": Game._offer_draw,
    "draw_agreed": Game._agree_draw,
    "draw_declined": Game._decline_draw,
    "takeback_proposed": Game._propose_takeback,
    "takeback_agreed": Game._agree_takeback,
    "takeback_declined": Game._decline_takeback,
    "resume": Game._resume,
}
