"""The record of a game: its options, its turns, how it ended, and what is judged over its history.

A record is immutable, and every one replays: `play` checks each move by the rules. The third
repetition of a position and the fourth discarded turn in a row are decided here, because no single
position knows what came before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal, Self

from isolation.rules.errors import IllegalMove, InvalidOption, InvalidRecord
from isolation.rules.position import Move, Outcome, Position, Reason
from isolation.rules.tally import Tally
from isolation.rules.variants import Fault, Variant, find_variant
from isolation.rules.words import player_name, shown

DISCARD: Final = "discard"
DISCARD_LIMIT = 4

Turn = Move | Literal["discard"]

RESULTS: dict[int | None, str] = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
UNFINISHED = "*"
UNSTATED = "unstated"


@dataclass(frozen=True)
class GameRecord:
    """Begin one with `GameRecord.begin`, then `play`, `discard` and `end` it."""

    variant: Variant
    options: dict[str, Any]
    positions: tuple[Position, ...]  # from the start to now: one more than turns
    turns: tuple[Turn, ...] = ()
    ending: Outcome | None = None  # what ended the game, where the rules did not: a resignation
    tags: dict[str, str] = field(default_factory=dict)  # names, date and the like
    seen: Tally = field(default_factory=Tally, repr=False, compare=False)  # positions that repeat

    @classmethod
    def begin(
        cls,
        game: str,
        options: Mapping[str, Any] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> Self:
        """A new game, or InvalidOption."""
        variant = find_variant(game)
        settled = variant.check(options or {})
        for name, value in (tags or {}).items():
            _check_tag(variant, name, value)
        start = variant.start(**settled)
        seen = _seen(Tally(), start)
        return cls(variant, settled, (start,), tags=dict(tags or {}), seen=seen)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @cached_property
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        return self.ending or judge(self.position, self.seen, self.turns)

    @property
    def result(self) -> str:
        outcome = self.outcome
        return RESULTS[outcome.winner] if outcome else UNFINISHED

    def play(self, move: Sequence[int]) -> Self:
        """The record with one more move, or IllegalMove."""
        self._check_open()
        after = self.position.play(move)
        return self._with(tuple(move), after)

    def discard(self) -> Self:
        """The record with a bot's turn thrown away, in games whose fault policy does that."""
        self._check_open()
        return self._with(DISCARD, self._discarded(self.position))

    def end(self, outcome: Outcome) -> Self:
        """The record of a game that ended otherwise than by its rules."""
        self._check_open()
        if not isinstance(outcome, Outcome) or not outcome.reason:
            raise InvalidRecord("a game ends with an outcome that has a reason")
        if outcome.winner not in (0, 1, None):
            raise InvalidRecord(f"the winner is 0, 1 or None, not {shown(outcome.winner)}")
        _check_line("termination", outcome.reason)
        return replace(self, ending=outcome)

    def take_back(self, turns: int) -> Self:
        """The record without its last turns, or IllegalMove where there are not so many."""
        if not 0 < turns <= len(self.turns):
            raise IllegalMove(f"{shown(turns)} turns can not be taken back")
        positions = self.positions[:-turns]
        return replace(
            self,
            turns=self.turns[:-turns],
            positions=positions,
            ending=None,
            seen=self.seen.first(len(positions)) if self.seen.length else self.seen,
        )

    def _check_open(self) -> None:
        if self.outcome:
            raise IllegalMove("the game is over")

    def _with(self, turn: Turn, position: Position) -> Self:
        return replace(
            self,
            turns=(*self.turns, turn),
            positions=(*self.positions, position),
            seen=_seen(self.seen, position),
        )

    def notation(self) -> list[str]:
        """Every turn as players write it."""
        return [
            turn if turn == DISCARD else position.notate(turn)
            for position, turn in zip(self.positions, self.turns, strict=False)
        ]

    def replay(self, notation: Sequence[object]) -> Self:
        """This record with these notated turns played, or InvalidRecord."""
        if not isinstance(notation, (list, tuple)):
            raise InvalidRecord(f"turns are a list of texts, not {shown(notation)}")
        positions, turns = list(self.positions), list(self.turns)
        seen = self.seen
        for text in notation:
            position = positions[-1]
            try:
                if self.ending or judge(position, seen, turns):
                    raise IllegalMove("the game is over")
                turn, after = self._read(position, text)
            except IllegalMove as error:
                number, who = len(turns) // 2 + 1, player_name(position.to_move)
                message = f"move {number} of {who}, {shown(text)}: {error}"
                raise InvalidRecord(message) from None
            positions.append(after)
            turns.append(turn)
            seen = _seen(seen, after)
        return replace(self, positions=tuple(positions), turns=tuple(turns), seen=seen)

    def _read(self, position: Position, text: object) -> tuple[Turn, Position]:
        """The turn that a text means, and the position after it."""
        if text == DISCARD:
            return DISCARD, self._discarded(position)
        move = position.parse(text)  # type: ignore[arg-type]
        return move, position.play(move)

    def _discarded(self, position: Position) -> Position:
        if self.variant.fault is not Fault.DISCARD:
            raise IllegalMove(f"a turn can not be discarded in {self.variant.key}")
        return position.discarded()

    def to_dict(self) -> dict[str, Any]:
        """All of the record, ready for JSON."""
        outcome = self.outcome
        return {
            "game": self.variant.key,
            "options": dict(self.options),
            "moves": self.notation(),
            "result": self.result,
            "termination": str(outcome.reason) if outcome else "",
            "tags": dict(self.tags),
        }

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """The record that `to_dict` wrote, every move played again, or InvalidRecord."""
        if not isinstance(data, dict):
            raise InvalidRecord(f"a record is an object with named fields, not {shown(data)}")
        known = {"game", "options", "moves", "result", "termination", "tags"}
        if unknown := [name for name in data if name not in known]:
            raise InvalidRecord(f"a record has no {shown(unknown[0])}")
        options = _typed(data, "options", dict, {})
        tags = _typed(data, "tags", dict, {})
        moves = _typed(data, "moves", list, [])
        result = _typed(data, "result", str, UNFINISHED)
        termination = _typed(data, "termination", str, "")
        try:
            record = cls.begin(_typed(data, "game", str, None), options, tags)
        except InvalidOption as error:
            raise InvalidRecord(str(error)) from None
        return record.replay(moves)._closed(result, termination)

    def _closed(self, result: str, termination: str) -> Self:
        """This record, ended as the written result says, where the rules have not ended it."""
        if result != UNFINISHED and result not in RESULTS.values():
            allowed = ", ".join([*RESULTS.values(), UNFINISHED])
            raise InvalidRecord(f"a result is one of {allowed}, not {shown(result)}")
        if result in (UNFINISHED, self.result):
            return self
        if self.outcome:
            raise InvalidRecord(f"the result is given as {result}, but the moves end {self.result}")
        winner = next(player for player, text in RESULTS.items() if text == result)
        return self.end(Outcome(winner, termination or UNSTATED))


def judge(position: Position, seen: Tally, turns: Sequence[Turn]) -> Outcome | None:
    """How the game has ended, given the positions that have been there and all turns so far."""
    if outcome := position.outcome():
        return outcome
    limit = position.repetition_limit
    if limit and seen.count(position.repetition_key) >= limit:
        return Outcome(None, Reason.REPETITION)
    own = turns[: -2 * DISCARD_LIMIT : -2]
    if len(own) == DISCARD_LIMIT and all(turn == DISCARD for turn in own):
        return Outcome(position.to_move, Reason.DISCARDS)
    return None


def _seen(seen: Tally, position: Position) -> Tally:
    """With one more position, in games where repetitions count."""
    return seen.plus(position.repetition_key) if position.repetition_limit else seen


def _typed(data: Mapping[str, Any], name: str, kind: type, default: Any) -> Any:
    if name not in data and default is None:
        raise InvalidRecord(f"a record needs {name}")
    value = data.get(name, default)
    if not isinstance(value, kind):
        raise InvalidRecord(f"{name} can not be {shown(value)}")
    return value


def _check_tag(variant: Variant, name: object, value: object) -> None:
    taken = {"game", "result", "termination", *(option.name for option in variant.options)}
    if not isinstance(name, str) or not (name.isascii() and name.isidentifier()):
        raise InvalidRecord(f"{shown(name)} is not a tag: a tag is a word like Player1")
    if name.lower() in taken:
        raise InvalidRecord(f"{name} is written by the record itself")
    _check_line(name, value)


def _check_line(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.isprintable() or len(value) > 200:
        raise InvalidRecord(f"{name} must be up to 200 characters on one line")
