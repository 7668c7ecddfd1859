"""Those who take part in games in other ways: bots over HTTP, and people who watch; no tests."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import requests

from tests.client import Client, new_id
from tests.drivers import AGAIN_S, ANSWER_S, NEWS_S, PASSING, Actor, Visitor
from tests.playing import random_move

SYNC_S = 10.0  # as pages do
SECONDS = 60.0
NO_CLAIM = ("present", "too_early", "over")


class BotPlayer(Actor):
    """A bot that hears its games as streams, over any process, and posts its moves over another."""

    def __init__(self, find: Callable[[], str], room: str, seed: int, **more: float) -> None:
        super().__init__(room, seed, **more)
        self._find = find
        made = requests.post(f"{find()}/api/bot/token", json={"name": "Bot"}, timeout=SECONDS)
        self._headers = {"Authorization": f"Bearer {made.json()['token']}"}
        assert self._ask("POST", f"rooms/{room}/join")["ok"]

    def reconnect(self) -> None:
        """Each request is one of its own."""

    def _ask(self, method: str, path: str, **fields: Any) -> dict[str, Any]:
        address = f"{self._find()}/api/bot/{path}"
        answer = requests.request(
            method,
            address,
            json=fields if method == "POST" else None,
            headers=self._headers,
            timeout=ANSWER_S,
        )
        told: dict[str, Any] = answer.json()
        return told

    def look(self) -> None:
        looked = self.insist(lambda: self._ask("GET", f"rooms/{self.room}"))
        if not looked:
            return
        game = looked["game"]
        if looked["over"]:
            self.insist(lambda: self._ask("POST", f"game/{game}/rematch"))
            self.is_done.wait(NEWS_S)
            return
        try:
            self._play(game)
        except requests.RequestException:
            self.is_done.wait(AGAIN_S)

    def _play(self, game: str) -> None:
        full: dict[str, Any] = {}
        for line in self._lines(f"game/stream/{game}"):
            if line["type"] == "gameFull":
                full, line = line, line["state"]
            if line.get("type") != "gameState" or line["status"] == "finished":
                continue
            known = {"variant": full["variant"], "options": full["options"], "game": game}
            record = self.record_of({**known, "moves": line["moves"]})
            if line["to_move"] == full["you"]:
                text = record.position.notate(random_move(record.position, self.lot))
                self._move(game, line["ply"], text)
                self.hurry.wait(self._pause_s)

    def _move(self, game: str, ply: int, text: str) -> None:
        fields = {"ply": ply, "move": text, "id": new_id()}
        path = f"game/{game}/move"
        self.insist_on_move(lambda: self._ask("POST", path, **fields), game, ply, text)

    def _lines(self, path: str) -> Iterator[dict[str, Any]]:
        """Until the stream ends, however it does; whole lines only."""
        address = f"{self._find()}/api/bot/{path}"
        with requests.get(address, headers=self._headers, stream=True, timeout=SECONDS) as answer:
            if answer.status_code != 200:
                code = answer.json()["error"]["code"]
                assert code in PASSING, answer.text
                self.refused[code] += 1
                self.is_done.wait(AGAIN_S)
                return
            for line in answer.iter_lines(chunk_size=1):
                if self.is_done.is_set():
                    return
                if line:
                    yield json.loads(line)


class Watcher(Visitor):
    """Looks on as a page does: hears what's told, and asks now and then what it has missed."""

    def __init__(self, client: Client, room: str, seed: int, claims: bool = False) -> None:
        super().__init__(client, room, seed)
        self._claims = claims  # again and again the game, though the opponent plays
        self.game, self.v = "", 0
        self._entered = 0  # the connection over which we did
        self._hearing = threading.Lock()
        for event in ("moved", "state", "snapshot", "rematch", "asked"):
            client.socket.on(event, self._hear)

    def _hear(self, told: dict[str, Any]) -> None:
        """A newer game is told as a snapshot; nothing takes us back."""
        with self._hearing:
            if told["game"] == self.game:
                self.v = max(self.v, told["v"])
            elif self._is_newer(told):
                self.game, self.v = told["game"], told["v"]

    def _is_newer(self, told: dict[str, Any]) -> bool:
        return not self.game or self.game in told.get("games", ())

    def look(self) -> None:
        connection = self.client.connections
        if connection != self._entered:
            answer = self.ask("enter", {"room": self.room})
            self._entered = connection
        elif self.is_done.wait(SYNC_S / 2):
            return
        else:
            known = {"room": self.room, "game": self.game, "v": self.v}
            answer = self.ask("sync", known)
        if not answer:
            return
        assert answer.get("ok"), answer
        if snapshot := answer.get("snapshot"):
            self._hear(snapshot)
        for missed in answer.get("missed", ()):
            self._hear(missed["payload"])
        if self._claims:
            self._claim()

    def _claim(self) -> None:
        """Nobody is away for long, whatever happens to the processes."""
        claimed = self.ask("claim", {"game": self.game, "result": "win"})
        assert not claimed or claimed.get("error", {}).get("code") in NO_CLAIM, claimed
