"""Deliberately naive rules of the five games: an independent second opinion on the fast ones.

Cells are (x, y) pairs from 0 at the bottom left; everything public is plain strings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import deepcopy
from typing import Any, Self

Cell = tuple[int, int]


class Naive(ABC):
    """A position; by default the player to move with nothing to do has lost."""

    player: int
    board: dict[Cell, str]  # "empty", "blocked", "0" or "1"

    @abstractmethod
    def __init__(self, *args: Any, **options: Any) -> None: ...

    @abstractmethod
    def options(self) -> list[str]:
        """What the player to move can do, not asking whether the game is over."""

    @abstractmethod
    def apply(self, text: str) -> None:
        """Change this object by a legal move; the turn is passed on in play()."""

    def result(self) -> str | None:
        if self.options():
            return None
        return str(1 - self.player)

    def moves(self) -> list[str]:
        if self.result() is not None:
            return []
        return self.options()

    def play(self, text: str) -> Self:
        if text not in self.moves():
            raise ValueError(f"not a legal move: {text}")
        after = deepcopy(self)
        after.apply(text)
        after.player = 1 - self.player
        return after

    def cells(self) -> dict[str, str]:
        return {self.name(cell): content for cell, content in self.board.items()}

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        if depth == 1:
            return len(self.moves())
        return sum(self.play(text).perft(depth - 1) for text in self.moves())

    def name(self, cell: Cell) -> str:
        x, y = cell
        return column_name(x) + str(y + 1)

    def find(self, name: str) -> Cell:
        for cell in self.board:
            if self.name(cell) == name:
                return cell
        raise ValueError(f"no such cell: {name}")


def column_name(x: int) -> str:
    """a to z, then aa, ab, ..."""
    letter = "abcdefghijklmnopqrstuvwxyz"[x % 26]
    if x < 26:
        return letter
    return column_name(x // 26 - 1) + letter


def empty_board(width: int, height: int) -> dict[Cell, str]:
    return {(x, y): "empty" for y in range(height) for x in range(width)}


class Tokens(Naive):
    """The games with one token each, kept beside a board that knows only empty and blocked."""

    tokens: list[Cell | None]

    def cells(self) -> dict[str, str]:
        contents = super().cells()
        for player, cell in enumerate(self.tokens):
            if cell is not None:
                contents[self.name(cell)] = str(player)
        return contents

    def is_empty(self, cell: Cell) -> bool:
        return cell in self.board and self.board[cell] == "empty" and cell not in self.tokens


class Classic(Tokens):
    """Step like a king, then block a square."""

    def __init__(self, width: int = 6, height: int = 8, starts: str = "open") -> None:
        if starts not in ("open", "fixed"):
            raise ValueError(f"starts is open or fixed, not {starts}")
        self.player = 0
        self.board = empty_board(width, height)
        self.tokens = [((width - 1) // 2, height - 1), (width // 2, 0)]
        self.never_blocked = list(self.tokens) if starts == "fixed" else []

    def options(self) -> list[str]:
        found = []
        for target in self.steps():
            blocks = self.blocks_after(target)
            for block in blocks:
                found.append(self.name(target) + "/" + self.name(block))
            if not blocks:
                found.append(self.name(target))
        return found

    def steps(self) -> list[Cell]:
        here = self.tokens[self.player]
        assert here is not None
        x, y = here
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        return [cell for cell in around if self.is_empty(cell)]

    def blocks_after(self, target: Cell) -> list[Cell]:
        after = deepcopy(self)
        after.tokens[self.player] = target
        return [
            cell for cell in self.board if after.is_empty(cell) and cell not in self.never_blocked
        ]

    def apply(self, text: str) -> None:
        target, slash, block = text.partition("/")
        self.tokens[self.player] = self.find(target)
        if slash:
            self.board[self.find(block)] = "blocked"


class Isola(Classic):
    """Classic on a square board."""

    def __init__(self, size: int = 7, starts: str = "open") -> None:
        super().__init__(size, size, starts)


class Knights(Tokens):
    """Place a token anywhere, then step like a knight, never to a cell that was visited before."""

    def __init__(self, width: int = 11, height: int = 9) -> None:
        self.player = 0
        self.board = empty_board(width, height)
        self.tokens = [None, None]

    def options(self) -> list[str]:
        return [
            self.name(cell) for cell in self.board if self.is_empty(cell) and self.reaches(cell)
        ]

    def reaches(self, cell: Cell) -> bool:
        here = self.tokens[self.player]
        if here is None:
            return True
        dx, dy = abs(cell[0] - here[0]), abs(cell[1] - here[1])
        return (dx, dy) == (1, 2) or (dx, dy) == (2, 1)

    def apply(self, text: str) -> None:
        cell = self.find(text)
        self.tokens[self.player] = cell
        self.board[cell] = "blocked"


class Slider(Naive):
    """H (player 0) goes off the right edge, V (player 1) off the top edge."""

    def __init__(
        self, size: int = 6, blocks: Iterable[tuple[int, int]] = (), first: str = "H"
    ) -> None:
        if first not in ("H", "V"):
            raise ValueError(f"first is H or V, not {first}")
        self.size = size
        self.player = 0 if first == "H" else 1
        self.passes = 0  # in a row, up to now
        self.board = empty_board(size, size)
        for i in range(1, size):
            self.board[(0, i)] = "0"
            self.board[(i, 0)] = "1"
        for column, row in blocks:
            if self.board.get((column, row)) not in ("empty", "blocked"):
                raise ValueError(f"cannot block {(column, row)}")
            self.board[(column, row)] = "blocked"

    def result(self) -> str | None:
        for player in ("0", "1"):
            if player not in self.board.values():
                return player
        return "tie" if self.passes == 2 else None

    def options(self) -> list[str]:
        found = []
        for cell, content in self.board.items():
            if content == str(self.player):
                found += [self.name(cell) + "-" + target for target in self.targets(cell)]
        return found or ["pass"]

    def targets(self, cell: Cell) -> list[str]:
        up, down, left, right = (0, 1), (0, -1), (-1, 0), (1, 0)
        found = []
        for dx, dy in (up, down, right) if self.player == 0 else (up, left, right):
            x, y = cell[0] + dx, cell[1] + dy
            if self.is_off(x, y):
                found.append("off")
            elif self.board.get((x, y)) == "empty":
                found.append(self.name((x, y)))
        return found

    def is_off(self, x: int, y: int) -> bool:
        """Whether this is beyond the edge over which the player to move leaves the board."""
        return x == self.size if self.player == 0 else y == self.size

    def apply(self, text: str) -> None:
        if text == "pass":
            self.passes += 1
            return
        self.passes = 0
        source, _, target = text.partition("-")
        self.board[self.find(source)] = "empty"
        if target != "off":
            self.board[self.find(target)] = str(self.player)


class Linear(Naive):
    """Claim a square of a row that has no claimed neighbour; square n is the cell (n, 0)."""

    def __init__(self, length: int = 13) -> None:
        self.player = 0
        self.board = {(n, 0): "empty" for n in range(1, length + 1)}

    def name(self, cell: Cell) -> str:
        return str(cell[0])

    def options(self) -> list[str]:
        return [self.name(cell) for cell in self.board if self.is_free(cell[0])]

    def is_free(self, n: int) -> bool:
        around = [self.board.get((n + d, 0), "empty") for d in (-1, 0, 1)]
        return around == ["empty", "empty", "empty"]

    def apply(self, text: str) -> None:
        self.board[self.find(text)] = str(self.player)


GAMES: dict[str, type[Naive]] = {
    "classic": Classic,
    "knights": Knights,
    "isola": Isola,
    "slider": Slider,
    "linear": Linear,
}
