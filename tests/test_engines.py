"""Engines: what they prove is true, what they play is legal, and the same again is the same."""

import threading
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolation.engines import all_games
from isolation.engines.all_games import COMPILED, AllGames
from isolation.engines.claiming import ClaimingEngine, grundy_numbers
from isolation.engines.core.ground import winning_move
from isolation.engines.core.tables import NO_MOVE
from isolation.engines.engine import Decision, Engine, Handicap, Limits, StopFlag
from isolation.engines.jumping import JumpingEngine
from isolation.engines.plain import PlainEngine
from isolation.engines.regions import RegionSolver
from isolation.engines.sliding import SlidingEngine
from isolation.engines.walking import WalkingEngine
from isolation.rules import VARIANTS, GameRecord, Position, perft
from isolation.rules.classic import Classic
from isolation.rules.grid import bits
from isolation.rules.isola import Isola
from isolation.rules.knights import Knights
from isolation.rules.slider import Slider
from tests.playing import SMALL as SMALL_BOARDS
from tests.playing import play_at_random, random_options
from tests.solving import distance, solve_cyclic

ALL = AllGames()
CORES = {
    "classic": WalkingEngine(),
    "isola": WalkingEngine(),
    "knights": JumpingEngine(),
    "slider": SlidingEngine(knows_solved=False),
}


def assert_legal(position: Position, decision: Decision) -> None:
    assert decision.line[0] == decision.move
    for move in decision.line:
        position = position.play(move)


SMALL = [
    Classic.start(3, 3),
    Classic.start(3, 3, "fixed"),
    Classic.start(3, 4),
    Classic.start(4, 3),
    Knights.start(3, 3),
    Knights.start(3, 4),
    Knights.start(4, 4),
]


@pytest.mark.parametrize("start", SMALL, ids=lambda p: f"{p.game}{p.grid.width}x{p.grid.height}")
def test_small_boards_agree_with_a_full_solver(start: Position) -> None:
    """The start, and random positions after it: proven, right, and never sooner than possible."""
    lot = Random(str(start))
    positions = {start, *(play_at_random(start, lot.randint(1, 6), lot) for _ in range(60))}
    for position in positions:
        if position.outcome():
            continue
        decision = ALL.choose(position, Limits(nodes=3_000_000))
        truth = distance(position)
        assert decision.proven is not None
        assert (decision.proven > 0) == (truth > 0)
        assert abs(decision.proven) >= abs(truth)
        if truth > 0:
            assert distance(position.after(decision.move)) <= 0
        assert_legal(position, decision)


def begun(game: str) -> Position:
    """A position that no engine knows by heart."""
    return play_at_random(VARIANTS[game].start(), 4, Random(9))


def walled_apart(lot: Random) -> Position:
    """A small board with a wall across it, a pawn on either side, and holes."""
    width, height = lot.choice([(3, 4), (4, 3), (5, 3), (3, 5), (4, 4)])
    wall = lot.randrange(1, height - 1)
    rows = [
        ["X" if row == wall or lot.random() < 0.25 else "." for _ in range(width)]
        for row in range(height)
    ]
    rows[lot.randrange(wall)][lot.randrange(width)] = "1"
    rows[lot.randrange(wall + 1, height)][lot.randrange(width)] = "2"
    return Classic.from_picture("\n".join(map("".join, rows)), to_move=lot.randint(0, 1))


def test_regions_walled_apart_are_solved_exactly() -> None:
    """The result, the distance and the move, against a solver that looks at everything."""
    lot, solver, solved = Random(17), RegionSolver(), 0
    while solved < 400:
        position = walled_apart(lot)
        if position.outcome() or position.empty.bit_count() > 8:
            continue
        assert isinstance(position, Classic)
        decision = solver.solve(position)
        assert decision is not None
        truth = distance(position)
        assert decision.proven == truth
        assert distance(position.play(decision.move)) == (1 - truth if truth > 0 else -truth - 1)
        solved += 1


def test_regions_are_left_to_the_search_where_the_argument_does_not_hold() -> None:
    solver = RegionSolver()
    assert solver.solve(Classic.from_picture("1 .\n. 2")) is None  # they can meet
    fixed = Classic.from_picture(". 1 .\nX X X\n. 2 .", starts="fixed")
    assert solver.solve(fixed) is None  # a block may have to be made at home
    vast = Isola.from_picture("\n".join(["A" + "." * 6, "X" * 7, "." * 6 + "B", *["." * 7] * 4]))
    assert solver.solve(vast, budget=100) is None  # too much to look at


def knights_apart(lot: Random) -> Knights | None:
    """A small board full of holes, if the tokens can never meet on it."""
    width, height = lot.choice([(4, 4), (5, 4), (4, 5), (5, 5), (6, 3)])
    holes = lot.uniform(0.3, 0.7)
    cells = ["X" if lot.random() < holes else "." for _ in range(width * height)]
    cells[0], cells[1] = "1", "2"
    lot.shuffle(cells)
    rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
    position = Knights.from_picture("\n".join(rows), to_move=lot.randint(0, 1))
    regions = []
    for token in position.pieces:
        region = frontier = token
        while frontier:
            reached = 0
            for cell in bits(frontier):
                reached |= position.grid.knight[cell]
            frontier = reached & position.empty & ~region
            region |= frontier
        regions.append(region)
    return None if regions[0] & regions[1] or position.outcome() else position


def test_knights_that_can_not_meet_are_raced_exactly() -> None:
    """The result, the distance and the move; a search may name a longer distance."""
    lot, solved, engine = Random(23), 0, JumpingEngine()
    while solved < 300:
        position = knights_apart(lot)
        if position is None or position.empty.bit_count() > 14:
            continue
        truth = distance(position)
        decision = engine.choose(position, Limits(nodes=1_000_000))
        assert decision.nodes < 100_000
        assert decision.proven == truth
        assert distance(position.play(decision.move)) == (1 - truth if truth > 0 else -truth - 1)
        searched = engine.choose(position, Limits(depth=20)).proven
        assert searched is not None
        assert (searched > 0) == (truth > 0)
        assert abs(searched) >= abs(truth)
        solved += 1


def test_knights_takes_the_centre_and_mirrors_whoever_is_a_jump_away() -> None:
    """From there the opposite cell is always free, whatever the other does: a proven win."""
    lot, start = Random(3), Knights.start()
    opening = ALL.choose(start, Limits(nodes=1000))
    assert start.notate(opening.move) == "f5"
    for reply in bits(start.grid.knight[opening.move[0]]):
        position = start.play(opening.move).play((reply,))
        while not position.outcome():
            decision = ALL.choose(position, Limits(nodes=1000))
            assert decision.proven is not None
            assert decision.proven > 0
            position = position.play(decision.move)
            if not position.outcome():
                position = position.play(lot.choice(position.legal_moves()))
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner == 0


def test_knights_does_not_let_itself_be_mirrored() -> None:
    """The second player keeps away from the cells a jump from the centre."""
    position = Knights.start().play((49,))
    decision = ALL.choose(position, Limits(nodes=200_000))
    assert not position.grid.knight[49] >> decision.move[0] & 1


@pytest.mark.parametrize(("width", "height"), [(4, 5), (6, 5), (8, 8), (12, 10)])
def test_on_a_board_without_a_centre_the_second_player_mirrors(width: int, height: int) -> None:
    start = Knights.start(width, height)
    for cell in (0, 1, width, width + 2, start.cell_count // 2):
        position = start.play((cell,))
        decision = ALL.choose(position, Limits(nodes=1000))
        assert decision.move == (start.cell_count - 1 - cell,)
        assert decision.proven == start.cell_count - 1


@given(st.sampled_from(list(COMPILED)), st.randoms(use_true_random=False), st.integers(0, 40))
@settings(max_examples=60)
def test_the_cores_know_the_same_moves_as_the_rules(game: str, lot: Random, plies: int) -> None:
    for start in (SMALL_BOARDS[game](lot), VARIANTS[game].start(**random_options(game, lot))):
        position = play_at_random(start, plies, lot)
        for depth in (1, 2) if position.count_moves() < 1000 else (1,):
            if not position.outcome():
                assert CORES[game].perft(position, depth) == perft(position, depth)


@given(
    st.sampled_from(["classic", "isola"]),
    st.randoms(use_true_random=False),
    st.integers(0, 40),
)
@settings(max_examples=200)
def test_a_win_in_one_is_seen_exactly_where_there_is_one(
    game: str, lot: Random, plies: int
) -> None:
    position = play_at_random(SMALL_BOARDS[game](lot), plies, lot)
    if position.outcome() or position.cell_count > 81:
        return
    engine = WalkingEngine()
    space = engine._lay_out(position, ())
    tokens = [mask.bit_length() - 1 for mask in position.pieces]
    me, opponent = tokens[position.to_move], tokens[1 - position.to_move]
    move = int(winning_move(space[0], me, opponent))
    wins = {move for move in position.legal_moves() if not position.after(move).next_cells()}
    assert (engine._decode(move) in wins) if wins else (move == NO_MOVE)


@pytest.mark.parametrize("starts", ["open", "fixed"])
def test_the_first_player_wins_classic_on_4_by_4(starts: str) -> None:
    decision = ALL.choose(Classic.start(4, 4, starts), Limits(nodes=20_000_000))
    assert decision.proven is not None
    assert decision.proven > 0


@pytest.mark.parametrize(("width", "height"), [(3, 3), (3, 4), (4, 4), (4, 5), (5, 5)])
def test_the_second_player_wins_small_knights(width: int, height: int) -> None:
    decision = ALL.choose(Knights.start(width, height), Limits(nodes=60_000_000))
    assert decision.proven is not None
    assert decision.proven < 0


@pytest.mark.parametrize("blocks", [(), ((1, 1),)])
def test_slider_on_3_by_3_agrees_with_a_full_solver(blocks: tuple[tuple[int, int], ...]) -> None:
    values = solve_cyclic(Slider.start(size=3, blocks=blocks))
    positions = sorted((p for p in values if not p.outcome()), key=lambda p: (p.pieces, p.to_move))
    for position in Random(3).sample(positions, 400):
        decision = CORES["slider"].choose(position, Limits(nodes=200_000, depth=30))
        value = values[position]
        if value.sign:
            assert decision.proven is not None
        if decision.proven is not None:
            assert (decision.proven > 0) == (value.sign > 0)
            assert abs(decision.proven) >= value.plies
        assert values[position.after(decision.move)].sign == -value.sign


@pytest.mark.parametrize("length", range(3, 41))
def test_linear_is_played_perfectly(length: int) -> None:
    """Whoever should win does, against random play and against itself."""
    engine, lot = ClaimingEngine(), Random(length)
    start = VARIANTS["linear"].start(length=length)
    winner = 0 if grundy_numbers()[length] else 1
    for opponent_plays_at_random in (True, False):
        position = start
        while not position.outcome():
            if opponent_plays_at_random and position.to_move != winner:
                move = lot.choice(position.legal_moves())
            else:
                decision = engine.choose(position, Limits())
                assert decision.proven is not None
                assert (decision.proven > 0) == (position.to_move == winner)
                move = decision.move
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner == winner


@pytest.mark.parametrize(
    ("position", "moves", "plies"),
    [
        # One exit is left to the opponent: it must be closed.
        (Classic.from_picture("2 . X .\nX X X .\n. . . .\n. . 1 ."), {"/b4"}, 1),
        # Step away from the exit that is about to be closed, then close the other's.
        (Isola.from_picture("B X . .\n. X . .\nX X . .\n. . A ."), {"/a3"}, 1),
        # Take the cell that the opponent needs.
        (Knights.from_picture("2 X X X\nX X . X\n1 X X X\nX X . X"), {"c3"}, 1),
        # The last piece goes off.
        (Slider.from_picture("+ + + +\n+ + + H\nV + + +\n+ + + +"), {"d3-off"}, 1),
        # Bar the way: V needs one step, H two.
        (Slider.from_picture("+ + + +\nH V + +\n+ + + +\n+ + + +", to_move=1), {"b3-b4"}, 3),
    ],
)
def test_tactics_are_found(position: Position, moves: set[str], plies: int) -> None:
    decision = AllGames().choose(position, Limits(nodes=100_000))
    text = position.notate(decision.move)
    assert any(text == move or (move[0] == "/" and text.endswith(move)) for move in moves), text
    assert decision.proven == plies


def test_a_race_that_is_over_is_not_searched() -> None:
    """Whoever is to move could still move: the other has brought all pieces off."""
    over = Slider.from_picture("+ H H +\n+ B + +\n+ B B +\n+ + + H", to_move=0)
    assert over.outcome()
    with pytest.raises(ValueError, match="the game is over"):
        ALL.choose(over, Limits(depth=2))


@given(st.sampled_from(list(VARIANTS)), st.randoms(use_true_random=False), st.integers(0, 40))
@settings(max_examples=40)
def test_any_position_gets_a_legal_line(game: str, lot: Random, plies: int) -> None:
    position = play_at_random(VARIANTS[game].start(**random_options(game, lot)), plies, lot)
    for engine in (ALL, PlainEngine()):
        limits = Limits(nodes=500, depth=6)
        if position.outcome():
            with pytest.raises(ValueError, match="the game is over"):
                engine.choose(position, limits)
        else:
            assert_legal(position, engine.choose(position, limits))


@pytest.mark.parametrize("game", VARIANTS)
def test_the_same_seed_and_limit_give_the_same_move(game: str) -> None:
    position = begun(game)
    for handicap in (Handicap(), Handicap(noise=50, blind=60, seed=5)):
        decisions = {
            AllGames().choose(position, Limits(nodes=20_000), handicap=handicap) for _ in range(3)
        }
        assert len(decisions) == 1


@pytest.mark.parametrize("game", COMPILED)
def test_seeds_make_a_weak_player_vary(game: str) -> None:
    position = begun(game)
    handicaps = [Handicap(noise=300, blind=60, seed=seed) for seed in range(1, 30)]
    decisions = [ALL.choose(position, Limits(depth=1), handicap=one) for one in handicaps]
    assert len({decision.move for decision in decisions}) > 2
    assert all(decision.proven is None for decision in decisions)


@pytest.mark.parametrize("game", COMPILED)
def test_a_node_limit_is_kept(game: str) -> None:
    decision = ALL.choose(begun(game), Limits(nodes=50_000))
    assert 10_000 < decision.nodes <= 50_000 + 5_000


@pytest.mark.parametrize("engine", [ALL, PlainEngine()])
@pytest.mark.parametrize("game", COMPILED)
def test_a_search_can_be_stopped(engine: Engine, game: str) -> None:
    """A search without limits goes on until it is stopped, and answers with what it has."""
    position = begun(game)
    deep = threading.Event()
    answers: list[Decision] = []

    def report(number: int, decision: Decision) -> None:
        if decision.depth >= 3:
            deep.set()

    flag = StopFlag()
    limits = Limits(stop=flag)
    thread = threading.Thread(
        target=lambda: answers.append(engine.choose(position, limits, report=report))
    )
    thread.start()
    assert deep.wait(60)
    flag.set()
    thread.join(60)
    assert answers[0].depth >= 3
    assert_legal(position, answers[0])


@pytest.mark.parametrize("engine", [ALL, PlainEngine()])
@pytest.mark.parametrize("game", COMPILED)
def test_a_search_that_is_stopped_before_it_begins_has_a_move(engine: Engine, game: str) -> None:
    flag = StopFlag()
    flag.set()
    position = begun(game)
    decision = engine.choose(position, Limits(stop=flag))
    assert decision.depth == 1
    assert_legal(position, decision)


@pytest.mark.parametrize("game", VARIANTS)
def test_analysis_gives_the_best_few_moves(game: str) -> None:
    position = play_at_random(VARIANTS[game].start(), 2, Random(4))
    for engine in (ALL, PlainEngine()):
        decisions = engine.analyse(position, Limits(nodes=30_000, depth=3), lines=3)
        moves = [decision.move for decision in decisions]
        assert len(set(moves)) == len(moves) == min(3, position.count_moves())
        scores = [decision.score for decision in decisions]
        assert scores == sorted(scores, reverse=True)
        for decision in decisions:
            assert_legal(position, decision)


@pytest.mark.parametrize(
    "position",
    [
        Classic.start(60, 60),
        Classic.start(2, 40),
        Isola.start(29),
        Knights.start(12, 12),
        Slider.start(11),
    ],
    ids=lambda position: f"{position.game}{position.grid.width}x{position.grid.height}",
)
def test_boards_too_large_for_a_core_are_played_all_the_same(position: Position) -> None:
    assert_legal(position, ALL.choose(position, Limits(nodes=50, depth=2)))


def test_without_the_compiler_the_plain_engine_plays_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(all_games, "has_compiler", lambda: False)
    for _ in range(2):
        position = VARIANTS["slider"].start()
        assert_legal(position, AllGames().choose(position, Limits(depth=2)))
    assert caplog.text.count("numba is not installed") == 1


def test_slider_sees_a_repetition_coming() -> None:
    """With the history the same circle is a tie, and a player who is ahead leaves it."""
    record = GameRecord.begin("slider", {"size": 4}).replay(["a2-b2", "b1-a1"])
    record = record.replay(["b2-b3", "a1-b1", "b3-b2", "b1-a1", "b2-b3", "a1-b1"])
    decision = CORES["slider"].choose(record.position, Limits(nodes=50_000), record.positions[:-1])
    assert record.position.notate(decision.move) != "b3-b2"


def test_slider_remembers_what_has_occurred_twice_however_long_ago() -> None:
    """Hundreds of moves up and down and to and fro, none of them forward."""
    rows = combinations(range(1, 10), 2)
    history = [
        Slider.from_dict(
            {
                "game": "slider",
                "board": ["H+++++++++" if row in pair else "++++++++++" for row in range(9)]
                + ["++++++++++"[:column] + "V" + "++++++++++"[column + 1 :]],
                "to_move": 0,
            }
        )
        for pair in rows
        for column in range(10)
    ]
    twice = history[0]
    space = CORES["slider"]._lay_out(history[-1], [twice, *history[:-1]])
    assert len(history) > 300
    alone = CORES["slider"]._lay_out(history[-1], [twice])
    assert alone[0]["past"][0] in space[0]["past"]
