"""Perft from the start, against counts that two independent programs agree on."""

from typing import Any

import pytest

from isolation.rules import VARIANTS, perft
from tests import naive

COUNTS: list[tuple[str, dict[str, Any], list[int]]] = [
    ("classic", {}, [230, 50625]),
    ("isola", {"size": 7}, [235, 52900]),
    ("isola", {"size": 27}, [3635]),
    ("knights", {}, [99, 9702, 55096, 309200]),
    ("slider", {"size": 4}, [4, 14, 79, 438, 2358]),
    ("slider", {"size": 6}, [6, 34, 285, 2376, 21326]),
    ("linear", {"length": 13}, [13, 132, 990, 5040, 15120, 20160, 5040, 0]),
]


@pytest.mark.parametrize(("game", "options", "counts"), COUNTS)
def test_perft_from_the_start(game: str, options: dict[str, Any], counts: list[int]) -> None:
    start = VARIANTS[game].start(**options)
    assert [perft(start, depth) for depth in range(len(counts) + 1)] == [1, *counts]


SMALL: list[tuple[str, dict[str, Any], int]] = [
    ("classic", {"width": 3, "height": 4, "starts": "open"}, 3),
    ("classic", {"width": 3, "height": 3, "starts": "fixed"}, 4),
    ("isola", {"size": 3, "starts": "fixed"}, 4),
    ("knights", {"width": 4, "height": 5}, 4),
    ("slider", {"size": 3, "blocks": [(1, 1)], "first": "V"}, 9),
    ("slider", {"size": 2}, 9),
    ("linear", {"length": 8}, 5),
]


@pytest.mark.parametrize(("game", "options", "depth"), SMALL)
def test_perft_agrees_with_the_naive_rules(game: str, options: dict[str, Any], depth: int) -> None:
    fast, slow = VARIANTS[game].position.start(**options), naive.GAMES[game](**options)
    assert [perft(fast, n) for n in range(1, depth + 1)] == [
        slow.perft(n) for n in range(1, depth + 1)
    ]
