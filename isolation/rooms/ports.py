"""What the rooms need from outside. `store`, `engines` and `web` implement these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from isolation.engines.pool import Request
from isolation.rooms.game import Event, GameStart
from isolation.rules import Move


class SeqTakenError(Exception):
    """Another event of this game has been stored under that number already."""


class StoreDownError(Exception):
    """The store can't be used right now; the text says why. Trying again later may help."""


@dataclass(frozen=True, slots=True)
class RoomRow:
    """What a room begins with. In a room with an owner nobody moves before the owner asks."""

    id: str
    is_public: bool
    kind: str
    created: float
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something that was said, among the players or among those who watch."""

    at: float
    name: str
    text: str
    player: int | None  # nobody's, if it wasn't said by a player
    is_for_players: bool


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

    def create_game(
        self, start: GameStart, events: Sequence[Event], room: RoomRow | None = None
    ) -> None:
        """A game with the first events of its log, and its room if that is new."""

    def append(self, game: str, events: Sequence[Event], ended: str | None) -> None:
        """Events that follow each other, all or none, or SeqTakenError. `ended` is the result."""

    def load_game(self, game: str) -> tuple[GameStart, list[Event]] | None: ...

    def load_room(self, room: str) -> tuple[RoomRow, list[str]] | None:
        """A room and its games, the latest last."""

    def unfinished_rooms(self) -> list[str]:
        """The rooms whose latest game is not over."""

    def rooms_of(self, identity: str) -> list[str]:
        """The rooms with an unfinished game in which somebody has a seat."""

    def add_chat(self, room: str, line: ChatLine) -> None: ...

    def load_chat(self, room: str, is_for_players: bool, most: int) -> list[ChatLine]:
        """The latest lines of one side, in order."""

    def beat(self, at: float) -> None:
        """Note that the server was alive at this time."""

    def last_beat(self) -> float | None: ...

    def check(self) -> None:
        """Raises StoreDownError, if the store can't be reached."""


class EngineRunner(Protocol):
    """Finds moves somewhere else; may take a while, and wait."""

    def choose(self, game: str, request: Request) -> Move: ...


class Audience(Protocol):
    """Everyone who is connected."""

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


class World(Protocol):
    """Time, and doing things meanwhile."""

    def now(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...

    def spawn(self, task: Any, *arguments: Any) -> None: ...
