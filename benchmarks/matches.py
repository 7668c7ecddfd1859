"""Matches between players, sides swapped on every opening, with counts and confidence intervals."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from isolation.bots.statistics import interval
from isolation.rules import VARIANTS, GameRecord, Move
from isolation.rules.position import PASS

Player = Callable[[GameRecord], Move]


@dataclass
class Score:
    """Wins, ties and losses of the first player."""

    wins: int = 0
    ties: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def share(self) -> float:
        return (self.wins + self.ties / 2) / self.games

    def interval(self) -> tuple[float, float]:
        return interval(self.wins + self.ties / 2, self.games)

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"{self.share:6.1%} [{low:.0%}, {high:.0%}]  +{self.wins} ={self.ties} -{self.losses}"
        )


def opening(game: str, options: dict[str, object], plies: int, lot: Random) -> GameRecord:
    """A game that has begun with random moves, and is not over."""
    while True:
        record = GameRecord.begin(game, VARIANTS[game].draw(options, lot))
        for _ in range(plies):
            if not record.outcome:
                record = record.play(_random_move(record, lot))
        if not record.outcome:
            return record


def _random_move(record: GameRecord, lot: Random) -> Move:
    move = PASS
    while cells := record.position.next_cells(move):
        move = (*move, lot.choice(cells))
    return move


def play_out(record: GameRecord, players: tuple[Player, Player]) -> GameRecord:
    while not record.outcome:
        record = record.play(players[record.position.to_move](record))
    return record


def match(
    game: str,
    first: Player,
    second: Player,
    pairs: int,
    options: dict[str, object] | None = None,
    plies: int = 2,
    seed: int = 1,
) -> Score:
    """Every opening is played twice, each player on either side."""
    lot, score = Random(f"{game} {seed}"), Score()
    for _ in range(pairs):
        begun = opening(game, options or {}, plies, lot)
        for players, me in (((first, second), 0), ((second, first), 1)):
            outcome = play_out(begun, players).outcome
            if outcome is None or outcome.winner is None:
                score.ties += 1
            elif outcome.winner == me:
                score.wins += 1
            else:
                score.losses += 1
    return score
