"""The processes bots run in: which modules they find, what they're told, what's left of them."""

import os
import time
from pathlib import Path
from random import Random

import psutil
import pytest

from isolation.bots.asking import Thought
from isolation.bots.child import Child
from isolation.bots.faults import BotFault
from isolation.bots.game import Played, play_game
from isolation.bots.player import FileBot, SimpleBot
from isolation.bots.process import BotProcess, Ended, Silent, environment
from isolation.rules import GameRecord
from tests.checkouts import checkout, competitor
from tests.terminal import run

AMPLE_MS = 30_000.0


def write(folder: Path, text: str, name: str = "bot.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def play(game: str, file: Path, ms: float = AMPLE_MS) -> Played:
    bot = FileBot(file, ms)
    try:
        return play_game(game, {}, (bot, SimpleBot("random", Random(4))))
    finally:
        bot.close()


def fault_of(game: str, file: Path, ms: float = AMPLE_MS) -> str:
    """The fault that a bot's first turn is."""
    bot = FileBot(file, ms)
    try:
        bot.begin(0)
        with pytest.raises(BotFault) as caught:
            bot.think(GameRecord.begin(game), Thought())
    finally:
        bot.close()
    return str(caught.value)


def first_turn(game: str, file: Path) -> Thought:
    bot, thought = FileBot(file, AMPLE_MS), Thought()
    try:
        bot.begin(0)
        bot.think(GameRecord.begin(game), thought)
    finally:
        bot.close()
    return thought


# Which modules a bot finds.


def test_an_agent_in_a_checkout_of_the_course(tmp_path: Path) -> None:
    """Beside its own `isolation` and `sample_players` it finds ours, and its data and helpers."""
    file = checkout(tmp_path / "course")
    found = run("arena", str(file), "random", "--game", "knights", "--rounds", "2", "--ms", "9000")
    assert found.returncode == 0
    row = next(line for line in found.stdout.splitlines() if line.startswith("CustomPlayer"))
    assert row.split()[-1] == "0", found.stdout


REBOUND = """
from sample_players import BasePlayer
from strong import Strong

class CustomPlayer(BasePlayer):
    def get_action(self, state):
        raise RuntimeError("the class that was first called so")

class Another(BasePlayer):
    def get_action(self, state):
        raise RuntimeError("the class that was written last")

CustomPlayer = Strong
"""
STRONG = """
from sample_players import BasePlayer

class Strong(BasePlayer):
    def get_action(self, state):
        self.queue.put(state.actions()[0])
"""


@pytest.mark.parametrize(
    "agent", [REBOUND, "from strong import Strong as CustomPlayer"], ids=["rebound", "imported"]
)
def test_the_class_bound_to_the_expected_name_plays(agent: str, tmp_path: Path) -> None:
    played = play("knights", checkout(tmp_path, agent, strong=STRONG))
    assert played.sides[0].faults == []


def test_the_class_bound_to_the_name_of_the_file_plays(tmp_path: Path) -> None:
    text = competitor("Draft") + competitor("Older", "raise ValueError") + "Final = Draft\n"
    bot = FileBot(write(tmp_path, text, "Final.py"))
    bot.close()
    assert bot.name == "Final"
    assert play("isola", write(tmp_path, text, "Final.py")).sides[0].faults == []


# What its author is told.


def test_a_fault_in_a_helper_is_told_with_file_and_line(tmp_path: Path) -> None:
    helper = "def best(player, state):\n    return state.nothing\n"
    words = fault_of("knights", checkout(tmp_path, opening=helper))
    assert words.startswith("AttributeError: 'Isolation' object has no attribute 'nothing'")
    assert words.endswith("(opening.py, line 2)")
    (tmp_path / "opening.py").write_text("def best(:\n")
    with pytest.raises(BotFault, match=r"^SyntaxError: .* \(opening.py, line 1\)$"):
        FileBot(tmp_path / "my_custom_player.py")


CRASHES = {
    "exit": ("os.write(2, b'the last word' + bytes([10])); os._exit(3)", "exit code 3"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    "killed": ("os.kill(os.getpid(), 9)", "SIGKILL"),
}


@pytest.mark.parametrize("kind", CRASHES)
def test_the_end_of_a_process_is_told_with_its_last_lines(kind: str, tmp_path: Path) -> None:
    body, words = CRASHES[kind]
    told = fault_of("classic", write(tmp_path, f"import os\ndef move(data, player):\n    {body}\n"))
    assert told.startswith(f"its process ended ({words})")
    assert ("the last word" in told) == (kind == "exit")
    assert ('bot.py", line 3 in move' in told) == (kind == "segfault")
    agent = checkout(tmp_path / "course", opening=f"import os\ndef best(*_):\n    {body}\n")
    told = fault_of("knights", agent)
    assert told.startswith(f"the agent's process ended ({words})")
    assert ('opening.py", line 3 in best' in told) == (kind == "segfault")


def test_a_crash_while_loading_is_told(tmp_path: Path) -> None:
    file = write(tmp_path, "import os, sys\nprint('so far', file=sys.stderr)\nos._exit(4)\n")
    with pytest.raises(BotFault, match=r"ended \(exit code 4\). Its last lines:\nso far$"):
        FileBot(file)
    found = run("arena", str(file), "random", "--game", "classic")
    assert found.returncode == 2
    assert f"{file}: its process ended (exit code 4)" in found.stderr


def test_a_crash_of_a_script_is_told(tmp_path: Path) -> None:
    text = "function move() { process._rawDebug('so far'); process.exit(3); }"
    told = fault_of("classic", write(tmp_path, text, "bot.js"))
    assert told == "its process ended (exit code 3). Its last lines:\nso far"


def test_what_a_bot_writes_can_not_hang_or_fool_the_terminal(tmp_path: Path) -> None:
    text = """
import os, sys
def move(data, player):
    for _ in range(50):
        os.write(2, b"x" * 99_999 + bytes([10]))
    os.write(2, b"\\x1b[2J\\x07 done \\xff" + bytes([10]))
    raise SystemExit("\\x1b]0;title\\x07")
"""
    assert fault_of("classic", write(tmp_path, text)).isprintable()
    told = fault_of("classic", write(tmp_path, text.replace("raise SystemExit", "os._exit(1) or ")))
    assert all(line.isprintable() for line in told.splitlines())
    assert len(told) < 1500
    assert "done" in told


def test_memory_that_a_bot_may_not_have(tmp_path: Path) -> None:
    told = fault_of(
        "classic", write(tmp_path, "def move(d, p):\n    return b'x' * 4_000_000_000\n")
    )
    assert told == "MemoryError: it wants more memory than it may have (bot.py, line 2)"


# Clocks.


FAKED = """
import time
for name in ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns"):
    setattr(time, name, lambda: 0)
"""


def test_a_bot_that_fakes_its_clock_gains_nothing(tmp_path: Path) -> None:
    text = competitor("Liar", "import os; os.system('sleep 0.2')", top=FAKED)
    assert first_turn("isola", write(tmp_path, text, "Liar.py")).calls[0] > 190_000_000


def test_an_agent_that_fakes_its_clock_gains_nothing(tmp_path: Path) -> None:
    agent = (
        "import os\n"
        + FAKED
        + """
from sample_players import BasePlayer
class CustomPlayer(BasePlayer):
    def get_action(self, state):
        os.system('sleep 0.5')
        self.queue.put(state.actions()[0])
"""
    )
    assert "no action in" in fault_of("knights", checkout(tmp_path, agent), ms=300)


def test_a_script_that_fakes_its_clock_gains_nothing(tmp_path: Path) -> None:
    text = """
const begun = Date.now();
process.hrtime.bigint = () => 0n; process.hrtime = () => [0, 0]; performance.now = () => 0;
const real = Date.now;
Date.now = () => 0;
function move(data) { const until = real() + 200; while (real() < until); return 7; }
"""
    assert first_turn("linear", write(tmp_path, text, "liar.js")).calls[0] > 190_000_000


def test_nobody_answers_before_being_asked(tmp_path: Path) -> None:
    """A bot that writes answers ahead, for calls that it will take its time over."""
    text = """
import os, time
for fd in range(3, 12):
    try: os.write(fd, b'{"value": 7, "id": 1}\\n' * 9)
    except OSError: pass
def move(data, player): return 5
"""
    assert first_turn("linear", write(tmp_path, text)).move == (4,)


# What's left of it.


FORKS = """
import os, pathlib, time
def fork_away():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            pathlib.Path(PLACE).write_text(str(os.getpid()))
            time.sleep(1000)
        os._exit(0)
    while not os.path.exists(PLACE) or not open(PLACE).read():
        time.sleep(0.01)
"""


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("ending", ["", "os._exit(1)", "os.kill(os.getppid(), 19)"])
def test_a_bot_that_forks_away_holds_nobody_up(ending: str, tmp_path: Path) -> None:
    """It has a session of its own and holds all pipes; its keeper may have been stopped."""
    place = tmp_path / "pid"
    text = FORKS.replace("PLACE", repr(str(place)))
    text += f"def move(data, player):\n    fork_away()\n    {ending}\n    return 7\n"
    if "_exit" in ending:
        assert "exit code 1" in fault_of("linear", write(tmp_path, text))
    else:
        assert first_turn("linear", write(tmp_path, text)).move == (6,)
    assert gone(int(place.read_text()))


def test_a_bot_ends_with_its_parent(tmp_path: Path) -> None:
    text = f"import os\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    child = Child(write(tmp_path, text + "def move(d, p):\n    while True: pass\n"))
    pid = int((tmp_path / "pid").read_text())
    assert child._process
    os.close(child._process._life)  # as the system does when the parent dies
    child._process._process.wait(60)
    assert gone(pid)
    child._process._life = os.open(os.devnull, os.O_RDONLY)
    child.close()


def test_a_bot_sees_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ISOLATION_TOKEN", "AWS_THING"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert {"PATH", "PYTHONPATH", "LC_ALL"} <= set(environment())
    text = "import os\ndef move(data, player):\n    raise ValueError(sorted(os.environ))\n"
    told = fault_of("classic", write(tmp_path, text))
    assert "PYTHONPATH" in told
    text = "function move() { throw new Error(Object.keys(process.env).sort().join()); }"
    for words in (told, fault_of("classic", write(tmp_path, text, "bot.js"))):
        assert "LC_ALL" in words
        assert not any(name in words for name in ("SECRET", "_URL", "TOKEN", "AWS"))


def test_a_bot_that_closes_its_output_is_given_up(tmp_path: Path) -> None:
    text = "import os, time\ndef move(d, p):\n    os.closerange(3, 100)\n    time.sleep(1000)\n"
    assert fault_of("classic", write(tmp_path, text)) == "it closed its output"


def test_a_program_that_does_not_listen_blocks_nobody(tmp_path: Path) -> None:
    process = BotProcess(["sleep", "1000"], tmp_path)
    process.send("x" * 10_000_000)
    with pytest.raises(Silent):
        process.receive(time.monotonic() + 0.1)
    process.close()


def test_a_program_that_is_none(tmp_path: Path) -> None:
    process = BotProcess([str(tmp_path / "nothing")], tmp_path)
    with pytest.raises(Ended, match=r"ended \(exit code 127\)"):
        process.receive(time.monotonic() + 30)
    assert "No such file" in process.last_lines()
    process.close()
