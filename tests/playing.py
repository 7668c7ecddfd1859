"""How tests get at positions: by playing at random, cell by cell, through the public API."""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

from isolation.rules import PASS, VARIANTS, GameRecord, Move, Position


def random_move(position: Position, lot: Random) -> Move:
    """A legal move, chosen without making all of them."""
    move = PASS
    while cells := position.next_cells(move):
        move = (*move, lot.choice(cells))
    return move


def play_at_random(position: Position, plies: int, lot: Random) -> Position:
    """The position after some random moves, or where the game ended before."""
    for _ in range(plies):
        if position.outcome():
            break
        position = position.play(random_move(position, lot))
    return position


def random_options(key: str, lot: Random) -> dict[str, Any]:
    variant = VARIANTS[key]
    return variant.draw({option.name: "random" for option in variant.options}, lot)


# The sizes that only tests and solvers use, beside the public ones.
SMALL: dict[str, Callable[[Random], Position]] = {
    "classic": lambda lot: VARIANTS["classic"].position.start(
        width=lot.randint(2, 6), height=lot.randint(2, 8), starts=lot.choice(["open", "fixed"])
    ),
    "knights": lambda lot: VARIANTS["knights"].position.start(
        width=lot.randint(1, 11), height=lot.randint(1, 9)
    ),
    "isola": lambda lot: VARIANTS["isola"].position.start(
        size=lot.choice([3, 5, 7, 9]), starts=lot.choice(["open", "fixed"])
    ),
    "slider": lambda lot: VARIANTS["slider"].position.start(size=lot.randint(2, 10)),
    "linear": lambda lot: VARIANTS["linear"].position.start(length=lot.randint(1, 99)),
}

games = st.sampled_from(list(VARIANTS))
lots = st.randoms(use_true_random=False)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """A game of any kind with any options, played at random for a while or to its end."""
    key, lot = draw(games), draw(lots)
    record = GameRecord.begin(key, random_options(key, lot))
    for _ in range(draw(st.integers(0, 60))):
        if record.outcome:
            break
        record = record.play(random_move(record.position, lot))
    return record


@st.composite
def begun_records(draw: st.DrawFn) -> GameRecord:
    """A game from a position in the middle of another, played on for a while."""
    record = draw(records())
    open_at = len(record.positions) - 1 - bool(record.outcome)
    position = record.positions[draw(st.integers(0, max(0, open_at)))]
    begun = GameRecord.begin(record.variant.key, record.options, position=position)
    lot = draw(lots)
    for _ in range(draw(st.integers(0, 8))):
        if begun.outcome:
            break
        begun = begun.play(random_move(begun.position, lot))
    return begun


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of any game, on a board of public or of unusual size."""
    key, lot = draw(games), draw(lots)
    small = draw(st.booleans())
    start = SMALL[key](lot) if small else VARIANTS[key].start(**random_options(key, lot))
    return play_at_random(start, draw(st.integers(0, 50)), lot)
