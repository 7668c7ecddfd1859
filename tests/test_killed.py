"""A server that is killed in the middle of many games loses nothing that it has acknowledged."""

import threading
from pathlib import Path
from random import Random
from typing import Any

import requests
import socketio

from isolation.rules import GameRecord
from tests.client import Client, new_id
from tests.server import Server

GAMES = 8
KILLS = 20
MOVES_BETWEEN = 3  # acknowledged in every game before the next kill
ANSWER_SECONDS = 2.0


class Player(threading.Thread):
    """Plays random moves, whatever happens to the server, and repeats what was not answered."""

    def __init__(self, client: Client, room: str, seed: int) -> None:
        super().__init__(daemon=True)
        self._client = client
        self._room = room
        self._lot = Random(seed)
        self.acknowledged: dict[int, str] = {}  # moves by ply
        self.repeated = 0
        self.failure: str | None = None
        self.is_done = threading.Event()

    def run(self) -> None:
        try:
            while not self.is_done.is_set():
                try:
                    self._take_turn()
                except (socketio.exceptions.SocketIOError, ConnectionError):
                    self.is_done.wait(0.05)  # the client reconnects by itself
        except Exception as error:
            self.failure = repr(error)

    def _call(self, event: str, fields: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = self._client.socket.call(event, fields, timeout=ANSWER_SECONDS)
        return answer

    def _take_turn(self) -> None:
        """Look at the game as it is, and move if it is our turn."""
        snapshot = self._call("enter", {"room": self._room})["snapshot"]
        if snapshot["outcome"]:
            self.is_done.set()
            return
        if snapshot["to_move"] not in snapshot["you"]:
            self.is_done.wait(0.005)
            return
        record = GameRecord.begin(snapshot["variant"], snapshot["options"])
        position = record.replay(snapshot["moves"].split()).position
        move: tuple[int, ...] = ()
        while cells := position.next_cells(move):
            move = (*move, self._lot.choice(cells))
        self._insist(
            {
                "game": snapshot["game"],
                "ply": snapshot["ply"],
                "move": position.notate(move),
                "id": new_id(),
            }
        )

    def _insist(self, fields: dict[str, Any]) -> None:
        """Repeat a move until it is answered: it may have been made, or not."""
        while not self.is_done.is_set():
            try:
                answer = self._call("move", fields)
            except (socketio.exceptions.SocketIOError, ConnectionError):
                self.is_done.wait(0.05)
                continue
            assert answer.get("ok"), answer
            self.repeated += bool(answer.get("repeated"))
            self.acknowledged[fields["ply"]] = fields["move"]
            return


def test_a_killed_server_loses_no_acknowledged_move(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off") as server:
        clients, tables = [], []
        for number in range(GAMES):
            ann, bob = Client(server.address, "Ann"), Client(server.address, "Bob")
            clients += [ann, bob]
            made = ann.do("create", variant="isola", options={"size": 27}, side=1)
            ann.do("enter", room=made["room"])
            bob.do("join", room=made["room"])
            players = [Player(c, made["room"], 2 * number + i) for i, c in enumerate((ann, bob))]
            tables.append((made["game"], players))
        everyone = [player for _, players in tables for player in players]
        for player in everyone:
            player.start()

        def acknowledged(players: list[Player]) -> dict[int, str]:
            return {p: m for one in players for p, m in dict(one.acknowledged).items()}

        patience = threading.Event()
        for _ in range(KILLS):
            before = [len(acknowledged(players)) for _, players in tables]
            for _ in range(2400):
                now = [len(acknowledged(players)) for _, players in tables]
                if all(b + MOVES_BETWEEN <= n for b, n in zip(before, now, strict=True)):
                    break
                assert not [one.failure for one in everyone if one.failure]
                patience.wait(0.025)
            else:
                raise AssertionError(f"the games do not go on: {before} {now}")
            server.kill()
            server.start()
            for (game, _), count in zip(tables, now, strict=True):
                found = requests.get(f"{server.address}/api/games/{game}", timeout=60).json()
                assert len(found["moves"]) >= count
        for player in everyone:
            player.is_done.set()
        for player in everyone:
            player.join(60)
            assert not player.is_alive()
        for game, players in tables:
            found = requests.get(f"{server.address}/api/games/{game}", timeout=60).json()
            moves = found["moves"]
            GameRecord.begin("isola", found["options"]).replay(moves)
            for ply, text in acknowledged(players).items():
                assert moves[ply] == text
            # At the most the last move of each player was made without its answer being heard.
            assert len(moves) <= len(acknowledged(players)) + 2
        for client in clients:
            client.close()
    assert server.errors.read_text() == ""
