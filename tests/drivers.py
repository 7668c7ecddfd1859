"""People who play at random and insist, whatever happens to the servers; no tests here.

They reconnect, enter and go on, and repeat what wasn't answered. They note what was acknowledged,
so that it can be compared with the store.
"""

import threading
import time
import traceback
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import requests
import socketio

from isolation.rules import GameRecord, Move, Position
from tests.client import Client, new_id
from tests.playing import random_move

ANSWER_S = 30.0  # far more than a busy machine needs
CONNECT_S = 5.0
AGAIN_S = 0.2  # after a refusal that passes
NEWS_S = 2.0  # to wait for somebody else's move before another look
PAUSE_S = 0.4  # between turns, so that two cores are enough for all of this
STOP_S = 60.0
PASSING = ("store_down", "unsure", "busy")  # refusals after which one tries again

Ply = tuple[str, int]  # a game, and the number of a turn in it
GONE = (socketio.exceptions.SocketIOError, requests.RequestException, ConnectionError, TimeoutError)


class Behind(Exception):
    """A process hasn't heard yet what we know."""


@dataclass(frozen=True)
class Acknowledgement:
    """Of a move, by our own clock."""

    at: float
    seconds: float  # since it was first sent, refusals and lost connections included


class Actor(threading.Thread):
    """Takes part in the games of a room, one after the other."""

    hurry = threading.Event()  # no pauses: a kill should meet moves on their way

    def __init__(self, room: str, seed: int, lag_s: float = 0.0, pause_s: float = PAUSE_S) -> None:
        super().__init__(daemon=True)
        self.room = room
        self.lot = Random(seed)
        self._lag_s = lag_s  # for which a process may be behind what another has acknowledged
        self._pause_s = pause_s
        self._behind: float | None = None  # since when
        self._record: tuple[str, GameRecord] | None = None
        self._games: dict[str, None] = {}  # that we have seen, in order
        self.acknowledged: dict[Ply, str] = {}
        self.acknowledgements: list[Acknowledgement] = []
        self.repeated = 0
        self.refused: Counter[str] = Counter()  # by code, where it passed
        self.unanswered: list[str] = []  # though the connection was there
        self.failure: str | None = None
        self.is_done = threading.Event()

    def run(self) -> None:
        try:
            while not self.is_done.is_set():
                self._look_once()
        except Exception:
            self.failure = traceback.format_exc()

    def stop(self) -> None:
        self.is_done.set()
        self.join(STOP_S)
        assert not self.is_alive()

    def _look_once(self) -> None:
        try:
            self.look()
            self._behind = None
        except Behind:
            self._behind = self._behind or time.monotonic()
            if time.monotonic() > self._behind + self._lag_s:
                raise
            self.is_done.wait(AGAIN_S)

    @abstractmethod
    def look(self) -> None:
        """Find out how things are, and do what there is to do; or Behind."""

    @abstractmethod
    def reconnect(self) -> None:
        """Find somebody who answers."""

    def insist(self, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Repeat something until it's answered: it may have been done, or not."""
        while not self.is_done.is_set():
            try:
                answer = ask()
            except GONE as error:
                if isinstance(error, (TimeoutError, requests.Timeout)):
                    self.unanswered.append(f"{time.monotonic():.1f} {error}")
                self.is_done.wait(0.05)
                self.reconnect()
                continue
            code = answer.get("error", {}).get("code")
            if code not in PASSING:
                return answer
            self.refused[code] += 1
            self.is_done.wait(AGAIN_S)
        return {}

    def insist_on_move(
        self, ask: Callable[[], dict[str, Any]], game: str, ply: int, text: str
    ) -> None:
        begun = time.monotonic()
        answer = self.insist(ask)
        if not answer:  # we stopped waiting for that
            return
        assert answer.get("ok"), (answer, self.room, game, ply, text)
        self.acknowledged[game, ply] = text
        self.acknowledgements.append(Acknowledgement(time.monotonic(), time.monotonic() - begun))
        self.repeated += bool(answer.get("repeated"))

    def record_of(self, snapshot: dict[str, Any]) -> GameRecord:
        """The game so far, of which all that we know must be a part; or Behind."""
        game, moves = snapshot["game"], snapshot["moves"].split()
        if self._record is None or self._record[0] != game:
            if game in self._games:
                raise Behind(f"game {game} was followed by another")
            self._games[game] = None
            self._record = game, GameRecord.begin(snapshot["variant"], snapshot["options"])
        known = self._record[1]
        if len(known.turns) > len(moves) or (game, len(moves)) in self.acknowledged:
            raise Behind(f"game {game} has {len(moves)} moves, and we knew {len(known.turns)}")
        assert known.notation() == moves[: len(known.turns)], f"game {game} isn't what it was"
        record = known.replay(moves[len(known.turns) :])
        self._record = game, record
        return record


class Visitor(Actor):
    """Has a connection of Socket.IO."""

    def __init__(self, client: Client, room: str, seed: int, **more: float) -> None:
        super().__init__(room, seed, **more)
        self.client = client

    def stop(self) -> None:
        super().stop()
        self.client.close()

    def reconnect(self) -> None:
        """Unless the client does so by itself."""
        if self.client.socket.connected or self.client.socket.reconnection:
            return
        try:
            self.client.connect(CONNECT_S)
        except (*GONE, ValueError):  # it may not have noticed yet that it's disconnected
            self.is_done.wait(0.1)

    def ask(self, event: str, fields: dict[str, Any]) -> dict[str, Any]:
        return self.insist(lambda: self.client.call(event, fields, ANSWER_S))


class Driver(Visitor):
    """Enters again and again, and does what there is to do."""

    def __init__(self, client: Client, room: str, seed: int, **more: float) -> None:
        super().__init__(client, room, seed, **more)
        self.news = threading.Event()
        for event in ("moved", "snapshot"):
            client.socket.on(event, lambda _: self.news.set())

    def stop(self) -> None:
        self.is_done.set()
        self.news.set()
        super().stop()

    def look(self) -> None:
        self.news.clear()
        answer = self.ask("enter", {"room": self.room})
        if not answer or self.is_done.is_set():
            return
        snapshot = answer.get("snapshot")
        assert snapshot, answer
        record = self.record_of(snapshot)
        if snapshot["outcome"]:
            assert snapshot["outcome"]["reason"] == "no_moves", snapshot["outcome"]
            self.begin_again(snapshot)
        elif self.take_turn(snapshot, record.position):
            self.hurry.wait(self._pause_s)
        else:
            self.news.wait(NEWS_S)

    @abstractmethod
    def take_turn(self, snapshot: dict[str, Any], position: Position) -> bool:
        """Whether it was ours to take."""

    @abstractmethod
    def begin_again(self, snapshot: dict[str, Any]) -> None:
        """The game is over."""


class Player(Driver):
    """Has a seat. When a game is over, wants another."""

    def take_turn(self, snapshot: dict[str, Any], position: Position) -> bool:
        if snapshot["to_move"] not in snapshot["you"]:
            return False
        game, ply = snapshot["game"], snapshot["ply"]
        text = position.notate(random_move(position, self.lot))
        fields = {"game": game, "ply": ply, "move": text, "id": new_id()}
        self.insist_on_move(lambda: self.client.call("move", fields, ANSWER_S), game, ply, text)
        return True

    def begin_again(self, snapshot: dict[str, Any]) -> None:
        self.ask("rematch", {"game": snapshot["game"]})
        self.news.wait(NEWS_S)


class Director(Driver):
    """Directs contests: answers for own bots, and asks computers, once."""

    def __init__(self, client: Client, plan: dict[str, Any], seed: int, **more: float) -> None:
        super().__init__(client, client.do("contest", **plan)["room"], seed, **more)
        self._plan = plan

    def take_turn(self, snapshot: dict[str, Any], position: Position) -> bool:
        ply = snapshot["ply"]
        fields = {"game": snapshot["game"], "ply": ply}
        if snapshot["players"][snapshot["to_move"]]["kind"] != "computer":
            self._answer(position, fields)
            return True
        if snapshot["asked"] != ply:  # else it moves by itself, however often we're killed
            answer = self.ask("ask", fields)
            is_late = answer.get("error", {}).get("code") == "stale"  # an unheard ask was enough
            assert not answer or answer.get("ok") or is_late, answer
        return False

    def _answer(self, position: Position, fields: dict[str, Any]) -> None:
        """As a page does it: hear the question, then answer it."""
        move = random_move(position, self.lot)
        fields = {**fields, "api": "move", "id": new_id()}
        question = self.ask("answer", {**fields, "answers": [], "calls": []})
        if not question:
            return
        assert "request" in question, question
        answers = {"answers": [_squares(position, move)], "calls": [1000]}
        text = position.notate(move)

        def give() -> dict[str, Any]:
            told = self.client.call("answer", {**fields, **answers}, ANSWER_S)
            assert "fault" not in told, told
            return told

        self.insist_on_move(give, fields["game"], fields["ply"], text)

    def begin_again(self, snapshot: dict[str, Any]) -> None:
        self.room = self.ask("contest", self._plan).get("room", self.room)


def _squares(position: Position, move: Move) -> Any:
    """A move as bots write it: in linear a square, in isola the block and then the step."""
    places = [position.grid.column_row(cell) for cell in move]
    step, *block = [[position.grid.height - 1 - row, column] for column, row in places]
    return [block[0] if block else None, step] if position.has_open_second else step
