"""Presence on Redis: a hash for each room, with the people of each process and those who left.

A process writes only its own people, and only when they come or go. They count while the process
is alive (`members.py`), so nothing has to be renewed room by room.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from isolation.cluster.link import Link, channel
from isolation.cluster.members import Members
from isolation.cluster.ticking import Ticker
from isolation.rooms.ports import Attendance

LOOK_S = 0.2  # between two looks at what has changed
ROUND_S = 10.0  # in which every room is looked at once, whatever was heard
KEPT_S = 7 * 86400  # that Redis remembers a room
SINCE, HERE, LEFT = "since", "here", "left"  # the fields of a hash: `here PROCESS IDENTITY`

Fields = dict[str, str]


@dataclass
class _Room:
    """A room as we know it: our own people, and what Redis had of the others."""

    since: float
    here: dict[str, set[str]] = field(default_factory=dict)  # connections, by identity
    others: dict[str, set[str]] = field(default_factory=dict)  # identities, by process
    left: dict[str, float] = field(default_factory=dict)


class RedisPresence:
    """Who is where, in all processes."""

    def __init__(self, link: Link, members: Members, now: Callable[[], float]) -> None:
        self._link = link
        self._members = members
        self._now = now
        self._rooms: dict[str, _Room] = {}
        self._stale: set[str] = set()
        self._round: list[str] = []  # rooms still to be looked at in this round
        self._changed: Callable[[str], None] = lambda room: None
        self._ticker = Ticker(LOOK_S, self._watch)
        members.on_change(self._members_changed)
        link.on_return(self._write_again)

    def start(self) -> None:
        self._ticker.start()

    def close(self) -> None:
        """Our people are gone from here; most of them are elsewhere in a moment."""
        self._ticker.stop()
        for room, known in self._rooms.items():
            for identity in known.here:
                self._link.send("HDEL", _key(room), self._entry(identity))

    def listen(self, changed: Callable[[str], None]) -> None:
        self._changed = changed

    # Our own people.

    def enter(self, room: str, identity: str, connection: str, now: float) -> None:
        known = self._known(room, now)
        is_new = identity not in known.here
        known.here.setdefault(identity, set()).add(connection)
        known.left.pop(identity, None)
        if is_new:
            self._write(room, known, identity)

    def leave(self, room: str, identity: str, connection: str, now: float, is_player: bool) -> None:
        known = self._rooms.get(room)
        connections = known.here.get(identity) if known else None
        if known is None or connections is None:
            return
        connections.discard(connection)
        if not connections:
            del known.here[identity]
            if is_player:
                known.left[identity] = now
                self._link.send("HSET", _key(room), f"{LEFT} {identity}", now)
            self._link.send("HDEL", _key(room), self._entry(identity))

    def _write(self, room: str, known: _Room, identity: str) -> None:
        self._link.send("HSETNX", _key(room), SINCE, known.since)
        self._link.send("HSET", _key(room), self._entry(identity), "")
        self._link.send("HDEL", _key(room), f"{LEFT} {identity}")
        self._link.send("EXPIRE", _key(room), KEPT_S)

    def _write_again(self) -> None:
        """Redis was away, and may have lost everything: nobody has been gone for longer."""
        now = self._now()
        for room, known in list(self._rooms.items()):
            known.since = now
            for identity in known.here:
                self._write(room, known, identity)
            self._stale.add(room)

    def _entry(self, identity: str) -> str:
        return f"{HERE} {self._link.process} {identity}"

    # Everybody.

    def follow(self, room: str, now: float) -> None:
        self._known(room, now)
        if self._read({room}) is None:
            self._stale.add(room)

    def unfollow(self, room: str) -> None:
        if not self.is_here(room):
            self._rooms.pop(room, None)

    def of(self, room: str, now: float) -> Attendance:
        known = self._known(room, now)
        present = set(known.here)
        left = dict(known.left)
        for process, identities in known.others.items():
            if self._members.is_alive(process):
                present |= identities
            elif (last := self._members.last_word(process)) is not None:
                left |= {identity: max(last, left.get(identity, last)) for identity in identities}
        return Attendance(known.since, present, left)

    def fresh(self, room: str, now: float) -> Attendance | None:
        if not self._link.is_hearing or not self._look_at({room}):
            return None
        self._members.look()
        return None if self._members.has_silent() else self.of(room, now)

    def look(self, room: str) -> None:
        if room in self._rooms:
            self._stale.add(room)

    def is_here(self, room: str) -> bool:
        known = self._rooms.get(room)
        return known is not None and bool(known.here)

    def counts(self, room: str) -> bool:
        """The first of the processes where somebody is."""
        known = self._rooms.get(room)
        if known is None or not known.here:
            return False
        others = (one for one, people in known.others.items() if people)
        return all(self._link.process < one for one in others if self._members.is_alive(one))

    def _known(self, room: str, now: float) -> _Room:
        return self._rooms.setdefault(room, _Room(now))

    # Looking.

    def _watch(self) -> None:
        stale, self._stale = self._stale, set()
        if not self._look_at(stale | set(self._next_of_round())):
            self._stale |= stale

    def _next_of_round(self) -> list[str]:
        self._round = self._round or list(self._rooms)
        size = 1 + int(len(self._rooms) * LOOK_S / ROUND_S)
        rooms, self._round = self._round[:size], self._round[size:]
        return rooms

    def _look_at(self, rooms: set[str]) -> bool:
        """Find out who is in some rooms, and tell; whether that was possible."""
        answers = self._read(rooms)
        if answers is None:
            return False
        for room, is_changed in answers.items():
            if is_changed:
                self._changed(room)
        return True

    def _read(self, wanted: set[str]) -> dict[str, bool] | None:
        """Whether others came to some rooms or went; None if that can't be known."""
        rooms = [room for room in wanted if room in self._rooms]
        try:
            answers = self._link.ask(lambda redis: _hashes(redis, rooms))
        except (RedisError, OSError):
            return None
        return {room: self._take(room, answer) for room, answer in zip(rooms, answers, strict=True)}

    def _take(self, room: str, fields: Fields) -> bool:
        known = self._rooms.get(room)
        if known is None:
            return False
        others: dict[str, set[str]] = {}
        left = dict(known.left)  # what we sent may not have arrived
        for name, value in fields.items():
            kind, _, rest = name.partition(" ")
            if kind == SINCE:
                known.since = float(value)
            elif kind == LEFT:
                left[rest] = float(value)
            elif kind == HERE:
                process, _, identity = rest.partition(" ")
                if process != self._link.process:
                    others.setdefault(process, set()).add(identity)
        for identity in {*known.here, *(one for people in others.values() for one in people)}:
            left.pop(identity, None)
        is_changed = others != known.others or left != known.left
        known.others, known.left = others, left
        return is_changed

    def _members_changed(self, processes: set[str]) -> None:
        """Their people are gone, or there again."""
        for room, known in list(self._rooms.items()):
            if processes & known.others.keys():
                self._changed(room)


def _hashes(redis: Any, rooms: list[str]) -> list[Fields]:
    with redis.pipeline(transaction=False) as pipeline:
        for room in rooms:
            pipeline.hgetall(_key(room))
        answers: list[Fields] = pipeline.execute()
    return answers


def _key(room: str) -> str:
    return channel("room", room)
