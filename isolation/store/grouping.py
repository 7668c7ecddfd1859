"""Group commit: writes that come at the same time share a transaction, and its wait for the disk.

Plain threads' tools, nothing else: under a monkey-patched server they turn green by themselves.
"""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

ROUNDS = 10  # of letting others come along


class _Wish(Generic[T]):
    """Something to be written, and what became of it."""

    __slots__ = ("error", "is_done", "item", "wake")

    def __init__(self, item: T) -> None:
        self.item = item
        self.is_done = False
        self.error: Exception | None = None
        self.wake: threading.Event | None = None  # of one who waits for another to write it

    def end(self, error: Exception | None) -> None:
        self.is_done, self.error = True, error
        if self.wake:
            self.wake.set()


class Grouped(Generic[T]):
    """The first to come writes for all who are ready to.

    `write_all` writes all or nothing. Where it fails with `alone`, somebody in the group is to
    blame for it, and each is written by itself; any other error is everybody's.
    """

    def __init__(self, write_all: Callable[[list[T]], None], alone: type[Exception]) -> None:
        self._write_all = write_all
        self._alone = alone
        self._wishes: list[_Wish[T]] = []
        self._is_writing = False

    def write(self, item: T) -> None:
        """Once this returns, it's written; or the error that it failed with."""
        wish = _Wish(item)
        self._wishes.append(wish)
        while not wish.is_done:
            if self._is_writing:
                wish.wake = wish.wake or threading.Event()
                wish.wake.wait()
                wish.wake.clear()
            else:
                self._lead()
        if wish.error:
            raise wish.error

    def _lead(self) -> None:
        self._is_writing = True
        try:
            self._gather()
            while self._wishes:
                group, self._wishes = self._wishes, []
                try:
                    self._write(group)
                except BaseException:  # written or not: what was written is refused again
                    rest = [wish for wish in group if wish.wake and not wish.is_done]
                    self._wishes = rest + self._wishes
                    raise
        finally:
            self._is_writing = False
            for wish in self._wishes:  # we were stopped: another must lead
                if wish.wake:
                    wish.wake.set()

    def _gather(self) -> None:
        """Let others who are ready to write come along, for as long as they keep coming."""
        for _ in range(ROUNDS):
            count = len(self._wishes)
            time.sleep(0)
            if len(self._wishes) == count:
                return

    def _write(self, group: list[_Wish[T]]) -> None:
        error: Exception | None = None
        try:
            self._write_all([wish.item for wish in group])
        except self._alone as failed:
            if len(group) > 1:
                for wish in group:
                    self._write([wish])
                return
            error = failed
        except Exception as failed:
            error = failed
        for wish in group:
            wish.end(error)
