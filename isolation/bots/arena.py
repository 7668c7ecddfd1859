"""Matches between bots: everybody against everybody, seats alternating, results counted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from isolation.bots.game import Played, Series, Side, play_game
from isolation.bots.names import tell_apart
from isolation.bots.player import Player
from isolation.bots.statistics import Interval, interval
from isolation.rules import GameRecord, Move, find_variant

OPENING = 2  # turns made by lot, where openings are played from both sides


@dataclass
class Standing:
    """How somebody did over all games."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    calls: int = 0
    nanoseconds: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> Interval:
        return interval(self.points, self.games)

    @property
    def average_ns(self) -> float:
        return self.nanoseconds / self.calls if self.calls else 0.0

    def add(self, points: float, side: Side) -> None:
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.calls += len(side.calls)
        self.nanoseconds += sum(side.calls)
        self.faults += side.faults


@dataclass(frozen=True)
class Pairing:
    """One game that is to be played."""

    number: int
    seats: tuple[int, int]  # which player is Player 1, and which Player 2
    options: dict[str, Any]
    opening: tuple[Move, ...] = ()


def pairings(
    count: int, game: str, options: dict[str, Any], rounds: int, is_fair: bool, lot: Random
) -> Iterator[Pairing]:
    """All games, pair by pair in each round. The seats alternate; fair games share an opening."""
    variant = find_variant(game)
    number = 0
    begun: tuple[dict[str, Any], tuple[Move, ...]]
    shared: dict[tuple[int, int], tuple[dict[str, Any], tuple[Move, ...]]] = {}
    for at in range(rounds):
        for pair in combinations(range(count), 2):
            if not is_fair:
                begun = (variant.draw(options, lot), ())
            elif at % 2 == 0 or pair not in shared:
                drawn = variant.draw(options, lot)
                begun = shared[pair] = (drawn, _opening(game, drawn, lot))
            else:
                begun = shared[pair]
            number += 1
            seats = pair if at % 2 == 0 else (pair[1], pair[0])
            yield Pairing(number, seats, *begun)


def _opening(game: str, options: dict[str, Any], lot: Random) -> tuple[Move, ...]:
    record = GameRecord.begin(game, options)
    for _ in range(OPENING):
        move: Move = ()
        while cells := record.position.next_cells(move):
            move = (*move, lot.choice(cells))
        further = record.play(move)
        if further.outcome:
            break
        record = further
    return tuple(turn for turn in record.turns if not isinstance(turn, str))


class Arena:
    """Plays games, and counts."""

    def __init__(self, game: str, players: list[Player], rounds: int = 1) -> None:
        self._game = game
        self._players = players
        self._rounds = rounds  # of each two
        self._series: dict[frozenset[int], Series] = {}
        tell_apart(players)
        self.standings = [Standing(player.name) for player in players]

    def play(self, pairing: Pairing, watch: Callable[[GameRecord], None] | None = None) -> Played:
        first, second = (self._players[seat] for seat in pairing.seats)
        series = self._series.get(frozenset(pairing.seats))
        if not series or series.is_over:
            series = Series((first, second), self._rounds)
            self._series[frozenset(pairing.seats)] = series
        played = play_game(
            self._game,
            pairing.options,
            (first, second),
            pairing.opening,
            watch or _unwatched,
            series,
        )
        for at, seat in enumerate(pairing.seats):
            points = 0.5 if played.winner is None else float(played.winner == at)
            self.standings[seat].add(points, played.sides[at])
        return played

    def ranking(self) -> list[Standing]:
        return sorted(self.standings, key=lambda one: (-one.points, one.average_ns))


def _unwatched(record: GameRecord) -> None:
    pass
