"""The rooms in memory: each with a lock, the least used forgotten first. Knows no store."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from threading import RLock

from isolation.rooms.ports import World
from isolation.rooms.room import Room

IDLE_S = 120.0  # before a room that nobody is in is forgotten
IDLE_ROOMS = 2_000  # more than this many, and they go sooner
IDLE_CHECKED = 200  # at a time


@dataclass(slots=True)
class Slot:
    """A room in memory. `due` is what its row says."""

    latest: Room | None = None  # None while it's being loaded
    due: float | None = None
    lock: RLock = field(default_factory=RLock)
    used: float = 0.0
    checked: float = 0.0  # when its log was last looked at
    is_doubtful: bool = False  # whether something may be stored that we were told wasn't

    @property
    def room(self) -> Room:
        if self.latest is None:
            raise LookupError("the room isn't loaded")
        return self.latest


class Memory:
    """Keeps rooms, and finds them by their latest games."""

    def __init__(
        self, world: World, load: Callable[[str, Slot], None], unfollow: Callable[[str], None]
    ) -> None:
        """`load` fills a slot, or raises; `unfollow` is called with each room that's forgotten."""
        self._world = world
        self._load = load
        self._unfollow = unfollow
        self._slots: OrderedDict[str, Slot] = OrderedDict()  # the least used first
        self._by_game: dict[str, str] = {}  # rooms by their latest games

    def rooms(self) -> list[Room]:
        return [slot.latest for slot in self.slots() if slot.latest]

    def slots(self) -> list[Slot]:
        return list(self._slots.values())

    def find(self, room_id: str) -> Slot | None:
        return self._slots.get(room_id)

    def room(self, room_id: str) -> Room | None:
        slot = self._slots.get(room_id)
        return slot.latest if slot else None

    def room_of(self, game_id: str) -> str | None:
        """The room whose latest game that is."""
        return self._by_game.get(game_id)

    @contextmanager
    def held(self, room_id: str) -> Iterator[Slot]:
        """A room that's loaded, nobody else in this process doing anything in it."""
        while True:
            slot = self._slots.setdefault(room_id, Slot())
            with slot.lock:
                if self._slots.get(room_id) is not slot:  # it was forgotten meanwhile
                    continue
                try:
                    if slot.latest is None:
                        self._load(room_id, slot)
                except BaseException:
                    self._drop(room_id, slot)
                    raise
                self.use(slot.room)
                yield slot
                return

    @contextmanager
    def held_if_there(self, room_id: str) -> Iterator[Slot | None]:
        """The same without loading it; None where there's nothing to hold."""
        slot = self._slots.get(room_id)
        if slot is None:
            yield None
            return
        with slot.lock:  # while it's being read, it's not known what it will be like
            is_there = slot.latest is not None and self._slots.get(room_id) is slot
            yield slot if is_there else None

    def add(self, room: Room, due: float | None) -> Slot:
        """A room that's new."""
        slot = self._slots[room.id] = Slot(room, due)
        return slot

    def put(self, slot: Slot, room: Room, due: float | None) -> None:
        """What a room has become, in its slot."""
        if slot.latest:
            self._by_game.pop(slot.latest.game.id, None)
        slot.latest, slot.due = room, due
        self._by_game[room.game.id] = room.id
        self.use(room)

    def use(self, room: Room) -> None:
        self._slots[room.id].used = self._world.now()
        self._slots.move_to_end(room.id)

    def forget_idle(self, is_wanted: Callable[[str], bool]) -> None:
        """Forget rooms that nobody uses, a few at a time: the store has them."""
        for room_id in list(islice(self._slots, IDLE_CHECKED)):
            slot = self._slots[room_id]
            if self._world.now() - slot.used <= IDLE_S and len(self._slots) <= IDLE_ROOMS:
                break
            if slot.latest and is_wanted(room_id):
                self.use(slot.latest)
            elif slot.latest and slot.lock.acquire(blocking=False):
                self._drop(room_id, slot)
                slot.lock.release()

    def _drop(self, room_id: str, slot: Slot) -> None:
        self._slots.pop(room_id, None)
        self._unfollow(room_id)
        if slot.latest:
            self._by_game.pop(slot.latest.game.id, None)
