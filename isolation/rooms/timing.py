"""What time alone brings about in a game, and when to look for it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from isolation.rooms.expiry import DAY, patience
from isolation.rooms.game import CLOCKS_START, Game
from isolation.rooms.log import Draft
from isolation.rooms.moving import forced
from isolation.rooms.room import Room

THOUGHT_S = 2.0  # after which a computer that hasn't moved may have been forgotten


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which moves couldn't be stored: it's charged to nobody."""

    began: float
    ended: float


def overdue(room: Room, now: float, outages: Sequence[Outage]) -> list[Draft]:
    """What must be in the log before anything else may happen."""
    game = room.game
    if game.outcome:
        return []
    if game.is_clock_running and (
        missed := [outage for outage in outages if outage.ended > game.settled]
    ):
        return _resumed(game, missed)
    if is_late(game, now):
        return [("flag", {"player": game.to_move, "deadline": game.deadline})]
    away = away_for(game, outages)
    if now - away >= game.turn_began + patience(game):
        return [("expired", {"player": game.to_move if _is_forfeit(room) else None, "away": away})]
    return forced(room)


def away_for(game: Game, outages: Sequence[Outage]) -> float:
    """How long the server was away in this turn, in a game without a running clock.

    Where one runs, that time is given back by a `resume`.
    """
    if game.is_clock_running:
        return 0.0
    away, until = 0.0, game.turn_began
    for outage in sorted(outages, key=lambda outage: outage.began):
        if outage.ended > until:
            away += outage.ended - max(outage.began, until)
            until = outage.ended
    return away


def _resumed(game: Game, missed: Sequence[Outage]) -> list[Draft]:
    drafts: list[Draft] = []
    settled = game.settled
    # Several processes may have stored theirs in any order, one within the other.
    for outage in sorted(missed, key=lambda outage: outage.began):
        if outage.ended <= settled:
            continue
        gap = outage.ended - max(outage.began, settled)
        drafts.append(("resume", {"gap": gap, "from": outage.began, "to": outage.ended}))
        settled = outage.ended
    return drafts


def is_late(game: Game, now: float) -> bool:
    """Whether a person's time is up. A computer is charged when it has moved."""
    deadline = game.deadline
    return deadline is not None and now >= deadline and not game.is_computer_to_move


def _is_forfeit(room: Room) -> bool:
    """Whether the player to move loses when nobody moves for so long."""
    game, kind = room.game, room.kind
    is_persons = game.is_on and not game.is_computer_to_move
    is_alone = kind.is_one_screen or kind.is_directed
    return is_persons and game.ply >= CLOCKS_START and not is_alone


def due(room: Room) -> float | None:
    """When to look at a game again, whether anybody is there or not; None once it's over."""
    game = room.game
    if game.outcome:
        return None
    if game.is_computer_to_move and not room.kind.needs_spectators and not room.is_held:
        return max(game.turn_began, game.asked_at) + THOUGHT_S
    if game.deadline is not None and not game.is_computer_to_move:
        return game.deadline
    allowed = patience(game)
    if allowed < DAY:
        return game.turn_began + allowed
    # To the day, so that it isn't written again with every move.
    return DAY * ceil((game.turn_began + allowed) / DAY)
