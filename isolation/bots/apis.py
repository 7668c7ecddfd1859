"""The bot APIs of the texts: what a bot is told of a position, and how its answer is read.

A turn is a flow: it yields each question for the bot, is sent the answer, and returns a move that
the rules allow; anything wrong is a BotFault. The same flow serves a bot in a child process
(`asking.py`) and one in its owner's browser (`after_answers`). Knows no processes.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from isolation.bots.faults import BotFault
from isolation.isolation import Isolation
from isolation.rules import IllegalMove, Move, Position
from isolation.rules.grid import bits

Question = dict[str, Any]
Flow = Generator[Question, Any, Move]


def move_flow(position: Position) -> Flow:
    """`move(data, player_number)`: one call for a whole turn."""
    answer = yield {"do": "move", "data": move_data(position), "player": position.to_move}
    return read_move(position, answer)


def competitor_flow(position: Position) -> Flow:
    """`getNextMove(state)`, then `getNextSteal(state)` with the piece moved."""
    to = _place(position, (yield _competitor_state(position, "getNextMove")))
    _check(position, (to,))
    if not position.next_cells((to,)):  # there is nothing to steal
        return (to,)
    steal = _place(position, (yield _competitor_state(position, "getNextSteal", to)))
    _check(position, (to, steal))
    return to, steal


def agent_flow(position: Position) -> Flow:
    """`get_action(state)` with a queue: the last action put before the deadline."""
    state = knights_state(position)
    if state.terminal_test():  # to agents the game is over, and any step wins it
        return (position.next_cells()[0],)
    told = {"board": str(state.board), "ply_count": state.ply_count, "locs": state.locs}
    answer = yield {"do": "agent", **told}
    if type(answer) is not int or answer not in state.actions():
        raise BotFault(f"{answer!r:.60} is not a legal action")
    own = state.locs[position.to_move]
    return (position.from_native(answer if own is None else own + answer),)


@dataclass(frozen=True)
class Api:
    """One way of writing bots."""

    flow: Callable[[Position], Flow]
    games: tuple[str, ...]
    default_ms: float = 1000.0
    has_actions: bool = False  # answers with actions until its time is up, and the last one counts


def after_answers(api: str, position: Position, answers: Sequence[Any]) -> Question | Move:
    """What a bot is to be asked next when it has answered this so far, or its move; or BotFault."""
    flow = APIS[api].flow(position)
    try:
        question = next(flow)
        for answer in answers:
            question = flow.send(answer)
    except StopIteration as done:
        move: Move = done.value
        return move
    return question


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
    move = _READERS[position.game](position, answer)
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


_READERS: dict[str, Callable[[Position, Any], Move]] = {
    "classic": _read_block_and_step,
    "knights": _read_square,
    "isola": _read_block_and_step,
    "slider": _read_slide,
    "linear": _read_square,
}

APIS = {
    "move": Api(move_flow, tuple(_READERS)),
    "competitor": Api(competitor_flow, ("isola",)),
    "agent": Api(agent_flow, ("knights",), 150.0, has_actions=True),
}
