"""`python -m isolation bot`: a bot on its owner's machine plays people on a site."""

import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

import pytest

from isolation.bots import client
from isolation.rules import GameRecord
from tests.checkouts import checkout, template
from tests.client import Client
from tests.playing import random_move
from tests.server import Server
from tests.terminal import ROOT, command, run
from tests.test_bot_api import challenge, wait_online

SAMPLES = Path(__file__).parents[1] / "isolation" / "bots" / "samples"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = tmp_path / "site"
    folder.mkdir()
    with Server(folder, ENGINES="0", RATE_LIMITS="off") as running:
        yield running
    assert running.errors.read_text() == ""


@contextmanager
def bot(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        command("bot", *arguments),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def play_on(person: Client, room: str, lot: Random, restart: Server | None = None) -> str:
    """Play a person's moves until the game is over; its moves."""
    snapshot = person.do("enter", room=room)["snapshot"]
    turns = 0
    while not snapshot["outcome"]:
        if snapshot["choices"] and snapshot["to_move"] in snapshot["you"]:
            record = GameRecord.begin(snapshot["variant"], snapshot["options"])
            record = record.replay(snapshot["moves"].split())
            move = record.position.notate(random_move(record.position, lot))
            person.move(snapshot["game"], snapshot["ply"], move)
            turns += 1
            if restart and turns == 2:
                before = person.connections
                restart.kill()
                restart.start()
                person.wait_for_connection(before + 1)
        snapshot = person.do("enter", room=room)["snapshot"]
    return str(snapshot["moves"])


@pytest.mark.parametrize(
    ("variant", "file"),
    [
        ("isola", "SampleAI.py"),
        ("classic", "pawn_move.js"),
        ("knights", "my_custom_player.py"),
    ],
)
def test_a_bot_plays_a_person_in_a_room(variant: str, file: str, server: Server) -> None:
    ann = Client(server.address, "Ann")
    made = ann.do("create", variant=variant, side=1)
    link = f"{server.address}/room/{made['room']}"
    # Enough time for a busy machine: an agent uses all of it, and loses if it has too little.
    with bot(str(SAMPLES / file), "--room", link, "--name", "Robo", "--ms", "1000") as child:
        moves = play_on(ann, made["room"], Random(2))
        out, err = child.communicate(timeout=60)
    assert err == ""
    assert child.returncode == 0
    assert out.startswith("Ann against Robo: ")
    assert GameRecord.begin(variant).replay(moves.split()).outcome
    ann.close()


def play_in_room(variant: str, file: Path, server: Server) -> str:
    """What a bot's command says about its game against Ann."""
    ann = Client(server.address, "Ann")
    made = ann.do("create", variant=variant, side=1)
    link = f"{server.address}/room/{made['room']}"
    with bot(str(file), "--room", link, "--name", "Robo", "--ms", "20000") as child:
        moves = play_on(ann, made["room"], Random(2))
        out, err = child.communicate(timeout=60)
    ann.close()
    assert err == ""
    assert GameRecord.begin(variant).replay(moves.split()).outcome
    return out


def test_bots_as_their_authors_wrote_them_play_in_a_room(server: Server, tmp_path: Path) -> None:
    said = play_in_room("knights", checkout(tmp_path / "course"), server)
    assert said.startswith("Ann against Robo: ")
    said = play_in_room("classic", template(tmp_path, "throw JSON.stringify(self.calls)"), server)
    assert '["start_match",{"player_number":1,"total_games":1,"data":{}}]' in said
    assert '"end_match",{"total_games":1' in said


def test_a_bot_accepts_games_until_stopped_and_outlives_the_server(server: Server) -> None:
    ann = Client(server.address, "Ann")
    with bot(str(SAMPLES / "SampleAI.js"), "--serve", server.address) as child:
        assert child.stdout
        assert "SampleAI waits for games of isola" in child.stdout.readline()
        for number in range(2):
            online = wait_online(server, "SampleAI")  # it is back as soon as the server is
            made = ann.do("create", variant="isola", side=1)
            assert challenge(ann, online["id"], made["room"]).ok
            moves = play_on(ann, made["room"], Random(number), server if number == 0 else None)
            assert GameRecord.begin("isola").replay(moves.split()).outcome
        lines = [child.stdout.readline() for _ in range(4)]
    assert sum("begins: http" in line for line in lines) >= 2
    assert any(line.startswith("Ann against SampleAI: ") for line in lines)
    ann.close()


def test_a_bot_that_can_not_play_a_game_does_not_sit_down(server: Server) -> None:
    ann = Client(server.address, "Ann")
    made = ann.do("create", variant="linear", side=1)
    link = f"{server.address}/room/{made['room']}"
    found = run("bot", str(SAMPLES / "SampleAI.py"), "--room", link)
    assert (found.returncode, "plays isola, not linear" in found.stderr) == (2, True)
    seats = ann.do("enter", room=made["room"])["snapshot"]["players"]
    assert [seat["taken"] for seat in seats] == [True, False]
    ann.close()


def test_a_bot_that_fails_at_the_start_leaves_nobody_waiting(
    server: Server, tmp_path: Path
) -> None:
    file = tmp_path / "Late.py"
    file.write_text("""
class Late:
    def __init__(self): raise RuntimeError("not ready")
    def getNextMove(self, state): pass
    def getNextSteal(self, state): pass
""")
    ann = Client(server.address, "Ann")
    made = ann.do("create", variant="isola", side=1)
    found = run("bot", str(file), "--room", f"{server.address}/room/{made['room']}")
    assert (found.returncode, "not ready" in found.stderr) == (2, True)
    assert ann.do("enter", room=made["room"])["snapshot"]["outcome"]["aborted"]
    ann.close()


def test_a_bot_plays_so_many_games_at_a_time(server: Server) -> None:
    ann = Client(server.address, "Ann")
    with bot("random", "--serve", server.address, "--games", "2") as child:
        assert child.stdout
        child.stdout.readline()
        online = wait_online(server, "random")
        rooms = [ann.do("create", variant="linear", side=1)["room"] for _ in range(3)]
        for room in rooms:
            assert challenge(ann, online["id"], room).ok
            if room != rooms[-1]:
                assert "begins" in child.stdout.readline()
        play_on(ann, rooms[0], Random(1))
        assert child.stdout.readline().startswith("Ann against random")
        assert challenge(ann, online["id"], rooms[2]).ok  # now there is room for it
        assert "begins" in child.stdout.readline()
    ann.close()


def test_a_bot_that_is_stopped_leaves_its_games(server: Server) -> None:
    ann = Client(server.address, "Ann")
    with bot("random", "--serve", server.address) as child:
        assert child.stdout
        child.stdout.readline()
        online = wait_online(server, "random")
        room = ann.do("create", variant="linear", side=1)["room"]
        assert challenge(ann, online["id"], room).ok
        assert "begins" in child.stdout.readline()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (130, "")
    assert out.endswith("Stopped.\n")
    assert ann.do("enter", room=room)["snapshot"]["outcome"]
    ann.close()


def test_a_voice_that_has_ended_says_nothing() -> None:
    said: list[str] = []
    voice = client.Voice(said.append)
    voice("hello")
    voice.end()
    voice("more")
    assert said == ["hello"]


def test_a_stream_that_is_refused_for_a_while_is_opened_again() -> None:
    """Against a site that has too much to do at first, and breaks off once."""
    told = iter([(429, b'{"error": {"message": "wait", "seconds": 0.1}}'), (200, b'{"a": 1}\n')])

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_stream = "stream" in self.path
            status, body = (
                next(told, (200, b'\n{"a": 2}\n')) if is_stream else (200, b'{"name": "x"}')
            )
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        site = client.Site(f"http://127.0.0.1:{http.server_port}", "token", "x")
        lines = client.lasting(site, "stream")
        assert [next(lines) for _ in range(3)] == [{"a": 1}, {}, {"a": 2}]
        http.shutdown()


def test_a_faulty_bot_costs_only_its_turns(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "Faulty.py"
    file.write_text("""
class Faulty:
    def getNextMove(self, state): raise RuntimeError("not again")
    def getNextSteal(self, state): pass
""")
    ann = Client(server.address, "Ann")
    made = ann.do("create", variant="isola", side=1)
    with bot(str(file), "--room", f"{server.address}/room/{made['room']}") as child:
        moves = play_on(ann, made["room"], Random(2))
        out, _ = child.communicate(timeout=60)
    assert moves.split()[1::2] == ["discard"] * 4
    assert out.count("made a fault at move") == 4
    assert "not again (Faulty.py, line 3)" in out
    ann.close()


def test_what_the_command_refuses(server: Server) -> None:
    sample = str(SAMPLES / "SampleAI.py")
    for arguments, words in (
        ([sample, "--room", f"{server.address}/room/nothing"], "no such room"),
        ([sample, "--room", f"{server.address}/"], "no link to a room"),
        ([sample, "--room", "here"], "no address of a site"),
        ([sample, "--room", "http://127.0.0.1:9/room/x"], "does not answer"),
        (["nobody.py", "--room", f"{server.address}/room/x"], "there is no file"),
        ([sample, "--serve", server.address, "--token", "wrong"], "send a token"),
    ):
        found = run("bot", *arguments)
        assert (found.returncode, found.stdout) == (2, "")
        assert words in found.stderr
