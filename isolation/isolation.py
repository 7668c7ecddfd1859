"""The knights game as a state that agents search: the public Python API of its specification.

The board is one integer, 11 wide and 9 high with two border bits between rows: a bit that is one
is an open cell. Index 0 is the bottom right corner; west is +1, north is +13, so no step can wrap
around an edge without landing on a border bit. Fixed in size, for agents; rooms and engines play
`isolation.rules.knights`.
"""

from enum import IntEnum
from typing import ClassVar, NamedTuple, Self

_WIDTH = 11
_HEIGHT = 9
_STRIDE = _WIDTH + 2
_SIZE = _STRIDE * _HEIGHT - 2

N, S, W, E = _STRIDE, -_STRIDE, 1, -1

_ROW = (1 << _WIDTH) - 1
_BLANK_BOARD = sum(_ROW << _STRIDE * row for row in range(_HEIGHT))


class Action(IntEnum):
    """The eight steps of a token, as differences of index."""

    NNE = N + N + E
    ENE = E + N + E
    ESE = E + S + E
    SSE = S + S + E
    SSW = S + S + W
    WSW = W + S + W
    WNW = W + N + W
    NNW = N + N + W


_ACTIONSET = frozenset(Action)

_CELLS = tuple((cell, 1 << cell) for cell in range(_SIZE) if _BLANK_BOARD >> cell & 1)

# For every index, the steps that stay within the bits of a board, and the cells they reach.
_STEPS = tuple(
    tuple((action, 1 << loc + action) for action in Action if 0 <= loc + action < _SIZE)
    for loc in range(_SIZE)
)
_REACH = tuple(sum(bit for _, bit in steps) for steps in _STEPS)


class Isolation(NamedTuple):
    """An immutable, hashable state of the game."""

    board: int = _BLANK_BOARD
    ply_count: int = 0
    locs: tuple[int | None, int | None] = (None, None)

    def player(self) -> int:
        """The player to move: 0 or 1."""
        return self.ply_count & 1

    def actions(self) -> list[Action] | list[int]:
        """The legal actions: open cells to be placed on, later the steps of the player to move."""
        board, ply_count, locs = self
        loc = locs[ply_count & 1]
        if loc is None:
            return self.liberties(None)
        return [action for action, bit in _STEPS[loc] if board & bit]

    def liberties(self, loc: int | None) -> list[int]:
        """The open cells a step away from an index; all open cells where there is no index yet."""
        if loc is None:
            return [cell for cell, bit in _CELLS if self.board & bit]
        cells = [loc + action for action in Action]
        return [cell for cell in cells if cell >= 0 and self.board >> cell & 1]

    def _has_liberties(self, player_id: int) -> bool:
        loc = self.locs[player_id]
        return bool(self.board if loc is None else self.board & _REACH[loc])

    def terminal_test(self) -> bool:
        """Whether either player has no liberties."""
        board, _, (first, second) = self
        if first is None or second is None:
            return not (self._has_liberties(0) and self._has_liberties(1))
        return not (board & _REACH[first] and board & _REACH[second])

    def utility(self, player_id: int) -> float:
        """inf for the winner, -inf for the loser, 0 while the game goes on."""
        if not self.terminal_test():
            return 0
        active = self.player()
        winner = active if self._has_liberties(active) else 1 - active
        return float("inf") if player_id == winner else float("-inf")

    def result(self, action: int) -> Self:
        """The state after an action; this one does not change."""
        board, ply_count, locs = self
        loc = locs[ply_count & 1]
        target = action if loc is None else loc + self._step(action)
        if not isinstance(target, int) or target < 0 or not board >> target & 1:
            raise RuntimeError(f"Invalid move: target cell {target} is blocked or off the board")
        placed = (locs[0], int(target)) if ply_count & 1 else (int(target), locs[1])
        return tuple.__new__(type(self), (board ^ 1 << target, ply_count + 1, placed))

    @staticmethod
    def _step(action: int) -> int:
        try:
            if action in _ACTIONSET:
                return int(action)
        except TypeError:
            pass  # it is not even hashable
        raise AssertionError(f"{action!r} is not a valid action from the set {list(Action)}")


class _Text(str):
    """A text that may also be called: the specification says method, agents read an attribute."""

    __slots__ = ()

    def __call__(self) -> str:
        return str(self)


class DebugState(Isolation):
    """A state that can be looked at: drawn as text, or bit by bit."""

    __slots__ = ()

    player_symbols: ClassVar[list[str]] = ["1", "2"]  # in the drawing

    @classmethod
    def from_state(cls, gamestate: Isolation) -> Self:
        """A DebugState with the attributes of another state."""
        return cls(*gamestate)

    @property
    def bitboard_string(self) -> str:
        """The board in base 2, the highest index first."""
        return _Text(f"{self.board:b}")

    @staticmethod
    def ind2xy(ind: int) -> tuple[int, int]:
        """The column, counted from the right, and the row, counted from the bottom."""
        return ind % _STRIDE, ind // _STRIDE

    def __str__(self) -> str:
        line = "+" + " - +" * _WIDTH
        rows = [
            "".join(f"| {self._symbol(row * _STRIDE + x)} " for x in reversed(range(_WIDTH))) + "|"
            for row in reversed(range(_HEIGHT))
        ]
        return "\n".join([line, *(text for row in rows for text in (row, line))])

    def _symbol(self, ind: int) -> str:
        if ind in self.locs:
            return self.player_symbols[self.locs.index(ind)]
        return " " if self.board >> ind & 1 else "X"
