"""Proof-number search against a plain search over the rules."""

from random import Random

import pytest

from benchmarks.proofs import draw_classic, draw_isola, draw_knights
from isolation.engines.engine import Limits
from isolation.engines.solving.dfpn import Prover
from isolation.engines.solving.knights import KnightSolver
from isolation.rules import Position
from isolation.rules.classic import Classic
from isolation.rules.knights import Knights
from tests.solving import distance

PROVER = Prover(1 << 16)


def some_positions(count: int) -> list[Position]:
    lot, found = Random(16), list[Position]()
    while len(found) < count:
        drawn = (*draw_classic(lot, 5), *draw_isola(lot, 5), *draw_knights(lot, 6))
        found += [p for p in drawn if PROVER.has_room(p) and not p.outcome()]
    return found


def test_every_proof_is_right() -> None:
    for position in some_positions(90):
        proof = PROVER.prove(position, Limits(nodes=200_000))
        assert proof.sign == (1 if distance(position) > 0 else -1)
        if proof.move is not None:
            assert distance(position.play(proof.move)) <= 0
        distance.cache_clear()


@pytest.mark.parametrize("table_size", [1 << 4, 1 << 16])
def test_the_same_search_is_the_same_every_time(table_size: int) -> None:
    """With a tiny table too, where nearly everything is forgotten."""
    position = Classic.from_picture(". 1 . .\n. . X .\nX . . .\n. . 2 .")
    first, again = (Prover(table_size).prove(position, Limits(nodes=3_000)) for _ in range(2))
    assert first == again


def test_what_it_does_not_know() -> None:
    assert not Prover.has_room(Knights.start())
    assert not Prover.has_room(Classic.start(3, 3, "fixed"))
    assert not Prover.has_room(Classic.start(9, 9))
    with pytest.raises(ValueError, match="only classic"):
        PROVER.prove(Knights.start(), Limits(nodes=1))
    with pytest.raises(ValueError, match="over"):
        PROVER.prove(Classic.from_picture("1 X\nX 2"), Limits(nodes=1))


@pytest.mark.parametrize(("width", "height"), [(3, 3), (3, 5), (1, 1), (5, 3), (4, 3)])
def test_knights_from_the_first_token_on(width: int, height: int) -> None:
    start = Knights.start(width, height)
    assert KnightSolver(start).winner() == (0 if distance(start) > 0 else 1)
    distance.cache_clear()
