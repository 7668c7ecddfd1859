"""Solved slider boards against a plain solver over the rules, and the engine that plays by them."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from benchmarks.proofs import cases
from isolation.engines.all_games import AllGames
from isolation.engines.engine import Limits
from isolation.engines.solving.files import BadFile, TableFile, file_of, stock
from isolation.engines.solving.shelf import Shelf
from isolation.engines.solving.slider import Board, SliderTable
from isolation.rules import VARIANTS
from isolation.rules.slider import Slider
from tests.playing import random_move
from tests.solving import best_of, solve_cyclic

ENGINE = AllGames()
PLACES = [(0, 0), (1, 1), (1, 2), (2, 1), (2, 2)]
LAYOUTS = [places for count in range(6) for places in combinations(PLACES, count)]


@pytest.mark.parametrize("blocks", LAYOUTS)
def test_every_position_of_3_by_3(blocks: tuple[tuple[int, int], ...]) -> None:
    """With every choice of blocks, either player to move, distances included."""
    start = Slider.start(3, blocks)
    table = SliderTable(Board.whole(start)).solve()
    for first in (start, replace(start, to_move=1)):
        for position, exact in solve_cyclic(first).items():
            assert tuple(table.value(position)) == tuple(exact), position


def test_4_by_4_without_blocks_is_a_tie() -> None:
    start = Slider.start(4)
    table = SliderTable(Board.whole(start)).solve()
    assert table.entries.size < 1_000_000
    assert [table.value(replace(start, to_move=side)).sign for side in (0, 1)] == [0, 0]


def test_the_engine_is_right_about_every_move_whatever_has_been() -> None:
    """Positions with histories that repeat, most of them in circles."""
    for case in cases("slider", 30):
        lines = ENGINE.analyse(case.position, Limits(depth=1), 30, case.history)
        assert len(lines) == len(case.values)
        for line in lines:
            exact = case.values[line.move]
            assert line.proven == (exact.sign * exact.plies or None)
        best, played = best_of(list(case.values.values())), case.values[lines[0].move]
        assert (played.sign, played.plies * played.sign) == (best.sign, best.plies * best.sign)


def test_a_win_is_played_to_its_end_against_any_defence() -> None:
    lot, won = Random(4), 0
    for case in cases("slider", 25):
        position, mover = case.position, case.position.to_move
        claim = ENGINE.choose(position, Limits(nodes=1), case.history).proven or 0
        history = list(case.history)
        for _ in range(max(0, claim)):
            move = random_move(position, lot)
            if position.to_move == mover:
                move = ENGINE.choose(position, Limits(nodes=1), history).move
            history.append(position)
            position = position.after(move)
            if outcome := position.outcome():
                assert outcome.winner == mover
                won += 1
                break
        else:
            assert claim <= 0
    assert won > 5


def test_a_table_is_taken_up_where_it_was_left(tmp_path: Path) -> None:
    board = Board.whole(Slider.start(3, [(1, 1)]))
    file = TableFile(tmp_path / "board.table")

    def stop_early(rows: int, total: int) -> None:
        if rows > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        file.solve(board, stop_early)
    assert file.read() is None
    later: list[int] = []
    file.solve(board, lambda rows, total: later.append(rows))
    assert later[0] > board.shape[0] // 2
    table = file.read()
    assert table is not None
    assert (table.entries == SliderTable(board).solve().entries).all()


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "board.table"
    path.write_text("hello")
    with pytest.raises(BadFile, match="isn't a table"):
        TableFile(path).read()
    path.unlink()
    TableFile(path).solve(Board.whole(Slider.start(3)))
    with pytest.raises(BadFile, match="another board"):
        TableFile(path).solve(Board.whole(Slider.start(3, [(1, 1)])))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(BadFile, match="cut short"):
        TableFile(path).read()


def test_engines_find_what_was_solved_before(tmp_path: Path) -> None:
    """And what they work out around dead positions stays out of the file."""
    start = Slider.start(5)
    few = Slider.from_picture("+ + + + +\n+ + V + +\n+ + + + +\n+ H + + +\n+ + + + +")
    board = Board(start.grid, 0, (1, 1))
    path = tmp_path / file_of(board).name
    TableFile(path).solve(board)
    before = path.read_bytes()
    shelf = Shelf(tmp_path)
    table = shelf.find(few)
    assert table is not None
    assert table.board == board
    assert shelf.find(start) is None
    table.moves(few, [few, few.discarded()])
    table.entries.fill(1)
    assert path.read_bytes() == before


def test_the_boards_that_are_drawn_by_lot_are_in_stock(tmp_path: Path) -> None:
    stock(tmp_path)
    stock(tmp_path)
    assert len(list(tmp_path.iterdir())) == 15
    for seed in range(20):
        options = VARIANTS["slider"].draw({"size": 4, "blocks": "random"}, Random(seed))
        board = Board.whole(Slider.start(4, options["blocks"]))
        table = TableFile(tmp_path / file_of(board).name).read()
        assert table is not None
        assert table.board == board
