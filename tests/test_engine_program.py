"""The engine program over real pipes: its protocol, bad lines, and its end in mid-search."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from queue import Queue
from threading import Thread

import pytest

from isolation.engines.program import COMMANDS
from isolation.rules import VARIANTS
from tests.terminal import ROOT


class Peer:
    """A program that talks to an engine, as a user interface would."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "isolation", "engine"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.lines: Queue[str] = Queue()
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def tell(self, *lines: str) -> None:
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """Everything it says, up to the line that begins with a word."""
        said: list[str] = []
        while not said or said[-1].split(" ")[0] != word:
            said.append(self.lines.get(timeout=60))
        return said

    def error(self, line: str) -> str:
        """What it says to a line that it can't obey."""
        self.tell(line, "isready")
        said = self.until("readyok")
        assert len(said) == 2, said
        return said[0]

    def close(self) -> str:
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(timeout=60)
        self.reader.join()
        assert self.process.stderr
        assert self.process.stdout
        complaint = self.process.stderr.read()
        self.process.stderr.close()
        self.process.stdout.close()
        assert code == 0
        return complaint


@pytest.fixture
def peer() -> Iterator[Peer]:
    peer = Peer()
    yield peer
    assert peer.close() == ""


def test_it_says_who_it_is_and_what_it_takes(peer: Peer) -> None:
    peer.tell("ugi")
    said = peer.until("ugiok")
    assert said[0] == "id name Isolation"
    options = [line.split()[2] for line in said if line.startswith("option name")]
    games = ["Starts", "Size", "Blocks", "First", "Length"]
    assert options == ["Variant", *games, "MultiPV", "Hash", "Threads"]


@pytest.mark.parametrize("game", VARIANTS)
def test_it_plays_every_game(peer: Peer, game: str) -> None:
    peer.tell(f"setoption name Variant value {game}", "position startpos", "go nodes 3000")
    said = peer.until("bestmove")
    start = VARIANTS[game].start()
    start.play(start.parse(said[-1].split()[1]))
    assert said[0].startswith("info depth 1 seldepth ")
    words = said[0].split()
    for name in ("depth", "seldepth", "score", "nodes", "nps", "hashfull", "time", "pv"):
        assert name in words
    assert said[-2].split()[0:1] + said[-2].split()[5:6] == ["info", "nodes"]


def test_options_moves_and_json_make_the_position(peer: Peer) -> None:
    peer.tell(
        "setoption name Variant value isola",
        "setoption name Size value 9",
        "position startpos moves e8/e7 e2/e3",
        "show",
    )
    rows = [peer.lines.get(timeout=60).removeprefix("info string ") for _ in range(10)]
    isola = VARIANTS["isola"].start(size=9)
    for text in ("e8/e7", "e2/e3"):
        isola = isola.play(isola.parse(text))
    assert rows == [*isola.picture().splitlines(), "to move: A"]
    peer.tell(f"position json {json.dumps(isola.to_dict())} moves d7/d6", "show")
    after = isola.play(isola.parse("d7/d6"))
    rows = [peer.lines.get(timeout=60).removeprefix("info string ") for _ in range(10)]
    assert rows == [*after.picture().splitlines(), "to move: B"]


def test_a_fen_makes_the_position(peer: Peer) -> None:
    peer.tell("setoption name Variant value slider")
    peer.tell("position fen 1-2/xo-1/-3/4 x passes=1 moves a3-a4 b3-a3", "show")
    shown = [peer.lines.get(timeout=60).removeprefix("info string ") for _ in range(5)]
    assert shown == ["H B + +", "V + B +", "B + + +", "+ + + +", "to move: H"]


def test_options_come_in_any_order(peer: Peer) -> None:
    """Match runners keep them in tables of their own, and send them as they please."""
    peer.tell("setoption name Size value 9", "setoption name Variant value isola", "show")
    assert len([peer.lines.get(timeout=60) for _ in range(10)]) == 10
    peer.tell("setoption name Variant value slider", "show", "isready")
    assert len(peer.until("readyok")) == 8, "a new game has its defaults"


def answers(peer: Peer, *lines: str) -> list[str]:
    peer.tell(*lines, "query p1turn", "query gameover", "query result", "isready")
    return [line for line in peer.until("readyok") if line.startswith("response")]


def test_it_judges_the_game(peer: Peer) -> None:
    assert answers(peer) == ["response true", "response false", "response none"]
    peer.tell("setoption name Variant value linear")
    played = answers(peer, "position fen 4 x moves 2")
    assert played == ["response false", "response false", "response none"]
    assert answers(peer, "position fen 4 x moves 2 4")[1:] == ["response true", "response p2win"]
    assert answers(peer, "position fen 3 o moves 2")[1:] == ["response true", "response p2win"]
    peer.tell("setoption name Variant value slider")
    there_and_back = "a2-a1 c1-b1 a1-a2 b1-c1"
    twice = answers(peer, f"position fen 3/x2/2o x moves {there_and_back}")
    assert twice == ["response true", "response false", "response none"]
    thrice = f"position fen 3/x2/2o x moves {there_and_back} {there_and_back}"
    assert answers(peer, thrice)[1:] == ["response true", "response draw"]
    stuck = "position fen --1/xo-/-2 x moves pass pass"
    assert answers(peer, stuck)[1:] == ["response true", "response draw"]


def test_only_some_moves_are_searched(peer: Peer) -> None:
    peer.tell("position startpos", "go depth 4 searchmoves b8/a1 d7/e1")
    said = peer.until("bestmove")
    assert said[-1].split()[1] in ("b8/a1", "d7/e1")
    peer.tell("setoption name MultiPV value 5", "go depth 3 searchmoves b8/a1 d7/e1")
    said = peer.until("bestmove")
    numbers = {line.split()[2] for line in said if "multipv" in line}
    assert numbers == {"1", "2"}


def test_a_clock_for_the_whole_game(peer: Peer) -> None:
    for left in (0, 1, 20, 300):
        peer.tell(f"go p1time {left} p2time 9999 p1inc 0 p2inc 0")
        assert peer.until("bestmove")[-1] != "bestmove none"
    peer.tell("go p1time 200 p2time 1 p1inc 10 p2inc 0 movestogo 1")
    peer.until("bestmove")


def test_it_searches_with_a_table_of_any_size(peer: Peer) -> None:
    for size in (1, 3, 100):
        peer.tell(f"setoption name Hash value {size}", "go movetime 30")
        assert peer.until("bestmove")[-1] != "bestmove none"
    peer.tell("setoption name Threads value 1", "uginewgame", "go movetime 30")
    assert peer.until("bestmove")[-1] != "bestmove none"


def test_a_proven_win_is_told(peer: Peer) -> None:
    board = {"game": "slider", "board": ["++++", "+++H", "V+++", "++++"], "to_move": 0}
    peer.tell(f"position json {json.dumps(board)}", "go depth 4")
    said = peer.until("bestmove")
    assert "score win 1 " in said[-3]
    assert said[-1] == "bestmove d3-off"


def test_several_lines_are_streamed_until_stop(peer: Peer) -> None:
    """All lines at each depth, while the search goes on; the last of each number add up."""
    peer.tell("setoption name MultiPV value 3", "position startpos", "go infinite")
    said: list[str] = []
    while not any(line.startswith("info multipv 3 depth 4 ") for line in said):
        said.append(peer.lines.get(timeout=60))
    peer.tell("stop")
    said += peer.until("bestmove")
    latest = {line.split()[2]: line.split() for line in said if " pv " in line}
    assert list(latest) == ["1", "2", "3"]
    moves = [words[words.index("pv") + 1] for words in latest.values()]
    assert len(set(moves)) == 3
    assert said[-1] == f"bestmove {moves[0]}"
    depths = [int(words[4]) for words in latest.values()]
    assert depths[0] >= 4
    assert depths == sorted(depths, reverse=True)


def test_infinite_waits_for_stop(peer: Peer) -> None:
    peer.tell("position startpos", "go infinite")
    assert peer.lines.get(timeout=60).startswith("info depth 1")
    peer.tell("isready")
    peer.until("readyok")
    peer.tell("stop")
    assert peer.until("bestmove")[-1].startswith("bestmove ")
    solved = {"game": "linear", "board": ["...."], "to_move": 0}
    peer.tell(f"position json {json.dumps(solved)}", "go infinite", "isready")
    assert all(not line.startswith("bestmove") for line in peer.until("readyok"))
    peer.tell("stop")
    peer.until("bestmove")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "hello is not a command (they are: ugi, isready, setoption"),
        ("position", "write: position startpos"),
        ("position startpos c7/d4", "c7/d4 is not moves"),
        ("position startpos moves c9/d4", "c9 is not on the board"),
        ("position startpos moves c7", "after c7 you must block a square"),
        ("position json", "the position is not JSON"),
        ("position json {", "the position is not JSON"),
        ("position json 3", "a position is an object with named fields"),
        ('position json {"game": "chess"}', "there is no game chess"),
        ('position json {"game": "classic", "board": ["12", "1."], "to_move": 0}', "one pawn"),
        ("position json " + "[" * 60000, "the position is not JSON"),
        ("setoption Size 9", "write: setoption name NAME value VALUE"),
        ("setoption name Colour value red", "there is no option colour (options are: Variant,"),
        ("setoption name Size value 8000", "size must be an odd number from 7 to 27, not 8000"),
        ("setoption name Hash value 0", "0 is not a number from 1 to 32768"),
        ("setoption name Threads value 65", "65 is not a number from 1 to 64"),
        ("position fen", "a FEN is rows joined by /"),
        ("position fen 1x/1o", "a FEN is rows joined by /"),
        ("position fen x1/1x x", "each player has one pawn"),
        ("position fen x1/1o x c7/d4", "a classic position has no c7/d4"),
        ("query", "write: query gameover, query p1turn, query result"),
        ("query score", "write: query gameover"),
        ("go p2time 1000 p2inc 0", "p1 is to move: p1time is missing"),
        ("go p1time -5", "-5 is not a number from 0 to"),
        ("go depth 1 searchmoves", "searchmoves takes 1 to 64 moves"),
        ("go depth 1 searchmoves c7", "after c7 you must block a square"),
        ("go depth 1 searchmoves c7/d4 a1/a2", "a1 is not next to c8"),
        ("go searchmoves c7/d4", "write: go movetime MS"),
        ("setoption name Variant value chess", "there is no game chess"),
        ("setoption name MultiPV value 0", "0 is not a number from 1 to 20"),
        ("go", "write: go movetime MS"),
        ("go fast", "write: go movetime MS"),
        ("go movetime soon", "soon is not a number from 1 to"),
        ("go movetime 0", "0 is not a number from 1 to"),
        ("go level 9", "9 is not a number from 1 to 8"),
        ("x" * 70000, "a line has 65536 characters at the most"),
        ("\x00\x01", "is not a command"),
    ],
)
def test_bad_lines_get_an_error_and_change_nothing(peer: Peer, line: str, words: str) -> None:
    said = peer.error(line)
    assert said.startswith("info string error ")
    assert words in said
    peer.tell("go depth 1")
    assert peer.until("bestmove")[-1] != "bestmove none"


def test_a_game_that_is_over(peer: Peer) -> None:
    peer.tell("setoption name Variant value linear", "setoption name Length value 3")
    peer.tell("position startpos moves 2", "go depth 3")
    assert peer.until("bestmove") == ["info string error the game is over", "bestmove none"]


def test_commands_wait_for_the_search_under_way(peer: Peer) -> None:
    peer.tell("go infinite", "position startpos", "stop")
    said = peer.until("bestmove")
    assert any("position has to wait for the search under way" in line for line in said)


def test_it_ends_with_its_input_in_the_middle_of_a_search() -> None:
    peer = Peer()
    peer.tell("go infinite")
    peer.lines.get(timeout=120)
    assert peer.close() == ""


def start() -> subprocess.Popen[bytes]:
    """The program with Python's own buffers, which are what a thread could hold at its end."""
    return subprocess.Popen(
        [sys.executable, "-m", "isolation", "engine"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def assert_ends(process: subprocess.Popen[bytes]) -> None:
    """Close its input: it ends by itself, in peace, though nobody reads what it says."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.close()
    code = process.wait(timeout=60)
    complaint = process.stderr.read()
    process.stderr.close()
    process.stdout.close()
    assert (code, complaint) == (0, b"")


LINEAR = "setoption name Variant value linear"


@pytest.mark.parametrize("delay", range(12))
def test_it_ends_in_peace_while_it_answers(delay: int) -> None:
    """The input ends just before, in, and after the last words of a search."""
    process = start()
    assert process.stdin
    process.stdin.write("\n".join([LINEAR, "go depth 1", *["stop"] * (delay * 20)]).encode())
    assert_ends(process)


PIPE, PAGE = 65536, 4096  # bytes that a pipe holds on Linux, in so many pages


def error_of(length: int) -> str:
    """A command to which the answer has so many characters."""
    known = ", ".join([*COMMANDS, "quit"])
    rest = len(f"info string error  is not a command (they are: {known})\n")
    return "x" * (length - rest)


@pytest.mark.skipif(not hasattr(fcntl, "F_GETPIPE_SZ"), reason="needs pipes of a known size")
def test_it_ends_in_peace_though_its_last_word_can_not_be_written() -> None:
    """The pipe is full but for the line before: the search waits in the middle of writing."""
    process = start()
    assert process.stdin
    assert process.stdout
    assert fcntl.fcntl(process.stdout, fcntl.F_GETPIPE_SZ) == PIPE
    pages = [error_of(256)] * ((PIPE - PAGE) // 256)
    # Of the last page 142 bytes are left: room for the `info` lines of linear, but not `bestmove`.
    last = [error_of(254)] * 14 + [error_of(199)] * 2
    lines = [*pages, *last, LINEAR, "go depth 1", *["stop"] * 20_000]
    process.stdin.write("\n".join(lines).encode())
    assert_ends(process)


def test_it_ends_though_nobody_reads_what_it_says() -> None:
    process = start()
    assert process.stdin
    process.stdin.write(b"go infinite\n" + b"ugi\n" * 2000)
    assert_ends(process)


def test_it_ends_when_nobody_can_read_what_it_says() -> None:
    """Its output is closed in an endless search; its input is not."""
    process = start()
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"go infinite\n")
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert_ends(process)


def test_what_was_said_is_written_before_it_ends() -> None:
    """To somebody who reads only later, far more than a pipe holds."""
    done = subprocess.run(
        [sys.executable, "-m", "isolation", "engine"],
        cwd=ROOT,
        input="ugi\n" * 500 + LINEAR + "\ngo infinite",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.count("ugiok") == 500
    assert done.stdout.endswith("bestmove 7\n")
