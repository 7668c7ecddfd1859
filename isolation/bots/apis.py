"""The bot APIs of the texts: what a bot is told of a position, and how its answer is read.

Whatever a bot answers is checked here by the rules; what is wrong with it is a BotFault.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from isolation.bots.child import BotFault, Child, nanoseconds
from isolation.bots.match import GRACE_S
from isolation.isolation import Isolation
from isolation.rules import IllegalMove, Move, Position
from isolation.rules.grid import bits

MARGIN_S = 0.25  # beyond a time limit, for the way there and back
START_UP_S = 10.0  # of an agent's turn in a process of its own


@dataclass
class Thought:
    """What became of asking a bot for a turn: the time of each call, and the move if any."""

    move: Move = ()
    calls: list[int] = field(default_factory=list)  # nanoseconds each


def ask_move(child: Child, position: Position, ms: float, thought: Thought) -> None:
    """`move(data, player_number)`: one call for a whole turn."""
    request = {"do": "move", "data": move_data(position), "player": position.to_move}
    thought.move = read_move(position, _call(child, request, ms, thought))


def ask_competitor(child: Child, position: Position, ms: float, thought: Thought) -> None:
    """`getNextMove(state)`, then `getNextSteal(state)` with the piece moved."""
    to = _place(position, _call(child, _competitor_state(position, "getNextMove"), ms, thought))
    _check(position, (to,))
    if not position.next_cells((to,)):  # there is nothing to steal
        thought.move = (to,)
        return
    request = _competitor_state(position, "getNextSteal", to)
    thought.move = (to, _place(position, _call(child, request, ms, thought)))
    _check(position, thought.move)


def ask_agent(child: Child, position: Position, ms: float, thought: Thought) -> None:
    """`get_action(state)` with a queue: the last action put before the deadline."""
    state = knights_state(position)
    request = {
        "do": "agent",
        "board": str(state.board),
        "ply_count": state.ply_count,
        "locs": state.locs,
        "ms": ms,
    }
    # The host itself ends an agent that is late; it is waited for somewhat longer.
    answer = _call(child, request, ms, thought, margin=GRACE_S + START_UP_S, is_strict=False)
    if type(answer) is not int or answer not in state.actions():
        raise BotFault(f"{answer!r:.60} is not a legal action")
    own = state.locs[position.to_move]
    thought.move = (position.from_native(answer if own is None else own + answer),)


ASK: dict[str, Callable[[Child, Position, float, Thought], None]] = {
    "move": ask_move,
    "competitor": ask_competitor,
    "agent": ask_agent,
}
GAMES: dict[str, tuple[str, ...]] = {
    "move": ("classic", "knights", "isola", "slider", "linear"),
    "competitor": ("isola",),
    "agent": ("knights",),
}
DEFAULT_MS = {"move": 1000.0, "competitor": 1000.0, "agent": 150.0}


def _call(
    child: Child,
    request: dict[str, Any],
    ms: float,
    thought: Thought,
    margin: float = MARGIN_S,
    is_strict: bool = True,
) -> Any:
    begun = time.perf_counter_ns()
    try:
        answer = child.ask(request, ms / 1000 + margin)
    except BotFault:
        thought.calls.append(time.perf_counter_ns() - begun)
        raise
    thought.calls.append(nanoseconds(answer, begun))
    if is_strict and thought.calls[-1] > ms * 1e6:
        raise BotFault(f"it took {thought.calls[-1] / 1e6:.0f} ms, and may take {ms:.0f}")
    return answer.get("value")


def _check(position: Position, cells: Move) -> None:
    try:
        position.next_cells(cells)
    except IllegalMove as error:
        raise BotFault(str(error)) from None


def _place(position: Position, value: Any) -> int:
    """The cell at [row, column], row 0 at the top."""
    if not (isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)):
        raise BotFault(f"{value!r:.60} is not a square: squares are [row, column]")
    row, column = value
    if not (0 <= row < position.grid.height and 0 <= column < position.grid.width):
        raise BotFault(f"{value} is not on the board")
    return int((position.grid.height - 1 - row) * position.grid.width + column)


def _row_column(position: Position, cell: int) -> list[int]:
    column, row = position.grid.column_row(cell)
    return [position.grid.height - 1 - row, column]


def _competitor_state(
    position: Position, method: str, moved_to: int | None = None
) -> dict[str, Any]:
    own, other = (bits(position.pieces[player])[0] for player in _players(position))
    own = own if moved_to is None else moved_to
    rows = []
    for row in range(position.grid.height - 1, -1, -1):
        cells = range(row * position.grid.width, (row + 1) * position.grid.width)
        rows.append("".join("0" if position.blocked >> cell & 1 else "1" for cell in cells))
    for player, cell in zip(_players(position), (own, other), strict=True):
        row, column = _row_column(position, cell)
        rows[row] = rows[row][:column] + "AB"[player] + rows[row][column + 1 :]
    mine, theirs = _row_column(position, own), _row_column(position, other)
    return {"do": "competitor", "method": method, "board": rows, "mine": mine, "theirs": theirs}


def _players(position: Position) -> tuple[int, int]:
    return position.to_move, 1 - position.to_move


def knights_state(position: Position) -> Isolation:
    """A position of knights as agents see it."""
    board = sum(
        1 << int(str(position.native(cell)))
        for cell in bits(position.grid.full & ~position.blocked)
    )
    locs = [bits(pieces)[0] if pieces else None for pieces in position.pieces]
    own = tuple(None if cell is None else int(str(position.native(cell))) for cell in locs)
    for cell in own:
        board &= ~(1 << cell) if cell is not None else ~0
    placed = position.grid.full.bit_count() - bin(board).count("1")
    return Isolation(board, placed, own)  # type: ignore[arg-type]


def move_data(position: Position) -> dict[str, Any]:
    """What `move` is told: in classic exactly what its text says, in the others the like."""
    board: list[list[int | None]] = [
        [None] * position.grid.width for _ in range(position.grid.height)
    ]
    for value, mask in ((-1, position.blocked), (0, position.pieces[0]), (1, position.pieces[1])):
        for cell in bits(mask):
            row, column = _row_column(position, cell)
            board[row][column] = value
    mine, theirs = (
        [_row_column(position, cell) for cell in bits(position.pieces[player])]
        for player in _players(position)
    )
    places: dict[str, Any] = {"my_positions": mine, "opponent_positions": theirs}
    if position.has_one_piece:  # which is not on the board before it is placed
        alone = (places[0] if places else None for places in (mine, theirs))
        places = dict(zip(("my_position", "opponent_position"), alone, strict=True))
    return {"player_number": position.to_move, **places, "board": board}


def read_move(position: Position, answer: Any) -> Move:
    """The move that an answer of `move` means, checked."""
    move = _READ[position.cells_per_move, position.has_open_second](position, answer)
    _check(position, move)
    if position.next_cells(move):
        raise BotFault(f"{answer!r:.60} is not a whole move")
    return move


def _read_block_and_step(position: Position, answer: Any) -> Move:
    if not isinstance(answer, list) or len(answer) != 2:
        raise BotFault(f"{answer!r:.60} is not a move: a move is [[block], [move]]")
    to = _place(position, answer[1])
    _check(position, (to,))
    if answer[0] is None and not position.next_cells((to,)):
        return (to,)
    return to, _place(position, answer[0])


def _read_slide(position: Position, answer: Any) -> Move:
    if not isinstance(answer, list) or len(answer) != 2:
        raise BotFault(
            f"{answer!r:.60} is not a move: a move is [[from], [to]], [to] null to leave"
        )
    off = position.grid.width * position.grid.height
    return _place(position, answer[0]), off if answer[1] is None else _place(position, answer[1])


def _read_square(position: Position, answer: Any) -> Move:
    """[row, column]; in a row of squares also the number of one, from 1."""
    is_number = position.grid.height == 1 and type(answer) is int
    return (_place(position, [0, answer - 1] if is_number else answer),)


_READ: dict[tuple[int, bool], Callable[[Position, Any], Move]] = {
    (2, True): _read_block_and_step,
    (2, False): _read_slide,
    (1, False): _read_square,
}
