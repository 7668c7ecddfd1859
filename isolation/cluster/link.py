"""The way of one process to Redis: what it sends, what it hears, and whether both work.

Nobody waits for what is sent, not even for Redis to answer: what it doesn't take is lost. Each
process sends itself a beat. One that was sent after some trouble and is heard says that the trouble
is over: then everything is looked at again, since news may have been lost.
"""

import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any, TypeVar

from redis.exceptions import ConnectionError as LostError
from redis.exceptions import RedisError

from isolation.cluster.address import shown
from isolation.cluster.connecting import connect
from isolation.cluster.ticking import Ticker

logger = logging.getLogger(__name__)

PREFIX = "isolation:"
BEAT_S = 0.5
DEAF_S = 5.0  # without a beat, before we count as deaf
CONFIRM_S = 0.5  # for Redis to confirm that it will tell us something
AGAIN_S = 0.5  # before another connection is tried
PAUSE_S = 2.0  # after a question that wasn't answered, before the next
MOST_WAITING = 20_000  # commands to be sent
BATCH = 500

Hear = Callable[[str], None]
T = TypeVar("T")


class Link:
    """One process's connections to Redis."""

    def __init__(self, address: str, process: str) -> None:
        self.process = process  # our name among the others
        self.redis: Any = connect(address)
        self._address = address
        self._waiting: deque[tuple[Any, ...]] = deque(maxlen=MOST_WAITING)
        self._has_work = Event()
        self._heard: dict[str, Hear] = {}  # by channel
        self._confirmed: dict[str, Event] = {}
        self._mouth: Any = None  # the connection over which we send
        self._ears: Any = None  # the one over which we hear
        self._beat_channel = channel("process", self.process)
        self._beaten = self._failed = time.monotonic()
        self._is_in_trouble = False
        self._asks_at = 0.0  # when the next question may be asked
        self._is_closed = False
        self._returns: list[Callable[[], None]] = []
        self._ticker = Ticker(BEAT_S, self._beat)

    # Starting and ending.

    def reach(self) -> None:
        """ConnectionError, unless Redis answers."""
        try:
            self.redis.ping()
        except (RedisError, OSError) as error:
            raise ConnectionError(self.complaint(error)) from error

    def complaint(self, error: Exception) -> str:
        return f"Redis at {shown(self._address)} can't be used: {str(error).rstrip('.')}"

    def start(self) -> None:
        self._beaten = time.monotonic()
        self._heard[self._beat_channel] = self._hear_beat
        for task in (self._listen, self._send_all):
            Thread(target=task, daemon=True).start()
        self._ticker.start()

    def close(self) -> None:
        """Send what waits, and no more."""
        self._is_closed = True
        self._ticker.stop()
        with suppress(RedisError, OSError):
            while self._waiting:
                self._send_batch()
        self.redis.close()

    def on_return(self, task: Callable[[], None]) -> None:
        """Have something called whenever Redis can be used again."""
        self._returns.append(task)

    @property
    def is_hearing(self) -> bool:
        """Whether what others publish can be expected to reach us."""
        return time.monotonic() - self._beaten < DEAF_S and not self._is_in_trouble

    @property
    def is_answering(self) -> bool:
        """Whether it's worth while to wait for an answer."""
        return self.is_hearing and time.monotonic() >= self._asks_at

    # Asking.

    def ask(self, question: Callable[[Any], T]) -> T:
        """What Redis answers; or RedisError or OSError, at once while it can't be expected to.

        People wait meanwhile: of those who ask a Redis that hangs, one at the most should.
        """
        if not self.is_answering:
            raise LostError("Redis didn't answer a moment ago")
        try:
            return question(self.redis)
        except (RedisError, OSError):
            self._pause()
            raise

    def _pause(self) -> None:
        self._asks_at = time.monotonic() + PAUSE_S

    # Sending.

    def send(self, *command: Any) -> None:
        """Have a command sent soon; its answer interests nobody."""
        self._waiting.append(command)
        self._has_work.set()

    def publish(self, where: str, text: str) -> None:
        self.send("PUBLISH", where, text)

    def _send_all(self) -> None:
        while not self._is_closed:
            self._has_work.wait()
            self._has_work.clear()
            while self._waiting and not self._is_closed:
                try:
                    self._send_batch()
                except (RedisError, OSError) as error:
                    self._fall_silent()
                    self._fail(error)
                    time.sleep(AGAIN_S)

    def _fall_silent(self) -> None:
        """What waits is lost: all that counts is written anew when Redis is back."""
        mouth, self._mouth = self._mouth, None
        self._waiting.clear()
        if mouth:
            mouth.disconnect()

    def _send_batch(self) -> None:
        mouth = self._mouth = self._mouth or self._silenced()
        size = min(BATCH, len(self._waiting))
        commands = mouth.pack_commands([self._waiting.popleft() for _ in range(size)])
        mouth.send_packed_command(commands, check_health=False)

    def _silenced(self) -> Any:
        """A connection over which Redis answers nothing: waiting costs more than sending."""
        pool = self.redis.connection_pool  # whose places would be used up, one for each attempt
        connection = pool.connection_class(**pool.connection_kwargs)
        connection.connect()
        connection.send_command("CLIENT", "REPLY", "OFF")
        return connection

    # Hearing.

    def follow(self, where: str, hear: Hear) -> None:
        """Hear what is published in a channel, from when this returns if Redis can be used."""
        self._heard[where] = hear
        confirmed = self._confirmed[where] = Event()
        if self._ears and self.is_hearing:
            with suppress(RedisError, OSError):
                self._ears.subscribe(where)
                if self.is_answering and not confirmed.wait(CONFIRM_S):
                    self._pause()

    def unfollow(self, where: str) -> None:
        self._heard.pop(where, None)
        self._confirmed.pop(where, None)
        if self._ears:
            with suppress(RedisError, OSError):
                self._ears.unsubscribe(where)

    def _listen(self) -> None:
        while not self._is_closed:
            try:
                self._hear_all()
            except (RedisError, OSError, ValueError) as error:
                self._fail(error)
                time.sleep(AGAIN_S)

    def _hear_all(self) -> None:
        """Over one connection, until it breaks."""
        with connect(self._address, DEAF_S) as client, client.pubsub() as ears:
            known = set(self._heard)
            ears.subscribe(*known)
            self._ears = ears
            try:
                if late := self._heard.keys() - known:  # followed while we connected
                    ears.subscribe(*late)
                for message in ears.listen():
                    self._dispatch(message)
            finally:
                self._ears = None

    def _dispatch(self, message: dict[str, Any]) -> None:
        where = message["channel"]
        if message["type"] == "subscribe":
            if confirmed := self._confirmed.get(where):
                confirmed.set()
        elif message["type"] == "message" and (hear := self._heard.get(where)):
            try:
                hear(message["data"])
            except Exception:
                logger.exception("what was heard in %s", where)

    # Whether it works.

    def _beat(self) -> None:
        if time.monotonic() - self._beaten >= DEAF_S:
            self._fail(TimeoutError("nothing is heard"))
        self.publish(self._beat_channel, str(time.monotonic()))

    def _hear_beat(self, text: str) -> None:
        self._beaten = time.monotonic()
        self._asks_at = 0.0
        if self._is_in_trouble and float(text) > self._failed:
            self._is_in_trouble = False
            logger.warning("Redis can be used again")
            Thread(target=self._return, daemon=True).start()

    def _fail(self, error: Exception) -> None:
        self._failed = time.monotonic()
        if not self._is_in_trouble and not self._is_closed:
            self._is_in_trouble = True
            logger.warning("Redis can't be used: %s", str(error) or type(error).__name__)

    def _return(self) -> None:
        for task in self._returns:
            try:
                task()
            except Exception:
                logger.exception("after an outage of Redis")


def channel(kind: str, name: str = "") -> str:
    """The full name of a channel or key."""
    return f"{PREFIX}{kind}:{name}" if name else f"{PREFIX}{kind}"
