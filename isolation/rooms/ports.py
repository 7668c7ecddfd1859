"""What the rooms need from outside. `store`, `engines` and `web` implement these.

Bus, Presence, Lease, Listing and Directory are what several processes share: `cluster` has them on
Redis, `alone.py` their twins for a process that's alone.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from isolation.engines.request import Request
from isolation.engines.search import Hear, Purpose, Search
from isolation.rooms.game import GameStart
from isolation.rooms.log import Event
from isolation.rooms.room import RoomRow, Score
from isolation.rooms.timing import Outage
from isolation.rules import Move


class SeqTakenError(Exception):
    """Another event of this game has been stored under that number already."""


class StoreDownError(Exception):
    """The store can't be used right now; the text says why. Trying again later may help."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something that was said, among the players or among those who watch."""

    at: float
    name: str
    text: str
    player: int | None  # nobody's, if it wasn't said by a player
    is_for_players: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """What is added to the log of a game at once, and what follows from it for its row."""

    game: str
    events: tuple[Event, ...]
    result: str | None = None  # once it's over
    due: float | None = None  # when to look at it next
    is_due_new: bool = True  # whether the row says otherwise
    seats: tuple[tuple[int, str], ...] = ()  # players who sat down, and their identities


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room and where its series stands, without any log."""

    row: RoomRow
    start: GameStart  # of the latest game
    due: float | None
    score: Score  # of the sides, before the latest game
    earlier: tuple[str, ...]  # games before the latest, the last few of them


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life from a process, in the site's time."""

    process: str
    at: float
    up: float | None  # since when it has worked without a pause; None while it can't store
    db_at: float | None = None  # the same moment by the database's clock, if it has one


@dataclass(frozen=True, slots=True)
class BotToken:
    """What is known of a bot's token: its SHA-256, never the token itself."""

    hash: str
    bot: str
    name: str
    label: str | None
    owner: str | None  # the visitor who made it
    created: float
    last_used: float | None = None
    expires: float | None = None
    revoked: float | None = None

    @property
    def id(self) -> str:
        """What it's called where people may see it."""
        return self.hash[:12]

    def is_live(self, now: float) -> bool:
        return self.revoked is None and (self.expires is None or now < self.expires)


class TokenStore(Protocol):
    """Keeps the tokens of bots."""

    def add(self, token: BotToken) -> None:
        """Once, however often; what is stored already stays as it is."""

    def find(self, digest: str) -> BotToken | None: ...

    def live_of_bot(self, bot: str, now: float) -> list[BotToken]:
        """The oldest first, as in the next one."""

    def live_of_owner(self, owner: str, now: float) -> list[BotToken]: ...

    def touch(self, digest: str, at: float) -> None:
        """Note that a token was used."""

    def revoke(self, digest: str, at: float) -> None: ...


class Store(Protocol):
    """Keeps everything. What a call has returned from is not lost when the process is killed.

    Any call may raise StoreDownError.
    """

    def create_room(self, row: RoomRow, start: GameStart, entry: Entry) -> None:
        """A room with its first game, and the first events of that."""

    def append(self, entry: Entry) -> None:
        """Events that follow each other, all or none, or SeqTakenError."""

    def succeed(self, entry: Entry, start: GameStart, first: Entry) -> None:
        """Events of a game that is over, and the next game of its room: all or SeqTakenError."""

    def load_room(self, room: str) -> StoredRoom | None: ...

    def load_start(self, game: str) -> GameStart | None: ...

    def load_log(self, game: str, after: int = 0, most: int | None = None) -> list[Event]:
        """The events of a game after that number, in order."""

    def due_games(self, now: float, most: int) -> list[tuple[str, str]]:
        """Rooms and their games to look at, those first that have waited longest."""

    def set_due(self, game: str, due: float | None) -> None: ...

    def games_of(self, identity: str, most: int) -> dict[str, int]:
        """The unfinished games in which somebody has a seat, with versions, the latest last."""

    def add_chat(self, room: str, line: ChatLine) -> None: ...

    def load_chat(self, room: str, is_for_players: bool, most: int) -> list[ChatLine]:
        """The latest lines of one side, in order."""

    def beat(
        self, process: str, at: float, up: float | None, within: float = float("inf")
    ) -> float | None:
        """Note that a process is alive. The database's clock, if it has one.

        If it takes longer than `within`, nobody is told since when the process has worked.
        May work where nothing else does: it's how a store that hung is found to be back.
        """

    def beats(self) -> list[Beat]:
        """The last of each process, of those that died lately too."""

    def last_beat(self) -> float | None:
        """When anyone was last alive."""

    def prune_beats(self, before: float) -> None:
        """Forget processes that died before that."""

    def add_outage(self, outage: Outage) -> None: ...

    def outages(self, after: float) -> list[Outage]:
        """Those that ended after a time, in order."""

    def check(self) -> None:
        """Raises StoreDownError, if the store can't be reached."""


@dataclass(frozen=True, slots=True)
class News:
    """What a process tells the others about a room: what was committed, said, who came or went."""

    room: str
    game: str = ""
    events: tuple[Event, ...] = ()
    line: ChatLine | None = None
    is_presence: bool = False  # somebody came or went


class Bus(Protocol):
    """Carries the news of a room to the other processes that follow it.

    May lose some: the store has the truth.
    """

    def listen(self, hear: Callable[[News], None]) -> None:
        """Have the news of others told to this process's rooms."""

    has_others: bool  # whether there can be other processes at all

    @property
    def is_hearing(self) -> bool:
        """Whether what others publish can be expected to reach us."""

    def publish(self, news: News) -> None:
        """Soon: nobody waits for it."""

    def follow(self, room: str) -> None:
        """Hear all that is published from when this returns."""

    def unfollow(self, room: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is in a room, in any process, and since when the others have been gone."""

    since: float  # when the room began to be watched: nobody has been gone for longer
    present: Collection[str]  # identities
    left: Mapping[str, float]

    def gone_since(self, identity: str | None) -> float | None:
        """None for somebody who is there, and for nobody."""
        if identity is None or identity in self.present:
            return None
        return self.left.get(identity, self.since)

    def excused(self, until: float) -> "Attendance":
        """The same, where nobody could come back before then."""
        left = {identity: max(at, until) for identity, at in self.left.items()}
        return Attendance(max(self.since, until), self.present, left)


class Presence(Protocol):
    """Knows who is connected to which room, in any process."""

    def listen(self, changed: Callable[[str], None]) -> None:
        """Have this process's rooms told where others came or went."""

    def enter(self, room: str, identity: str, connection: str, now: float) -> None: ...

    def leave(self, room: str, identity: str, connection: str, now: float, is_player: bool) -> None:
        """Only of players it's remembered when they left."""

    def follow(self, room: str, now: float) -> None:
        """From now on the room is watched."""

    def unfollow(self, room: str) -> None:
        """Watch a room no longer, unless somebody is there."""

    def of(self, room: str, now: float) -> Attendance:
        """Who is in a room that's followed, as far as this process knows."""

    def fresh(self, room: str, now: float) -> Attendance | None:
        """The same, asked anew; None while that can't be known."""

    def look(self, room: str) -> None:
        """Another process says that somebody came or went: find out soon."""

    def is_here(self, room: str) -> bool:
        """Whether anybody in a room is connected to this process."""

    def counts(self, room: str) -> bool:
        """Whether this process is the one that counts a room, of all those that have it."""


class Listing(Protocol):
    """Lists of public rooms that people can see, in any process: the newest last."""

    def listen(self, changed: Callable[[], None]) -> None:
        """Have this process told when others changed a list."""

    def keep(self, name: str, room: str, is_listed: bool) -> bool:
        """Put a room on a list or take it off; whether that's news."""

    def latest(self, name: str, most: int) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class OnlineBot:
    """A bot that waits for challenges, and the games that it plays."""

    identity: str
    name: str
    games: tuple[str, ...]


class Directory(Protocol):
    """The bots that are online, in any process, and a way to reach them there."""

    def listen(
        self, hear: Callable[[str, Mapping[str, Any]], None], changed: Callable[[], None]
    ) -> None:
        """Have this process told what others send to its bots, and when bots came or went."""

    def come(self, bot: OnlineBot) -> None: ...

    def go(self, identity: str) -> None: ...

    def online(self) -> list[OnlineBot]:
        """Each once, those last that came last."""

    def send(self, identity: str, message: Mapping[str, Any]) -> None:
        """To a bot, wherever else it's connected."""

    def reach(self, identity: str, message: Mapping[str, Any]) -> bool:
        """The same at once; whether a process with that bot has heard it."""


class Lease(Protocol):
    """Lets one process at a time do something. Two may, if what they share fails."""

    def take(self, key: str) -> bool: ...

    def give_back(self, key: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Shared:
    """All that several processes share."""

    bus: Bus
    presence: Presence
    lease: Lease
    listing: Listing
    directory: Directory


class EngineRunner(Protocol):
    """Finds moves somewhere else; may take a while, and wait."""

    def choose(self, who: str, request: Request) -> Move:
        """A move for a visitor: nobody's searches hold up everybody else's."""

    def begin(
        self,
        who: str,
        request: Request,
        hear: Hear | None = None,
        purpose: Purpose = Purpose.ANALYSIS,
    ) -> Search:
        """The same in the background: it tells what it sees, and can be stopped.

        What's heard must not take long. People's games come before analyses.
        """


class Audience(Protocol):
    """Everyone who is connected to this process."""

    def tell(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        """To all who are in a room."""

    def tell_players(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        """To those in a room who play."""

    def tell_stands(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        """To those in a room who watch."""

    def presence_changed(self, room: str) -> None:
        """Somebody came or went; to be told soon, many at a time."""

    def lobby_changed(self) -> None:
        """What the lobby shows is no longer so; to be told soon."""

    def seated(self, room: str, identity: str) -> None:
        """Somebody plays from now on: their connections belong among the players."""

    @property
    def has_onlookers(self) -> bool:
        """Whether anyone here looks at the lobby, or at all public boards."""


class World(Protocol):
    """Time, which never goes back, and doing things meanwhile."""

    def now(self) -> float: ...

    def follow(self, clock: float, since: float) -> None:
        """Keep up with the database's clock, which was read between then and now."""

    def sleep(self, seconds: float) -> None:
        """Let others go on; 0 is long enough for that."""

    def spawn(self, task: Any, *arguments: Any) -> None: ...
