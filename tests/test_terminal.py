"""The command line: games played through it, counts, replays, and bad input of all kinds."""

import json
import os
import pty
import re
import select
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from isolation.rules import VARIANTS, GameRecord, read_record, write_record
from isolation.terminal.commands import COMMANDS
from tests.terminal import ROOT, command, run

SESSION = """\
--- Isolation Game Starts ---
Available squares: 1-13

Player1's turn.
Available squares to claim: 1-13
Enter the square number you want to claim: 7
Player1 claims square 7.

Player2's turn.
Available squares to claim: 1-5,9-13
Enter the square number you want to claim: claim 4
Player2 claims square 4.

Player1's turn.
Available squares to claim: 1-2,9-13
Enter the square number you want to claim: 10
Player1 claims square 10.

Player2's turn.
Available squares to claim: 1-2,12-13
Enter the square number you want to claim: Player2: claim 1
Player2 claims square 1.

Player1's turn.
Available squares to claim: 12-13
Enter the square number you want to claim: 12
Player1 claims square 12.

Player2's turn.
Available squares to claim: none
No valid squares to claim. Player2 cannot make a move.

Game Over: Player1 wins!
"""


def test_linear_reads_as_its_text() -> None:
    done = run("play", "linear", answers="7\nclaim 4\n10\nPlayer2: claim 1\n12\n")
    lines = done.stdout.splitlines(keepends=True)
    boards = [line for line in lines if line.startswith("[")]
    assert "".join(line for line in lines if not line.startswith("[")) == SESSION
    assert len(boards) == 6
    assert all(line.count("[") == 13 for line in boards)
    assert boards[-1] == (
        "[P2] 1 [ ] 2 [ ] 3 [P2] 4 [ ] 5 [ ] 6 [P1] 7 [ ] 8 [ ] 9 [P1] 10 [ ] 11 [P1] 12 [ ] 13\n"
    )
    assert done.returncode == 0


def test_linear_gives_another_try() -> None:
    answers = "seven\n\n14\nclaim\nclaim 99\n7\n7\n8\nPlayer1: claim 1\nhelp\n4\nresign\n"
    done = run("play", "linear", answers=answers)
    for words in (
        "seven is not a square: squares are 1 to 13.",
        "write a move like 1.",
        "14 is not on the board.",
        "99 is not on the board.",
        "square 7 is claimed already.",
        "square 8 is next to 7, which is claimed.",
        "it is Player2's turn.",
        "Player2 claims square 4.",
        "Game Over: Player2 wins!",
    ):
        assert words in done.stdout


def test_a_board_game_square_by_square() -> None:
    answers = "moves\nc7\n\nc7\nc9\nc7\nd4\nd2/d3\n/a1\nquit\n"
    done = run("play", "classic", answers=answers)
    assert "b7 c7 d7 b8 d8" in done.stdout
    prompt = "c7: now block a square, or nothing to take it back: "
    assert f"{prompt}c9\nc9 is not on the board." in done.stdout
    assert "you are on c7: block another square." in done.stdout
    assert "Player 1 plays c7/d4." in done.stdout
    assert "Player 2 plays d2/d3." in done.stdout
    assert "you must move before you block." in done.stdout
    assert " 4 │   │   │   │███│   │   │ 4" in done.stdout
    assert done.stdout.endswith("The game is left unfinished.\n")
    assert done.returncode == 0


@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.parametrize("players", [("random", "greedy"), ("greedy", "random"), ("2", "1")])
def test_computers_play_to_the_end(game: str, players: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    arguments = ["play", game, "--p1", players[0], "--p2", players[1], "--seed", "4"]
    done = run(*arguments, "--save", str(file))
    assert "game over" in done.stdout.lower()
    record = read_record(file.read_text(encoding="utf-8"))
    assert record.outcome
    assert record.tags == {"Player1": players[0], "Player2": players[1]}
    assert run(*arguments).stdout == done.stdout


def test_a_level_that_a_game_does_not_have_is_refused() -> None:
    done = run("play", "linear", "--p2", "8")
    assert done.returncode == 2
    assert "level must be a number from 1 to 5" in done.stderr


def test_greedy_beats_random(tmp_path: Path) -> None:
    """Greedy is no joke: over eight games of each kind it wins most, from either side."""
    for game in ("classic", "knights", "isola", "slider"):
        wins = 0
        for seed in range(8):
            kinds = ("greedy", "random") if seed % 2 else ("random", "greedy")
            file = tmp_path / f"{game}{seed}.txt"
            players = ["--p1", kinds[0], "--p2", kinds[1], "--seed", str(seed)]
            run("play", game, *players, "--save", str(file))
            outcome = read_record(file.read_text(encoding="utf-8")).outcome
            assert outcome
            wins += outcome.winner is not None and kinds[outcome.winner] == "greedy"
        assert wins >= 6, game


def test_against_the_computer() -> None:
    done = run("play", "linear", "--p2", "random", "--seed", "1", answers="7\nquit\n")
    assert done.stdout.count("Player2 claims square") == 1


def test_a_forced_pass_plays_itself() -> None:
    blocks = ["0,0", *(f"1,{row}" for row in range(1, 4)), *(f"{column},1" for column in (2, 3))]
    done = run("play", "slider", "--size", "4", "--blocks", *blocks)
    assert "Player 1 (H) has no move and passes." in done.stdout
    assert "Player 2 (V) has no move and passes." in done.stdout
    assert "Game over: a tie (two passes in a row)." in done.stdout


def test_options_reach_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    for arguments, expected in [
        (["isola", "--size", "9", "--starts", "fixed"], {"size": 9, "starts": "fixed"}),
        (
            ["slider", "--size", "5", "--blocks", "1,1", "c4", "--first", "v"],
            {"size": 5, "blocks": ((1, 1), (2, 3)), "first": "V"},
        ),
        (["linear", "--length", "20", "--first", "2"], {"length": 20, "first": 2}),
    ]:
        run("play", *arguments, "--save", str(file))
        assert read_record(file.read_text(encoding="utf-8")).options == expected


def test_random_options_are_drawn_by_the_seed(tmp_path: Path) -> None:
    file, seen = tmp_path / "game.txt", set()
    arguments = ["play", "slider", "--size", "random", "--blocks", "random", "--first", "random"]
    for seed in ("1", "2", "3", "1"):
        run(*arguments, "--seed", seed, "--save", str(file))
        seen.add(file.read_text(encoding="utf-8"))
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "isola", "--size", "8"], "size must be an odd number from 7 to 27, not 8"),
        (["play", "isola", "--size", "x"], "size must be an odd number from 7 to 27, not x"),
        (["play", "classic", "--size", "8"], "classic has no option size (it has: starts)"),
        (["play", "slider", "--blocks", "9,9"], "block 9,9 is not on the board"),
        (["play", "slider", "--blocks", "a2"], "block 0,1 is where a piece starts"),
        (["perft", "isola", "1", "--size", "random"], "size must be an odd number"),
        (["perft", "isola", "0"], "'0' is not a depth from 1 to 99"),
        (["perft", "isola", "x"], "'x' is not a depth from 1 to 99"),
        (["perft", "chess", "1"], "invalid choice: 'chess'"),
        (["replay", "no/such/file"], "no/such/file: No such file or directory"),
        (["replay", "tests"], "tests: Is a directory"),
        (["play", "linear", "--save", "no/such/file"], "no/such/file: No such file or directory"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_bad_arguments_get_one_clear_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert message in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["classic", "2"], ["1 230", "2 50625"]),
        (["isola", "1", "--size", "27"], ["1 3635"]),
        (["slider", "5", "--size", "4"], ["1 4", "2 14", "3 79", "4 438", "5 2358"]),
        (["slider", "2", "--blocks", "1,1", "2,2"], ["1 5", "2 24"]),
        (["linear", "3", "--length", "5"], ["1 5", "2 12", "3 6"]),
        (["knights", "3"], ["1 99", "2 9702", "3 55096"]),
    ],
)
def test_perft_prints_a_line_per_depth(arguments: list[str], lines: list[str]) -> None:
    assert run("perft", *arguments).stdout.splitlines() == lines


def test_variants_lists_games_and_options() -> None:
    listing = run("variants").stdout
    for variant in VARIANTS.values():
        assert f"\n{variant.key}" in f"\n{listing}"
        for option in variant.options:
            assert f"--{option.name}" in listing


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    record = GameRecord.begin("linear", tags={"Player1": "Ann"}).replay(["7", "4", "10", "1", "12"])
    file.write_text(write_record(record), encoding="utf-8")
    return file


def test_replay_steps(saved: Path) -> None:
    done = run("replay", str(saved), answers="\n\nb\n4\nx\nf\nl\n\nq\nnever read")
    heads = [line for line in done.stdout.splitlines() if line[:2] in {f"{n}." for n in range(9)}]
    assert heads == [
        "0. The start",
        "1. Player 1: 7",
        "2. Player 2: 4",
        "1. Player 1: 7",
        "4. Player 2: 1",
        "4. Player 2: 1",
        "0. The start",
        "5. Player 1: 12",
        "5. Player 1: 12",
    ]
    assert "Player1: Ann" in done.stdout
    assert "'x' is not known here." in done.stdout
    assert "The end of the record: 1-0, Player 2 has no moves." in done.stdout


def test_replay_all_and_replay_at_the_end_of_input(saved: Path) -> None:
    assert run("replay", str(saved), "--all").stdout.count("[ ] 2") == 6
    assert run("replay", str(saved)).returncode == 0


def test_replay_reads_json(saved: Path) -> None:
    text = run("replay", str(saved), "--all").stdout
    record = read_record(saved.read_text(encoding="utf-8"))
    saved.write_text(json.dumps(record.to_dict()), encoding="utf-8")
    assert run("replay", str(saved), "--all").stdout == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "is not a text file"),
        (b"{", "is not JSON"),
        (b"{" * 100_000, "is not JSON"),
        (b'{"game": "chess"}', "there is no game chess"),
        (b"hello", "a record begins with its game"),
        (b'[Game "classic"]\n\n1. c9/a1', "c9 is not on the board"),
        (b" " * 1_000_001, "is too large for a record"),
        (b'{"game": ' + b"9" * 5000 + b"}", "is not a record"),
        (b"{}", "a record needs game"),
    ],
)
def test_bad_files_get_one_clear_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "bad"
    file.write_bytes(content)
    done = run("replay", str(file))
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.returncode == 2


def test_end_of_input_ends_cleanly(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    done = run("play", "classic", "--save", str(file), answers="c7/d4\nd2")
    assert done.stdout.endswith("The game is left unfinished.\n")
    assert done.returncode == 0
    assert read_record(file.read_text(encoding="utf-8")).notation() == ["c7/d4"]


def test_bytes_that_are_no_text_get_another_try() -> None:
    done = run("play", "linear", answers=b"\xff\xfe\n7\n")
    assert "is not a square" in done.stdout
    assert "Player1 claims square 7." in done.stdout


def test_a_terminal_without_unicode() -> None:
    done = run("play", "classic", answers="c7/d4\né\n", PYTHONIOENCODING="ascii")
    assert "+---+---+" in done.stdout
    assert "|###|" in done.stdout
    assert done.stdout.isascii()


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_input_or_output(closed: str) -> None:
    shell = " ".join(command("play", "classic"))
    done = subprocess.run(
        f"{shell} {closed}", shell=True, cwd=ROOT, capture_output=True, text=True, input="c7/d4\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_goes_away() -> None:
    pipeline = " ".join(command("play", "isola", "--p1", "random", "--p2", "random"))
    done = subprocess.run(
        f"{pipeline} | head -n 1", shell=True, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.startswith("Isola")
    assert done.stderr == ""


def test_ctrl_c_ends_cleanly_and_keeps_the_record(tmp_path: Path) -> None:
    """In a real terminal: a pseudo terminal, a move, then the interrupt."""
    file = tmp_path / "game.txt"
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        command("play", "linear", "--save", str(file)),
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # it may be ignored here
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
    )
    os.close(theirs)
    seen = read_until(ours, "Enter the square")
    os.write(ours, b"7\n")
    seen += read_until(ours, r"claim: 1-5,9-13[^:]*Enter the square[^:]*: ")
    assert read_record(file.read_text(encoding="utf-8")).notation() == ["7"]
    interrupt(child)
    seen += read_until(ours, r"Stopped\.")
    assert child.returncode == 130
    os.close(ours)
    assert "Traceback" not in seen
    assert read_record(file.read_text(encoding="utf-8")).notation() == ["7"]


def interrupt(child: subprocess.Popen[bytes]) -> None:
    """Ctrl-C, and again as a person would: the line editor can miss one as it sets itself up."""
    for _ in range(20):
        child.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            child.wait(timeout=1)
            return


def read_until(terminal: int, words: str) -> str:
    seen = ""
    while not re.search(words, seen):
        ready, _, _ = select.select([terminal], [], [], 20)
        assert ready, f"nothing more came after {seen!r}"
        seen += os.read(terminal, 4096).decode()
    return seen


def test_every_command_has_help() -> None:
    for name, entry in COMMANDS.items():
        done = run(name, "--help")
        assert (entry.__doc__ or "") in " ".join(done.stdout.split())
        assert done.returncode == 0
