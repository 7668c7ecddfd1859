"""The bots that are online, on Redis: a hash with those of each process, a channel for each bot."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from redis.exceptions import RedisError

from isolation.cluster.link import Link, channel
from isolation.cluster.members import DEAD_S, Members
from isolation.rooms.ports import OnlineBot, World

KEY = channel("bots")  # also the channel where changes are told


class RedisDirectory:
    """The bots of all processes."""

    def __init__(self, link: Link, members: Members, world: World) -> None:
        self._link = link
        self._world = world
        self._members = members
        self._here: dict[str, OnlineBot] = {}
        self._known: list[OnlineBot] = []  # as we last saw them
        self._unknown: dict[str, float] = {}  # processes, and since when we've seen them
        self._is_stale = True
        self._hear: Callable[[str, Mapping[str, Any]], None] = lambda identity, message: None
        self._changed: Callable[[], None] = lambda: None
        members.on_change(lambda processes: self._refresh())
        link.on_return(self._write_again)

    def listen(
        self, hear: Callable[[str, Mapping[str, Any]], None], changed: Callable[[], None]
    ) -> None:
        self._hear, self._changed = hear, changed
        self._link.follow(KEY, lambda text: self._refresh())

    def come(self, bot: OnlineBot) -> None:
        self._here[bot.identity] = bot
        self._link.follow(channel("bot", bot.identity), partial(self._receive, bot.identity))
        self._write(bot)

    def go(self, identity: str) -> None:
        self._here.pop(identity, None)
        self._link.unfollow(channel("bot", identity))
        self._link.send("HDEL", KEY, self._entry(identity))
        self._link.publish(KEY, "")

    def online(self) -> list[OnlineBot]:
        if self._is_stale:
            self._is_stale = False
            self._known = self._read()
        return list({bot.identity: bot for bot in [*self._known, *self._here.values()]}.values())

    def send(self, identity: str, message: Mapping[str, Any]) -> None:
        self._link.publish(channel("bot", identity), self._letter(message))

    def reach(self, identity: str, message: Mapping[str, Any]) -> bool:
        where, letter = channel("bot", identity), self._letter(message)
        try:
            return bool(self._link.ask(lambda redis: redis.publish(where, letter)))
        except (RedisError, OSError):
            return False

    def _letter(self, message: Mapping[str, Any]) -> str:
        return json.dumps({"from": self._link.process, "message": message})

    def _receive(self, identity: str, text: str) -> None:
        told = json.loads(text)
        if told["from"] != self._link.process:
            self._world.spawn(self._hear, identity, told["message"])  # it may ask the store

    def _read(self) -> list[OnlineBot]:
        try:
            fields = self._link.ask(lambda redis: redis.hgetall(KEY))
        except (RedisError, OSError):
            self._is_stale = True
            return self._known
        bots: list[OnlineBot] = []
        for name, text in fields.items():
            process, _, identity = name.partition(" ")
            if not self._members.is_alive(process):
                self._bury(process, name)
            elif process != self._link.process:
                told = json.loads(text)
                bots.append(OnlineBot(identity, told["name"], tuple(told["games"])))
        return bots

    def _bury(self, process: str, entry: str) -> None:
        """Remove what a dead process has left. One that we don't know of may have just come."""
        if self._members.last_word(process) is None:
            unknown_since = self._unknown.setdefault(process, time.monotonic())
            if time.monotonic() - unknown_since < DEAD_S:
                return
        self._unknown.pop(process, None)
        self._link.send("HDEL", KEY, entry)

    def _write(self, bot: OnlineBot) -> None:
        self._link.send("HSET", KEY, self._entry(bot.identity), json.dumps(asdict(bot)))
        self._link.publish(KEY, "")

    def _write_again(self) -> None:
        for bot in list(self._here.values()):
            self._write(bot)
        self._refresh()

    def _refresh(self) -> None:
        self._is_stale = True
        self._changed()

    def _entry(self, identity: str) -> str:
        return f"{self._link.process} {identity}"
