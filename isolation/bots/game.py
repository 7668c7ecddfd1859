"""One game between two players: asked in turn, checked, timed; faults cost what the game says."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from isolation.bots.asking import Thought
from isolation.bots.faults import BotFault
from isolation.bots.player import Meeting, Player, match_results
from isolation.rules import PASS, GameRecord, lost_by_fault
from isolation.rules.variants import Fault

MAX_TAG = 60


@dataclass
class Side:
    """How one player did."""

    calls: list[int] = field(default_factory=list)  # nanoseconds of each
    faults: list[str] = field(default_factory=list)


@dataclass
class Played:
    """A game that is over: its record, and how both did."""

    record: GameRecord
    sides: tuple[Side, Side]

    @property
    def winner(self) -> int | None:
        outcome = self.record.outcome
        return outcome.winner if outcome else None


class Series:
    """Games between two players, one after the other."""

    def __init__(self, players: tuple[Player, Player], games: int = 1) -> None:
        self._players = players  # in the seats that they have first
        self._games = games
        self._wins, self._draws = [0, 0], 0
        self._key = secrets.token_hex(4)

    @property
    def is_over(self) -> bool:
        return sum(self._wins) + self._draws >= self._games

    def meeting(self, player: Player) -> Meeting:
        return Meeting(self._key, int(player is self._players[1]), self._games)

    def add(self, winner: Player | None) -> None:
        if winner:
            self._wins[int(winner is self._players[1])] += 1
        else:
            self._draws += 1

    def results(self) -> dict[str, Any] | None:
        """As players are told them, when all games are over."""
        return match_results(self._games, self._wins, self._draws) if self.is_over else None


def play_game(
    game: str,
    options: dict[str, Any],
    players: tuple[Player, Player],
    opening: tuple[tuple[int, ...], ...] = (),
    watch: Callable[[GameRecord], None] = lambda record: None,
    series: Series | None = None,
) -> Played:
    """Play to the end. `opening` is moves that have been made for both."""
    series = series or Series(players)
    played = _play(game, options, players, opening, watch, series)
    series.add(None if played.winner is None else players[played.winner])
    for player, side in zip(players, played.sides, strict=True):
        try:
            player.end(played.winner, series.results())
        except BotFault as fault:
            side.faults.append(f"after the game: {fault}")
    return played


def _play(
    game: str,
    options: dict[str, Any],
    players: tuple[Player, Player],
    opening: tuple[tuple[int, ...], ...],
    watch: Callable[[GameRecord], None],
    series: Series,
) -> Played:
    tags = {f"Player{at + 1}": player.name[:MAX_TAG] for at, player in enumerate(players)}
    played = Played(GameRecord.begin(game, options, tags), (Side(), Side()))
    for move in opening:
        played.record = played.record.play(move)
    for at, player in enumerate(players):
        try:
            player.begin(at, series.meeting(player))
        except BotFault as fault:
            played.sides[at].faults.append(str(fault))
            played.record = played.record.end(lost_by_fault(at, str(fault)))
            return played
    while not played.record.outcome:
        _take_turn(played, players)
        watch(played.record)
    return played


def _take_turn(played: Played, players: tuple[Player, Player]) -> None:
    record = played.record
    if record.must_pass:
        played.record = record.play(PASS)
        return
    at = record.position.to_move
    side, thought = played.sides[at], Thought()
    try:
        players[at].think(record, thought)
        played.record = record.play(thought.move)
    except BotFault as fault:
        side.faults.append(str(fault))
        played.record = _after_fault(record, str(fault))
    side.calls += thought.calls


def _after_fault(record: GameRecord, why: str) -> GameRecord:
    """What a fault costs the player to move."""
    if record.variant.fault is Fault.DISCARD:
        return record.discard()
    return record.end(lost_by_fault(record.position.to_move, why))
