"""The fast rules and the naive ones, side by side through random games of every size."""

from random import Random
from typing import Any

import pytest

from isolation.rules import VARIANTS, Position
from tests.naive import GAMES, Naive


def classic_options(lot: Random) -> dict[str, Any]:
    sizes = [(2, 2), (3, 3), (3, 4), (4, 3), (5, 5), (6, 8), (6, 8), (7, 2), (9, 6)]
    width, height = lot.choice(sizes)
    return {"width": width, "height": height, "starts": lot.choice(["open", "fixed"])}


def isola_options(lot: Random) -> dict[str, Any]:
    return {"size": lot.choice([3, 5, 7, 7, 9, 11]), "starts": lot.choice(["open", "fixed"])}


def knights_options(lot: Random) -> dict[str, Any]:
    width, height = lot.choice([(1, 1), (1, 5), (3, 3), (4, 5), (6, 6), (11, 9), (11, 9), (12, 8)])
    return {"width": width, "height": height}


def slider_options(lot: Random) -> dict[str, Any]:
    size = lot.randint(2, 10)
    free = [(0, 0), *((column, row) for column in range(1, size) for row in range(1, size))]
    blocks = lot.sample(free, min(len(free), lot.choice([0, 1, 2, 3, size])))
    return {"size": size, "blocks": blocks, "first": lot.choice(["H", "V"])}


def linear_options(lot: Random) -> dict[str, Any]:
    return {"length": lot.choice([1, 2, 3, 8, 13, 13, 27, 40, 99])}


SOURCES = {
    "classic": (classic_options, 1000),
    "isola": (isola_options, 700),
    "knights": (knights_options, 2500),
    "slider": (slider_options, 4000),
    "linear": (linear_options, 3000),
}


def assert_same(fast: Position, slow: Naive) -> None:
    assert fast.to_move == slow.player
    assert contents(fast) == slow.cells()
    moves = fast.legal_moves()
    assert sorted(map(fast.notate, moves)) == sorted(slow.moves())
    assert fast.count_moves() == len(moves)
    outcome = fast.outcome()
    winner = None if outcome is None else str(outcome.winner).replace("None", "tie")
    assert winner == slow.result()


def contents(position: Position) -> dict[str, str]:
    """What every cell holds, told by `describe` alone."""
    look = position.describe()
    cells = dict.fromkeys(range(look["width"] * look["height"]), "empty")
    cells |= dict.fromkeys(look["blocked"], "blocked")
    for player in (0, 1):
        cells |= dict.fromkeys(look["pieces"][player], str(player))
    return {position.cell_name(cell): content for cell, content in cells.items()}


@pytest.mark.parametrize("game", SOURCES)
def test_same_moves_and_results_in_random_games(game: str) -> None:
    options_of, wanted = SOURCES[game]
    lot = Random(f"naive {game}")
    compared = 0
    while compared < wanted:
        options = options_of(lot)
        fast, slow = VARIANTS[game].position.start(**options), GAMES[game](**options)
        assert_same(fast, slow)
        for _ in range(200):
            moves = slow.moves()
            if not moves:
                break
            text = lot.choice(moves)
            fast, slow = fast.play(fast.parse(text)), slow.play(text)
            assert_same(fast, slow)
            compared += 1


@pytest.mark.parametrize("size", range(13, 28, 2))
def test_same_moves_on_large_boards(size: int) -> None:
    lot = Random(size)
    fast, slow = VARIANTS["isola"].start(size=size), GAMES["isola"](size=size)
    for _ in range(8):
        assert_same(fast, slow)
        text = lot.choice(slow.moves())
        fast, slow = fast.play(fast.parse(text)), slow.play(text)
