"""The words of a game in the terminal: one script for boards, one as linear's text has it."""

import re
from collections.abc import Collection
from textwrap import fill

from isolation.rules import IllegalMove, Move, Outcome, Position, Variant, ending_words
from isolation.rules.words import player_name
from isolation.terminal.board import draw

_PLAYER = re.compile(r"player\s*([12])\s*:\s*", re.IGNORECASE)
_CLAIM = re.compile(r"^claim\b\s*", re.IGNORECASE)


def ranges(numbers: list[int]) -> str:
    """1-5,9-13: numbers in rising order, runs drawn together."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return ",".join("-".join(map(str, run)) for run in runs) or "none"


class Script:
    """How most games speak."""

    announces_all = False  # the turns of a computer too, where a person plays against it

    def __init__(self, columns: int = 100, colour: bool = False) -> None:
        self._columns = columns
        self._colour = colour

    def draw(self, position: Position, hints: Collection[int] = ()) -> str:
        return draw(position, hints, self._colour, self._columns)

    def opening(self, variant: Variant, position: Position) -> str:
        size = f"{position.grid.width} x {position.grid.height}"
        return fill(f"{variant.title}, {size}. {variant.summary}", self._columns) + "\n"

    def turn(self, position: Position) -> str:
        return self.draw(position, position.next_cells())

    def prompt(self, position: Position, prefix: Move) -> str:
        if prefix:
            cells = position.next_cells(prefix)
            choice = f" ({' '.join(map(position.cell_name, cells))})" if len(cells) <= 4 else ""
            task = f"now {position.task(prefix)}{choice}"
            return f"{position.notate(prefix)}: {task}, or nothing to take it back: "
        return f"{self.who(position)}, {position.task()} (or help): "

    def who(self, position: Position) -> str:
        name, symbol = player_name(position.to_move), position.symbols.players[position.to_move]
        return name if name.endswith(symbol) else f"{name} ({symbol})"

    def read(self, position: Position, prefix: Move, text: str) -> Move:
        """The cells of a move that somebody typed, after those typed before."""
        if not prefix:
            return position.parse(text)
        rest = text.lstrip(position.separator)
        return position.parse(f"{position.notate(prefix)}{position.separator}{rest}")

    def played(self, position: Position, move: Move) -> str:
        if not move:
            return f"{self.who(position)} has no move and passes.\n"
        return f"{self.who(position)} plays {position.notate(move)}.\n"

    def closing(self, position: Position, outcome: Outcome) -> str:
        winner = outcome.winner
        result = "a tie" if winner is None else f"{player_name(winner)} wins"
        return f"{self.draw(position)}\nGame over: {result} ({ending_words(outcome)})."


class LinearScript(Script):
    """The session of the game's own text, with the board after each claim."""

    announces_all = True

    def opening(self, variant: Variant, position: Position) -> str:
        return (
            "--- Isolation Game Starts ---\n"
            f"Available squares: {self._available(position)}\n{self.draw(position)}\n"
        )

    def turn(self, position: Position) -> str:
        available = f"Available squares to claim: {self._available(position)}"
        return f"{self.who(position)}'s turn.\n{available}"

    def prompt(self, position: Position, prefix: Move) -> str:
        return "Enter the square number you want to claim: "

    def who(self, position: Position) -> str:
        return f"Player{position.to_move + 1}"

    def read(self, position: Position, prefix: Move, text: str) -> Move:
        if named := _PLAYER.match(text):
            if int(named[1]) != position.to_move + 1:
                raise IllegalMove(f"it is {self.who(position)}'s turn")
            text = text[named.end() :]
        return position.parse(_CLAIM.sub("", text))

    def played(self, position: Position, move: Move) -> str:
        claim = f"{self.who(position)} claims square {position.notate(move)}."
        return f"{claim}\n{self.draw(position.after(move))}\n"

    def closing(self, position: Position, outcome: Outcome) -> str:
        lines = []
        if not position.next_cells():
            lines = [
                self.turn(position),
                f"No valid squares to claim. {self.who(position)} cannot make a move.\n",
            ]
        winner = 1 if outcome.winner == 0 else 2
        return "\n".join([*lines, f"Game Over: Player{winner} wins!"])

    @staticmethod
    def _available(position: Position) -> str:
        return ranges([cell + 1 for cell in position.next_cells()])


SCRIPTS: dict[str, type[Script]] = {"linear": LinearScript}
