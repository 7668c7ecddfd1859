"""Group commit: everyone's write is made, or fails for a reason of its own."""

import threading
import time

import pytest

from isolation.store.grouping import Grouped


class Taken(Exception):
    """Somebody in the group is to blame."""


class Disk:
    """Remembers which groups were written; the first write waits until the test lets it go on."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.is_full = False
        self.begun, self.may_end = threading.Event(), threading.Event()

    def write_all(self, items: list[int]) -> None:
        self.groups.append(items)
        self.begun.set()
        assert self.may_end.wait(60)
        if self.is_full:
            raise OSError("full")
        if any(item < 0 for item in items):
            raise Taken


def write_at_once(disk: Disk, items: list[int]) -> dict[int, Exception | None]:
    """What becomes of each write, the others coming while the first one is under way."""
    writes = Grouped(disk.write_all, alone=Taken)
    outcomes: dict[int, Exception | None] = {}

    def write(item: int) -> None:
        try:
            writes.write(item)
            outcomes[item] = None
        except Exception as error:
            outcomes[item] = error

    threads = [threading.Thread(target=write, args=(item,)) for item in items]
    threads[0].start()
    assert disk.begun.wait(60)
    for thread in threads[1:]:
        thread.start()
    while len(writes._wishes) < len(items) - 1:
        threads[-1].join(0.01)
    disk.may_end.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return outcomes


def test_writes_that_come_meanwhile_are_one() -> None:
    disk = Disk()
    assert set(write_at_once(disk, [1, 2, 3, 4]).values()) == {None}
    assert [sorted(group) for group in disk.groups] == [[1], [2, 3, 4]]


def test_one_that_fails_takes_nobody_along() -> None:
    disk = Disk()
    outcomes = write_at_once(disk, [1, 2, -3, 4])
    assert isinstance(outcomes.pop(-3), Taken)
    assert set(outcomes.values()) == {None}
    assert sorted(disk.groups[2:]) == [[-3], [2], [4]]


def test_a_disk_that_is_full_is_full_for_everyone() -> None:
    disk = Disk()
    disk.is_full = True
    outcomes = write_at_once(disk, [1, 2, 3])
    assert all(isinstance(error, OSError) for error in outcomes.values())
    assert len(disk.groups) == 2  # nobody tries again alone


def test_a_leader_that_is_stopped_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    writes = Grouped(written.extend, alone=Taken)
    waiting = threading.Thread(target=writes.write, args=(2,))

    def stopped(_: float) -> None:
        monkeypatch.undo()
        waiting.start()
        while not (len(writes._wishes) == 2 and writes._wishes[1].wake):
            waiting.join(0.01)
        writes._wishes.pop(0)  # the one that's stopped
        raise KeyboardInterrupt

    monkeypatch.setattr("isolation.store.grouping.time.sleep", stopped)
    with pytest.raises(KeyboardInterrupt):
        writes.write(1)
    waiting.join(60)
    assert written == [2]


def test_a_leader_that_is_stopped_while_writing_leaves_nobody_waiting() -> None:
    groups: list[list[int]] = []

    def write_all(items: list[int]) -> None:
        groups.append(items)
        if len(groups) == 1:
            raise KeyboardInterrupt

    writes = Grouped(write_all, alone=Taken)
    writes._is_writing = True  # so that the others wait
    others = [threading.Thread(target=writes.write, args=(item,), daemon=True) for item in (2, 3)]
    for other in others:
        other.start()
    while not (len(writes._wishes) == 2 and all(wish.wake for wish in writes._wishes)):
        time.sleep(0.01)
    writes._is_writing = False
    with pytest.raises(KeyboardInterrupt):
        writes.write(1)
    for other in others:
        other.join(10)
    assert not any(other.is_alive() for other in others)
    assert sorted(item for group in groups[1:] for item in group) == [2, 3]
