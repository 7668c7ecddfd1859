"""A visitor over a real connection: the official Python client of Socket.IO, and a cookie."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import requests
import socketio

LOOK_S = 0.5
SECONDS = 60.0  # far more than a busy machine needs


class Client:
    """Emits events, waits for the answers, and remembers all it is told."""

    def __init__(
        self,
        address: str | Callable[[], str],  # a function is asked anew for each connection
        name: str = "Ann",
        cookie: str | None = None,
        reconnects: bool = True,
    ) -> None:
        self._find = address if callable(address) else lambda: address
        self._name = name
        self.address = self._find()
        self.cookie = cookie or new_cookie(self.address)
        self.told: list[tuple[str, Any]] = []
        self.connections = 0  # how often it has connected
        self._losses = 0  # of connections
        self._changed = threading.Condition()
        self.socket = socketio.Client(
            reconnection=reconnects, reconnection_delay=0.1, reconnection_delay_max=0.5
        )
        self.socket.on("*", self._hear)
        self.socket.on("connect", self._connected)
        self.socket.on("disconnect", self._disconnected)
        self.connect()

    def connect(self, seconds: float = SECONDS) -> None:
        """A client that doesn't reconnect by itself can be connected again."""
        self.address = self._find()
        self.socket.connect(
            self.address,
            headers={"Cookie": f"visitor={self.cookie}"},
            auth={"name": self._name},
            transports=["websocket"],
            wait_timeout=seconds,
        )

    def _hear(self, event: str, payload: Any) -> None:
        with self._changed:
            self.told.append((event, payload))
            self._changed.notify_all()

    def _connected(self) -> None:
        with self._changed:
            self.connections += 1
            self._changed.notify_all()

    def _disconnected(self, *_: object) -> None:
        with self._changed:
            self._losses += 1
            self._changed.notify_all()

    def wait_for_connection(self, number: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.connections >= number, SECONDS)

    def ask(self, event: str, *data: Any) -> dict[str, Any]:
        """What the server answers."""
        payload = data[0] if len(data) == 1 else data or None
        answer: dict[str, Any] = self.socket.call(event, payload, timeout=SECONDS)
        return answer

    def call(self, event: str, fields: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The same; or ConnectionError as soon as the connection is lost, or TimeoutError."""
        answers: list[dict[str, Any]] = []
        losses = self._losses

        def hear(answer: dict[str, Any]) -> None:
            with self._changed:
                answers.append(answer)
                self._changed.notify_all()

        self.socket.emit(event, dict(fields), callback=hear)
        until = time.monotonic() + seconds
        with self._changed:
            while not answers:
                if self._losses > losses or not self.socket.connected:
                    raise ConnectionError(event)
                if time.monotonic() > until:
                    raise TimeoutError(f"{event} at {self.address}")
                # Not for long: what is sent while a connection ends may be lost after its loss.
                self._changed.wait(LOOK_S)
        return answers[0]

    def do(self, event: str, **fields: Any) -> dict[str, Any]:
        """What the server answers to something that must be allowed."""
        answer = self.ask(event, fields)
        assert answer.get("ok"), answer
        return answer

    def move(self, game: str, ply: int, text: str, move_id: str | None = None) -> dict[str, Any]:
        return self.ask("move", {"game": game, "ply": ply, "move": text, "id": move_id or new_id()})

    def hear(self, event: str, is_it: Callable[[Any], bool] = bool) -> Any:
        """Wait until something has been told."""

        def found() -> Any:
            return next((p for e, p in self.told if e == event and is_it(p)), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, SECONDS), (event, self.told)
            return found()

    def heard(self, event: str) -> list[Any]:
        return [payload for name, payload in self.told if name == event]

    def close(self) -> None:
        self.socket.disconnect()
        self.socket.shutdown()


def new_cookie(address: str) -> str:
    """The identity that a first visit to a page gives."""
    cookie = requests.get(address, timeout=SECONDS).cookies.get("visitor")
    assert cookie
    return cookie


def new_id() -> str:
    return uuid4().hex
