"""`python -m isolation solve`: what it says, what it keeps, and what it refuses."""

from pathlib import Path

import pytest

from isolation.engines.solving.files import TableFile
from isolation.engines.solving.slider import Board
from isolation.rules.slider import Slider
from isolation.terminal.main import main
from tests.terminal import run


def solve(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that the command prints, and those of an error."""
    main(["solve", *arguments])
    out, err = capsys.readouterr()
    return (out + err).splitlines()


def test_slider_goes_into_a_file_that_is_not_made_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new" / "board.table"
    arguments = ("slider", "--size", "3", "--blocks", "b2", "--out", str(path))
    first = solve(capsys, *arguments)
    assert first[0].startswith("slider 3×3: ")
    assert "100 %" in first
    assert first[-2:] == ["H moves first: a tie", "V moves first: a tie"]
    again = solve(capsys, *arguments)
    assert again == [first[0], *first[-2:]]
    table = TableFile(path).read()
    assert table is not None
    assert table.board == Board.whole(Slider.start(3, [(1, 1)]))


def test_endgames_of_larger_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.table"
    solve(capsys, "slider", "--size", "8", "--pieces", "1", "--out", str(path))
    table = TableFile(path).read()
    assert table is not None
    assert table.board.pieces == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ("classic --size 4x3", "classic 4×3: Player 1 wins in 7 plies"),
        ("isola --size 3", "isola 3×3: Player 1 wins in 5 plies"),
        ("knights --size 3", "knights 3×3: Player 2 wins"),
        ("linear --size 13", "linear 13: Player 1 wins, in 11 plies at the most"),
    ],
)
def test_who_wins(arguments: str, answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer in solve(capsys, *arguments.split())


def test_knights_without_a_middle_square_is_won_by_mirroring(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (line,) = solve(capsys, "knights", "--size", "10x9")
    assert line.startswith("knights 10×9: Player 2 wins.")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("slider --size 6", "this takes 366.7 GB, and the limit is 4 GB"),
        ("slider --size 4x5", "a slider board that can be solved is 2x2 to 8x8"),
        ("slider --size 4 --pieces 4", "on this board there are 1 to 3 pieces each"),
        ("slider --size 4 --blocks 0,1", "where a piece starts"),
        ("classic --size 5x6 --memory 0.01", "and the limit is 0.0 GB"),
        ("classic --size 6x8", "48 squares are open, and 30 at the most can be solved"),
        ("classic --size 3 --blocks 1,1", "--blocks is for slider"),
        ("isola --size 3x4", "as many rows as columns"),
        ("knights --size 9", "63 squares or less"),
    ],
)
def test_what_can_not_be_solved(
    arguments: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert problem in solve(capsys, *arguments.split())[-1]


@pytest.mark.parametrize("arguments", ["--size x", "--size 3 --memory 0", "--size 3 --memory much"])
def test_bad_arguments_are_explained(arguments: str) -> None:
    done = run("solve", "classic", *arguments.split())
    assert done.returncode == 2
    assert "is not a" in done.stderr


@pytest.mark.parametrize(
    ("game", "position", "answer"),
    [
        ("classic", "..1X/.2../XX.. 1", "Player 1 wins with c2/b3"),
        ("classic", "1.X/XXX/2.. 1", "Player 1 wins with b3/b1"),
        ("knights", "1..X/..X./2... 2", "Player 1 wins, whatever is played"),
        ("slider", "+++/H++/+VV 1", "Player 1 wins with a2-b2"),
        ("linear", "....... 1", "Player 1 wins with 2"),
    ],
)
def test_a_position_is_proven(
    game: str, position: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["prove", game, position])
    assert capsys.readouterr().out.strip() == answer


@pytest.mark.parametrize("arguments", [("classic", "x-/-o x"), ("classic", "hello")])
def test_a_position_that_cannot_be_proven(
    arguments: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prove", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_takes_too_long_is_not_claimed(capsys: pytest.CaptureFixture[str]) -> None:
    start = "..1.../....../....../....../....../....../....../...2.. 1"
    main(["prove", "classic", start, "--seconds", "0.1"])
    assert capsys.readouterr().out.strip() == "Not proven in 0.1 s"
