"""How games end: a code for each reason, and the English sentence that says it. Knows no game.

Programs compare codes; people, and the Termination of a text record, get the sentence. Each
sentence can be read back, and so can those that older records have.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from isolation.rules.errors import InvalidRecord
from isolation.rules.words import player_name, printable, shown

MAX_LINE = 200  # letters of a value in a text record


class Reason(StrEnum):
    """Why a game ended: first by its own rules, then otherwise."""

    NO_MOVES = "no_moves"  # the player can't move
    ALL_OFF = "all_off"  # the player has brought every piece off the board, and so won
    TWO_PASSES = "two_passes"
    REPETITION = "repetition"
    DISCARDS = "discards"  # the player had four turns discarded
    RESIGNED = "resigned"
    TIME = "time"
    LEFT = "left"
    FAULT = "fault"  # the detail says which
    AGREED = "agreed"
    ABORTED = "aborted"
    ABANDONED = "abandoned"  # the player didn't move for too long
    UNSTATED = "unstated"  # a record has a result, and doesn't say why
    OTHER = "other"  # the detail says it, in the words of a record from elsewhere


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner is 0, 1, or None for a tie."""

    winner: int | None
    reason: str  # the code of a Reason
    player: int | None = None  # whom the reason is about
    detail: str = ""


class Sentence(NamedTuple):
    """How a reason is said. `{}` is the player it is about."""

    words: str
    has_detail: bool = False  # which follows after a colon

    @property
    def names_player(self) -> bool:
        return "{}" in self.words


SENTENCES: dict[Reason, Sentence] = {
    Reason.NO_MOVES: Sentence("{} has no moves"),
    Reason.ALL_OFF: Sentence("{} brought all pieces off the board"),
    Reason.TWO_PASSES: Sentence("two passes in a row"),
    Reason.REPETITION: Sentence("the same position for the third time"),
    Reason.DISCARDS: Sentence("{} had four turns in a row discarded"),
    Reason.RESIGNED: Sentence("{} resigned"),
    Reason.TIME: Sentence("{} ran out of time"),
    Reason.LEFT: Sentence("{} left the game"),
    Reason.FAULT: Sentence("{} made a fault", has_detail=True),
    Reason.AGREED: Sentence("a draw was agreed"),
    Reason.ABORTED: Sentence("aborted"),
    Reason.ABANDONED: Sentence("{} abandoned the game"),
    Reason.UNSTATED: Sentence("unstated"),
    Reason.OTHER: Sentence("", has_detail=True),
}

# What older records say. They leave it to the result whom it is about: the loser, or the winner.
_FORMER = {
    "no move left": (Reason.NO_MOVES, False),
    "all pieces off the board": (Reason.ALL_OFF, True),
    "four discarded turns in a row": (Reason.DISCARDS, False),
}
_FAULT = re.compile(r"Player ([12]) made a fault: (.+)", re.DOTALL)
_PLAYERS = (0, 1)


def ending_words(outcome: Outcome) -> str:
    """The sentence for an outcome: "Player 2 has no moves"."""
    sentence = SENTENCES[Reason(outcome.reason)]
    about = "" if outcome.player is None else player_name(outcome.player)
    return ": ".join(filter(None, (sentence.words.format(about), outcome.detail)))


_READ: dict[str, tuple[Reason, int | None]] = {
    sentence.words.format(player_name(player)): (reason, player if sentence.names_player else None)
    for reason, sentence in SENTENCES.items()
    if sentence.words
    for player in _PLAYERS
}


def read_ending(text: str, winner: int | None) -> Outcome:
    """The outcome that a sentence tells, of today's or of older records, for this winner."""
    if not text:
        return Outcome(winner, Reason.UNSTATED)
    if text in _READ:
        return Outcome(winner, *_READ[text])
    if text in _FORMER and winner is not None:
        reason, is_winner = _FORMER[text]
        return Outcome(winner, reason, winner if is_winner else 1 - winner)
    if match := _FAULT.fullmatch(text):
        return Outcome(winner, Reason.FAULT, int(match[1]) - 1, match[2])
    return Outcome(winner, Reason.OTHER, detail=text)


def lost_by_fault(player: int, why: str = "") -> Outcome:
    """A bot's fault has lost it the game. `why` is anything, and cut to what a record holds."""
    outcome = Outcome(1 - player, Reason.FAULT, player)
    room = MAX_LINE - len(ending_words(outcome)) - len(": ")
    return Outcome(1 - player, Reason.FAULT, player, printable(why)[:room])


def checked_ending(outcome: object) -> Outcome:
    """An outcome whose sentence reads back as the same outcome, or InvalidRecord."""
    if not isinstance(outcome, Outcome):
        raise InvalidRecord(f"a game ends with an outcome, not {shown(outcome)}")
    if not _is_player(outcome.winner):
        raise InvalidRecord(f"the winner is 0, 1 or None, not {shown(outcome.winner)}")
    reason = checked_reason(outcome.reason)
    sentence = SENTENCES[reason]
    if not _is_player(outcome.player) or sentence.names_player == (outcome.player is None):
        allowed = "0 or 1" if sentence.names_player else "None"
        raise InvalidRecord(f"the player of {reason} is {allowed}, not {shown(outcome.player)}")
    if outcome.detail and not sentence.has_detail:
        raise InvalidRecord(f"{reason} has no detail")
    check_line("detail", outcome.detail)
    check_line("termination", ending_words(outcome))
    if reason is Reason.OTHER:  # which may well be a sentence that we know
        return read_ending(outcome.detail, outcome.winner)
    return Outcome(outcome.winner, reason, outcome.player, outcome.detail)


def checked_reason(code: object) -> Reason:
    """The reason of that code, or InvalidRecord."""
    if isinstance(code, str) and code in list(Reason):
        return Reason(code)
    raise InvalidRecord(f"there is no reason {shown(code)}: reasons are {', '.join(Reason)}")


def check_line(name: str, value: object) -> None:
    """InvalidRecord where this can't be a value in a text record."""
    if not isinstance(value, str) or not value.isprintable() or len(value) > MAX_LINE:
        raise InvalidRecord(f"{name} must be up to {MAX_LINE} characters on one line")


def _is_player(value: object) -> bool:
    return value is None or (type(value) is int and value in _PLAYERS)
