"""A visitor over a real connection: the official Python client of Socket.IO, and a cookie."""

import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import requests
import socketio

SECONDS = 60.0  # far more than a busy machine needs


class Client:
    """Emits events, waits for the answers, and remembers all it is told."""

    def __init__(
        self, address: str, name: str = "Ann", cookie: str | None = None, reconnects: bool = True
    ) -> None:
        self.address = address
        self.cookie = cookie or new_cookie(address)
        self.told: list[tuple[str, Any]] = []
        self.connections = 0  # how often it has connected
        self._changed = threading.Condition()
        self.socket = socketio.Client(
            reconnection=reconnects, reconnection_delay=0.1, reconnection_delay_max=0.5
        )
        self.socket.on("*", self._hear)
        self.socket.on("connect", self._connected)
        self.socket.connect(
            address,
            headers={"Cookie": f"visitor={self.cookie}"},
            auth={"name": name},
            transports=["websocket"],
            wait_timeout=SECONDS,
        )

    def _hear(self, event: str, payload: Any) -> None:
        with self._changed:
            self.told.append((event, payload))
            self._changed.notify_all()

    def _connected(self) -> None:
        with self._changed:
            self.connections += 1
            self._changed.notify_all()

    def wait_for_connection(self, number: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.connections >= number, SECONDS)

    def ask(self, event: str, *data: Any) -> dict[str, Any]:
        """What the server answers."""
        payload = data[0] if len(data) == 1 else data or None
        answer: dict[str, Any] = self.socket.call(event, payload, timeout=SECONDS)
        return answer

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
