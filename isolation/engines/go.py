"""The `go` line of the engine protocol: which limits it sets, and what it leaves out."""

from dataclasses import dataclass, replace

from isolation.engines.clock import SHORTEST, share, turns_left
from isolation.engines.engine import Handicap, Limits
from isolation.engines.levels import LEVELS, find_level
from isolation.rules import Move, Position
from isolation.rules.words import shown

DAY_MS = 86_400_000
MOST_SEARCHMOVES = 64
LIMITS = {  # the lowest and the highest value of each
    "movetime": (1, DAY_MS),
    "nodes": (1, 1 << 60),
    "depth": (1, 120),
    "level": (1, max(map(len, LEVELS.values()))),
    "seed": (1, 1 << 62),
    "p1time": (0, 100 * DAY_MS),
    "p2time": (0, 100 * DAY_MS),
    "p1inc": (0, DAY_MS),
    "p2inc": (0, DAY_MS),
    "movestogo": (1, 1000),
}
_USAGE = (
    "write: go movetime MS, go nodes N, go depth N, go level N seed N, go infinite, "
    "or go p1time MS p2time MS p1inc MS p2inc MS; and last, searchmoves MOVES"
)


class BadCommand(ValueError):
    """A line that can't be obeyed; the text says why."""


@dataclass(frozen=True, slots=True)
class Go:
    """A search, as it was asked for."""

    limits: Limits
    handicap: Handicap
    is_endless: bool = False  # whether the answer waits for `stop`


def read_go(text: str, position: Position) -> Go:
    """What a `go` line means in a position; BadCommand, IllegalMove or InvalidOption."""
    words, has_moves, moves = text.partition("searchmoves")
    is_endless = "infinite" in words.split()
    values = _values([word for word in words.split() if word != "infinite"])
    if not (values or is_endless):
        raise BadCommand(_USAGE)
    go = _go(values, position)
    if has_moves:
        only = _searchmoves(moves.split(), position)
        go = replace(go, limits=replace(go.limits, moves=only))
    return replace(go, is_endless=is_endless and "level" not in values)


def _values(words: list[str]) -> dict[str, int]:
    if len(words) % 2:
        raise BadCommand(_USAGE)
    values = {}
    for name, text in zip(words[::2], words[1::2], strict=True):
        if name not in LIMITS:
            raise BadCommand(_USAGE)
        values[name] = number(text, *LIMITS[name])
    return values


def _go(values: dict[str, int], position: Position) -> Go:
    seed = values.get("seed", 0)
    if "level" in values:
        level = find_level(position.game, values["level"])
        return Go(level.limits, level.handicap(seed))
    limits = Limits(nodes=values.get("nodes"), depth=values.get("depth"))
    if "movetime" in values:
        limits = replace(limits, seconds=values["movetime"] / 1000)
    elif "p1time" in values or "p2time" in values:
        enough, latest = _clock(values, position)
        limits = replace(limits, seconds=latest, enough=enough)
    return Go(limits, Handicap(seed=seed))


def _clock(values: dict[str, int], position: Position) -> tuple[float, float]:
    player = f"p{position.to_move + 1}"
    if f"{player}time" not in values:
        raise BadCommand(f"{player} is to move: {player}time is missing")
    if position.count_moves() == 1:
        return SHORTEST, SHORTEST
    turns = min(values.get("movestogo", 1000), turns_left(position))
    return share(values[f"{player}time"] / 1000, values.get(f"{player}inc", 0) / 1000, turns)


def _searchmoves(texts: list[str], position: Position) -> tuple[Move, ...]:
    if not 1 <= len(texts) <= MOST_SEARCHMOVES:
        raise BadCommand(f"searchmoves takes 1 to {MOST_SEARCHMOVES} moves")
    if position.outcome():
        return ()
    moves = [position.parse(text) for text in texts]
    for move in moves:
        position.play(move)
    return tuple(dict.fromkeys(moves))


def number(text: str, lowest: int, highest: int) -> int:
    """A whole number in a range, or BadCommand."""
    is_number = text.isascii() and text.isdecimal() and len(text) < 20
    if not (is_number and lowest <= int(text) <= highest):
        raise BadCommand(f"{shown(text)} is not a number from {lowest} to {highest}")
    return int(text)
