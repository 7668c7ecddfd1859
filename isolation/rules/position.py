"""The one abstraction over the five games: an immutable Position. Knows no particular game.

A game says, for the cells touched so far, which cells may come next (`_choices`), why another may
not (`_refusal`), and what the board is after a whole move (`after`). All else follows from these:
legal moves, checked play, notation, pictures, JSON.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from isolation.rules.endings import Outcome, Reason
from isolation.rules.errors import IllegalMove, InvalidPosition
from isolation.rules.grid import Grid, bits, column_row
from isolation.rules.picture import Symbols, draw_board, read_board
from isolation.rules.words import shown

Move = tuple[int, ...]
PASS: Move = ()
VERBS = {
    "move": "move {piece}",
    "place": "place {piece}",
    "claim": "claim a square",
    "block": "block a square",
    "steal": "steal a square",
    "choose": "choose where it goes",
    "pass": "pass",
}
PIECES = {"pawn": "your pawn", "token": "your token", "piece": "a piece"}


class Names:
    """The names of all cells of a board, made once: `of` a cell, and `cells` by name."""

    def __init__(self, names: Iterable[str]) -> None:
        in_order = tuple(names)
        self.of = in_order.__getitem__
        self.cells = {name: cell for cell, name in enumerate(in_order)}


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """A board and whose turn it is. A game's `start`, `from_picture` and `from_dict` make one."""

    grid: Grid
    pieces: tuple[int, int]  # what each player has on the board, as bit sets
    blocked: int  # cells that nobody may use again
    to_move: int  # 0 or 1

    game: ClassVar[str]  # the key of the game, as in the variants table
    view: ClassVar[str] = "grid"  # how a board shows it: grid or strip
    symbols: ClassVar[Symbols] = Symbols()
    piece: ClassVar[str] = "piece"  # what a player moves: one of PIECES
    separator: ClassVar[str] = "/"  # between the cells of a notated move
    cells_per_move: ClassVar[int] = 1  # at the most
    turns_board: ClassVar[bool] = False  # whether Player 1 begins at the top, and sees it turned
    can_pass: ClassVar[bool] = False  # whether who has no move passes, and has not lost
    has_open_second: ClassVar[bool] = False  # whether the second cell may be any that is open
    has_one_piece: ClassVar[bool] = True  # each player: not several, as where they are claimed
    repetition_limit: ClassVar[int | None] = None  # times a position may occur before it is a tie
    extras: ClassVar[Mapping[str, Sequence[object]]] = {}  # further fields and what each may be

    @classmethod
    @abstractmethod
    def start(cls, *args: Any, **options: Any) -> Self:
        """The first position of a game, on a board of any size."""

    @abstractmethod
    def _choices(self, prefix: Move) -> int:
        """The cells that may follow these legal ones: none after a whole move, none once over."""

    def _allows(self, prefix: Move, cell: int) -> bool:
        """Whether that cell may follow. A game with a quicker way to tell has its own."""
        return bool(self._choices(prefix) >> cell & 1)

    @abstractmethod
    def _refusal(self, prefix: Move, cell: int) -> str:
        """Why that cell may not follow."""

    @abstractmethod
    def verb(self, prefix: Move = PASS) -> str:
        """What the player to move has to do next: one of VERBS."""

    def task(self, prefix: Move = PASS) -> str:
        """The same in words, as in "you must ..."."""
        return VERBS[self.verb(prefix)].format(piece=PIECES[self.piece])

    @abstractmethod
    def after(self, move: Move) -> Self:
        """The position after a legal move. Unchecked: for engines, and for `play`."""

    @abstractmethod
    def native(self, cell: int) -> object:
        """A cell in the coordinates of the game's own text."""

    def _problem(self) -> str | None:
        """What makes this board impossible in the game, if anything does."""
        return None

    def _checked(self) -> Self:
        if problem := self._problem():
            raise InvalidPosition(problem)
        return self

    def options(self) -> dict[str, Any]:
        """The options of a game that any of its positions shows, such as the size of the board."""
        return {}

    @property
    def empty(self) -> int:
        return self.grid.full & ~(self.pieces[0] | self.pieces[1] | self.blocked)

    @property
    def repetition_key(self) -> object:
        """What must be equal for two positions of one game to count as the same."""
        return self

    def outcome(self) -> Outcome | None:
        """None while the game goes on. Who is to move and can't, has lost."""
        return (
            None
            if self._choices(PASS)
            else Outcome(1 - self.to_move, Reason.NO_MOVES, self.to_move)
        )

    def next_cells(self, prefix: Sequence[int] = PASS) -> list[int]:
        """The cells that may be touched after these: none when the move is whole."""
        return bits(self._choices(self._follow(prefix)))

    def legal_moves(self) -> list[Move]:
        return [] if self.outcome() else self._expand(PASS)

    def _expand(self, prefix: Move) -> list[Move]:
        choices = self._choices(prefix)
        if not choices:
            return [prefix]
        longer = [(*prefix, cell) for cell in bits(choices)]
        if len(prefix) + 1 == self.cells_per_move:
            return longer
        return [move for prefix in longer for move in self._expand(prefix)]

    def count_moves(self) -> int:
        """len(legal_moves()), without making them."""
        return 0 if self.outcome() else self._count(PASS)

    def _count(self, prefix: Move) -> int:
        choices = self._choices(prefix)
        if not choices:
            return 1
        if len(prefix) + 1 == self.cells_per_move:
            return choices.bit_count()
        return sum(self._count((*prefix, cell)) for cell in bits(choices))

    def play(self, move: Sequence[int]) -> Self:
        """The position after a move, or IllegalMove."""
        whole = self._follow(move)
        if len(whole) < self.cells_per_move and self._choices(whole):
            so_far = f"after {self.notate(whole)}" if whole else "you can't pass:"
            raise IllegalMove(f"{so_far} you must {self.task(whole)}")
        if not whole and self.outcome():
            raise IllegalMove("the game is over")
        return self.after(whole)

    def _follow(self, cells: Sequence[int]) -> Move:
        """Those cells as the beginning of a legal move, checked one by one."""
        move = PASS
        for cell in self._cells(cells):
            if not self._allows(move, cell):
                if self.outcome():
                    raise IllegalMove("the game is over")
                if len(move) == self.cells_per_move:
                    raise IllegalMove(f"{self.notate(move)} is a whole turn already")
                raise IllegalMove(self._refusal(move, cell))
            move = (*move, cell)
        return move

    def _cells(self, cells: Sequence[int]) -> Move:
        if not isinstance(cells, (tuple, list)):
            raise IllegalMove(f"a move is a list of squares, not {shown(cells)}")
        count = self.cell_count
        for cell in cells:
            if type(cell) is not int or not 0 <= cell < count:
                raise IllegalMove(f"square number {shown(cell)} is not on the board")
        return tuple(cells)

    def discarded(self) -> Self:
        """The same board, the turn gone to the other player: what a discarded turn leaves."""
        return replace(self, to_move=1 - self.to_move)

    @property
    def cell_count(self) -> int:
        return self.grid.width * self.grid.height

    def cell_name(self, cell: int) -> str:
        return self.grid.name(cell)

    def find_cell(self, name: str) -> int:
        """The cell of that name, or IllegalMove."""
        cell = self.grid.find(name)
        if cell is not None:
            return cell
        if column_row(name):
            raise IllegalMove(f"{name} is not on the board")
        last = self.cell_name(self.grid.width * self.grid.height - 1)
        raise IllegalMove(f"{shown(name)} is not a square: squares are a1 to {last}")

    def from_native(self, place: object) -> int:
        """The cell at a place given in the coordinates of the game's own text, or IllegalMove."""
        wanted = tuple(place) if isinstance(place, list) else place
        for cell in range(self.cell_count):
            if self.native(cell) == wanted:
                return cell
        raise IllegalMove(f"{shown(place)} is not on the board")

    def _names(self) -> Names:
        tables = self.grid.tables
        if type(self) not in tables:
            tables[type(self)] = Names(map(self.cell_name, range(self.cell_count)))
        names: Names = tables[type(self)]
        return names

    def notate(self, move: Sequence[int]) -> str:
        """A move, or its beginning, as players write it."""
        cells = self._cells(move)
        return self.separator.join(map(self._names().of, cells)) if cells else "pass"

    def parse(self, text: str) -> Move:
        """The cells that a text names; whether they are a legal move is for `play` to say."""
        if not isinstance(text, str):
            raise IllegalMove(f"a move is written as text, not {shown(text)}")
        cells = list(map(self._names().cells.get, text.split(self.separator)))
        if len(cells) <= self.cells_per_move and None not in cells:
            return tuple(cells)  # type: ignore[arg-type]  # as in all stored games
        words = re.split(r"\s*[/,-]\s*|\s+", text.strip().lower())
        if words == ["pass"]:
            return PASS
        if self.outcome():
            raise IllegalMove("the game is over")
        if words == [""]:
            raise IllegalMove(f"write a move like {self.example()}")
        if "" in words or len(words) > self.cells_per_move:
            raise IllegalMove(f"{shown(text)} is not a move: write one like {self.example()}")
        return tuple(self.find_cell(word) for word in words)

    def example(self) -> str:
        """A legal move in notation, to show how one is written."""
        move = PASS
        while cells := self.next_cells(move):
            move = (*move, cells[0])
        return self.notate(move)

    def rows(self) -> list[str]:
        """The board drawn in text, top row first, a character a cell."""
        return draw_board(self.grid, (*self.pieces, self.blocked), self.symbols)

    def picture(self) -> str:
        """The board as a picture: lines of cells with a space between them."""
        return "\n".join(" ".join(row) for row in self.rows())

    @classmethod
    def from_picture(cls, drawing: str, to_move: int = 0, **extras: object) -> Self:
        """The position of a drawn board; spaces and empty lines do not count."""
        if not isinstance(drawing, str):
            raise InvalidPosition(f"a picture is a text, not {shown(drawing)}")
        lines = ("".join(line.split()) for line in drawing.splitlines())
        return cls._from_rows([line for line in lines if line], to_move, extras)

    @classmethod
    def _from_rows(cls, rows: object, to_move: object, extras: Mapping[str, Any]) -> Self:
        board, (first, second, blocked) = read_board(rows, cls.symbols)
        if type(to_move) is not int or to_move not in (0, 1):
            raise InvalidPosition(f"to_move is 0 or 1, not {shown(to_move)}")
        for name, value in extras.items():
            cls._check_extra(name, value)
        return cls(board, (first, second), blocked, to_move, **extras)._checked()

    @classmethod
    def _check_extra(cls, name: str, value: object) -> None:
        if name not in cls.extras:
            raise InvalidPosition(f"a {cls.game} position has no {shown(name)}")
        if not any(type(value) is type(item) and value == item for item in cls.extras[name]):
            allowed = ", ".join(map(str, cls.extras[name]))
            raise InvalidPosition(f"{name} is one of {allowed}, not {shown(value)}")

    def to_dict(self) -> dict[str, Any]:
        """All of the position, ready for JSON."""
        extras = {name: getattr(self, name) for name in self.extras}
        return {"game": self.game, "board": self.rows(), "to_move": self.to_move, **extras}

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """The position that `to_dict` wrote, or InvalidPosition."""
        if not isinstance(data, dict):
            raise InvalidPosition(f"a position is an object with named fields, not {shown(data)}")
        fields = dict(data)
        if fields.pop("game", None) != cls.game:
            raise InvalidPosition(f"this is not a {cls.game} position")
        for name in ("board", "to_move"):
            if name not in fields:
                raise InvalidPosition(f"a position needs {name}")
        return cls._from_rows(fields.pop("board"), fields.pop("to_move"), fields)

    def describe(self) -> dict[str, Any]:
        """What a board shows, for a view that knows no rules."""
        return {
            "game": self.game,
            "view": self.view,
            "width": self.grid.width,
            "height": self.grid.height,
            "pieces": [bits(mask) for mask in self.pieces],
            "symbols": list(self.symbols.players),
            "blocked": bits(self.blocked),
            "protected": bits(self.protected),
            "to_move": self.to_move,
        }

    @property
    def protected(self) -> int:
        """Cells that can never be blocked."""
        return 0
