"""Values that no client of ours would send, and ids of rooms and games that really exist."""

import string
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

WORDS = (
    *("", " ", "null", "true", "NaN", "0", "-1", "1e999", "a2-b2", "c7/d4", "pass", "7", "off"),
    *("__proto__", "constructor", "prototype", "toString", "__class__", "__init__", "self", "*"),
    *("offer", "accept", "decline", "propose", "win", "draw", "friend", "local", "random"),
    *("classic", "isola", "knights", "slider", "linear", "own", "open", "move", "competitor"),
    *("\x00", "\r\nX: y", "\u202eevil", "\ud800", "\udfff\ud800", "\ufeff", "é♞🐎", "‮​‍"),
    *("../../etc/passwd", "%00", "' OR 1=1 --", "{{7*7}}", "<script>", "${jndi}", "%s%n"),
)
NUMBERS = (
    *(0, -0.0, 1, 2, 3, -1, 0.5, 1e308, -1e-320, 10**6, 2**31, 2**53, 2**63, -(2**63), 2**64),
    *(10**25, 10**400, float("nan"), float("inf"), float("-inf"), True, False, None),
)


class Ids:
    """Rooms and games: those of others, and those that fuzzing has made lately."""

    def __init__(self, others: list[str]) -> None:
        self._others = others
        self._made: deque[str] = deque(maxlen=60)

    def of_another(self) -> "Ids":
        return Ids(self._others)

    def add(self, made: str) -> None:
        self._made.append(made)

    def choose(self, lot: Random) -> str:
        draw = lot.random()
        if draw < 0.55 and self._made:
            return lot.choice(self._made)
        if draw < 0.85:
            return lot.choice(self._others)
        return "".join(lot.choices(string.ascii_letters + "-_", k=12))


class Values:
    """Draws nonsense from a seed."""

    def __init__(self, lot: Random, rooms: Ids, games: Ids) -> None:
        self.lot = lot
        self.rooms, self.games = rooms, games

    def of_another(self) -> "Values":
        """The same lot, but with rooms and games of their own."""
        return Values(self.lot, self.rooms.of_another(), self.games.of_another())

    def room(self) -> str:
        return self.rooms.choose(self.lot)

    def game(self) -> str:
        return self.games.choose(self.lot)

    def text(self) -> str:
        lot, draw = self.lot, self.lot.random()
        if draw < 0.7:
            return lot.choice(WORDS)
        if draw < 0.9:
            return "".join(map(chr, lot.choices(range(0x2FFF), k=lot.randint(1, 12))))
        return lot.choice("xa<é♞\x00\ud800") * lot.choice([25, 65, 301, 400])

    def value(self, depth: int = 0) -> Any:
        kinds: tuple[Callable[[], Any], ...] = (
            lambda: self.lot.choice(NUMBERS),
            self.text,
            self.text,
            self.room,
            self.game,
            lambda: [self.value(depth + 1) for _ in range(self.lot.randint(0, 3))],
            lambda: {self.text(): self.value(depth + 1) for _ in range(self.lot.randint(0, 3))},
            self._nest,
        )
        return self.lot.choice(kinds if depth < 2 else kinds[:5])()

    def _nest(self) -> Any:
        """Lists in lists, or objects in objects."""
        found: Any = None
        is_list = self.lot.random() < 0.5
        for _ in range(self.lot.choice([5, 20, 60])):
            found = [found] if is_list else {"a": found}
        return found
