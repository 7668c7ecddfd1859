"""Thousands of events that no client of ours would send: answered, and nothing changes."""

import json
import string
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import psutil
import requests
import websocket

from isolation.web.commands import EVENTS
from isolation.web.fields import MAX_MESSAGE
from tests.client import Client, new_cookie
from tests.server import Server

EVENTS_SENT = 6000
WARM_UP = 1000
GROWTH = 8_000_000  # bytes that a process may come to hold in between
FRAMES = 600


class Nonsense:
    """Random events, most of them nearly right."""

    def __init__(self, seed: int, game: str, room: str) -> None:
        self._lot = Random(seed)
        self._game, self._room = game, room

    def event(self) -> str:
        if self._lot.random() < 0.85:
            return self._lot.choice(list(EVENTS))
        return "".join(self._lot.choices(string.printable, k=self._lot.randint(0, 30))) or "x"

    def value(self, depth: int = 0) -> Any:
        lot = self._lot
        kinds: list[Callable[[], Any]] = [
            lambda: None,
            lambda: lot.choice([True, False]),
            lambda: lot.randint(-(10**25), 10**25),
            lambda: lot.choice([0, -1, 1, 2, 10**6, 1e308, 0.5]),
            lambda: self._game,
            lambda: self._room,
            lambda: lot.choice(["a2-b2", "c1-c2", "pass", "offer", "win", "friend", "classic"]),
            lambda: "".join(chr(lot.randint(0, 0xD7FF)) for _ in range(lot.randint(0, 40))),
            lambda: lot.choice("xa<é♞\x00") * lot.choice([25, 301, 1500]),
        ]
        if depth < 3:
            kinds += [
                lambda: [self.value(depth + 1) for _ in range(lot.randint(0, 4))],
                lambda: {self.name(): self.value(depth + 1) for _ in range(lot.randint(0, 4))},
            ]
        return lot.choice(kinds)()

    def name(self) -> str:
        fields = [name for event in EVENTS.values() for name in event.fields.model_fields]
        return self._lot.choice([*fields, "", "__proto__", "x" * 200])

    def data(self, event: str) -> Any:
        """What fits into a message; one that does not is tried elsewhere."""
        while True:
            data = self._data(event)
            if len(json.dumps(data)) < MAX_MESSAGE - 1000:
                return data

    def _data(self, event: str) -> Any:
        """Sometimes anything, sometimes the right fields with one or more wrong values."""
        if event not in EVENTS or self._lot.random() < 0.3:
            return self.value()
        right = {
            "game": self._game,
            "room": self._room,
            "ply": 0,
            "move": "a2-b2",
            "id": "id",
            "action": "accept",
            "result": "win",
        }
        known = list(EVENTS[event].fields.model_fields)
        fields = {name: right.get(name, self.value()) for name in known}
        for name in self._lot.sample(known, self._lot.randint(0, len(known))):
            fields[name] = self.value()
        if self._lot.random() < 0.2:
            fields[self.name()] = self.value()
        return fields


QUIET = {"lobby", "leave_lobby", "watch", "leave_watch"}
HARMLESS = {"enter", "leave", "sync", "rename", "create", "chat"} | QUIET


def test_thousands_of_bad_events_change_nothing(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off") as server:
        ann, bob = Client(server.address, "Ann"), Client(server.address, "Bob")
        made = ann.do("create", variant="slider", side=1)
        ann.do("enter", room=made["room"])
        bob.do("join", room=made["room"])
        assert ann.move(made["game"], 0, "a2-b2")["ok"]
        before = game(server, made["game"])
        eve = Client(server.address, "Eve")
        nonsense = Nonsense(20261116, made["game"], made["room"])
        process, held = psutil.Process(server.pid), 0
        refused: dict[str, int] = {}
        for number in range(EVENTS_SENT):
            event = nonsense.event()
            answer = eve.ask(event, nonsense.data(event))
            if number == WARM_UP:
                held = process.memory_info().rss
            if answer.get("ok"):
                assert event in HARMLESS | {"join"}, (event, answer)
                continue
            error = answer["error"]
            assert error["code"] != "internal"
            assert 0 < len(error["message"]) < 400
            refused[error["code"]] = refused.get(error["code"], 0) + 1
        assert sum(refused.values()) > 4500, refused
        assert {"invalid", "unknown", "unknown_event", "not_yours"} <= set(refused)
        assert process.memory_info().rss - held < GROWTH
        # Out of turn, with a wrong ply, by a player who has a seat.
        for ply in (0, 1, 2, 99):
            assert ann.move(made["game"], ply, "a3-b3")["error"]["code"] in (
                "stale",
                "not_your_turn",
            )
        assert game(server, made["game"]) == before
        assert bob.move(made["game"], 1, "c1-c2")["ok"]
        for client in (ann, bob, eve):
            client.close()
    assert server.errors.read_text() == ""


def test_frames_that_are_no_events_only_end_their_own_connection(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off") as server:
        ann = Client(server.address, "Ann")
        made = ann.do("create", variant="slider", side=1, opponent="local")
        ann.do("enter", room=made["room"])
        lot, cookie = Random(3), new_cookie(server.address)
        frames = [
            "",
            "4",
            "42",
            "42[",
            "42{}",
            '42["move"]',
            "42[[]]",
            "42[null]",
            "451-[",
            "9",
            "2",
        ]
        frames += ['421["move",{}]', "43[]", "431[1]", "41", "40", "40/x,", "44{}", "x" * 20000]
        frames += [
            '42["' + "x" * 10000 + '"]',
            '42["a"' + ',"a"' * 3000 + "]",
            "[" * 5000,
            "42" + "[" * 5000,
            '42["connect",{}]',
            '42["disconnect"]',
        ]
        for _ in range(FRAMES // 10):
            socket = raw(server.address, cookie)
            try:
                for _ in range(10):
                    frame = lot.choice(frames)
                    if lot.random() < 0.3:
                        frame = "4" + "".join(lot.choices(string.printable, k=lot.randint(0, 60)))
                    socket.send(frame)
            except (websocket.WebSocketException, OSError):
                pass  # the server has hung up
            socket.close()
        assert ann.move(made["game"], 0, "a2-b2")["ok"]
        assert len(game(server, made["game"])["moves"]) == 1
        ann.close()
    assert "Traceback" not in server.errors.read_text()


def test_a_message_that_is_too_large_ends_the_connection(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        ann = Client(server.address, "Ann")
        gone = threading.Event()
        ann.socket.on("disconnect", lambda *_: gone.set())
        made = ann.do("create", variant="slider", opponent="local")
        ann.socket.emit("chat", {"room": made["room"], "text": "x" * 50_000})
        assert gone.wait(60)
        bob = Client(server.address, "Bob")
        assert bob.do("enter", room=made["room"])["snapshot"]["ply"] == 0
        for client in (ann, bob):
            client.close()


def raw(address: str, cookie: str) -> websocket.WebSocket:
    """A connection that has said hello, and can say anything now."""
    socket = websocket.create_connection(
        f"{address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket",
        cookie=f"visitor={cookie}",
        timeout=60,
    )
    assert json.loads(socket.recv()[1:])["sid"]
    socket.send("40")
    assert "sid" in socket.recv()
    return socket


def game(server: Server, game_id: str) -> dict[str, Any]:
    found: dict[str, Any] = requests.get(f"{server.address}/api/games/{game_id}", timeout=60).json()
    return found
