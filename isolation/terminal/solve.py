"""The command that solves small boards: who wins with best play, and how soon."""

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from isolation.engines.all_games import AllGames
from isolation.engines.cache import has_compiler
from isolation.engines.engine import Limits
from isolation.rules import InvalidOption, InvalidPosition, Position, find_variant
from isolation.rules.knights import Knights
from isolation.rules.options import Blocks
from isolation.rules.pawns import PawnPosition
from isolation.rules.words import player_name, shown
from isolation.terminal.backup import CommandFailed
from isolation.terminal.screen import Screen

if TYPE_CHECKING:
    from isolation.engines.solving.values import Value

GB = 1 << 30
MOST_GB = 1024.0
MOST_KNIGHTS_CELLS = 63  # more would take years


class SolveCommand:
    """solve a small board: who wins, and how soon"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        games = ", ".join(SOLVERS)
        parser.add_argument("game", metavar="GAME", choices=list(SOLVERS), help=games)
        parser.add_argument(
            "--size",
            required=True,
            metavar="N",
            type=_size,
            help="squares along each side, or columns and rows: 5 or 4x5",
        )
        parser.add_argument(
            "--blocks", nargs="*", metavar="c,r", help="slider: squares that are blocked"
        )
        parser.add_argument(
            "--pieces", type=int, metavar="P", help="slider: endgames of up to P pieces each"
        )
        parser.add_argument(
            "--memory", type=_memory, default=4.0, metavar="GB", help="use no more than that (4)"
        )
        parser.add_argument(
            "--out", type=Path, metavar="FILE", help="slider: where the solved board goes"
        )

    def run(self, arguments: Namespace, screen: Screen) -> None:
        if not has_compiler():
            raise CommandFailed("solving needs numba: pip install -r requirements.txt")
        try:
            SOLVERS[arguments.game](arguments, screen)
        except InvalidPosition as error:
            raise InvalidOption(str(error)) from None


def _solve_slider(arguments: Namespace, screen: Screen) -> None:
    from isolation.engines.solving.files import BadFile, TableFile, file_of
    from isolation.engines.solving.slider import Board

    width, height = arguments.size
    if width != height or not 2 <= width <= 8:
        raise InvalidOption("a slider board that can be solved is 2x2 to 8x8")
    blocks = Blocks("blocks", "", (), most=3).read(" ".join(arguments.blocks or ()))
    start = find_variant(arguments.game).position.start(width, blocks)
    board = Board.whole(start)
    if arguments.pieces is not None:
        if not 1 <= arguments.pieces < width:
            raise InvalidOption(f"on this board there are 1 to {width - 1} pieces each")
        board = replace(board, pieces=(arguments.pieces,) * 2)
    if board.size > arguments.memory * GB:
        raise CommandFailed(
            f"this takes {board.size / GB:.1f} GB, and the limit is {arguments.memory:g} GB: "
            f"allow more with --memory, or solve only endgames with --pieces"
        )
    path = arguments.out or file_of(board)
    screen.say(f"{_name(start)}: {board.size:,} entries, in {path}")
    shown_tenths = 0

    def tell(rows: int, total: int) -> None:
        nonlocal shown_tenths
        if 10 * rows // total > shown_tenths:
            shown_tenths = 10 * rows // total
            screen.say(f"{shown_tenths * 10:3} %")

    try:
        table = TableFile(path).solve(board, tell)
    except BadFile as error:
        raise CommandFailed(str(error)) from None
    if board == Board.whole(start):
        for side, symbol in enumerate(start.symbols.players):
            value = table.value(replace(start, to_move=side))
            screen.say(f"{symbol} moves first: {_words(value, symbol, start.symbols.players)}")


def _solve_pawns(arguments: Namespace, screen: Screen) -> None:
    from isolation.engines.solving.pawns import NotSolvable, PawnSolver

    start = _start(arguments)

    def tell(plies: int, layer: int) -> None:
        if layer == 1:
            screen.say(f"looked {_plies(plies)} ahead")

    try:
        solver = PawnSolver(cast(PawnPosition, start), int(arguments.memory * GB), tell)
        solution = solver.solve()
    except NotSolvable as problem:
        raise CommandFailed(f"{problem}; --memory sets the limit") from None
    winner = player_name(start.to_move if solution.value.sign > 0 else 1 - start.to_move)
    screen.say(f"{_name(start)}: {winner} wins in {_plies(solution.value.plies)}")
    moves = ", ".join(map(start.notate, solution.best[:12]))
    more = f" and {len(solution.best) - 12} more" if len(solution.best) > 12 else ""
    screen.say(f"Best first moves: {moves}{more}")


def _solve_knights(arguments: Namespace, screen: Screen) -> None:
    from isolation.engines.solving.knights import KnightSolver, second_mirrors

    start = cast(Knights, _start(arguments))
    if second_mirrors(start):
        screen.say(
            f"{_name(start)}: Player 2 wins. There's no middle square, so whatever Player 1 does, "
            f"Player 2 answers with the same on the opposite side."
        )
        return
    if start.cell_count > MOST_KNIGHTS_CELLS:
        raise CommandFailed(f"a board that can be solved has {MOST_KNIGHTS_CELLS} squares or less")

    def tell(first: str, second: str, winner: int) -> None:
        screen.say(f"{first} {second}: {player_name(winner)} wins")

    winner = KnightSolver(start, tell).winner()
    screen.say(f"{_name(start)}: {player_name(winner)} wins")


def _solve_linear(arguments: Namespace, screen: Screen) -> None:
    start = _start(arguments)
    plies = AllGames().choose(start, Limits()).proven or 0
    winner = player_name(start.to_move if plies > 0 else 1 - start.to_move)
    screen.say(f"{_name(start)}: {winner} wins, in {_plies(abs(plies))} at the most")


def _start(arguments: Namespace) -> Position:
    """The ordinary start on a board of this size."""
    for name in ("blocks", "pieces", "out"):
        if getattr(arguments, name) is not None:
            raise InvalidOption(f"--{name} is for slider")
    width, height = arguments.size
    kind = find_variant(arguments.game).position
    return kind.start(*START_SIZES[arguments.game](width, height))


def _square(width: int, height: int) -> tuple[int, ...]:
    if width != height:
        raise InvalidOption("this board has as many rows as columns")
    return (width,)


def _length(width: int, height: int) -> tuple[int, ...]:
    return (width,)


def _both(width: int, height: int) -> tuple[int, ...]:
    return width, height


# What the start of a game takes, beside slider's.
START_SIZES: dict[str, Callable[[int, int], tuple[int, ...]]] = {
    "classic": _both,
    "knights": _both,
    "isola": _square,
    "linear": _length,
}

SOLVERS: dict[str, Callable[[Namespace, Screen], None]] = {
    "classic": _solve_pawns,
    "knights": _solve_knights,
    "isola": _solve_pawns,
    "slider": _solve_slider,
    "linear": _solve_linear,
}


def _name(start: Position) -> str:
    width, height = start.grid.width, start.grid.height
    return f"{start.game} {width}×{height}" if height > 1 else f"{start.game} {width}"


def _plies(count: int) -> str:
    return f"{count} {'ply' if count == 1 else 'plies'}"


def _words(value: "Value", mover: str, players: str) -> str:
    if not value.sign:
        return "a tie"
    winner = mover if value.sign > 0 else next(symbol for symbol in players if symbol != mover)
    return f"{winner} wins in {_plies(value.plies)}"


def _size(text: str) -> tuple[int, int]:
    if not re.fullmatch(r"[1-9][0-9]?(x[1-9][0-9]?)?", text, re.ASCII):
        raise ArgumentTypeError(f"{shown(text)} is not a size: write 5 or 4x5")
    width, _, height = text.partition("x")
    return int(width), int(height or width)


def _memory(text: str) -> float:
    try:
        memory = float(text)
    except ValueError:
        memory = 0.0
    if not 0 < memory <= MOST_GB:
        raise ArgumentTypeError(f"{shown(text)} is not a number of gigabytes")
    return memory
