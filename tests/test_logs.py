"""Log lines say whom and what they're about, and give nothing away."""

import logging
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Timer

import pytest
import requests
from flask import Flask
from itsdangerous import URLSafeSerializer

from isolation.rooms.subjects import FORMAT, Subjects, note, note_visitor
from isolation.web.identity import Identities
from isolation.web.logs import note_request
from tests.client import Client
from tests.server import ROOT, Server, free_port, start

SECONDS = 60.0
LINE = re.compile(r"[\d-]{10} [\d:,]{12} (.*)")


def line(message: str) -> str:
    """What a message looks like in the log, without the time."""
    record = logging.LogRecord("test", logging.ERROR, "", 0, message, (), None)
    assert Subjects().filter(record)
    shown = LINE.fullmatch(logging.Formatter(FORMAT).format(record))
    assert shown
    return shown[1]


def identity_in(cookie: str) -> str:
    _, identity = URLSafeSerializer("any").loads_unsafe(cookie)
    assert isinstance(identity, str)
    return identity


def fails() -> str:
    raise KeyError


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (None, "-"),
        (lambda: None, "-"),
        (lambda: "Zk3J8fPq2mXw", "Zk3J8fPq2mXw"),
        (lambda: "two words\n2026-01-01 ERROR", "-"),
        (lambda: "x" * 33, "-"),
        (fails, "-"),
    ],
)
def test_a_line_names_a_room_that_may_be_one(
    room: Callable[[], str | None] | None, shown: str
) -> None:
    note(room, None)
    assert line("trouble") == f"ERROR room={shown} visitor=- trouble"
    note(None, None)


def test_a_visitor_is_shown_in_part() -> None:
    note_visitor("abcdefghijklmnop")
    assert line("trouble") == "ERROR room=- visitor=abcdefghij trouble"
    note(None, None)


def test_a_request_is_about_a_room_and_a_visitor() -> None:
    app, identities = Flask("test"), Identities(["k" * 32])
    app.add_url_rule("/room/<room>", "room", lambda room: line("seen"))
    app.add_url_rule("/games/<game_id>", "game", lambda game_id: line("seen"))
    app.before_request(lambda: note_request({"g": "home"}.get, identities))
    client = app.test_client()
    assert client.get("/room/r").text == "ERROR room=r visitor=- seen"
    client.set_cookie("visitor", URLSafeSerializer(["k" * 32], salt="visitor").dumps("ann"))
    assert client.get("/games/g").text == "ERROR room=home visitor=ann seen"
    client.set_cookie("visitor", "forged")
    assert client.get("/games/other").text == "ERROR room=- visitor=- seen"
    note(None, None)


def test_trouble_with_an_event_is_logged_with_its_room_and_visitor(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        ann = Client(server.address, "Ann")
        room = ann.do("create", variant="classic", opponent="local")["room"]
        with sqlite3.connect(tmp_path / "isolation.db") as connection:
            connection.execute("ALTER TABLE chat RENAME TO chat_away")
        connection.close()
        assert ann.ask("chat", {"room": room, "text": "hello"})["error"]["code"] == "store_down"
        cookie = ann.cookie
        ann.close()
    log = server.errors.read_text()
    shown = LINE.fullmatch(log.splitlines()[0])
    assert shown
    about = f"room={room} visitor={identity_in(cookie)[:10]}"
    assert shown[1].startswith(f"ERROR {about} the database can't be used: no such table: chat")
    assert cookie not in log
    assert identity_in(cookie) not in log


def test_each_request_is_a_line_in_the_access_log() -> None:
    child = start(PORT="0", ACCESS_LOG="on", TRUSTED_PROXIES="1")
    patience = Timer(SECONDS, child.kill)
    patience.start()
    heard = ""
    try:
        assert child.stdout
        address = child.stdout.readline().split(" on ")[1].split()[0]
        for path, headers in (
            ("/livez?secret=1", {"X-Forwarded-For": "203.0.113.7"}),
            ("/no%0Awhere%20at%20all", {"X-Forwarded-For": "10.0.0.1, 203.0.113.8"}),
            ("/api/bot/account", {"Authorization": "Bearer hush"}),
        ):
            requests.get(address + path, headers=headers, timeout=SECONDS)
        requests.delete(f"{address}/api/bot/tokens/hush", timeout=SECONDS)
        requests.post(f"{address}/livez", data=b"x" * 70_000, timeout=SECONDS)
        ann = Client(address, "Ann")
        ann.do("lobby")
        ann.close()
        while (line := child.stdout.readline()) and "/socket.io/" not in line:
            heard += line
        heard += line
    finally:
        patience.cancel()
        child.terminate()
        out, complaints = child.communicate(timeout=SECONDS)
    out = heard + out
    assert complaints == ""
    lines = [found[1] for found in map(LINE.fullmatch, out.splitlines()) if found]
    assert len(lines) == 7
    told = [re.sub(r"\d+ bytes [\d.]+ ms$", "", text).strip() for text in lines]
    assert told[0] == "203.0.113.7 GET /livez 200"
    assert told[1] == "203.0.113.8 GET /no%0Awhere%20at%20all 404"
    assert [text.split(" ", 1)[1] for text in told[2:]] == [
        "GET /api/bot/account 401",
        "DELETE /api/bot/tokens/- 401",
        "POST /livez 413",
        "GET / 200",
        "GET /socket.io/ 101",
    ]
    assert int(re.findall(r"(\d+) bytes", lines[5])[0]) > 1000
    assert "hush" not in out
    assert ann.cookie not in out


def test_an_engine_host_logs_in_the_same_form() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "isolation", "worker", "--engines", "1"],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": f"redis://127.0.0.1:{free_port()}"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stderr
        logged = LINE.fullmatch(child.stderr.readline().rstrip())
        assert logged
        assert logged[1].startswith("WARNING room=- visitor=- Redis at redis://127.0.0.1:")
    finally:
        child.kill()
        child.communicate()
