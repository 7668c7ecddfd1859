"""The bus on Redis: a channel for each room, followed only while the room is in memory here."""

import json
from collections import deque
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from isolation.cluster.link import Link, channel
from isolation.rooms.log import Event
from isolation.rooms.ports import ChatLine, News, World


class RedisBus:
    """Publishes what was committed here, and tells what others committed."""

    has_others = True

    def __init__(self, link: Link, world: World) -> None:
        self._link = link
        self._world = world
        self._tell: Callable[[News], None] = lambda news: None
        self._heard: dict[str, deque[str]] = {}  # by room, where somebody is telling it right now

    def listen(self, hear: Callable[[News], None]) -> None:
        self._tell = hear

    @property
    def is_hearing(self) -> bool:
        return self._link.is_hearing

    def publish(self, news: News) -> None:
        self._link.publish(channel("room", news.room), f"{self._link.process} {encode(news)}")

    def follow(self, room: str) -> None:
        self._link.follow(channel("room", room), partial(self._hear, room))

    def unfollow(self, room: str) -> None:
        self._link.unfollow(channel("room", room))

    def _hear(self, room: str, text: str) -> None:
        """A room may be busy, waiting for the store: the news of others don't wait for it."""
        sender, _, body = text.partition(" ")
        if sender == self._link.process:
            return
        if room in self._heard:
            self._heard[room].append(body)
        else:
            self._heard[room] = deque([body])
            self._world.spawn(self._tell_all, room)

    def _tell_all(self, room: str) -> None:
        """In order."""
        bodies = self._heard[room]
        try:
            while bodies:
                self._tell(decode(room, bodies.popleft()))
        finally:
            del self._heard[room]


def encode(news: News) -> str:
    told: dict[str, Any] = {}
    if news.events:
        told["game"] = news.game
        told["events"] = [[event.seq, event.kind, event.data, event.at] for event in news.events]
    if news.line:
        told["line"] = asdict(news.line)
    if news.is_presence:
        told["presence"] = True
    return json.dumps(told, separators=(",", ":"))


def decode(room: str, text: str) -> News:
    told = json.loads(text)
    return News(
        room,
        told.get("game", ""),
        tuple(Event(*event) for event in told.get("events", ())),
        ChatLine(**told["line"]) if "line" in told else None,
        "presence" in told,
    )
