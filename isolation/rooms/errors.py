"""What the server refuses: a code and values for programs, a sentence for people.

All sentences are here: where one code has several causes, `why` tells them apart.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

# By code and, where one code has several causes, by cause.
SENTENCES = {
    "busy": "Too much is happening in this game at once. Try again.",
    "illegal unreadable": "{problem}",  # the text is no move
    "illegal forbidden": "{problem}",  # a move that the rules don't allow here
    "internal": "Something went wrong on the server. Try again.",
    "invalid api": "Bots of that kind play only {games}.",
    "invalid body": "Send the fields as an object in JSON.",
    "invalid bot": "{name} plays only {games}.",
    "invalid fields": "Send an object with named fields, not {given}.",
    "invalid line": "Enter {noun}, up to {most} characters.",
    "invalid missing": "{field} is missing.",
    "invalid name": "This bot is called {name}. Leave the name out.",
    "invalid rules": "{reason}",  # what the rules say of options or a position
    "invalid unknown": "There's no field {field}: {hint}.",
    "invalid wrong": "{field} is {expected}, not {given}.",
    "no_draws": "{game} has no draws.",
    "no_offer": "There's no {offer} to answer.",
    "not_here": "In a contest the players only make moves.",
    "not_over": "The game isn't over yet.",
    "not_your_turn": "It isn't your turn.",
    "not_your_turn unasked": "Wait until you're asked.",
    "not_yours": "You're watching this game, not playing it.",
    "not_yours contest": "This isn't your contest.",
    "not_yours game": "You don't play this game.",
    "not_yours invite": "You can invite bots only to a room where you play, or that you direct.",
    "nothing": "You haven't made a move yet.",
    "offered": "There's a {offer} to answer already.",
    "over": "The game is over.",
    "over replaced": "That game is over. There's a newer one in this room.",
    "present": "Your opponent is here.",
    "rate": "That was too fast. Wait {seconds} s and try again.",
    "stale": "That was for move {ply}, and the game is at move {now}.",
    "store_down": "The server can't reach its database right now. Try again in a moment.",
    "taken": "Both seats are taken. You're welcome to watch.",
    "taken seat": "Somebody else took this seat.",
    "taken room": "Both seats in this room are taken.",
    "too_early": "Your opponent may come back. Wait {seconds:.0f} s more.",
    "too_early clock": "Your opponent has days to move. The clock decides.",
    "too_early beginning": "The game has hardly begun. You can abort it.",
    "too_late": "You can abort a game only before the second move.",
    "too_late takeback": "There's too little time left to take a move back.",
    "too_many address": "Your address has {most} streams open. Close one first.",
    "too_many rooms": "You have {most} rooms open. Leave one first.",
    "too_many streams": "You have {most} streams open. Close one first.",
    "too_many tokens": "You have {most} tokens already. Revoke one first.",
    "unknown bot": "This bot isn't online any more.",
    "unknown connection": "This connection is closing.",
    "unknown game": "There's no such game.",
    "unknown room": "There's no such room.",
    "unknown token": "You have no such token.",
    "unknown_event": "There's no such event. There are {names}.",
    "unsure": "We can't tell right now whether your opponent is here. Try again soon.",
    "unsure bot": "We can't reach this bot right now. Try again soon.",
    "waiting": "The game hasn't begun: a seat is still free.",
    "waiting seats": "Nobody has taken the other seat.",
}
NO_WORDS: Mapping[str, object] = MappingProxyType({})


class Refused(Exception):
    """Something that can't be done; nothing has changed."""

    def __init__(
        self, code: str, *, words: Mapping[str, object] = NO_WORDS, **details: Any
    ) -> None:
        """`details` are told to programs, too; `words` only fill the sentence."""
        why = details.get("why")
        if why is None and code == "invalid":
            why = details["problem"]
        self.message = SENTENCES[f"{code} {why}" if why else code].format(**details, **words)
        super().__init__(self.message)
        self.code = code
        self.details = details
