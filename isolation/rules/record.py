"""The record of a game: its options, its turns, how it ended, and what is judged over its history.

A record is immutable, and every one replays: `play` checks each move by the rules. The third
repetition of a position and the fourth discarded turn in a row are decided here, because no single
position knows what came before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Self

from isolation.rules.endings import (
    Outcome,
    Reason,
    check_line,
    checked_ending,
    checked_reason,
    ending_words,
    read_ending,
)
from isolation.rules.errors import IllegalMove, InvalidOption, InvalidPosition, InvalidRecord
from isolation.rules.position import PASS, Move, Position
from isolation.rules.setup import set_up
from isolation.rules.tally import Tally
from isolation.rules.trail import Trail
from isolation.rules.variants import Fault, Variant, find_variant
from isolation.rules.words import player_name, shown

DISCARD: Final = "discard"
DISCARD_LIMIT = 4

Turn = Move | Literal["discard"]

RESULTS: dict[int | None, str] = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
UNFINISHED = "*"

_FIELDS = {
    "game",
    "options",
    "position",
    "moves",
    "result",
    "termination",
    "reason",
    "player",
    "tags",
}


@dataclass(frozen=True)
class GameRecord:
    """Begin one with `GameRecord.begin`, then `play`, `discard` and `end` it."""

    variant: Variant
    options: dict[str, Any]
    positions: Trail[Position]  # from the start to now: one more than turns
    turns: Trail[Turn] = field(default_factory=Trail)
    start: Position | None = None  # the first position, where it isn't the ordinary start
    ending: Outcome | None = None  # what ended the game, where the rules did not: a resignation
    tags: dict[str, str] = field(default_factory=dict)  # names, date and the like
    texts: Trail[str] = field(default_factory=Trail, repr=False, compare=False)  # of all turns
    seen: Tally = field(default_factory=Tally, repr=False, compare=False)  # positions that repeat

    position: Position = field(init=False, repr=False, compare=False)  # the last
    outcome: Outcome | None = field(init=False, repr=False, compare=False)  # None while it goes on

    def __post_init__(self) -> None:
        position = self.positions.last
        outcome = self.ending or judge(position, self.seen, self.turns)
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "outcome", outcome)

    @classmethod
    def begin(
        cls,
        game: str,
        options: Mapping[str, Any] | None = None,
        tags: Mapping[str, str] | None = None,
        position: Position | Mapping[str, Any] | None = None,
    ) -> Self:
        """A new game, from a position or the ordinary start; or InvalidOption, InvalidPosition."""
        variant = find_variant(game)
        settled, first = set_up(variant, options or {}, position)
        for name, value in (tags or {}).items():
            _check_tag(variant, name, value)
        is_ordinary = position is None or first == variant.position.start(**settled)
        return cls(
            variant,
            settled,
            Trail([first]),
            start=None if is_ordinary else first,
            tags=dict(tags or {}),
            seen=_seen(Tally(), first),
        )

    @property
    def result(self) -> str:
        outcome = self.outcome
        return RESULTS[outcome.winner] if outcome else UNFINISHED

    def play(self, move: Sequence[int]) -> Self:
        """The record with one more move, or IllegalMove."""
        self._check_open()
        after = self.position.play(move)
        return self._with(tuple(move), after)

    @property
    def must_pass(self) -> bool:
        """Whether the player to move can do nothing but pass, and the game goes on."""
        position = self.position
        return position.can_pass and not self.outcome and not position.next_cells()

    def with_passes(self) -> Self:
        """The record with every pass that is forced now played."""
        record = self
        while record.must_pass:
            record = record.play(PASS)
        return record

    def passes_after(self, move: Sequence[int]) -> int:
        """How many passes are forced once this move is made, or IllegalMove."""
        if not self.position.can_pass:  # as in most games: not worth playing it
            return 0
        played = self.play(move)
        return len(played.with_passes().turns) - len(played.turns)

    def discard(self) -> Self:
        """The record with a bot's turn thrown away, in games whose fault policy does that."""
        self._check_open()
        return self._with(DISCARD, self._discarded(self.position))

    def end(self, outcome: Outcome) -> Self:
        """The record of a game that ended otherwise than by its rules."""
        self._check_open()
        return replace(self, ending=checked_ending(outcome))

    def take_back(self, turns: int) -> Self:
        """The record without its last turns, or IllegalMove where there are not so many."""
        if not 0 < turns <= len(self.turns):
            raise IllegalMove(f"{shown(turns)} turns can't be taken back")
        length = len(self.turns) - turns
        return replace(
            self,
            positions=self.positions.first(length + 1),
            turns=self.turns.first(length),
            ending=None,
            texts=self.texts.first(length),
            seen=self.seen.first(length + 1) if self.seen.length else self.seen,
        )

    def _check_open(self) -> None:
        if self.outcome:
            raise IllegalMove("the game is over")

    def _with(self, turn: Turn, position: Position) -> Self:
        """With one more turn. (`replace` would take as long as all the rest.)"""
        return type(self)(
            self.variant,
            self.options,
            self.positions.plus(position),
            self.turns.plus(turn),
            self.start,
            None,
            self.tags,
            self.texts.plus(_written(self.position, turn)),
            _seen(self.seen, position),
        )

    def notation(self) -> list[str]:
        """Every turn as players write it."""
        return list(self.texts)

    def replay(self, notation: Sequence[object]) -> Self:
        """This record with these notated turns played, or InvalidRecord."""
        if not isinstance(notation, (list, tuple)):
            raise InvalidRecord(f"turns are a list of texts, not {shown(notation)}")
        positions, turns, texts, seen = self.positions, self.turns, self.texts, self.seen
        outcome = self.outcome
        for text in notation:  # no record of each turn: that would take a quarter longer
            position = positions.last
            try:
                if outcome:
                    raise IllegalMove("the game is over")
                turn, after = self._read(position, text)
            except IllegalMove as error:
                number, who = len(turns) // 2 + 1, player_name(position.to_move)
                message = f"move {number} of {who}, {shown(text)}: {error}"
                raise InvalidRecord(message) from None
            positions, turns = positions.plus(after), turns.plus(turn)
            texts, seen = texts.plus(_written(position, turn)), _seen(seen, after)
            outcome = judge(after, seen, turns)
        return replace(self, positions=positions, turns=turns, texts=texts, seen=seen)

    def _read(self, position: Position, text: object) -> tuple[Turn, Position]:
        """The turn that a text means, and the position after it."""
        if text == DISCARD:
            return DISCARD, self._discarded(position)
        move = position.parse(text)  # type: ignore[arg-type]
        return move, position.play(move)

    def _discarded(self, position: Position) -> Position:
        if self.variant.fault is not Fault.DISCARD:
            raise IllegalMove(f"a turn can't be discarded in {self.variant.key}")
        return position.discarded()

    def to_dict(self) -> dict[str, Any]:
        """All of the record, ready for JSON."""
        outcome = self.outcome
        return {
            "game": self.variant.key,
            "options": dict(self.options),
            "position": self.start.to_dict() if self.start else None,
            "moves": self.notation(),
            "result": self.result,
            "termination": ending_words(outcome) if outcome else "",
            "reason": str(outcome.reason) if outcome else "",
            "player": outcome.player if outcome else None,
            "tags": dict(self.tags),
        }

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """The record that `to_dict` wrote, every move played again, or InvalidRecord."""
        if not isinstance(data, dict):
            raise InvalidRecord(f"a record is an object with named fields, not {shown(data)}")
        if unknown := [name for name in data if name not in _FIELDS]:
            raise InvalidRecord(f"a record has no {shown(unknown[0])}")
        options = _typed(data, "options", dict, {})
        tags = _typed(data, "tags", dict, {})
        moves = _typed(data, "moves", list, [])
        result = _typed(data, "result", str, UNFINISHED)
        try:
            game = _typed(data, "game", str, None)
            record = cls.begin(game, options, tags, data.get("position"))
        except (InvalidOption, InvalidPosition) as error:
            raise InvalidRecord(str(error)) from None
        return record.replay(moves)._closed(result, data)

    def _closed(self, result: str, data: Mapping[str, Any]) -> Self:
        """This record, ended as the written result says, where the rules have not ended it."""
        if result != UNFINISHED and result not in RESULTS.values():
            allowed = ", ".join([*RESULTS.values(), UNFINISHED])
            raise InvalidRecord(f"a result is one of {allowed}, not {shown(result)}")
        winner = next((player for player, text in RESULTS.items() if text == result), None)
        ending = _ending(data, winner)
        if result in (UNFINISHED, self.result):
            return self
        if self.outcome:
            raise InvalidRecord(f"the result is given as {result}, but the moves end {self.result}")
        return self.end(ending)


def judge(position: Position, seen: Tally, turns: Trail[Turn]) -> Outcome | None:
    """How the game has ended, given the positions that have been there and all turns so far."""
    if outcome := position.outcome():
        return outcome
    limit = position.repetition_limit
    if limit and seen.count(position.repetition_key) >= limit:
        return Outcome(None, Reason.REPETITION)
    if len(turns) and turns.last == DISCARD:
        own = turns[: -2 * DISCARD_LIMIT : -2]
        if len(own) == DISCARD_LIMIT and all(turn == DISCARD for turn in own):
            return Outcome(position.to_move, Reason.DISCARDS, 1 - position.to_move)
    return None


def _written(position: Position, turn: Turn) -> str:
    """A turn as players write it."""
    return DISCARD if turn == DISCARD else position.notate(turn)


def _seen(seen: Tally, position: Position) -> Tally:
    """With one more position, in games where repetitions count."""
    return seen.plus(position.repetition_key) if position.repetition_limit else seen


def _ending(data: Mapping[str, Any], winner: int | None) -> Outcome:
    """How the game ended by the fields of a record: the codes, or else the sentence."""
    told = read_ending(_typed(data, "termination", str, ""), winner)
    code = _typed(data, "reason", str, "")
    if not code or checked_reason(code) is Reason.OTHER:
        return told
    return Outcome(winner, code, data.get("player"), told.detail if told.reason == code else "")


def _typed(data: Mapping[str, Any], name: str, kind: type, default: Any) -> Any:
    if name not in data and default is None:
        raise InvalidRecord(f"a record needs {name}")
    value = data.get(name, default)
    if not isinstance(value, kind):
        raise InvalidRecord(f"{name} can't be {shown(value)}")
    return value


def _check_tag(variant: Variant, name: object, value: object) -> None:
    taken = {
        "game",
        "position",
        "result",
        "termination",
        *(option.name for option in variant.options),
    }
    if not isinstance(name, str) or not (name.isascii() and name.isidentifier()):
        raise InvalidRecord(f"{shown(name)} is not a tag: a tag is a word like Player1")
    if name.lower() in taken:
        raise InvalidRecord(f"{name} is written by the record itself")
    check_line(name, value)
