"""Several web processes at one address: they share it, are replaced, and leave without a trace."""

import json
import os
import signal
import statistics
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg2
import pytest
import requests
import websocket

from tests.client import SECONDS, Client, new_cookie, new_id
from tests.drivers import Player
from tests.postgres import postgres
from tests.redis_server import redis_server
from tests.server import ROOT, Server, free_port, start
from tests.supervised import children, connections, holder, is_alive, own_port
from tests.test_bot_api import Bot
from tests.test_hostile import raw
from tests.waiting import wait_until

COUNT = 3
GAMES = 4  # during a rolling restart
RESTART = 1012  # the code of RFC 6455 for "service restart"
# As app.py does it, but for the worker.
WITH_WORKER = """
import os, sys
from isolation.web.settings import read_settings
from isolation.web.supervisor import supervise
sys.exit(supervise(read_settings(os.environ), worker=["sh", "-c", "exec sleep 600"]))
"""


@pytest.fixture(scope="module")
def shared() -> Iterator[dict[str, str]]:
    """What processes of one site share."""
    with postgres() as database, redis_server() as redis:
        yield {
            "DATABASE_URL": database,
            "REDIS_URL": redis.address,
            "RATE_LIMITS": "off",
            "ENGINES": "remote",
        }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, shared: dict[str, str]) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("site")
    environment: dict[str, Any] = {**shared, "PROCESSES": str(COUNT)}
    with Server(folder, **environment) as running:
        yield running
    assert "Traceback" not in running.errors.read_text()


def wait_until_all_serve(site: Server) -> None:
    """Connect until each process has accepted somebody."""
    cookie = new_cookie(site.address)
    opened: list[websocket.WebSocket] = []

    def all_serve() -> bool:
        opened.append(raw(site.address, cookie))
        found = children(site.pid)
        return len(found) == COUNT and all(connections(pid, site.address) - {0} for pid in found)

    wait_until(all_serve)
    for socket in opened:
        socket.close()


def test_every_process_accepts(site: Server) -> None:
    wait_until_all_serve(site)


def test_a_killed_process_is_replaced(site: Server) -> None:
    victim = min(children(site.pid))
    os.kill(victim, signal.SIGKILL)
    for _ in range(30):
        assert requests.get(f"{site.address}/livez", timeout=SECONDS).ok
    wait_until_all_serve(site)
    assert victim not in children(site.pid)
    assert f"WARNING room=- visitor=- web process {victim} was ended by signal 9; another" in (
        site.errors.read_text()
    )


def test_new_processes_that_fail_leave_the_old_ones_alone(site: Server) -> None:
    key = site.folder / "secret_key"
    good, before = key.read_text(), children(site.pid)
    told = len(site.errors.read_text())
    key.write_text("short")  # those who run have read it
    os.kill(site.pid, signal.SIGHUP)
    wait_until(lambda: "the old ones go on" in site.errors.read_text()[told:])
    assert children(site.pid) == before
    os.kill(min(before), signal.SIGKILL)
    wait_until(lambda: "another one starts in 1 s" in site.errors.read_text()[told:])
    assert requests.get(f"{site.address}/livez", timeout=SECONDS).ok
    key.write_text(good)
    wait_until_all_serve(site)


def test_what_was_asked_is_answered_before_a_process_leaves(
    site: Server, shared: dict[str, str]
) -> None:
    ann, bob = Client(site.address, "Ann"), Client(site.address, "Bob")
    made = ann.do("create", variant="slider", side=1)
    bob.do("join", room=made["room"])
    victim = holder(site, own_port(ann))
    visitor = visitor_of(site, victim)
    answers: list[dict[str, object]] = []
    move_id = new_id()
    with psycopg2.connect(shared["DATABASE_URL"]) as database, database.cursor() as cursor:
        cursor.execute("LOCK TABLE events, games IN ACCESS EXCLUSIVE MODE")
        mover = threading.Thread(
            target=lambda: answers.append(ann.move(made["game"], 0, "a2-b2", move_id))
        )
        mover.start()
        wait_until(lambda: waiting(shared["DATABASE_URL"]) >= 1)
        visitor.request("GET", "/api/games/nosuchgame")
        wait_until(lambda: waiting(shared["DATABASE_URL"]) >= 2)
        os.kill(victim, signal.SIGTERM)
        wait_until(lambda: 0 not in connections(victim, site.address))  # it has closed its door
        database.rollback()
    database.close()
    mover.join(SECONDS)
    assert [answer.get("ok") for answer in answers] == [True]
    assert visitor.getresponse().status == 404
    visitor.close()
    ann.wait_for_connection(2)
    # The same again, as if the answer had been lost.
    assert ann.move(made["game"], 0, "a2-b2", move_id)["repeated"]
    wait_until(lambda: not is_alive(victim))
    for client in (ann, bob):
        client.close()


def visitor_of(site: Server, pid: int) -> HTTPConnection:
    """A connection to one of the processes, for a request."""
    parts = urlsplit(site.address)
    made: list[HTTPConnection] = []

    def is_there() -> bool:
        made.append(HTTPConnection(str(parts.hostname), parts.port, timeout=SECONDS))
        made[-1].connect()
        made[-1].request("GET", "/livez")
        made[-1].getresponse().read()
        return made[-1].sock.getsockname()[1] in connections(pid, site.address)

    wait_until(is_there)
    for other in made[:-1]:
        other.close()
    return made[-1]


def waiting(address: str) -> int:
    """How many queries wait for a lock."""
    with psycopg2.connect(address) as database, database.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
        (count,) = cursor.fetchone()
    database.close()
    return int(count)


def test_what_is_not_answered_is_not_done(site: Server, shared: dict[str, str]) -> None:
    """A client that goes on talking while it's sent away."""
    socket = raw(site.address, new_cookie(site.address))
    assert socket.sock
    victim = holder(site, socket.sock.getsockname()[1])
    before = count_games(shared["DATABASE_URL"])
    sent, is_over = 0, threading.Event()

    def talk() -> None:
        nonlocal sent
        while not is_over.wait(0.005):
            try:
                socket.send(f'42{sent + 1}["create",{{"variant":"linear"}}]')
            except (OSError, websocket.WebSocketException):
                return
            sent += 1

    talker = threading.Thread(target=talk)
    talker.start()
    answered, code = 0, 0
    while not code:
        opcode, frame = socket.recv_data()
        if opcode == websocket.ABNF.OPCODE_CLOSE:
            code = int.from_bytes(frame[:2], "big")
        elif frame.startswith(b"43"):
            assert b'"ok":true' in frame
            answered += 1
            if answered == 5:
                os.kill(victim, signal.SIGTERM)
    is_over.set()
    talker.join(SECONDS)
    socket.close()
    assert code == RESTART
    assert 5 <= answered <= sent
    wait_until(lambda: not is_alive(victim))
    assert count_games(shared["DATABASE_URL"]) - before == answered


def count_games(address: str) -> int:
    with psycopg2.connect(address) as database, database.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM games")
        (count,) = cursor.fetchone()
    database.close()
    return int(count)


def test_a_rolling_restart_is_seen_by_nobody(site: Server) -> None:
    """Players, a bot's stream and plain requests, while every process is replaced."""
    wait_until_all_serve(site)
    rooms = [open_room(site.address) for _ in range(GAMES)]
    players = [
        Player(client, room, seed) for room, clients in rooms for seed, client in enumerate(clients)
    ]
    for player in players:
        player.start()
    failures: list[str] = []
    is_over = threading.Event()
    threads = [
        threading.Thread(target=ask_again, args=(site.address, is_over, failures)),
        threading.Thread(target=listen_again, args=(site.address, is_over, failures)),
    ]
    for thread in threads:
        thread.start()
    before = children(site.pid)
    os.kill(site.pid, signal.SIGHUP)
    wait_until(lambda: len(children(site.pid)) == COUNT and not children(site.pid) & before)
    wait_until(lambda: site.errors.read_text().rstrip().endswith("restarted"))
    is_over.set()
    for thread in threads:
        thread.join(SECONDS)
    for player in players:
        wait_until(partial(goes_on, player, len(player.acknowledged)))
    for player in players:
        player.stop()
    assert failures == []
    assert [player.failure for player in players] == [None] * len(players)
    assert [dict(player.refused) for player in players] == [{}] * len(players)
    assert [call for player in players for call in player.unanswered] == []
    acknowledged = {ply: text for player in players for ply, text in player.acknowledged.items()}
    eve = Client(site.address, "Eve")
    for room, _ in rooms:
        snapshot = eve.do("enter", room=room)["snapshot"]
        moves = snapshot["moves"].split()
        here = {ply: text for (game, ply), text in acknowledged.items() if game == snapshot["game"]}
        assert here
        assert all(moves[ply : ply + 1] == [text] for ply, text in here.items())
    eve.close()
    seconds = [one.seconds for player in players for one in player.acknowledgements]
    middle, worst = statistics.median(seconds), max(seconds)
    print(f"{len(seconds)} moves, acknowledged after {middle:.3f} s, {worst:.2f} s at worst")


def open_room(address: str) -> tuple[str, list[Client]]:
    """A game between two people, long enough for the whole restart."""
    ann, bob = Client(address, "Ann"), Client(address, "Bob")
    room = ann.do("create", variant="isola", options={"size": 15}, side=1)["room"]
    bob.do("join", room=room)
    return room, [ann, bob]


def goes_on(player: Player, done: int) -> bool:
    return len(player.acknowledged) > done or bool(player.failure)


def ask_again(address: str, is_over: threading.Event, failures: list[str]) -> None:
    while not is_over.wait(0.02):
        try:
            answer = requests.get(f"{address}/livez", timeout=SECONDS)
            if not answer.ok:
                failures.append(answer.text)
        except requests.RequestException as error:
            failures.append(repr(error))


def listen_again(address: str, is_over: threading.Event, failures: list[str]) -> None:
    """A bot that opens its stream again whenever it ends: it's whole each time."""
    bot, streams = Bot(address), 0
    while not is_over.is_set():
        streams += 1
        try:
            with requests.get(
                f"{address}/api/bot/stream/event", headers=bot.headers, stream=True, timeout=SECONDS
            ) as answer:
                for line in answer.iter_lines(chunk_size=1):
                    if line:
                        json.loads(line)
                    if is_over.is_set():
                        break
        except requests.RequestException as error:
            failures.append(repr(error))
    if streams < 2:
        failures.append("no stream was ended")


def test_a_start_that_signs_with_a_key_of_its_own_says_so(shared: dict[str, str]) -> None:
    nowhere = f"postgresql://isolation@127.0.0.1:{free_port()}/postgres"
    alone = {**shared, "DATABASE_URL": nowhere, "SECRET_KEY": ""}
    for processes in ("1", "2"):
        child = start(PORT="0", PROCESSES=processes, **alone)
        _, complaint = child.communicate(timeout=SECONDS)
        assert complaint.startswith("isolation: SECRET_KEY isn't set, so cookies are signed with")
        assert complaint.count("SECRET_KEY") == 2  # what to set, once


def test_a_stop_ends_everyone(tmp_path: Path, shared: dict[str, str]) -> None:
    with serving_with_worker(tmp_path, shared) as running:
        client = Client(running.address, reconnects=False)
        web = children(running.pid)
        (worker,) = children(running.pid, "sleep")
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: children(running.pid, "sleep") - {worker})
        everyone = web | children(running.pid, "sleep")
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(SECONDS) == 0
        assert not any(map(is_alive, everyone))
        client.close()
        with pytest.raises(requests.ConnectionError):
            requests.get(running.address, timeout=SECONDS)


def test_a_killed_supervisor_leaves_nobody_behind(tmp_path: Path, shared: dict[str, str]) -> None:
    with serving_with_worker(tmp_path, shared) as running:
        everyone = children(running.pid) | children(running.pid, "sleep")
        assert len(everyone) == 3
        running.process.kill()
        running.process.wait(SECONDS)
        wait_until(lambda: not any(map(is_alive, everyone)))


class serving_with_worker:  # noqa: N801
    """Two web processes beside something that stands for the engine worker."""

    def __init__(self, folder: Path, shared: dict[str, str]) -> None:
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        environment = {**shared, "PORT": str(port), "ENGINES": "1", "PROCESSES": "2"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WITH_WORKER],
            cwd=ROOT,
            env={**os.environ, **environment, "INSTANCE": str(folder)},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self.process.pid

    def __enter__(self) -> "serving_with_worker":
        assert self.process.stdout
        assert " on http://" in self.process.stdout.readline()
        wait_until(lambda: children(self.pid, "sleep"))
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdout
        self.process.stdout.close()
        self.process.terminate()
        self.process.wait(SECONDS)


def test_a_database_out_of_reach_is_told_once(shared: dict[str, str]) -> None:
    nowhere = f"postgresql://isolation@127.0.0.1:{free_port()}/postgres"
    child = start(PORT="0", PROCESSES="3", **{**shared, "DATABASE_URL": nowhere})
    out, complaint = child.communicate(timeout=SECONDS)
    assert (child.returncode, out) == (1, "")
    own_key, *lines = complaint.splitlines()
    assert "SECRET_KEY isn't set" in own_key
    assert [line.partition(": ")[2][:30] for line in lines] == ["the database can't be opened: "]
