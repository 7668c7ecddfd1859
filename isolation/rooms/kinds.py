"""The kinds of rooms as data: what's allowed in each. Nobody else asks which kind a room is."""

from dataclasses import dataclass
from enum import Enum

FRIEND, COMPUTER, LOCAL, COMPUTERS, CONTEST = "friend", "computer", "local", "computers", "contest"


class Reply(Enum):
    """What becomes of an offer."""

    ASKED = "asked"  # the opponent decides
    AGREED = "agreed"  # at once
    DECLINED = "declined"  # at once


class Sitter(Enum):
    """Who sits on a side of a room when it's made."""

    CREATOR = "creator"
    FREE = "free"  # for the first to come
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of room. Where a reply is None, that can't be offered there."""

    key: str
    seats: tuple[Sitter, Sitter]
    draw: Reply | None = None
    takeback: Reply | None = None
    rematch: Reply | None = None
    is_one_screen: bool = False  # both players sit at one screen, and are one visitor
    is_directed: bool = False  # computers and bots wait until the owner asks them
    needs_spectators: bool = False  # nobody moves while nobody looks
    has_player_chat: bool = False
    has_spectator_chat: bool = True


KINDS = {
    kind.key: kind
    for kind in (
        Kind(
            FRIEND,
            (Sitter.CREATOR, Sitter.FREE),
            draw=Reply.ASKED,
            takeback=Reply.ASKED,
            rematch=Reply.ASKED,
            has_player_chat=True,
        ),
        Kind(
            COMPUTER,
            (Sitter.CREATOR, Sitter.COMPUTER),
            draw=Reply.DECLINED,
            takeback=Reply.AGREED,
            rematch=Reply.AGREED,
        ),
        Kind(
            LOCAL,
            (Sitter.CREATOR, Sitter.CREATOR),
            draw=Reply.AGREED,
            takeback=Reply.AGREED,
            rematch=Reply.AGREED,
            is_one_screen=True,
            has_spectator_chat=False,
        ),
        Kind(
            COMPUTERS,
            (Sitter.COMPUTER, Sitter.COMPUTER),
            needs_spectators=True,
        ),
        Kind(CONTEST, (Sitter.FREE, Sitter.FREE), is_directed=True),
    )
}
OPPONENTS = tuple(kind.key for kind in KINDS.values() if not kind.is_directed)
