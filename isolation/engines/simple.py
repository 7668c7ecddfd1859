"""Two simple opponents: one plays at random, one takes what looks best after a single move."""

from collections.abc import Callable
from random import Random

from isolation.engines.plain import race
from isolation.rules import Move, Position
from isolation.rules.linear import Linear
from isolation.rules.slider import Slider

Chooser = Callable[[Position, Random], Move]


def random_move(position: Position, lot: Random) -> Move:
    """Any legal move, each as likely as the other."""
    return lot.choice(position.legal_moves())


def greedy_move(position: Position, lot: Random) -> Move:
    """A move after which the mover stands best, at random among equals."""
    score = _SCORES.get(type(position), _mobility)
    best: list[Move] = []
    best_score = float("-inf")
    for move in position.legal_moves():
        value = score(position.after(move))
        if value > best_score:
            best, best_score = [], value
        if value == best_score:
            best.append(move)
    return lot.choice(best)


def _mobility(position: Position) -> float:
    """How many more first steps the player who has just moved has than the one to move."""
    theirs = len(position.next_cells())
    return len(position.discarded().next_cells()) - theirs if theirs else float("inf")


def _race(position: Position) -> float:
    """How far the player who has just moved is ahead in the race off the board."""
    return -race(position)


def _left(position: Position) -> float:
    """How few squares are left to the other, where both draw from the same ones."""
    return -len(position.next_cells())


_SCORES: dict[type[Position], Callable[[Position], float]] = {Slider: _race, Linear: _left}

SIMPLE: dict[str, Chooser] = {"random": random_move, "greedy": greedy_move}
