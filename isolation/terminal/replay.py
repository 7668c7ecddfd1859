"""Steps through the record of a finished or broken-off game."""

from isolation.rules import GameRecord, ending_words
from isolation.rules.words import player_name
from isolation.terminal.board import draw
from isolation.terminal.screen import InputEnded, Screen

_HELP = "Enter: next, b: back, a number: go there, f: first, l: last, q: quit"


class Replay:
    """A record and a place in it."""

    def __init__(self, record: GameRecord, screen: Screen) -> None:
        self._record = record
        self._screen = screen
        self._notation = record.notation()
        self._at = 0

    def print_all(self) -> None:
        """Every position, first to last."""
        self._say_heading()
        for at in range(len(self._record.positions)):
            self._at = at
            self._say_position()

    def step(self) -> None:
        """Positions one by one, as the reader asks for them."""
        self._say_heading()
        self._say_position()
        try:
            while self._go(self._screen.ask(f"{_HELP}: ").lower()):
                self._say_position()
        except InputEnded:
            return

    def _go(self, wish: str) -> bool:
        """Go where the reader wishes; False to stop."""
        last = len(self._notation)
        places = {"": self._at + 1, "n": self._at + 1, "b": self._at - 1, "f": 0, "l": last}
        if wish in ("q", "quit"):
            return False
        if wish.isascii() and wish.isdecimal() and len(wish) < 6:
            places[wish] = int(wish)
        if wish not in places:
            self._screen.say(f"{wish[:30]!r} is not known here.")
        self._at = min(max(places.get(wish, self._at), 0), last)
        return True

    def _say_heading(self) -> None:
        variant = self._record.variant
        self._screen.say(f"{variant.title}, {len(self._notation)} moves, {self._record.result}")
        for option in variant.options:
            self._screen.say(f"{option.name}: {option.write(self._record.options[option.name])}")
        for name, value in self._record.tags.items():
            self._screen.say(f"{name}: {value}")

    def _say_position(self) -> None:
        position = self._record.positions[self._at]
        if self._at:
            mover = player_name(self._record.positions[self._at - 1].to_move)
            self._screen.say(f"\n{self._at}. {mover}: {self._notation[self._at - 1]}")
        else:
            self._screen.say("\n0. The start")
        self._screen.say(draw(position, (), self._screen.colour, self._screen.columns))
        if self._at == len(self._notation):
            outcome = self._record.outcome
            ending = f"{self._record.result}, {ending_words(outcome)}" if outcome else "unfinished"
            self._screen.say(f"The end of the record: {ending}.")
