"""What each event of a log makes of a game: `follow` is the game with one more event, or Refused.

So what a log holds has been checked, and any log can be folded again. What time alone brings about
(`flag`, `claim`, `resume`, `expired`) carries its evidence, which is checked as well. Events that
were stored before they carried any are taken as they are.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from isolation.rooms.clock import grace
from isolation.rooms.errors import Refused
from isolation.rooms.expiry import patience
from isolation.rooms.game import CLOCKS_START, Game, GameStart, Note
from isolation.rooms.log import Event
from isolation.rules import PASS, IllegalMove, InvalidRecord, Outcome
from isolation.rules.endings import Reason, lost_by_fault

_OFFERS = {"draw": "draw offer", "takeback": "takeback"}  # in words
EXACT = 0.001  # seconds by which two readings of one moment may differ


class InvalidEvent(Exception):
    """An event that can't be in this log: out of turn, or without evidence for what it says."""


def fold(start: GameStart, events: Iterable[Event]) -> Game:
    game = Game.begin(start)
    for event in events:
        game = follow(game, event)
    return game


def follow(game: Game, event: Event) -> Game:
    """The game with this event, or Refused; InvalidEvent if no log could hold it."""
    if event.seq != game.v + 1:
        raise InvalidEvent(f"event {event.seq} can't follow event {game.v}")
    after = _KINDS[event.kind](game, event)
    latest = max(game.latest, event.at)
    return replace(after, v=event.seq, latest=latest, outcome=after.record.outcome)


# Sitting and moving.


def _seat(game: Game, event: Event) -> Game:
    seat = event.data["seat"]
    if game.seats[seat].is_taken:
        raise Refused("taken", why="seat")
    _check_open(game)
    taken = replace(
        game.seats[seat],
        identity=event.data["identity"],
        name=event.data["name"],
        is_bot=event.data.get("bot", False),
    )
    seats = (taken, game.seats[1]) if seat == 0 else (game.seats[0], taken)
    return replace(game, seats=seats, turn_began=event.at, settled=event.at)


def _move(game: Game, event: Event) -> Game:
    _check_on(game)
    position = game.record.position
    try:
        move = position.parse(event.data["move"])
    except IllegalMove as error:
        raise _illegal("unreadable", error) from None
    try:
        record = game.record.play(move)
    except IllegalMove as error:
        raise _illegal("forbidden", error) from None
    return _with_turn(
        game,
        event,
        record=record,
        draw_offer=None if game.draw_offer == 1 - position.to_move else game.draw_offer,
        takeback_offer=None,
        moves_made=game.moves_made.plus(event.data["id"]),
    )


def _discard(game: Game, event: Event) -> Game:
    """A bot's turn is thrown away, as its game says."""
    _check_on(game)
    try:
        record = game.record.discard()
    except (IllegalMove, InvalidRecord) as error:
        raise _illegal("forbidden", error) from None
    return _with_turn(game, event, record=record)


def _with_turn(game: Game, event: Event, **changes: Any) -> Game:
    """The game with one more turn: the next one begins."""
    return replace(
        game,
        left=_after_turn(game, event),
        turn_began=event.at,
        settled=event.at,
        asked=None,
        notes=_noted(game, event),
        **changes,
    )


def _noted(game: Game, event: Event) -> Mapping[int, Note]:
    note = Note.of(event)
    return {**game.notes, game.ply: note} if note else game.notes


def _after_turn(game: Game, event: Event) -> tuple[float, float]:
    """What each player has left when a turn is made."""
    if not (game.start.clock and game.is_clock_running):
        return game.left
    spent = event.data.get("spent", event.at - game.turn_began)
    charged = list(game.charged(max(0.0, spent)))  # the clocks of two machines may differ
    charged[game.to_move] = game.start.clock.after_turn(charged[game.to_move])
    return charged[0], charged[1]


def _ask(game: Game, event: Event) -> Game:
    """The owner of a contest lets the player to move take a turn."""
    _check_on(game)
    _check_ply(game, event.data["ply"])
    return replace(game, asked=game.ply, asked_at=event.at)


# Ending.


def _fault(game: Game, event: Event) -> Game:
    return _ended(game, event, lost_by_fault(event.data["player"], event.data.get("why", "")))


def _resign(game: Game, event: Event) -> Game:
    player = event.data["player"]
    return _ended(game, event, Outcome(1 - player, Reason.RESIGNED, player))


def _flag(game: Game, event: Event) -> Game:
    player = event.data["player"]
    if "deadline" in event.data:
        due = game.deadline
        _check_evidence(due is not None and abs(due - event.data["deadline"]) < EXACT)
        _check_evidence(due is not None and event.at >= due - EXACT)
        _check_evidence(player == game.to_move and not game.is_computer_to_move)
    left = (0.0, game.left[1]) if player == 0 else (game.left[0], 0.0)
    return replace(_ended(game, event, Outcome(1 - player, Reason.TIME, player)), left=left)


def _claim(game: Game, event: Event) -> Game:
    player, absent = event.data["player"], 1 - event.data["player"]
    winners = {"win": player, "draw": None}
    if event.data["result"] not in winners:
        raise InvalidEvent(f"nobody can claim {event.data['result']!r}")
    if "gone" in event.data:
        allowed = grace(game.start.clock)
        since = max(event.data["gone"], game.turn_began)
        _check_evidence(
            allowed is not None
            and game.ply >= CLOCKS_START
            and game.seats[absent].identity not in (None, game.seats[player].identity)
            and event.at - since >= allowed - EXACT
        )
    return _ended(game, event, Outcome(winners[event.data["result"]], Reason.LEFT, absent))


def _expire(game: Game, event: Event) -> Game:
    """Nobody did anything for as long as a game waits: it's aborted, or `player` has lost it."""
    _check_open(game)
    away = event.data.get("away", 0.0)  # when nobody could have come back
    _check_evidence(away >= 0 and event.at - away - game.turn_began >= patience(game) - EXACT)
    player = event.data["player"]
    if player is None:
        return _aborted(game)
    _check_evidence(player == game.to_move and game.ply >= CLOCKS_START)
    return _ended(game, event, Outcome(1 - player, Reason.ABANDONED, player))


def _abort(game: Game, event: Event) -> Game:
    _check_open(game)
    if game.ply >= CLOCKS_START:
        raise Refused("too_late")
    return _aborted(game)


def _stop(game: Game, event: Event) -> Game:
    """The owner of a contest has seen enough of it."""
    _check_open(game)
    return _aborted(game)


def _aborted(game: Game) -> Game:
    return replace(game, record=game.record.end(Outcome(None, Reason.ABORTED)), is_aborted=True)


def _ended(game: Game, event: Event, outcome: Outcome) -> Game:
    _check_on(game)
    left = game.time_left(event.at)
    record = game.record.end(outcome)
    return replace(game, record=record, left=left, draw_offer=None, takeback_offer=None)


# Agreeing.


def _offer_draw(game: Game, event: Event) -> Game:
    _check_on(game)
    if not game.record.variant.has_draws:
        raise Refused("no_draws", game=game.record.variant.title)
    if game.draw_offer is not None:
        raise Refused("offered", kind="draw", offer=_OFFERS["draw"])
    return replace(game, draw_offer=event.data["player"])


def _agree_draw(game: Game, event: Event) -> Game:
    _check_offer(game, game.draw_offer, event, "draw")
    return _ended(game, event, Outcome(None, Reason.AGREED))


def _decline_draw(game: Game, event: Event) -> Game:
    _check_offer(game, game.draw_offer, event, "draw")
    return replace(game, draw_offer=None)


def _propose_takeback(game: Game, event: Event) -> Game:
    _check_on(game)
    if game.takeback_offer is not None:
        raise Refused("offered", kind="takeback", offer=_OFFERS["takeback"])
    if turns_back(game, event.data["player"]) > game.ply:
        raise Refused("nothing")
    return replace(game, takeback_offer=event.data["player"])


def _agree_takeback(game: Game, event: Event) -> Game:
    _check_offer(game, game.takeback_offer, event, "takeback")
    turns = turns_back(game, 1 - event.data["player"])
    record = game.record.take_back(turns)
    kept = len(record.turns)
    return replace(
        game,
        record=record,
        notes={ply: note for ply, note in game.notes.items() if ply < kept},
        left=left_without(game, turns, event.at),
        turn_began=event.at,
        settled=event.at,
        takeback_offer=None,
        draw_offer=None,
        asked=None,
    )


def turns_back(game: Game, player: int) -> int:
    """How many turns must go for the last one that this player chose to be gone."""
    turns = 1 if player != game.to_move else 2
    while turns <= game.ply and game.record.turns[-turns] == PASS:
        turns += 2
    return turns


def left_without(game: Game, turns: int, now: float) -> tuple[float, float]:
    """The clocks without these turns: what was spent is spent, what was given is taken back."""
    clock = game.start.clock
    if clock is None or clock.is_per_turn:
        return (clock.initial, clock.initial) if clock else game.left
    left = list(game.time_left(now))
    for ply in range(max(CLOCKS_START, game.ply - turns), game.ply):
        player = game.record.positions[ply].to_move
        left[player] = max(0.0, left[player] - clock.increment)
    return left[0], left[1]


def _decline_takeback(game: Game, event: Event) -> Game:
    _check_offer(game, game.takeback_offer, event, "takeback")
    return replace(game, takeback_offer=None)


def _offer_rematch(game: Game, event: Event) -> Game:
    _check_over(game)
    return replace(game, rematch_offer=event.data["player"])


def _succeed(game: Game, event: Event) -> Game:
    """Another game begins in the room."""
    _check_over(game)
    return replace(game, rematch_offer=None, successor=event.data["game"])


# Time that is nobody's.


def _resume(game: Game, event: Event) -> Game:
    """The server was away from `from` to `to`: that time is nobody's."""
    gap = event.data["gap"]
    if "to" not in event.data:
        return replace(game, turn_began=game.turn_began + gap)
    began, ended = event.data["from"], event.data["to"]
    _check_evidence(began <= ended and game.settled < ended <= event.at + EXACT)
    _check_evidence(game.is_clock_running)
    _check_evidence(abs(gap - (ended - max(began, game.settled))) < EXACT)
    return replace(game, turn_began=game.turn_began + gap, settled=ended)


def _check_evidence(is_proven: bool) -> None:
    if not is_proven:
        raise InvalidEvent("the evidence doesn't fit the game")


def _check_open(game: Game) -> None:
    if game.outcome:
        raise Refused("over")


def _check_over(game: Game) -> None:
    if not game.outcome:
        raise Refused("not_over")
    if game.successor:
        raise Refused("over", why="replaced")


def _check_on(game: Game) -> None:
    _check_open(game)
    if not game.is_on:
        raise Refused("waiting")


def _check_ply(game: Game, ply: int) -> None:
    if ply != game.ply:
        raise Refused("stale", ply=ply, now=game.ply)


def _check_offer(game: Game, offer: int | None, event: Event, kind: str) -> None:
    _check_on(game)
    if offer is None or offer == event.data["player"]:
        raise Refused("no_offer", kind=kind, offer=_OFFERS[kind])


def _illegal(why: str, error: Exception) -> Refused:
    """What the rules say, as a sentence; a square at its beginning stays small."""
    text = str(error)
    return Refused("illegal", why=why, problem=text if text.endswith((".", "!")) else f"{text}.")


_KINDS: dict[str, Callable[[Game, Event], Game]] = {
    "seat": _seat,
    "move": _move,
    "discard": _discard,
    "asked": _ask,
    "fault": _fault,
    "resign": _resign,
    "flag": _flag,
    "claim": _claim,
    "expired": _expire,
    "abort": _abort,
    "stop": _stop,
    "draw_offered": _offer_draw,
    "draw_agreed": _agree_draw,
    "draw_declined": _decline_draw,
    "takeback_proposed": _propose_takeback,
    "takeback_agreed": _agree_takeback,
    "takeback_declined": _decline_takeback,
    "rematch_offered": _offer_rematch,
    "succeeded": _succeed,
    "resume": _resume,
}
