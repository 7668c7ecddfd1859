"""What engine hosts and those who ask them share: the steps of `searches.lua`, and an ear."""

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from redis import Redis, RedisError

from isolation.cluster.address import shown
from isolation.cluster.connecting import TIMEOUT_S, connect

logger = logging.getLogger(__name__)

SCRIPT = Path(__file__).with_name("searches.lua").read_text(encoding="utf-8")
PREFIX = "isolation:searches:"
CALLS = f"{PREFIX}calls"  # the channel that all hosts hear
BEAT_S = 1.0
DEAF_S = 5.0  # without hearing even one's own beat


class Steps:
    """Calls the script, step by step, and logs where an outage begins and ends."""

    def __init__(self, url: str) -> None:
        self.redis = connect(url)
        self._address = shown(url)
        self._script = self.redis.register_script(SCRIPT)
        self.is_up = True

    def __call__(self, step: str, *arguments: str | float) -> Any:
        """What the step returns; RedisError if Redis can't be used."""
        return self._watched(lambda: self._script(args=[step, *arguments]))

    def publish(self, channel: str, message: dict[str, Any]) -> None:
        self._watched(lambda: self.redis.publish(channel, json.dumps(message)))

    def _watched(self, ask: Callable[[], Any]) -> Any:
        try:
            answer = ask()
        except RedisError as error:
            if self.is_up:
                logger.warning("Redis at %s can't be used: %s", self._address, error)
            self.is_up = False
            raise
        if not self.is_up:
            logger.warning("Redis at %s is back", self._address)
        self.is_up = True
        return answer


class Ear:
    """Hears channels in a thread of its own, and connects again whenever it's cut off.

    Somebody has to send a beat to one of the channels: silence means that the connection is dead.
    """

    def __init__(self, redis: Redis, heed: Callable[[dict[str, Any]], None], *channels: str):
        self._redis = redis
        self._heed = heed
        self._channels = channels
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._is_closed.set()
        with suppress(RedisError):  # so that it needn't wait for the next beat
            self._redis.publish(self._channels[-1], "{}")
        self._thread.join(2 * TIMEOUT_S)

    def _run(self) -> None:
        while not self._is_closed.is_set():
            try:
                self._listen()
            except RedisError:  # logged where a step fails
                self._is_closed.wait(BEAT_S / 2)
            except Exception:
                logger.exception("listening to Redis")
                self._is_closed.wait(BEAT_S)

    def _listen(self) -> None:
        with self._redis.pubsub(ignore_subscribe_messages=True) as ear:  # type: ignore[no-untyped-call]
            ear.subscribe(*self._channels)
            heard = time.monotonic()
            while not self._is_closed.is_set() and time.monotonic() < heard + DEAF_S:
                message = ear.get_message(timeout=BEAT_S)
                if message is not None:
                    heard = time.monotonic()
                    self._heed(json.loads(message["data"]))
