"""What the rooms refuse: a code and values for programs, a sentence for people."""

from typing import Any

# By code and, where one code has several causes, by cause.
SENTENCES = {
    "busy": "Too much is happening in this game at once. Try again.",
    "illegal": "{problem}",
    "invalid": "{problem}",
    "no_draws": "{game} has no draws.",
    "no_offer": "There's no {offer} to answer.",
    "not_here": "In a contest the players only make moves.",
    "not_over": "The game isn't over yet.",
    "not_your_turn": "It isn't your turn.",
    "not_your_turn unasked": "Wait until you're asked.",
    "not_yours": "You're watching this game, not playing it.",
    "not_yours contest": "This isn't your contest.",
    "nothing": "You haven't made a move yet.",
    "offered": "There's a {offer} to answer already.",
    "over": "The game is over.",
    "over replaced": "That game is over. There's a newer one in this room.",
    "present": "Your opponent is here.",
    "stale": "That was for move {ply}, and the game is at move {now}.",
    "taken": "Both seats are taken. You're welcome to watch.",
    "taken seat": "Somebody else took this seat.",
    "too_early": "Your opponent may come back. Wait {seconds:.0f} s more.",
    "too_early clock": "Your opponent has days to move. The clock decides.",
    "too_early beginning": "The game has hardly begun. You can abort it.",
    "too_late": "You can abort a game only before the second move.",
    "too_late takeback": "There's too little time left to take a move back.",
    "unknown game": "There's no such game.",
    "unknown room": "There's no such room.",
    "unsure": "We can't tell right now whether your opponent is here. Try again soon.",
    "unsure bot": "We can't reach this bot right now. Try again soon.",
    "waiting": "The game hasn't begun: a seat is still free.",
    "waiting seats": "Nobody has taken the other seat.",
}


class Refused(Exception):
    """Something that can't be done; nothing has changed."""

    def __init__(self, code: str, message: str | None = None, **details: Any) -> None:
        """`message` where the sentence is somebody else's; `why` in the details picks ours."""
        why = details.get("why")
        key = f"{code} {why}" if why else code
        self.message = SENTENCES[key].format(**details) if message is None else message
        super().__init__(self.message)
        self.code = code
        self.details = details
