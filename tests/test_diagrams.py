"""The diagrams of the rules pages say what is true."""

import re

import pytest
import requests

from isolation.rules import VARIANTS, IllegalMove
from isolation.web.diagrams import DIAGRAMS, MAX_TURNS, Diagram, after, find_diagram
from tests.server import serving

ALL = [(key, diagram) for key, diagrams in DIAGRAMS.items() for diagram in diagrams]


def test_every_game_has_diagrams_and_one_that_can_be_won() -> None:
    assert list(DIAGRAMS) == list(VARIANTS)
    for diagrams in DIAGRAMS.values():
        assert len({diagram.name for diagram in diagrams}) == len(diagrams) >= 2
        assert any(diagram.solution for diagram in diagrams)


@pytest.mark.parametrize(("key", "diagram"), ALL, ids=lambda item: getattr(item, "name", item))
def test_a_diagram_goes_on_and_its_solution_wins(key: str, diagram: Diagram) -> None:
    assert diagram.position.game == key
    assert after(diagram, [])["choices"]["first"]
    if diagram.solution:
        assert after(diagram, [diagram.solution])["outcome"]["winner"] == diagram.position.to_move


def test_what_the_words_say_of_squares_is_so() -> None:
    assert find_diagram("knights", "win").position.discarded().next_cells() == [  # type: ignore[union-attr]
        find_diagram("knights", "win").position.find_cell("b3")  # type: ignore[union-attr]
    ]
    stuck = find_diagram("slider", "pass")
    assert stuck
    told = after(stuck, ["b1-c1"])
    assert told["passed"]
    assert told["to_move"] == 1
    three = find_diagram("linear", "win")
    assert three
    winning = [cell for cell in (3, 4, 5) if after(three, [str(cell)])["outcome"]]
    assert winning == [4]


def test_what_a_diagram_refuses() -> None:
    turn = find_diagram("classic", "turn")
    assert turn
    with pytest.raises(IllegalMove, match="a1"):
        after(turn, ["a1/a2"])
    with pytest.raises(IllegalMove, match=str(MAX_TURNS)):
        after(turn, ["c7/d4"] * (MAX_TURNS + 1))


def test_diagrams_over_http() -> None:
    with serving() as address:
        found = requests.get(f"{address}/api/diagrams/linear/start?moves=3+6", timeout=60).json()
        assert found["board"]["pieces"] == [[2], [5]]
        for query, status, params in (
            ("diagrams/linear/none", 404, {"why": "diagram"}),
            ("diagrams/chess/start", 404, {"why": "diagram"}),
            ("diagrams/linear/start?moves=3+4", 400, {"field": "moves"}),
            ("start/chess", 404, {"field": "variant", "allowed": list(VARIANTS)}),
            ("start/isola?options=5", 400, {"field": "options"}),
            ("games/none", 404, {"why": "game"}),
        ):
            answer = requests.get(f"{address}/api/{query}", timeout=60)
            assert answer.status_code == status
            error = answer.json()["error"]
            assert error["params"] == params
            assert re.match(r"\w+", error["message"])
