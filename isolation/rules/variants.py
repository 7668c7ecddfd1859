"""The five games: one row each. Anything that depends on the game looks it up here."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from isolation.rules.classic import Classic
from isolation.rules.errors import InvalidOption, InvalidPosition
from isolation.rules.isola import Isola
from isolation.rules.knights import Knights
from isolation.rules.linear import Linear
from isolation.rules.options import Blocks, Choice, Lot, Number, Option
from isolation.rules.pawns import STARTS
from isolation.rules.position import Position
from isolation.rules.slider import FIRST, Slider
from isolation.rules.words import shown

RANDOM = "random"


class Fault(StrEnum):
    """What an exception or an illegal move costs a bot."""

    LOSE = "lose"  # the game, at once
    DISCARD = "discard"  # the turn


@dataclass(frozen=True)
class Variant:
    """One game: its words, its options, and the positions it is played with."""

    key: str
    title: str
    summary: str
    position: type[Position]
    options: tuple[Option, ...]
    fault: Fault
    coordinates: str  # what the numbers of `Position.native` mean
    has_draws: bool = False  # whether a draw can be agreed: where a game can go in circles

    def check(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options of a game in canonical form, defaults filled in, or InvalidOption."""
        if not isinstance(options, Mapping):
            raise InvalidOption(f"options are named values, not {shown(options)}")
        names = [option.name for option in self.options]
        for name in options:
            if name not in names:
                known = ", ".join(names) or "none"
                raise InvalidOption(f"{self.key} has no option {shown(name)} (it has: {known})")
        settled = {
            option.name: option.check(options.get(option.name, option.default))
            for option in self.options
        }
        self._start(settled)
        return settled

    def start(self, **options: Any) -> Position:
        """The first position of a game with these options, or InvalidOption."""
        return self._start(self.check(options))

    def _start(self, settled: dict[str, Any]) -> Position:
        try:
            return self.position.start(**settled)
        except InvalidPosition as problem:
            raise InvalidOption(str(problem)) from None

    def draw(self, options: Mapping[str, Any], lot: Lot) -> dict[str, Any]:
        """These options with each that is "random" drawn at random, in the order of the table."""
        settled: dict[str, Any] = {}
        for option in self.options:
            value = options.get(option.name, option.default)
            is_random = isinstance(value, str) and value == RANDOM
            settled[option.name] = option.draw(lot, settled) if is_random else option.check(value)
        return self.check({**options, **settled})


_STARTS = Choice(
    "starts",
    "start squares",
    "open",
    STARTS,
    ("Can be blocked", "Always stay open"),
)

VARIANTS: dict[str, Variant] = {
    variant.key: variant
    for variant in (
        Variant(
            "classic",
            "Classic",
            "Step your pawn to a neighbouring square, then block any empty one. "
            "If you can't step, you lose.",
            Classic,
            (_STARTS,),
            Fault.LOSE,
            "(row, column), row 0 at the top",
        ),
        Variant(
            "knights",
            "Knights",
            "Place your token, then jump like a chess knight. "
            "Every square you leave is gone. If you can't jump, you lose.",
            Knights,
            (),
            Fault.LOSE,
            "index in the bordered bit board, 0 at the bottom right",
        ),
        Variant(
            "isola",
            "Isola",
            "Classic on a square board, from 7×7 to a vast 27×27: step, then steal a square.",
            Isola,
            (Number("size", "board size", 7, 7, 27, odd=True), _STARTS),
            Fault.DISCARD,
            "(row, column), row 0 at the top",
        ),
        Variant(
            "slider",
            "Slider",
            "A race across a small board: H slides right, V slides up, "
            "and they get in each other's way. The first to bring all pieces off wins.",
            Slider,
            (
                Number("size", "board size", 6, 4, 10),
                Blocks("blocks", "blocked squares", (), most=3),
                Choice("first", "who moves first", "H", FIRST, ("H, Player 1", "V, Player 2")),
            ),
            Fault.LOSE,
            "(column, row), (0, 0) at the bottom left",
            has_draws=True,
        ),
        Variant(
            "linear",
            "Linear",
            "A row of squares. Claim one that touches no claimed square. "
            "If you can't claim one, you lose.",
            Linear,
            (
                Number("length", "row length", 13, 3, 99),
                Choice("first", "who moves first", 1, (1, 2), ("Player 1", "Player 2")),
            ),
            Fault.LOSE,
            "square number from the left, from 1",
        ),
    )
}


def find_variant(key: object) -> Variant:
    """The game of that key, or InvalidOption."""
    if isinstance(key, str) and key in VARIANTS:
        return VARIANTS[key]
    raise InvalidOption(f"there is no game {shown(key)}: the games are {', '.join(VARIANTS)}")


def position_from_dict(data: object) -> Position:
    """The position, of whatever game, that `Position.to_dict` wrote, or InvalidPosition."""
    if not isinstance(data, dict):
        raise InvalidPosition(f"a position is an object with named fields, not {shown(data)}")
    try:
        variant = find_variant(data.get("game"))
    except InvalidOption as problem:
        raise InvalidPosition(str(problem)) from None
    return variant.position.from_dict(data)
