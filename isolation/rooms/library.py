"""Games read back from their logs. Long ones are folded page by page, so nobody has to wait."""

from collections import OrderedDict
from collections.abc import Iterator

from isolation.rooms.errors import Refused
from isolation.rooms.fold import follow
from isolation.rooms.game import Game, GameStart
from isolation.rooms.log import Event
from isolation.rooms.ports import Store, World
from isolation.rooms.room import Step

PAGE = 100  # events between two moments in which others go on
PLIES_KEPT = 100_000  # of games that are over, all together
BARE = 10  # plies that take as much memory as a game without any


class Library:
    """Games that are over and were asked for lately, and how any game is read."""

    def __init__(self, store: Store, world: World) -> None:
        self._store = store
        self._world = world
        self._past: OrderedDict[str, Game] = OrderedDict()
        self._plies = 0

    def start(self, game_id: str) -> GameStart:
        """What a game began with, or Refused."""
        start = self._store.load_start(game_id)
        if start is None:
            raise Refused("unknown", why="game")
        return start

    def past(self, game_id: str) -> Game | None:
        """A game that is over, if it was read lately."""
        game = self._past.get(game_id)
        if game:
            self._past.move_to_end(game_id)
        return game

    def read(self, game_id: str) -> Game:
        """A game that isn't the latest of its room, and kept if it's over; or Refused."""
        game = self.fold(self.start(game_id))
        if game.outcome is None:
            return game
        if game_id not in self._past:  # somebody else may have read it meanwhile
            self._plies += _size(game)
        self._past[game_id] = game
        while self._plies > PLIES_KEPT and len(self._past) > 1:
            self._plies -= _size(self._past.popitem(last=False)[1])
        return game

    def fold(self, start: GameStart) -> Game:
        game = Game.begin(start)
        for event in self._log(start.id):
            game = follow(game, event)
        return game

    def steps(self, start: GameStart, after: int, until: int) -> tuple[Step, ...]:
        """What happened in a game between two versions of it."""
        game, steps = Game.begin(start), []
        for event in self._log(start.id):
            if event.seq > until:
                break
            before, game = game, follow(game, event)
            if event.seq > after:
                steps.append(Step(event, before, game))
        return tuple(steps)

    def _log(self, game_id: str) -> Iterator[Event]:
        """Page by page, with time for others in between."""
        last = 0
        while events := self._store.load_log(game_id, last, PAGE):
            yield from events
            if len(events) < PAGE:
                return
            last = events[-1].seq
            self._world.sleep(0)


def _size(game: Game) -> int:
    return BARE + game.ply
