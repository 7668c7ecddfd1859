"""Decisions that need both players: draws, takebacks, rematches. Pure.

How an offer is answered depends on the kind of room: by the opponent, or at once.
"""

from dataclasses import replace

from isolation.rooms.deciding import Decided, player_of
from isolation.rooms.errors import Refused
from isolation.rooms.fold import left_without, turns_back
from isolation.rooms.game import Game, GameStart
from isolation.rooms.kinds import Reply
from isolation.rooms.log import Draft
from isolation.rooms.room import Room, Visitor
from isolation.rooms.seating import emptied, seated

OFFER, PROPOSE, ACCEPT, DECLINE = "offer", "propose", "accept", "decline"


def draw(room: Room, visitor: Visitor, now: float, game_id: str, action: str) -> Decided:
    """Offer, accept or decline a draw."""
    player, reply = player_of(room, visitor, game_id), _possible(room.kind.draw)
    if action == OFFER:
        return Decided(_offered("draw", "draw_offered", player, reply))
    return Decided([_answered("draw", player, action)])


def takeback(room: Room, visitor: Visitor, now: float, game_id: str, action: str) -> Decided:
    """Propose, accept or decline to take a move back."""
    player, reply = player_of(room, visitor, game_id), _possible(room.kind.takeback)
    if action == PROPOSE:
        # At one screen the last move is taken back, no matter whose it was.
        proposer = 1 - player if room.kind.is_one_screen else player
        _check_time(room.game, proposer, now)
        return Decided(_offered("takeback", "takeback_proposed", proposer, reply))
    if action == ACCEPT:
        _check_time(room.game, 1 - player, now)
    return Decided([_answered("takeback", player, action)])


def _check_time(game: Game, proposer: int, now: float) -> None:
    """A takeback takes the increment back: nobody should lose on time by it."""
    if game.is_clock_running:
        left = left_without(game, turns_back(game, proposer), now)
        if left[proposer] <= 0:
            raise Refused("too_late", why="takeback")


def _possible(reply: Reply | None) -> Reply:
    if reply is None:
        raise Refused("not_here")
    return reply


def _offered(what: str, kind: str, player: int, reply: Reply) -> list[Draft]:
    offered: Draft = (kind, {"player": player})
    if reply is Reply.ASKED:
        return [offered]
    return [offered, (f"{what}_{reply.value}", {"player": 1 - player})]


def _answered(what: str, player: int, action: str) -> Draft:
    reply = Reply.AGREED if action == ACCEPT else Reply.DECLINED
    return f"{what}_{reply.value}", {"player": player}


def rematch(room: Room, visitor: Visitor, now: float, game_id: str, next_id: str) -> Decided:
    """Ask for another game with sides swapped; when both want it, it begins."""
    player = player_of(room, visitor, game_id)
    game, reply = room.game, _possible(room.kind.rematch)
    if not game.outcome:
        raise Refused("not_over")
    if not all(seat.is_taken for seat in game.seats):
        raise Refused("waiting", why="seats")
    if reply is Reply.ASKED and game.rematch_offer in (None, player):
        is_new = game.rematch_offer is None
        drafts: list[Draft] = [("rematch_offered", {"player": player})] if is_new else []
        return Decided(drafts, answer={"offered": True})
    swapped = (game.seats[1], game.seats[0])
    return Decided(
        [("succeeded", {"game": next_id})],
        successor=_next_start(room, next_id, now),
        seated=seated(swapped),
        answer={"game": next_id},
    )


def _next_start(room: Room, next_id: str, now: float) -> GameStart:
    old = room.game.start
    seats = room.game.seats
    return replace(
        old,
        id=next_id,
        number=old.number + 1,
        seats=emptied((seats[1], seats[0])),
        first=1 - old.first,
        created=now,
        score=room.side_score(),
    )
