"""The public template behind the classic text: one object for a match, told what happens in it."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from isolation.bots.arena import Arena, pairings
from isolation.bots.ladder import Ladder
from isolation.bots.player import FileBot, SimpleBot
from isolation.rules import Reason
from tests.checkouts import template
from tests.terminal import run

CONFESS = "throw new Error(JSON.stringify(self.calls));"


def test_it_plays_in_the_arena_unchanged(tmp_path: Path) -> None:
    file = str(template(tmp_path))
    found = run("arena", file, "random", "--game", "classic", "--rounds", "4", "--ms", "30000")
    row = next(line for line in found.stdout.splitlines() if line.startswith("Template "))
    assert row.split()[-1] == "0", found.stdout


def confessions(folder: Path, opponents: int) -> tuple[Arena, list[Any], list[int | None]]:
    """An arena of three rounds, what each of the bot's objects was told, and who won."""
    bot = FileBot(template(folder, CONFESS), 30_000)
    players = [bot, *(SimpleBot("random", Random(4)) for _ in range(opponents))]
    arena = Arena("classic", players, rounds=3)
    games = pairings(len(players), "classic", {}, 3, False, Random(1))
    winners = [arena.play(game).winner for game in games if 0 in game.seats]
    bot.close()
    faults = [fault.partition("Error: ")[2] for fault in arena.standings[0].faults]
    return arena, [json.loads(fault[: fault.rindex("]") + 1]) for fault in faults], winners


def test_one_object_plays_a_match_and_hears_of_it(tmp_path: Path) -> None:
    arena, (calls,), winners = confessions(tmp_path, opponents=1)
    results = {"total_games": 3, "games_played": 3, "current_game": 3, "draws": 0}
    wins = [arena.standings[0].wins, arena.standings[1].wins]
    assert calls == [
        ["start_match", {"player_number": 0, "total_games": 3, "data": {}}],
        ["start_game", {}],
        ["end_game", {"winner": winners[0], "draw": False}, 1],
        ["start_game", {}],
        ["end_game", {"winner": winners[1], "draw": False}, 2],
        ["start_game", {}],
        ["end_game", {"winner": winners[2], "draw": False}, 3],
        ["end_match", {**results, "player_wins": wins, "render_history": []}],
    ]


def test_each_opponent_meets_another_object(tmp_path: Path) -> None:
    _, both, _ = confessions(tmp_path, opponents=2)
    assert [[call[0] for call in calls].count("start_game") for calls in both] == [3, 3]


def test_it_stands_on_the_ladder(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path / "ladder")
    ladder.submit(str(template(tmp_path)), "Ann")
    ladder.submit("random", "Us")
    ladder.run(1, 30_000, Random(1), lambda match: None)
    assert ladder.matches[0].faults == {"Template": 0, "random": 0}


def test_a_hook_that_hangs_costs_nothing_but_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isolation.bots.child.HOOK_SECONDS", 0.5)
    bot = FileBot(template(tmp_path, "for (;;);"), 30_000)
    arena = Arena("classic", [bot, SimpleBot("random", Random(4))])
    played = arena.play(next(pairings(2, "classic", {}, 1, False, Random(1))))
    bot.close()
    assert played.record.outcome
    assert played.record.outcome.reason != Reason.FAULT
    assert "after the game: it didn't answer in 0.5 s" in arena.standings[0].faults[0]
