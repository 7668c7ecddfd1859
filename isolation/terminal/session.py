"""One game in the terminal: people and computers take turns until it ends."""

from collections.abc import Callable
from textwrap import fill

from isolation.rules import PASS, GameRecord, IllegalMove, Move, Outcome, Position, Reason
from isolation.terminal.screen import InputEnded, Screen
from isolation.terminal.script import SCRIPTS, Script

_FEW_MOVES = 40

Player = Callable[[GameRecord], Move]

_HELP = """\
Type a move, like {example}. One of two squares can be typed square by square. Also:
  moves      what you can play: moves, or squares to begin with
  resign     give the game up
  quit       leave the game unfinished
  help       this"""


class Resigned(Exception):
    """The player to move gives up."""


class Session:
    """Asks each player in turn, and keeps the record."""

    def __init__(
        self,
        record: GameRecord,
        players: list[Player | None],
        screen: Screen,
        keep: Callable[[GameRecord], None],
    ) -> None:
        self.record = record
        self._players = players
        self._screen = screen
        self._keep = keep  # called with the record after every turn
        script = SCRIPTS.get(record.variant.key, Script)
        self._script = script(screen.columns, screen.colour)

    def run(self) -> None:
        """Play until the game is over, or the input is."""
        self._screen.say(self._script.opening(self.record.variant, self.record.position))
        try:
            while not self.record.outcome:
                self._take_turn()
        except InputEnded:
            self._screen.say("The game is left unfinished.")
            return
        outcome = self.record.outcome
        self._screen.say(self._script.closing(self.record.position, outcome))

    def _take_turn(self) -> None:
        position = self.record.position
        choose = self._players[position.to_move]
        if choose is None or all(self._players) or self._script.announces_all:
            self._screen.say(self._script.turn(position))
        try:
            move = self._choose(choose)
        except Resigned:
            loser = position.to_move
            self.record = self.record.end(Outcome(1 - loser, Reason.RESIGNED, loser))
            self._keep(self.record)
            return
        self.record = self.record.play(move)
        self._keep(self.record)
        self._screen.say(self._script.played(position, move))

    def _choose(self, player: Player | None) -> Move:
        if self.record.must_pass:
            return PASS
        return player(self.record) if player else self._ask(self.record.position)

    def _ask(self, position: Position) -> Move:
        """A whole legal move from a person, who may name its squares one by one."""
        prefix = PASS
        while True:
            text = self._screen.ask(self._script.prompt(position, prefix))
            if prefix and not text:
                prefix = PASS
            elif text.lower() in _COMMANDS:
                _COMMANDS[text.lower()](self, position, prefix)
            else:
                prefix = self._try(position, prefix, text)
                if prefix and not position.next_cells(prefix):
                    return prefix

    def _try(self, position: Position, prefix: Move, text: str) -> Move:
        """The move so far, with what was typed if that is legal, with a word if not."""
        try:
            longer = self._script.read(position, prefix, text)
            if not longer:
                position.play(longer)
            position.next_cells(longer)
            return longer
        except IllegalMove as error:
            self._screen.say(f"{error}.")
            return prefix

    def _help(self, position: Position, prefix: Move) -> None:
        self._screen.say(_HELP.format(example=position.example()))

    def _moves(self, position: Position, prefix: Move) -> None:
        """Whole moves, where they are few; else the squares that may come next."""
        if not prefix and position.count_moves() <= _FEW_MOVES:
            texts = map(position.notate, position.legal_moves())
        else:
            texts = map(position.cell_name, position.next_cells(prefix))
        self._screen.say(fill(" ".join(texts), self._screen.columns, break_on_hyphens=False))

    def _resign(self, position: Position, prefix: Move) -> None:
        raise Resigned

    def _quit(self, position: Position, prefix: Move) -> None:
        raise InputEnded


_COMMANDS = {
    "help": Session._help,
    "?": Session._help,
    "moves": Session._moves,
    "resign": Session._resign,
    "quit": Session._quit,
    "q": Session._quit,
    "exit": Session._quit,
}
