"""Several lines at once: searched depth by depth, streamed as they finish, one coherent set."""

from random import Random

import pytest

from isolation.engines.all_games import COMPILED, AllGames
from isolation.engines.deepening import MOST_LINES
from isolation.engines.engine import Decision, Engine, Handicap, Limits, StopFlag
from isolation.engines.go import MOST_SEARCHMOVES
from isolation.engines.jumping import JumpingEngine
from isolation.engines.lines import Lines
from isolation.engines.plain import PlainEngine
from isolation.engines.scores import GUESS, MATE
from isolation.rules import VARIANTS, Position
from isolation.rules.classic import Classic
from isolation.rules.knights import Knights
from tests.playing import play_at_random
from tests.solving import best_of, solve_moves

ALL = AllGames()
ENGINES = pytest.mark.parametrize("engine", [ALL, PlainEngine()], ids=["all", "plain"])


class Screen:
    """What somebody who reads the reports has in front of them."""

    def __init__(self) -> None:
        self.reports: list[tuple[int, Decision]] = []
        self.lines: dict[int, Decision] = {}

    def report(self, number: int, decision: Decision) -> None:
        self.reports.append((number, decision))
        self.lines[number] = decision

    def shows(self, decisions: list[Decision]) -> bool:
        """Whether the latest line of each number is what was returned, but for later nodes."""
        shown = [self.lines[number] for number in sorted(self.lines)]
        return list(map(essence, shown)) == list(map(essence, decisions))


def essence(decision: Decision) -> tuple[object, ...]:
    return decision.line, decision.score, decision.depth


def line(move: int, score: int, depth: int) -> Decision:
    return Decision((move,), score, depth, 1, ((move,),))


def begun(game: str) -> Position:
    return play_at_random(VARIANTS[game].start(), 4, Random(9))


def assert_coherent(position: Position, decisions: list[Decision], size: int = 3) -> None:
    moves = [decision.move for decision in decisions]
    assert len(set(moves)) == len(moves) == min(size, position.count_moves())
    for decision in decisions:
        after = position
        for move in decision.line:
            after = after.play(move)
    guesses = [decision for decision in decisions if decision.proven is None]
    depths = [decision.depth for decision in guesses]
    assert depths == sorted(depths, reverse=True)
    assert not depths or depths[0] - depths[-1] <= 1
    for depth in depths:
        scores = [decision.score for decision in guesses if decision.depth == depth]
        assert scores == sorted(scores, reverse=True)


def test_a_depth_that_is_cut_short_leaves_a_whole_set() -> None:
    screen = Screen()
    lines = Lines(3, screen.report)
    assert lines.deepen() == 3
    for decision in (line(1, 50, 1), line(2, 40, 1), line(3, 30, 1)):
        lines.add(decision)
    assert lines.deepen() == 3
    assert lines.expected == line(1, 50, 1)
    lines.add(line(2, 10, 2))
    assert lines.best == [line(2, 10, 2), line(1, 50, 1), line(3, 30, 1)]
    assert lines.taken == [line(2, 10, 2)]
    assert lines.expected == line(1, 50, 1)
    assert screen.shows(lines.best)
    lines.add(line(4, 20, 2))
    assert lines.best == [line(4, 20, 2), line(2, 10, 2), line(1, 50, 1)]
    assert screen.shows(lines.best)


def test_a_better_move_within_a_depth_is_shown_but_not_taken() -> None:
    screen = Screen()
    lines = Lines(2, screen.report)
    lines.deepen()
    lines.add(line(1, 50, 1))
    lines.add(line(2, 40, 1))
    lines.deepen()
    lines.improve(line(3, 20, 2))
    assert lines.best == [line(3, 20, 2), line(1, 50, 1)]
    assert screen.shows(lines.best)
    assert lines.taken == []
    assert lines.expected == line(1, 50, 1)
    lines.improve(line(2, 30, 2))
    lines.add(line(2, 30, 2))
    assert lines.best == [line(2, 30, 2), line(1, 50, 1)]
    assert screen.shows(lines.best)


def test_where_moves_are_left_out_a_loss_is_a_bad_guess_and_searched_no_more() -> None:
    lines = Lines(1, None, is_partial=True)
    lines.deepen()
    lines.add(line(1, 6 - MATE, 3))
    assert (lines.best[0].score, lines.best[0].proven) == (-GUESS, None)
    assert lines.deepen() == 0


def test_proven_lines_at_the_top_are_searched_no_more() -> None:
    lines = Lines(3, None)
    lines.deepen()
    for decision in (line(1, MATE - 3, 3), line(2, 40, 3), line(3, 6 - MATE, 3)):
        lines.add(decision)
    assert lines.deepen() == 2
    lines.add(line(2, MATE - 1, 4))
    lines.add(line(3, 6 - MATE, 4))
    assert [decision.move for decision in lines.best] == [(2,), (1,), (3,)]
    assert lines.deepen() == 0


def test_nothing_is_better_than_what_is_known_to_be_best() -> None:
    lines = Lines(2, None, line(7, 4 - MATE, 4))
    assert lines.deepen() == 1
    lines.add(line(8, 25, 1))
    assert [decision.proven for decision in lines.best] == [-4, -4]
    assert lines.best[0].move == (7,)
    assert lines.deepen() == 0


@ENGINES
@pytest.mark.parametrize("game", VARIANTS)
def test_all_lines_are_searched_at_each_depth(engine: Engine, game: str) -> None:
    screen, position, most = Screen(), begun(game), 3 if engine is ALL else 2
    decisions = engine.analyse(position, Limits(depth=most), 3, report=screen.report)
    assert_coherent(position, decisions)
    assert screen.shows(decisions)
    if game in COMPILED:
        assert {decision.depth for decision in decisions} == {most}
        for depth in range(1, most + 1):
            assert {number for number, shown in screen.reports if shown.depth == depth} == {1, 2, 3}


@ENGINES
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("game", COMPILED)
def test_an_endless_analysis_can_be_stopped_anywhere(
    engine: Engine, game: str, number: int
) -> None:
    """Right after a line is done: that line stays, and the best is never a shallower one."""
    screen, flag, position = Screen(), StopFlag(), begun(game)
    deep = 4 if engine is ALL else 2

    def report(at: int, decision: Decision) -> None:
        screen.report(at, decision)
        if at == number and decision.depth == deep:
            flag.set()

    decisions = engine.analyse(position, Limits(stop=flag), 3, report=report)
    assert_coherent(position, decisions)
    assert screen.shows(decisions)
    assert all(decision.depth >= deep for decision in decisions[:number])


@ENGINES
@pytest.mark.parametrize("game", COMPILED)
def test_an_analysis_that_is_stopped_before_it_begins_is_whole(engine: Engine, game: str) -> None:
    flag = StopFlag()
    flag.set()
    decisions = engine.analyse(begun(game), Limits(stop=flag), 3)
    assert_coherent(begun(game), decisions)
    assert {decision.depth for decision in decisions} == {1}


@ENGINES
@pytest.mark.parametrize("game", COMPILED)
def test_cut_short_anywhere_it_is_a_coherent_set(engine: Engine, game: str) -> None:
    """The limit is for all lines together, and the reports add up to what is returned."""
    position = begun(game)
    for nodes in range(2000, 6000, 500):
        screen = Screen()
        decisions = engine.analyse(position, Limits(nodes=nodes), 3, report=screen.report)
        assert_coherent(position, decisions)
        assert screen.shows(decisions)
        assert decisions[0].nodes <= nodes + 1000


@ENGINES
@pytest.mark.parametrize("game", VARIANTS)
def test_one_line_is_the_same_as_choosing(engine: Engine, game: str) -> None:
    for limits in (Limits(depth=2), Limits(nodes=3000)):
        decision = engine.choose(begun(game), limits)
        assert [decision] == engine.analyse(begun(game), limits, 1)


@pytest.mark.parametrize("game", COMPILED)
def test_the_first_of_several_lines_is_as_good_as_a_single_one(game: str) -> None:
    """To the same depth it finds the same score, but for what late moves are searched less."""
    position = begun(game)
    single = ALL.choose(position, Limits(depth=2))
    assert ALL.analyse(position, Limits(depth=2), 4)[0].score == single.score


@pytest.mark.parametrize("game", VARIANTS)
def test_a_weak_player_has_lines_of_its_own(game: str) -> None:
    handicap = Handicap(noise=50, blind=60, seed=5)
    decisions = ALL.analyse(begun(game), Limits(depth=1), 3, handicap=handicap)
    assert_coherent(begun(game), decisions)


def test_more_lines_than_there_are_moves() -> None:
    position = Classic.from_picture("1 . X\nX X X\n. 2 X")
    for engine in (ALL, PlainEngine()):
        assert_coherent(position, engine.analyse(position, Limits(depth=4), 99), 99)
    vast = VARIANTS["isola"].start(size=27)
    assert len(ALL.analyse(vast, Limits(depth=1), 1000)) >= 20


@pytest.mark.parametrize(
    "position",
    [
        Classic.from_picture("1 . .\nX X X\n. 2 ."),
        Classic.from_picture("1 . X\nX X X\n. 2 ."),
        Knights.from_picture("X X X . X\nX 1 X X 2\n. X X . .\nX X . . X\nX X X . X"),
        Knights.start(4, 4).play((5,)),
    ],
    ids=["apart", "apart and lost", "knights", "mirrored"],
)
def test_what_is_known_without_a_search_comes_first(position: Position) -> None:
    values = solve_moves(position)
    decisions = ALL.analyse(position, Limits(nodes=20_000), 3)
    assert_coherent(position, decisions)
    assert decisions[0].proven is not None
    assert (decisions[0].proven > 0) == (best_of(list(values.values())).sign > 0)
    for decision in decisions:
        if decision.proven is not None:
            assert (decision.proven > 0) == (values[decision.move].sign > 0)
            assert abs(decision.proven) >= values[decision.move].plies


def test_the_opening_that_knights_knows_stands_above_what_it_searches() -> None:
    screen = Screen()
    decisions = JumpingEngine().analyse(
        Knights.start(), Limits(nodes=5000), 3, report=screen.report
    )
    assert decisions[0].move == (49,)
    assert all(decision.score <= decisions[0].score for decision in decisions)
    assert screen.shows(decisions)


def test_a_core_holds_all_moves_that_can_be_searched_alone() -> None:
    assert MOST_SEARCHMOVES == MOST_LINES
    position = begun("isola")
    only = tuple(position.legal_moves()[:MOST_SEARCHMOVES])
    decisions = ALL.analyse(position, Limits(depth=2, moves=only), MOST_LINES)
    assert {decision.move for decision in decisions} <= set(only)


def test_a_weak_player_answers_with_one_of_the_moves_it_may_make() -> None:
    """Here it overlooks all blocks that are far away, and may make no other move."""
    start = VARIANTS["classic"].start()
    only = (start.parse("c7/c6"), start.parse("d7/e8"))
    for seed in range(1, 20):
        weak = Handicap(noise=100, blind=250, seed=seed)
        decision = ALL.choose(start, Limits(depth=1, moves=only), handicap=weak)
        assert decision.move in only
