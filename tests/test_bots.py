"""Bots written for the APIs of the texts: they run unchanged, and cost only their own game."""

import os
from pathlib import Path
from random import Random

import pytest

from isolation.bots.apis import after_answers, knights_state, move_data, read_move
from isolation.bots.child import Child
from isolation.bots.faults import BotFault
from isolation.bots.game import Played, play_game
from isolation.bots.player import Engines, FileBot, ProgramBot, SimpleBot, find_player
from isolation.isolation import Isolation
from isolation.rules import (
    VARIANTS,
    GameRecord,
    InvalidOption,
    ending_words,
    read_record,
    write_record,
)
from tests.playing import random_move

SAMPLES = Path(__file__).parents[1] / "isolation" / "bots" / "samples"
QUICK_MS = 150.0  # for bots that are to fail
AMPLE_MS = 5000.0  # for bots that aren't, on a busy machine too

# Each is a whole file that somebody might bring.
FIRST_MOVE = """
def move(data, player_number):
    row, column = data["my_position"]
    for r in range(row - 1, row + 2):
        for c in range(column - 1, column + 2):
            if 0 <= r < 8 and 0 <= c < 6 and data["board"][r][c] is None:
                print("stepping to", r, c)
                return [[row, column], [r, c]]
"""
PLAIN_COMPETITOR = """
from IsolaGame import GameState, IPlayer, Position

class LastOpen(IPlayer):
    def __init__(self):
        self.turns = 0

    def getNextMove(self, state):
        self.turns += 1
        here = state.getMyPosition()
        for step in (state.DownRight, state.Down, state.Right, state.Left, state.Up,
                     state.UpLeft, state.UpRight, state.DownLeft):
            to = step(here)
            if to is not None and state.isValidMove(here, to):
                return to

    def getNextSteal(self, state):
        board = state.getBoardInstance()
        for row in reversed(range(state.getRows())):
            for column in reversed(range(state.getColumns())):
                if board[row][column] == "1":
                    assert state.isValidSteal(Position(row, column))
                    return Position(row, column)
"""
ALPHA_BETA = """
import random
from sample_players import DataPlayer
from isolation import DebugState, Isolation
from isolation.isolation import _HEIGHT, _WIDTH, Action

class CustomPlayer(DataPlayer):
    '''Written for the course, with what such agents import.'''
    def get_action(self, state):
        self.context = (self.context or 0) + 1
        if state.ply_count < 2:
            self.queue.put(57 if 57 in state.actions() else random.choice(state.actions()))
            return
        depth = 1
        while depth < 4:
            self.queue.put(self.decide(state, depth))
            depth += 1

    def decide(self, state, depth):
        return max(state.actions(),
                   key=lambda a: self.value(state.result(a), depth, -9999, 9999, False))

    def value(self, state, depth, alpha, beta, mine):
        if state.terminal_test():
            return state.utility(self.player_id)
        if depth <= 0:
            return len(state.liberties(state.locs[self.player_id])) - len(
                state.liberties(state.locs[1 - self.player_id]))
        for a in state.actions():
            v = self.value(state.result(a), depth - 1, alpha, beta, not mine)
            if mine:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if beta <= alpha:
                break
        return alpha if mine else beta
"""
JS_COMPETITOR = """
export default class Wanderer extends IPlayer {
  getNextMove(state) {
    const here = state.getMyPosition();
    console.log("at", here);
    const steps = ["Down", "Up", "Left", "Right", "UpLeft", "UpRight", "DownLeft", "DownRight"];
    for (const step of steps) {
      const to = state[step](here);
      if (to && state.isValidMove(here, to)) return to;
    }
  }
  getNextSteal(state) {
    const board = state.getBoardInstance();
    for (let row = 0; row < state.getRows(); row++)
      for (let col = 0; col < state.getColumns(); col++)
        if (board[row][col] === "1") return new Position(row, col);
  }
}
"""

HOSTILE = {
    "hangs": "while True: pass",
    "raises": "raise RuntimeError('I give up')",
    "ends": "import os; os._exit(3)",
    "exits": "raise SystemExit",
    "floods": "while True: print('x' * 10000)",
    "allocates": "everything = []\nwhile True: everything.append(bytearray(10 ** 7))",
    "garbage": "return object()",
    "far away": "return [[99, 99], [-1, 3]]",
    "deep": "return eval('[' * 50 + ']' * 50)",
    "talks into the pipe": """import os
for fd in range(3, 12):
    try: os.write(fd, b'{}' + bytes([10]))
    except OSError: pass
while True: pass""",
}


def write(folder: Path, text: str, name: str = "bot.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def indented(body: str, by: int = 4) -> str:
    return "\n".join(" " * by + line for line in body.splitlines())


def play(game: str, file: Path, seat: int = 0, ms: float = AMPLE_MS) -> Played:
    """A game of a bot against one that plays at random."""
    bot, other = FileBot(file, ms), SimpleBot("random", Random(4))
    try:
        return play_game(game, {}, (bot, other) if seat == 0 else (other, bot))
    finally:
        bot.close()


def test_what_move_is_told_is_what_the_text_shows() -> None:
    empty = [None] * 6
    assert move_data(VARIANTS["classic"].start()) == {
        "player_number": 0,
        "my_position": [0, 2],
        "opponent_position": [7, 3],
        "board": [
            [None, None, 0, None, None, None],
            *[empty] * 6,
            [None, None, None, 1, None, None],
        ],
    }
    later = VARIANTS["classic"].start().play(VARIANTS["classic"].start().parse("c7/d4"))
    told = move_data(later)
    assert (told["my_position"], told["opponent_position"]) == ([7, 3], [1, 2])
    assert told["board"][4][3] == -1


@pytest.mark.parametrize("key", VARIANTS)
def test_every_legal_move_can_be_answered(key: str) -> None:
    """The answers of `move` mean every legal move, and no answer means two."""
    position = VARIANTS[key].start()
    for _ in range(6):
        moves = position.legal_moves()[:200]
        answers = []
        for move in moves:
            places = [_place(position, cell) for cell in move]
            if position.has_open_second:
                places = places[::-1]
            answers.append(places if len(move) > 1 else places[0])
        assert [read_move(position, answer) for answer in answers] == moves
        position = position.play(random_move(position, Random(1)))


def _place(position: object, cell: int) -> list[int] | None:
    grid = position.grid  # type: ignore[attr-defined]
    if cell == grid.width * grid.height:
        return None
    row, column = divmod(cell, grid.width)
    return [grid.height - 1 - row, column]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "None is not a move"),
        ([], r"\[\] is not a move"),
        ([[1, 2]], "is not a move"),
        ("c7/d4", "is not a move"),
        ([[4, 3], [9, 9]], "not on the board"),
        ([[4, 3], [1.0, 2]], "squares are"),
        ([[4, 3], [True, 2]], "squares are"),
        ([[4, 3], [3, 2]], "c5"),
        ([[7, 3], [1, 2]], "d1"),
        ([[1, 2], [1, 2]], "c7"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said(answer: object, words: str) -> None:
    with pytest.raises(BotFault, match=words):
        read_move(VARIANTS["classic"].start(), answer)


def test_knights_agents_see_the_state_of_their_api() -> None:
    record, state, lot = GameRecord.begin("knights"), Isolation(), Random(8)
    while not record.outcome:
        assert knights_state(record.position) == state
        move = random_move(record.position, lot)
        target = int(str(record.position.native(move[0])))
        own = state.locs[state.player()]
        state = state.result(target if own is None else target - own)
        record = record.play(move)


def test_an_agent_is_not_asked_when_its_game_is_over() -> None:
    """In its API it's over as soon as either player has no liberties; here it's a turn later."""
    record = GameRecord.begin("knights").replay(["b4", "j7", "a6", "h6", "b8", "i8", "d9", "k9"])
    assert knights_state(record.position).terminal_test()
    assert not record.outcome
    move = after_answers("agent", record.position, [])
    assert isinstance(move, tuple)
    outcome = record.play(move).outcome
    assert outcome
    assert outcome.winner == record.position.to_move


@pytest.mark.parametrize(
    ("game", "name", "text"),
    [
        ("classic", "first.py", FIRST_MOVE),
        ("isola", "LastOpen.py", PLAIN_COMPETITOR),
        ("isola", "Wanderer.js", JS_COMPETITOR),
        ("knights", "my_custom_player.py", ALPHA_BETA),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_runs_unchanged(game: str, name: str, text: str, seat: int, tmp_path: Path) -> None:
    played = play(game, write(tmp_path, text, name), seat)
    side = played.sides[seat]
    assert side.faults == []
    assert side.calls
    assert all(0 < ns < 10**9 for ns in side.calls)
    mine = [turn for at, turn in enumerate(played.record.turns) if at % 2 == seat]
    calls = len(mine) * (2 if game == "isola" else 1)
    # An agent isn't asked for the last step if the opponent is stuck already.
    assert len(side.calls) in ((calls, calls - 1) if game == "knights" else (calls,))
    assert read_record(write_record(played.record)).turns == played.record.turns


@pytest.mark.parametrize(
    ("sample", "game"),
    [
        ("SampleAI.py", "isola"),
        ("SampleAI.js", "isola"),
        ("pawn_move.py", "classic"),
        ("pawn_move.js", "classic"),
        ("pawn_move.js", "isola"),
        ("knight_move.js", "knights"),
        ("slider_move.js", "slider"),
        ("linear_move.js", "linear"),
    ],
)
def test_a_sample_plays_itself_and_beats_chance(sample: str, game: str) -> None:
    with Engines() as engines:
        both = [find_player(str(SAMPLES / sample), game, engines, Random(1)) for _ in range(2)]
        played = play_game(game, {}, (both[0], both[1]))
        chance = SimpleBot("random", Random(1))
        against = [play_game(game, {}, (both[0], chance)) for _ in range(4)]
        for player in both:
            player.close()
    assert played.sides[0].faults == played.sides[1].faults == []
    assert sum(one.winner == 0 for one in against) >= 3


def test_the_sample_agent_for_knights_beats_chance() -> None:
    """In one game or the next: on a busy machine it doesn't get to think far."""
    games = (play("knights", SAMPLES / "my_custom_player.py", ms=300) for _ in range(4))
    assert any(played.winner == 0 for played in games)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_move_loses_its_own_game_at_once(kind: str, tmp_path: Path) -> None:
    file = write(tmp_path, f"def move(data, player_number):\n{indented(HOSTILE[kind])}\n")
    played = play("classic", file, ms=QUICK_MS)
    assert played.winner == 1
    assert len(played.sides[0].faults) == 1
    assert played.record.outcome
    assert ending_words(played.record.outcome).startswith("Player 1 made a fault: ")


@pytest.mark.parametrize("kind", ["hangs", "raises", "ends", "garbage", "floods"])
def test_a_hostile_competitor_has_its_turns_discarded(kind: str, tmp_path: Path) -> None:
    text = f"""
from IsolaGame import IPlayer, Position
class Hostile(IPlayer):
    def getNextMove(self, state):
{indented(HOSTILE[kind], 8)}
    def getNextSteal(self, state):
        return Position(0, 0)
"""
    played = play("isola", write(tmp_path, text), ms=QUICK_MS)
    assert played.record.notation()[0::2] == ["discard"] * 4
    assert played.winner == 1
    assert len(played.sides[0].faults) == 4


def test_a_bad_steal_discards_the_whole_turn(tmp_path: Path) -> None:
    text = PLAIN_COMPETITOR.replace(
        "        board = state.getBoardInstance()\n", "        return state.getMyPosition()\n"
    )
    played = play("isola", write(tmp_path, text))
    assert played.record.notation()[0::2] == ["discard"] * 4
    assert played.record.positions[0].pieces[0] == played.record.position.pieces[0]


@pytest.mark.parametrize("kind", ["hangs", "raises", "ends", "garbage", "allocates"])
def test_a_hostile_agent_loses_its_own_game(kind: str, tmp_path: Path) -> None:
    text = f"""
from sample_players import BasePlayer
class CustomPlayer(BasePlayer):
    def get_action(self, state):
{indented(HOSTILE[kind], 8)}
"""
    played = play("knights", write(tmp_path, text), ms=QUICK_MS)
    assert played.winner == 1
    assert len(played.sides[0].faults) == 1


@pytest.mark.parametrize(
    "body",
    ["for (;;) {}", "throw new Error('no')", "return {a: 1}", "return 10n", "process.exit(1)"],
)
def test_a_hostile_script_loses_its_own_game(body: str, tmp_path: Path) -> None:
    file = write(tmp_path, f"function move(data, player) {{ {body} }}", "bot.js")
    assert play("classic", file, ms=QUICK_MS).winner == 1


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("bot.py", "x = 1", "there is no bot in this file"),
        ("bot.py", "def move(:", r"SyntaxError: .* \(bot.py, line 1\)"),
        ("bot.py", "import nowhere", r"No module named 'nowhere' \(bot.py, line 1\)"),
        ("bot.py", "raise ValueError('today not')", r"today not \(bot.py, line 1\)"),
        ("bot.js", "let x = 1;", "there is no bot in this file"),
        ("bot.js", "let x;\nlet 1 = 2;", r"SyntaxError: .* \(bot.js, line 2\)"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    name: str, text: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(BotFault, match=words):
        FileBot(write(tmp_path, text, name))


def test_a_constructor_that_hangs_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isolation.bots.child.START_SECONDS", 2.0)
    text = """
class A:
    def __init__(self, player_id):
        while True: pass
    def get_action(self, state): pass
"""
    played = play("knights", write(tmp_path, text))
    assert played.winner == 1
    assert "didn't answer" in played.sides[0].faults[0]


def test_the_line_of_an_error_is_told(tmp_path: Path) -> None:
    file = write(
        tmp_path, "function move(data) {\n  const x = 1;\n  return data.nothing.here;\n}", "bot.js"
    )
    assert "(bot.js, line 3)" in play("classic", file).sides[0].faults[0]
    file = write(tmp_path, "def move(data, player):\n    x = 1\n    return data['here']\n")
    assert "(bot.py, line 3)" in play("classic", file).sides[0].faults[0]


def test_nothing_is_left_of_a_bot(tmp_path: Path) -> None:
    text = f"""
import os, pathlib
pathlib.Path({str(tmp_path / "pid")!r}).write_text(str(os.getpid()))
def move(data, player): pass
"""
    child = Child(write(tmp_path, text).resolve())
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 0)
    child.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_program_in_another_language(tmp_path: Path) -> None:
    """Anything that speaks the engine protocol; this one is a shell script around our own."""
    file = write(
        tmp_path, f"#!/bin/sh\nexec {__import__('sys').executable} -m isolation engine\n", "engine"
    )
    file.chmod(0o755)
    with Engines() as engines:
        player = find_player(str(file), "linear", engines, Random(1), ms=50)
        played = play_game("linear", {}, (player, SimpleBot("random", Random(1))))
        player.close()
    assert played.winner == 0
    assert played.sides[0].faults == []


UGI_PROGRAM = """#!/bin/sh
while read line; do
  echo "$line" >>heard
  case "$line" in
    ugi) echo 'id name Shell'; echo 'option name Variant type combo default linear'; echo ugiok;;
    isready) echo readyok;;
    go*) echo "info depth 1 nodes 1"; echo "bestmove 5";;
  esac
done
"""


def test_a_program_hears_ugi(tmp_path: Path) -> None:
    """All that another program needs to understand, over two games on a row of five."""
    file = write(tmp_path, UGI_PROGRAM, "engine")
    file.chmod(0o755)
    player = ProgramBot(file, ms=50, patience=60)
    players = player, SimpleBot("random", Random(1))
    for _ in range(2):
        played = play_game("linear", {"length": 5}, players, opening=((0,), (2,)))
        assert played.sides[0].faults == []
        assert played.winner == 0
    player.close()
    game = ["uginewgame", "isready", "position fen 5 x moves 1 3", "go movetime 50"]
    heard = (tmp_path / "heard").read_text().splitlines()
    assert heard == ["ugi", "setoption name Variant value linear", *game, *game]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("sleep 60", "no ugiok within 1 s"),
        ("read line; echo ugiok; sleep 60", "no readyok within 1 s"),
        (
            "read line; echo so far >&2; exit 3",
            "its process ended (exit code 3). Its last lines:\nso far",
        ),
        ("read line; (setsid sleep 1000 &); exit 4", "its process ended (exit code 4)"),
        ("while :; do echo blah; done", "no ugiok"),
        ("tr '\\0' x </dev/zero", "far too much"),
        ("while read line; do echo ugiok; echo readyok; echo bestmove z99; done", "z99"),
    ],
)
def test_a_hostile_program_loses_its_own_game(body: str, words: str, tmp_path: Path) -> None:
    file = write(tmp_path, f"#!/bin/sh\n{body}\n", "engine")
    file.chmod(0o755)
    player = ProgramBot(file, ms=50, patience=1.0)
    played = play_game("classic", {}, (player, SimpleBot("random", Random(1))))
    player.close()
    assert played.winner == 1
    assert words in played.sides[0].faults[0]


def test_who_can_not_play_is_told_so(tmp_path: Path) -> None:
    with Engines() as engines:
        for given, words in (
            ("nobody.py", "there is no file"),
            ("99", "level"),
            ("huge", "random"),
        ):
            with pytest.raises((BotFault, InvalidOption), match=words):
                find_player(given, "classic", engines, Random(1))
        with pytest.raises(InvalidOption, match="plays isola, not classic"):
            find_player(str(SAMPLES / "SampleAI.py"), "classic", engines, Random(1))
        with pytest.raises(BotFault, match="is no bot"):
            find_player(str(write(tmp_path, "hello", "notes.txt")), "classic", engines, Random(1))
