"""Events, packets and frames for WebSockets: nearly right, wrong, and broken."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from isolation.web.commands import EVENTS
from tests.attacks.attacker import frame, request
from tests.fuzz.odd_frames import HALVES, LAST, PACKETS
from tests.fuzz.traffic import Ending, Talk, Tally, Traffic
from tests.fuzz.values import Values

PER_CONNECTION = 150
AT_ONCE = 8
ENDS = ("resign", "abort", "stop")  # drawn less often: a game should see other things first
NAMES = tuple(name for name in EVENTS for _ in range(1 if name in ENDS else 5))
MOVES = ("a2-b2", "c1-c2", "1", "3", "5", "b6", "d2", "d6/c3", "f1/a1", "e5", "pass")


_MADE = re.compile(rb'"(room|game)":"([\w-]{12})"')
_CODE = re.compile(rb'"code":"(\w+)"')


class Answers:
    """Counts what comes back, by kind, and notes the rooms and games that were made."""

    def __init__(self, answers: Counter[str], values: Values) -> None:
        self._answers, self._values, self._unread = answers, values, b""

    def feed(self, data: bytes) -> None:
        data, at = self._unread + data, 0
        while len(data) - at >= 4:
            start, length = at + 2, data[at + 1] & 127
            if length == 126:
                start, length = at + 4, int.from_bytes(data[at + 2 : at + 4])
            elif length == 127:
                start, length = at + 10, int.from_bytes(data[at + 2 : at + 10])
            if len(data) < start + length:
                break
            self._count(data[at] & 15, data[start : start + length])
            at = start + length
        self._unread = data[at:]

    def _count(self, opcode: int, payload: bytes) -> None:
        kind = payload[:2].decode("latin-1")
        if opcode != 1:
            self._answers["close frame" if opcode == 8 else "pong"] += 1
        elif kind != "43":
            self._answers["event" if kind == "42" else f"packet {kind[:1]}"] += 1
        elif refusal := _CODE.search(payload, 0, 60):
            self._answers[refusal[1].decode()] += 1
        else:
            self._answers["ok"] += 1
            for name, made in _MADE.findall(payload[:120]):
                where = self._values.rooms if name == b"room" else self._values.games
                where.add(made.decode())


class Frames:
    """Draws frames. The mask is random: the server undoes it before it looks at anything."""

    def __init__(self, values: Values) -> None:
        self._values, self._lot = values, values.lot

    def next(self) -> bytes:
        draw = self._lot.random()
        if draw < 0.72:
            return self._masked(self._event())
        if draw < 0.86:
            return self._masked(self._lot.choice(PACKETS).encode())
        if draw < 0.92:
            return self._masked(self._mangled())
        if draw < 0.95:
            return self._masked(self._lot.randbytes(self._lot.randint(0, 40)), 2)
        if draw < 0.98:
            return self._fragments(self._event())
        return self._masked(
            self._lot.randbytes(self._lot.randint(0, 125)), self._lot.choice((9, 10))
        )

    def last(self) -> tuple[bytes, Ending]:
        """What ends a connection, and how."""
        draw = self._lot.random()
        if draw < 0.95:  # what the server hasn't read is lost when we go
            return self._lot.choice(LAST), Ending.WAIT
        return self._lot.choice(HALVES), self._lot.choice((Ending.CLOSE, Ending.RESET))

    def _masked(self, data: bytes, opcode: int = 1, is_final: bool = True) -> bytes:
        plain = frame(data, opcode, is_final)
        if len(data) > 200 or not data:
            return plain  # the mask of `frame` is zero
        mask = self._lot.randbytes(4)
        whole = int.from_bytes(data) ^ int.from_bytes((mask * (len(data) // 4 + 1))[: len(data)])
        return plain[: -len(data) - 4] + mask + whole.to_bytes(len(data))

    def _fragments(self, data: bytes) -> bytes:
        cut = self._lot.randint(0, len(data))
        middle = self._masked(b"", 0, is_final=False) * self._lot.randint(0, 2)
        ping = self._masked(b"?", 9)  # which may come in between
        first = self._masked(data[:cut], 1, is_final=False)
        return first + middle + ping + self._masked(data[cut:], 0)

    def _event(self) -> bytes:
        name = self._lot.choice(NAMES) if self._lot.random() < 0.95 else self._values.text()
        number = self._lot.choice(("", "0", "1", "77"))
        return f"42{number}{json.dumps([name, self._data(name)])}".encode()

    def _mangled(self) -> bytes:
        """An event with some characters cut out, doubled or changed; still text."""
        text = self._event().decode()
        for _ in range(self._lot.randint(1, 4)):
            at = self._lot.randint(2, len(text))
            with_what = self._lot.choice(("", text[at : at + 9], '"', "[", "}", "\x00", "é", "9"))
            text = text[:at] + with_what + text[at + self._lot.randint(0, 2) :]
        return text.encode()

    def _data(self, name: str) -> Any:
        draw = self._lot.random()
        if name not in EVENTS or draw < 0.1:
            return self._values.value()
        fields = {field: self._right(field) for field in EVENTS[name].fields.model_fields}
        if name == "create" and draw < 0.8:  # only some rooms are made: each is kept for a while
            fields[self._lot.choice(("variant", "options", "side", "clock"))] = self._values.value()
        share = self._lot.choice((0.0, 0.1, 0.3))  # of fields that are wrong
        for field in fields:
            if self._lot.random() < share:
                fields[field] = self._values.value()
        if draw < 0.15:
            fields[self._values.text()] = self._values.value()
        return fields

    def _right(self, name: str) -> Any:
        """What may well be allowed. No computers: what they think about takes a core each."""
        lot = self._lot
        choices: dict[str, Callable[[], Any]] = {
            "room": self._values.room,
            "game": self._values.game,
            "ply": lambda: lot.choice((0, 0, 1, 2, 3)),
            "move": lambda: lot.choice(MOVES),
            "id": lambda: f"{lot.randrange(10**6)}",
            "action": lambda: lot.choice(("offer", "propose", "accept", "decline")),
            "result": lambda: lot.choice(("win", "draw")),
            "text": self._values.text,
            "why": self._values.text,
            "name": self._values.text,
            "variant": lambda: lot.choice(("classic", "isola", "knights", "slider", "linear")),
            "options": lambda: lot.choice(
                (None, {}, {"size": 7}, {"length": 9}, {"size": "random"})
            ),
            "opponent": lambda: lot.choice(("friend", "local")),
            "level": lambda: None,
            "second_level": lambda: None,
            "side": lambda: lot.choice((1, 2, "random")),
            "clock": lambda: lot.choice((None, {"minutes": 3, "increment": 2}, {"days": 2})),
            "public": lambda: lot.random() < 0.5,
            "seats": lambda: [
                {"kind": "own", "name": "Bot"},
                {"kind": lot.choice(("open", "own"))},
            ],
            "v": lambda: lot.choice((0, 1, 2, 9)),
            "position": lambda: None,
            "api": lambda: lot.choice(("move", "competitor")),
            "answers": lambda: lot.choice(([], [[[3, 3], [1, 3]]], [3], [self._values.value()])),
            "calls": lambda: [lot.choice((0, 1, 1000))],
        }
        return choices[name]()


def send_frames(address: str, count: int, values: Values, cookies: list[str]) -> Tally:
    """Send so many frames, over connections that end now and then."""
    tally = Tally()
    visitors = [(handshake(cookie), values.of_another()) for cookie in cookies]

    def talks() -> Iterator[Talk]:
        while tally.sent < count:
            number = min(count - tally.sent, values.lot.randint(1, 2 * PER_CONNECTION))
            greeting, own = values.lot.choice(visitors)
            frames = Frames(own)
            last, ending = frames.last()
            body = b"".join([frame(b"40"), *(frames.next() for _ in range(number - 1)), last])
            tally.sent += number
            label = f"frame {last[:40]!r}"
            yield Talk(greeting, body, ending, Answers(tally.answers, own), label=label)

    Traffic(address, tally, AT_ONCE).hold(talks())
    return tally


def handshake(cookie: str) -> bytes:
    return request(
        "/socket.io/?EIO=4&transport=websocket",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Cookie: visitor={cookie}",
    )
