"""The knights API: every example of its text with the values that hold, and its corner cases."""

import math
import subprocess
import sys

import pytest

from isolation import DebugState, Isolation
from isolation.isolation import (
    _ACTIONSET,
    _BLANK_BOARD,
    _HEIGHT,
    _SIZE,
    _WIDTH,
    Action,
    E,
    N,
    S,
    W,
)

BLANK = 41523161203939122082683632224299007
NAMES = ["NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW", "NNW"]
VALUES = [25, 11, -15, -27, -25, -11, 15, 27]


@pytest.fixture
def state() -> Isolation:
    return Isolation().result(57).result(0)


def test_the_blank_state() -> None:
    assert repr(Isolation()) == f"Isolation(board={BLANK}, ply_count=0, locs=(None, None))"
    assert Isolation() == Isolation(BLANK, 0, (None, None))


def test_the_constants_that_agents_import() -> None:
    assert (_WIDTH, _HEIGHT, _SIZE, _BLANK_BOARD) == (11, 9, 115, BLANK)
    assert (N, S, W, E) == (13, -13, 1, -1)
    assert set(Action) == _ACTIONSET
    assert [(action.name, action.value) for action in Action] == list(
        zip(NAMES, VALUES, strict=True)
    )


def test_the_first_actions_are_all_open_cells() -> None:
    cells = [row * 13 + x for row in range(9) for x in range(11)]
    assert Isolation().actions() == cells
    assert cells[:12] == [*range(11), 13]
    assert cells[-1] == 114


def test_after_placing_both_tokens(state: Isolation) -> None:
    assert state.board == 41523161203939121938568444148443134
    assert (state.ply_count, state.locs) == (2, (57, 0))
    assert state.actions() == VALUES
    assert repr(state.actions()[0]) == "<Action.NNE: 25>"
    assert all(isinstance(action, Action) for action in state.actions())


def test_the_player_holding_initiative() -> None:
    assert Isolation().player() == 0
    assert Isolation().result(57).player() == 1


def test_ind2xy(state: Isolation) -> None:
    assert DebugState.ind2xy(57) == (5, 4)
    assert DebugState.ind2xy(state.actions()[0]) == (12, 1)


def test_liberties_on_the_blank_board() -> None:
    assert Isolation().liberties(57) == [82, 68, 42, 30, 32, 46, 72, 84]
    assert Isolation().liberties(0) == [15, 27]
    assert Isolation().liberties(None) == Isolation().actions()


def test_always_playing_the_first_action() -> None:
    state = Isolation()
    assert not state.terminal_test()
    assert state.utility(0) == 0
    while not state.terminal_test():
        state = state.result(state.actions()[0])
    assert state == Isolation(41381167001018985136977239403530224, 34, (106, 13))
    assert (state.utility(0), state.utility(1)) == (math.inf, -math.inf)


def test_debug_state(state: Isolation) -> None:
    debug = DebugState.from_state(state)
    assert repr(debug) == (
        "DebugState(board=41523161203939121938568444148443134, ply_count=2, locs=(57, 0))"
    )
    assert debug == state
    assert int(debug.bitboard_string, 2) == state.board
    assert debug.bitboard_string() == debug.bitboard_string  # type: ignore[operator]
    assert isinstance(debug.result(Action.NNE), DebugState)


def test_the_board_drawn(state: Isolation) -> None:
    moved = DebugState.from_state(state.result(Action.NNE))
    line = "+ - + - + - + - + - + - + - + - + - + - + - +"
    lines = str(moved).split("\n")
    assert lines[::2] == [line] * 10
    cells = [row[2::4] for row in lines[1::2]]
    assert all(len(row) == 11 for row in cells)
    drawn = {
        (x, y): symbol
        for y, row in enumerate(reversed(cells))
        for x, symbol in enumerate(reversed(row))
        if symbol != " "
    }
    assert drawn == {(5, 4): "X", (4, 6): "1", (0, 0): "2"}


def test_a_player_whose_only_liberty_is_cell_0_has_a_move() -> None:
    state = Isolation(board=1 | 1 << 57, ply_count=2, locs=(15, 84))
    assert state.liberties(15) == [0]
    assert not state.terminal_test()
    assert state.actions() == [Action.ESE]
    assert state.result(Action.ESE).locs == (0, 84)


def test_no_step_goes_around_an_edge() -> None:
    for loc in Isolation().actions():
        x, y = DebugState.ind2xy(loc)
        for cell in Isolation().liberties(loc):
            reached = DebugState.ind2xy(cell)
            assert sorted((abs(reached[0] - x), abs(reached[1] - y))) == [1, 2]


def test_who_wins_when_both_are_stuck() -> None:
    stuck = Isolation(board=1 << 114, ply_count=8, locs=(57, 58))
    assert stuck.terminal_test()
    assert (stuck.utility(0), stuck.utility(1)) == (-math.inf, math.inf)


def test_a_player_without_a_cell_to_be_placed_on_is_stuck() -> None:
    stuck = Isolation(board=0, ply_count=1, locs=(57, None))
    assert stuck.terminal_test()
    assert (stuck.utility(0), stuck.utility(1)) == (math.inf, -math.inf)


@pytest.mark.parametrize("action", [24, 0, None, "NNE", [25], 25.5, math.nan])
def test_a_step_that_is_not_an_action(state: Isolation, action: object) -> None:
    with pytest.raises(AssertionError, match="is not a valid action"):
        state.result(action)  # type: ignore[arg-type]


def test_a_step_may_be_a_plain_number(state: Isolation) -> None:
    assert state.result(25) == state.result(Action.NNE)


def test_blocked_and_off_board_targets() -> None:
    corner = Isolation().result(0).result(57)
    with pytest.raises(RuntimeError, match="blocked or off the board"):
        corner.result(Action.SSE)
    with pytest.raises(RuntimeError, match="blocked or off the board"):
        corner.result(Action.ENE)


@pytest.mark.parametrize("target", [57, 11, 115, -1, 10**30, None, 3.0, "5"])
def test_blocked_and_off_board_placements(target: object) -> None:
    with pytest.raises(RuntimeError, match="blocked or off the board"):
        Isolation().result(57).result(target)  # type: ignore[arg-type]


def test_states_are_values(state: Isolation) -> None:
    assert {state: "book"}[Isolation().result(57).result(0)] == "book"
    assert Isolation() != state
    assert Isolation() > state
    with pytest.raises(AttributeError):
        state.board = 0  # type: ignore[misc]
    with pytest.raises(AttributeError):
        DebugState.from_state(state).extra = 0  # type: ignore[attr-defined]
    state.result(Action.NNE)
    assert state == Isolation().result(57).result(0)


def test_errors_survive_optimised_python() -> None:
    program = (
        "from isolation import Isolation\n"
        "try: Isolation().result(57).result(0).result(24)\n"
        "except AssertionError: print('refused')"
    )
    command = [sys.executable, "-O", "-c", program]
    assert subprocess.run(command, capture_output=True, text=True).stdout == "refused\n"
