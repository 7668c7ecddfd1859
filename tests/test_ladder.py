"""The competition of the isola text, from submission to ranking."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from isolation.bots.faults import BotFault
from isolation.bots.ladder import Ladder, Match, ranking
from tests import checkouts as shapes
from tests.terminal import run

SAMPLES = Path(__file__).parents[1] / "isolation" / "bots" / "samples"

COMPETITOR = """
from IsolaGame import IPlayer, Position
class {name}(IPlayer):
    def getNextMove(self, state):
        {move}
        here = state.getMyPosition()
        for step in (state.Up, state.Down, state.Left, state.Right, state.UpLeft,
                     state.UpRight, state.DownLeft, state.DownRight):
            to = step(here)
            if to is not None and state.isMoveable(to):
                return to
    def getNextSteal(self, state):
        for row in range(state.getRows()):
            for column in range(state.getColumns()):
                if state.isValidSteal(Position(row, column)):
                    return Position(row, column)
"""


def competitor(folder: Path, name: str, move: str = "pass") -> str:
    path = folder / f"{name}.py"
    path.write_text(COMPETITOR.format(name=name, move=move), encoding="utf-8")
    return str(path)


def quiet(match: Match) -> None:
    pass


def test_a_later_submission_overwrites_the_earlier(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path / "ladder")
    ladder.submit(competitor(tmp_path, "Early"), "Ann Ames")
    ladder.submit(competitor(tmp_path, "Other"), "Ben  Bell")
    first = (tmp_path / "ladder" / ladder.entries[0].source).read_text()
    ladder.submit(competitor(tmp_path, "Early", "x = 1"), "Ann Ames")
    again = Ladder(tmp_path / "ladder")
    assert [(entry.name, entry.author) for entry in again.entries] == [
        ("Early", "Ann Ames"),
        ("Other", "Ben Bell"),
    ]
    assert (tmp_path / "ladder" / again.entries[0].source).read_text() != first


def test_nobody_overwrites_the_entry_of_another(tmp_path: Path) -> None:
    """Though the file systems of some take Early and early for the same."""
    ladder = Ladder(tmp_path / "ladder")
    first = ladder.submit(competitor(tmp_path, "Early"), "Ann Ames")
    ladder.submit("random", "Us")
    text = (tmp_path / "ladder" / first.source).read_text()
    for given in (competitor(tmp_path, "Early", "x = 1"), competitor(tmp_path, "early")):
        with pytest.raises(BotFault, match="Early is the entry of Ann Ames: give your class"):
            ladder.submit(given, "Eve")
    with pytest.raises(BotFault, match="random is the entry of Us"):
        ladder.submit("random", "Eve")
    assert [entry.author for entry in Ladder(tmp_path / "ladder").entries] == ["Ann Ames", "Us"]
    assert (tmp_path / "ladder" / first.source).read_text() == text
    assert [path.name for path in (tmp_path / "ladder" / "bots").iterdir()] == ["Early"]
    ladder.submit(competitor(tmp_path, "Early", "x = 2"), "ann  ames")
    assert len(ladder.entries) == 2


def test_a_bot_is_tried_out_as_it_will_be_run(tmp_path: Path) -> None:
    """Alone: what lies beside it isn't entered."""
    (tmp_path / "helper.py").write_text("")
    ladder = Ladder(tmp_path / "ladder")
    with pytest.raises(BotFault, match=r"No module named 'helper' \(Needy.py, line 5\)"):
        ladder.submit(competitor(tmp_path, "Needy", "import helper"), "Ann")


# Whatever a competitor does around its turns, others aren't held up, and its time is what it took.
SHAPES = {
    "fakes": ("import os; os.system('sleep 0.02')", "import time\ntime.perf_counter_ns = int"),
    "forks": (
        "pass",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(1000)\n",
    ),
}


def test_strange_competitors_are_ranked(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path / "ladder")
    for name, (move, top) in SHAPES.items():
        file = tmp_path / f"{name}.py"
        file.write_text(shapes.competitor("Draft", move, top) + f"{name} = Draft\n")
        ladder.submit(str(file), name)
    ladder.run(1, 30_000, Random(1), quiet)
    (match,) = ladder.matches
    assert match.faults == {"fakes": 0, "forks": 0}
    assert match.average_ns["fakes"] > 9_000_000


@pytest.mark.parametrize(
    ("given", "author", "words"),
    [
        (lambda folder: competitor(folder, "Bad", "raise ValueError('oh')"), "A", "oh"),
        (lambda folder: competitor(folder, "Bad", "return None"), "A", "must return a Position"),
        (lambda folder: competitor(folder, "Slow", "while True: pass"), "A", "didn't answer"),
        (lambda folder: competitor(folder, "Bad", "return Position(0, 0)"), "A", "a7"),
        (lambda folder: str(SAMPLES / "my_custom_player.py"), "A", "the ladder is for isola"),
        (lambda folder: str(folder / "none.py"), "A", "there is no file"),
        (lambda folder: competitor(folder, "Good"), " ", "a name has"),
        (lambda folder: competitor(folder, "Good"), "x" * 61, "a name has"),
    ],
)
def test_what_is_not_entered(
    given: Callable[[Path], str], author: str, words: str, tmp_path: Path
) -> None:
    ladder = Ladder(tmp_path / "ladder")
    with pytest.raises(BotFault, match=words):
        ladder.submit(given(tmp_path), author)
    assert ladder.entries == []


def test_a_whole_ladder_runs_unattended(tmp_path: Path) -> None:
    """Levels, samples, chance, and one who only makes faults: the order is what one expects."""
    ladder = Ladder(tmp_path / "ladder")
    broken = competitor(tmp_path, "Broken", "self.turns = getattr(self, 'turns', 0) + 1")
    for given, author in (("4", "Us"), ("random", "Us"), ("1", "Us"), (broken, "Eve")):
        ladder.submit(given, author)
    for sample in ("SampleAI.py",):
        ladder.submit(str(SAMPLES / sample), "Samples")
    home = tmp_path / "ladder" / "bots" / "Broken" / "Broken.py"
    home.write_text("raise RuntimeError('not today')")  # since it was entered
    told: list[Match] = []
    ladder.run(5, None, Random(3), told.append)
    why = {reason for match in told for reason in match.reasons.get("Broken", [])}
    assert why == {"RuntimeError: not today (Broken.py, line 1)"}
    order = [entry.name for entry in ladder.entries]
    assert order[0] == "Computer 4"
    assert order[-1] == "Broken"
    assert order.index("SampleAI") < order.index("random")
    assert len(told) == len(ladder.matches) >= 4
    for match in ladder.matches:
        assert match.size % 2 == 1
        assert 7 <= match.size <= 27
        records = [ladder.record(name) for name in match.rounds]
        assert [record.tags["Player1"] for record in records if record] == [
            match.challenger,
            match.defender,
        ]
        for record, winner in zip(records, match.results, strict=True):
            assert record is not None
            assert record.outcome
            assert record.tags[f"Player{(record.outcome.winner or 0) + 1}"] == winner
        if match.results[0] != match.results[1]:
            assert match.by == "speed"
            assert match.winner == min(match.average_ns, key=lambda name: match.average_ns[name])
        else:
            assert (match.by, match.winner) == ("rounds", match.results[0])
    again = Ladder(tmp_path / "ladder")
    assert [entry.name for entry in again.entries] == order
    rows = ranking(again)
    assert [row["rung"] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[0]["rating"] > rows[-1]["rating"]
    assert rows[-1]["faults"] > 0
    assert ladder.record("../ladder") is None


def test_the_commands(tmp_path: Path) -> None:
    folder = ["--folder", str(tmp_path / "ladder")]
    assert "Nobody is on the ladder yet." in run("ladder", *folder, "show").stdout
    refused = run("ladder", *folder, "run")
    assert (refused.returncode, "two entries" in refused.stderr) == (2, True)
    entered = run("ladder", *folder, "submit", str(SAMPLES / "SampleAI.py"), "--name", "Ann Ames")
    assert entered.stdout == "SampleAI by Ann Ames is entered.\n"
    assert run("ladder", *folder, "submit", "random", "--name", "Us").returncode == 0
    bad = run("ladder", *folder, "submit", competitor(tmp_path, "Bad", "1 / 0"), "--name", "Bob")
    assert bad.returncode == 2
    assert "is not entered: ZeroDivisionError: division by zero (Bad.py, line 5)" in bad.stderr
    played = run("ladder", *folder, "run", "--sweeps", "1", "--seed", "1")
    assert "1. random against SampleAI" in played.stdout
    assert "1. SampleAI" in run("ladder", *folder, "show").stdout


def test_a_spoiled_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "ladder.json").write_text("{")
    found = run("ladder", "--folder", str(tmp_path), "show")
    assert found.returncode == 2
    assert "can't be read" in found.stderr
