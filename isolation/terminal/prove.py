"""The command that tries to prove a position."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from isolation.engines.cache import has_compiler
from isolation.engines.engine import Limits
from isolation.rules import (
    VARIANTS,
    InvalidOption,
    InvalidPosition,
    read_fen,
)
from isolation.rules.words import player_name, shown
from isolation.terminal.backup import CommandFailed
from isolation.terminal.screen import Screen

SECONDS = 60.0


class ProveCommand:
    """find out whether a position is won or lost for sure"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        games = ", ".join(VARIANTS)
        parser.add_argument("game", metavar="GAME", choices=list(VARIANTS), help=games)
        parser.add_argument("position", metavar="POSITION", help="as a FEN, in quotes")
        parser.add_argument(
            "--seconds", type=_seconds, default=SECONDS, metavar="S", help="give up then (60)"
        )

    def run(self, arguments: Namespace, screen: Screen) -> None:
        if not has_compiler():
            raise CommandFailed("proving needs numba: pip install -r requirements.txt")
        from isolation.engines.solving.proving import find_proof

        try:
            position = read_fen(arguments.game, arguments.position)
        except InvalidPosition as error:
            raise InvalidOption(str(error)) from None
        if position.outcome():
            raise InvalidOption("the game is over in this position")
        proof = find_proof(position, Limits(seconds=arguments.seconds))
        if proof.move is not None:
            winner = player_name(position.to_move)
            screen.say(f"{winner} wins with {position.notate(proof.move)}")
        elif proof.sign:
            screen.say(f"{player_name(1 - position.to_move)} wins, whatever is played")
        else:
            screen.say(f"Not proven in {arguments.seconds:g} s")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 1e6:
        raise ArgumentTypeError(f"{shown(text)} is not a number of seconds")
    return seconds
