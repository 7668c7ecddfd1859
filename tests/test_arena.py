"""The arena: who plays whom, who begins, and what is counted."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from isolation.bots.arena import Arena, pairings
from isolation.bots.names import tell_apart
from isolation.bots.player import SimpleBot
from isolation.bots.statistics import Rating, interval
from isolation.rules import read_record
from tests.terminal import run

SAMPLES = Path(__file__).parents[1] / "isolation" / "bots" / "samples"


def test_everybody_plays_everybody_and_seats_alternate() -> None:
    games = list(pairings(4, "isola", {"size": "random"}, 6, False, Random(1)))
    assert [game.number for game in games] == list(range(1, 37))
    assert Counter(frozenset(game.seats) for game in games) == {
        frozenset(pair): 6 for pair in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    }
    assert Counter(game.seats[0] for game in games) == dict.fromkeys(range(4), 9)
    assert len({game.options["size"] for game in games}) > 3


def test_fair_games_play_an_opening_from_both_sides() -> None:
    games = list(pairings(3, "isola", {"size": "random"}, 4, True, Random(2)))
    for first, second in ((games[at], games[at + 3]) for at in (0, 1, 2, 6, 7, 8)):
        assert first.seats == second.seats[::-1]
        assert (first.options, first.opening) == (second.options, second.opening)
        assert len(first.opening) == 2
    assert len({game.opening for game in games}) == 6


def test_an_arena_counts() -> None:
    arena = Arena("linear", [SimpleBot("greedy", Random(1)), SimpleBot("greedy", Random(2))])
    assert [standing.name for standing in arena.standings] == ["greedy", "greedy #2"]
    for pairing in pairings(2, "linear", {}, 6, False, Random(1)):
        played = arena.play(pairing)
        assert played.record.tags["Player1"] == arena.standings[pairing.seats[0]].name
    first, second = arena.standings
    assert first.games == second.games == 6
    assert (first.wins, first.losses) == (second.losses, second.wins)
    assert first.calls > 6
    assert first.average_ns > 0
    assert arena.ranking()[0].points == max(first.points, second.points)


def test_players_of_the_same_name_are_numbered() -> None:
    arena = Arena("linear", [SimpleBot("random", Random(1)) for _ in range(4)])
    names = [standing.name for standing in arena.standings]
    assert names == ["random", "random #2", "random #3", "random #4"]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["a/x.py", "b/y.py"], ["move (x)", "move (y)"]),
        (["a/bot.py", "b/bot.py", "a/bot.py"], ["move (a)", "move (b)", "move (a) #2"]),
        (["a/bot.py", "a/bot.js"], ["move (bot.py)", "move (bot.js)"]),
        (["a/src/bot.py", "b/src/bot.py"], ["move (a/src)", "move (b/src)"]),
        (["a/bot.py", ""], ["move", "move #2"]),
    ],
)
def test_files_are_told_apart(files: list[str], names: list[str]) -> None:
    players = [SimpleBot("random", Random(1)) for _ in files]
    for player, file in zip(players, files, strict=True):
        player.name, player.file = "move", Path(file).absolute() if file else None
    tell_apart(players)
    assert [player.name for player in players] == names


def test_bots_by_move_are_known_by_their_files(tmp_path: Path) -> None:
    text = "def move(data, player):\n    return data['board'][0].index(None) + 1\n"
    for name in ("left.py", "first.py"):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / "left.py"), str(tmp_path / "first.py")]
    found = run("arena", *files, "--game", "linear", "--ms", "30000")
    assert {line.split()[0] for line in found.stdout.splitlines()[1:3]} == {"left", "first"}


def test_wilson() -> None:
    """Against values worked out by hand elsewhere."""
    assert interval(59, 100) == pytest.approx((0.4920, 0.6813), abs=1e-4)
    assert interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert interval(0, 0) == (0.0, 1.0)


def test_glicko() -> None:
    """The example of Glickman's own text."""
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = Rating(1500, 200, 0.06).after(opponents)
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)
    assert Rating(1500, 200).after([]).deviation > 200


def test_the_command(tmp_path: Path) -> None:
    bots = [str(SAMPLES / "SampleAI.py"), str(SAMPLES / "SampleAI.js"), "1", "random"]
    found = run(
        "arena",
        *bots,
        *["--game", "isola", "--size", "random", "--rounds", "2", "--fair", "--seed", "5"],
        "--save",
        str(tmp_path),
    )
    assert found.returncode == 0
    lines = found.stdout.splitlines()
    assert {line.split("  ")[0].strip() for line in lines[1:5]} == {
        "SampleAI (SampleAI.py)",
        "SampleAI (SampleAI.js)",
        "Computer 1",
        "random",
    }
    records = [read_record(path.read_text()) for path in sorted(tmp_path.iterdir())]
    assert len(records) == 12
    assert all(record.outcome for record in records)
    assert len({record.options["size"] for record in records}) > 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["random", "--game", "isola"], "two players"),
        (["random", "nobody.py", "--game", "isola"], "there is no file nobody.py"),
        (["random", "9", "--game", "isola"], "level"),
        (["random", "greedy", "--game", "isola", "--size", "8"], "odd"),
        (["random", "greedy", "--game", "isola", "--rounds", "0"], "not a number"),
        (["random", "greedy"], "--game"),
    ],
)
def test_what_the_command_refuses(arguments: list[str], words: str) -> None:
    found = run("arena", *arguments)
    assert found.returncode == 2
    assert words in found.stderr
