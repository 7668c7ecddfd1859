"""The journal: the only user of the store's logs, and the only writer of the rooms in memory.

To act in a room is to decide, store, and only then believe and tell. The key (game, seq) settles
every race: the first to insert has won, in this process or another. The loser reads the tail of
the log and decides again; so does a refusal that a newer log could change.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from isolation.rooms.change import Change, Committed, opened
from isolation.rooms.deciding import Decided
from isolation.rooms.errors import Refused
from isolation.rooms.fold import InvalidEvent
from isolation.rooms.game import Game, GameStart
from isolation.rooms.library import Library
from isolation.rooms.log import Draft, Event
from isolation.rooms.memory import Memory, Slot
from isolation.rooms.outages import Outages
from isolation.rooms.ports import Entry, News, SeqTakenError, Store, StoreDownError, World
from isolation.rooms.room import Room, RoomRow, Step
from isolation.rooms.timing import due, overdue

logger = logging.getLogger(__name__)

ATTEMPTS = 8  # at storing something, each after somebody else came first
FRESH_S = 1.0  # after a look at the log, before the next one
HUNG_S = 1.5  # that a call may take
STEPS_READ = 200  # that somebody has missed; for more, a snapshot is cheaper
LOG_READ = 2_000  # events of a game that are folded to find them

T = TypeVar("T")
Decide = Callable[[Room, float], Decided]


class Listener(Protocol):
    """Hears what is committed, here or in another process, in order."""

    def committed(self, news: Committed) -> None: ...


class Others(Protocol):
    """The other processes. A room in memory is one that's followed there."""

    @property
    def is_hearing(self) -> bool: ...

    def publish(self, news: News) -> None: ...

    def follow(self, room: str) -> None: ...

    def unfollow(self, room: str) -> None: ...


class Journal:
    """Acts in rooms, and tells listeners what was committed."""

    def __init__(self, store: Store, others: Others, world: World) -> None:
        self._store = store
        self._others = others
        self._world = world
        self._memory = Memory(world, self._load, others.unfollow)
        self._listeners: list[Listener] = []
        self._library = Library(store, world)
        self.outages = Outages(store, world)
        self.moves = 0  # made here since the start

    def add_listener(self, listener: Listener) -> None:
        self._listeners.append(listener)

    # Looking.

    def room(self, room_id: str) -> Room:
        """A room as it is, or Refused."""
        if room := self._memory.room(room_id):
            self._memory.use(room)
            return room
        with self._memory.held(room_id) as slot:
            return slot.room

    def fresh(self, room_id: str, within: float = FRESH_S) -> Room:
        """A room as the store has it, or had a moment ago, whatever news got lost; or Refused.

        While nothing can be stored, there's no news to miss.
        """
        with self._memory.held(room_id) as slot:
            now = self._world.now()
            is_old = now - slot.checked >= within or not self._others.is_hearing
            if is_old and not self.outages.is_failing:
                slot.checked = now
                self._catch_up(slot)
            return self._look(slot)

    def rooms(self) -> list[Room]:
        """Those in memory."""
        return self._memory.rooms()

    def cached(self, room_id: str) -> Room | None:
        return self._memory.room(room_id)

    def room_of(self, game_id: str) -> str:
        """The room in which a game is, or was, played; or Refused."""
        return self._memory.room_of(game_id) or self._library.start(game_id).room

    def room_in_memory(self, game_id: str) -> str | None:
        """The room of a game that somebody is at, without asking the store."""
        return self._memory.room_of(game_id)

    def game(self, game_id: str) -> Game:
        """A game of any time, as fresh as its room; or Refused."""
        if past := self._library.past(game_id):
            return past
        room = self.fresh(self.room_of(game_id))
        if game_id not in (room.game.id, *room.earlier):  # it may be the next one already
            room = self.fresh(room.id, 0.0)
        return room.game if room.game.id == game_id else self._library.read(game_id)

    def steps_after(self, room: Room, v: int) -> tuple[Step, ...] | None:
        """What happened in the latest game after that version; None if it's too long ago."""
        missing = room.game.v - v
        if 0 <= missing <= len(room.steps):
            return room.steps[len(room.steps) - missing :]
        if not 0 <= missing <= STEPS_READ or room.game.v > LOG_READ or self.outages.is_failing:
            return None
        return self.trying(lambda: self._library.steps(room.game.start, v, room.game.v))

    # Acting.

    def act(self, room_id: str, decide: Decide) -> tuple[Room, Decided]:
        """What was decided, stored; and the room after it. Or Refused, or StoreDownError."""
        return self._insist(room_id, lambda slot: self._decide(slot, decide))

    def touch(self, room_id: str) -> Room:
        """The room, once everything that time brings about is in its log."""
        return self._insist(room_id, self._settle)

    def _insist(self, room_id: str, attempt: Callable[[Slot], T | None]) -> T:
        """Try until it comes to something. A refusal counts only if the log has nothing newer."""
        with self._memory.held(room_id) as slot:
            for _ in range(ATTEMPTS):
                try:
                    self.recover()
                    self._resolve(slot)
                    result = attempt(slot)
                    if result is not None:
                        return result
                except (Refused, InvalidEvent):
                    if not self._catch_up(slot):
                        raise
            raise Refused("busy")

    def _decide(self, slot: Slot, decide: Decide) -> tuple[Room, Decided] | None:
        """None if the log has gone on meanwhile: then it must be decided again."""
        decided = decide(self._settle(slot), self._world.now())
        if decided.drafts:
            return (self._settle(slot), decided) if self._commit(slot, decided) else None
        # Nothing to store is an answer that a newer log could change, as it could a refusal.
        return None if self._catch_up(slot) else (slot.room, decided)

    def open(self, row: RoomRow, start: GameStart, seated: list[Draft]) -> Room:
        """A new room with its first game."""
        room, entry = opened(row, start, seated)
        self.trying(lambda: self._store.create_room(row, start, entry))
        self._others.follow(row.id)
        self._believe(self._memory.add(room, entry.due), None, room, room.steps)
        return self.touch(row.id)

    def look_again(self, room_id: str, game_id: str, when: float | None) -> None:
        """Have a game looked at then, whether anything happens in it or not."""
        self._store.set_due(game_id, when)
        slot = self._memory.find(room_id)
        if slot and slot.latest and slot.room.game.id == game_id:
            slot.due = when

    def recover(self) -> None:
        """End an outage if the store works again; StoreDownError if it doesn't."""
        if self.outages.recover():
            self._world.spawn(self._settle_clocks)  # not here, where a room may be held

    def beat(self) -> None:
        """Leave word that we're alive."""
        self.trying(self.outages.beat)

    def _resolve(self, slot: Slot) -> None:
        """Look for what was on its way to the store when it failed.

        It may be stored even later than this. Then it has its number, and whatever follows here
        finds that taken: its insertion waits for the other, and comes back to read the log.
        """
        if slot.is_doubtful:
            self._catch_up(slot)
            slot.is_doubtful = False

    def _settle_clocks(self) -> None:
        for slot in self._memory.slots():
            room = slot.latest
            if room and (room.game.is_clock_running or slot.is_doubtful):
                with suppress(Refused, InvalidEvent):  # the others go on all the same
                    self.touch(room.id)

    def _look(self, slot: Slot) -> Room:
        """The room, settled unless nothing can be stored: it can be looked at all the same."""
        if not self.outages.is_failing:
            with suppress(StoreDownError):
                self.recover()
                return self._settle(slot)
        return slot.room

    def _settle(self, slot: Slot) -> Room:
        """The room, once what is overdue is in its log."""
        while True:
            room = slot.room
            drafts = overdue(room, self.outages.clock(), self.outages.ended)
            if not drafts:
                return room
            self._commit(slot, Decided(drafts))

    def _commit(self, slot: Slot, decided: Decided) -> bool:
        """Check, store, and only then believe. False if somebody else came first."""
        room = slot.room
        change = Change.of(room, decided, self._world.now(), slot.due)
        try:
            self.trying(lambda: self._store_change(change))
        except SeqTakenError:
            self._catch_up(slot)
            return False
        except Exception:
            # The connection may have gone after the commit: look whether it's there.
            slot.is_doubtful = True
            if not self._is_stored(change.entry):
                raise
            slot.is_doubtful = False
        self._believe(slot, room, change.after, change.steps)
        self.moves += sum(step.after.ply > step.before.ply for step in change.steps)
        self._others.publish(change.news())
        return True

    def _store_change(self, change: Change) -> None:
        if change.successor and change.first:
            self._store.succeed(change.entry, change.successor, change.first)
        else:
            self._store.append(change.entry)

    def trying(self, use: Callable[[], T]) -> T:
        """Use the store. While it can't be used, not even to read, the clocks stand still.

        If it hung for a while, others may have noticed more: their outages count before any flag.
        """
        began = self._world.now()
        try:
            result = use()
        except StoreDownError:
            if self.outages.failed(began):
                self._tell_pause()
            raise
        if self._world.now() - began > HUNG_S:
            with suppress(StoreDownError):
                self.outages.hear()
        return result

    def _tell_pause(self) -> None:
        """The clocks stand still: say so where one runs."""
        for room in self.rooms():
            if room.game.is_clock_running:
                self._notify(Committed(room, room))

    def _is_stored(self, entry: Entry) -> bool:
        log = self._store.load_log(entry.game, entry.events[0].seq - 1, len(entry.events))
        return tuple(log) == entry.events

    # Hearing what others committed.

    def catch_up(self, room_id: str) -> None:
        """Read what was committed elsewhere and may not have been heard of."""
        with self._memory.held_if_there(room_id) as slot:
            if slot:
                self._catch_up(slot)

    def hear(self, news: News) -> None:
        """Fold what another process has committed; read the log where something is missing."""
        with self._memory.held_if_there(news.room) as slot:
            if slot and not _knows(slot.room, news) and not self._fold_news(slot, news):
                self._catch_up(slot)

    def _fold_news(self, slot: Slot, news: News) -> bool:
        """Whether the news follow what we know."""
        room = slot.room
        if news.game != room.game.id or news.events[0].seq != room.game.v + 1:
            return False
        after, steps = room.after_all(news.events)
        if after.game.successor:  # the next game is in the store
            return False
        self._believe(slot, room, after, steps)
        return True

    def _catch_up(self, slot: Slot) -> bool:
        """Read what the log has beyond what we know; whether there was anything."""
        room = slot.room
        after = room
        steps: tuple[Step, ...] = ()
        while events := self._load_tail(after):
            after, more = after.after_all(events)
            steps += more
            if after.game.successor:
                after = after.succeeded(self._library.start(after.game.successor))
        if after is not room:
            self._believe(slot, room, after, steps)
        return after is not room

    def _load_tail(self, room: Room) -> list[Event]:
        return self.trying(lambda: self._store.load_log(room.game.id, room.game.v))

    def _load(self, room_id: str, slot: Slot) -> None:
        self._others.follow(room_id)  # first, so that nothing is missed between
        stored = self.trying(lambda: self._store.load_room(room_id))
        if stored is None:
            raise Refused("unknown", why="room")
        game = self._library.fold(stored.start)
        room = Room(stored.row, game, stored.score, stored.earlier)
        self._memory.put(slot, room, stored.due)
        self._notify(Committed(None, room))
        self._look(slot)

    def forget_idle(self, is_wanted: Callable[[str], bool]) -> None:
        """Forget rooms that nobody uses: the store has them."""
        self._memory.forget_idle(is_wanted)

    # Telling.

    def _believe(
        self, slot: Slot, before: Room | None, after: Room, steps: tuple[Step, ...]
    ) -> None:
        self._memory.put(slot, after, due(after))
        self._notify(Committed(before, after, steps))

    def _notify(self, news: Committed) -> None:
        for listener in self._listeners:
            try:
                listener.committed(news)
            except Exception:
                logger.exception("a listener in room %s", news.after.id)


def _knows(room: Room, news: News) -> bool:
    is_old = news.game == room.game.id and news.events[-1].seq <= room.game.v
    return is_old or news.game in room.earlier
