"""Knights: placing, jumping, and what is refused; and that it is the game of the public API."""

from random import Random

import pytest

from isolation import Isolation
from isolation.isolation import Action
from isolation.rules import VARIANTS, IllegalMove, InvalidPosition, Outcome, Reason
from isolation.rules.knights import Knights


def test_any_open_cell_can_be_taken_first() -> None:
    start = VARIANTS["knights"].start()
    assert len(start.legal_moves()) == 99
    assert start.task() == "place your token"
    second = start.play(start.parse("f5"))
    assert len(second.legal_moves()) == 98
    assert second.play(second.parse("k1")).task() == "move your token"


def test_the_cell_moved_to_is_used_up() -> None:
    position = Knights.from_picture(". . .\n1 . .\n. 2 .")
    after = position.play(position.parse("c1"))
    assert after.picture() == ". . .\nX . .\n. 2 1"


def test_who_can_not_jump_has_lost() -> None:
    position = Knights.from_picture("X . X\n1 . 2\nX . X")
    assert position.outcome() == Outcome(1, Reason.NO_MOVES, 0)


def test_a_player_without_a_cell_to_be_placed_on_has_lost() -> None:
    start = Knights.start(width=1, height=1)
    assert start.play((0,)).outcome() == Outcome(0, Reason.NO_MOVES, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b3", "b3 is blocked"),
        ("a1", "a1 is not a knight's step from a2, where you are"),
        ("a2", "you are on a2 already"),
        ("b1", "your opponent is on b1"),
        ("d1", "d1 is not on the board"),
        ("pass", "you can't pass: you must move your token"),
        ("a1/b1", "a1/b1 is not a move: write one like c1"),
    ],
)
def test_refusals_in_words(text: str, message: str) -> None:
    position = Knights.from_picture(". X .\n1 . .\n. 2 .")
    with pytest.raises(IllegalMove) as refused:
        position.play(position.parse(text))
    assert str(refused.value) == message


def test_impossible_boards_are_refused() -> None:
    for picture, message in [
        ("1 1\n. 2", "each player has one token at the most"),
        ("1 .\n2 2", "each player has one token at the most"),
        (". .\n2 .", "Player 1 places a token first"),
        (". .\n1 .", "Player 2 is to move: that token isn't placed yet"),
    ]:
        with pytest.raises(InvalidPosition) as refused:
            Knights.from_picture(picture)
        assert str(refused.value) == message
    with pytest.raises(InvalidPosition, match="Player 1 is to move: that token isn't placed yet"):
        Knights.from_picture(". .\n. X", to_move=1)


def test_the_same_game_as_the_public_api() -> None:
    """Both are played side by side; the API ends a game as soon as either player is stuck."""
    lot = Random(11)
    for _ in range(300):
        position, state = VARIANTS["knights"].start(), Isolation()
        while not position.outcome():
            loc = state.locs[state.player()]
            cells = [position.from_native((loc or 0) + action) for action in state.actions()]
            assert sorted(cells) == position.next_cells()
            choice = lot.randrange(len(cells))
            state = state.result(state.actions()[choice])
            position = position.play((cells[choice],))
        outcome = position.outcome()
        assert state.terminal_test()
        assert outcome is not None
        assert state.utility(outcome.winner or 0) == float("inf")


def test_every_action_is_a_knights_step() -> None:
    position = VARIANTS["knights"].start()
    centre = position.from_native(57)
    assert position.cell_name(centre) == "f5"
    reached = {position.from_native(57 + action) for action in Action}
    placed = position.play((centre,)).play((0,))
    assert sorted(reached) == placed.next_cells()
