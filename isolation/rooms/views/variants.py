"""The games, their levels, and what a form asks for: options, and what a kind of room needs."""

from typing import Any

from isolation.engines.levels import LEVELS
from isolation.rooms.kinds import KINDS, OPPONENTS, Kind, Sitter
from isolation.rules import VARIANTS, Variant
from isolation.rules.options import Choice, Number, Option
from isolation.rules.variants import RANDOM


def described(variant: Variant) -> dict[str, Any]:
    """A game, with what a form needs to ask for its options and levels."""
    return {
        "key": variant.key,
        "title": variant.title,
        "summary": variant.summary,
        "has_draws": variant.has_draws,
        "coordinates": variant.coordinates,
        "sides": list(variant.position.symbols.players),
        "levels": [level.name for level in LEVELS[variant.key]],
        "options": [_option(option) for option in variant.options],
    }


def form(kind: Kind) -> dict[str, Any]:
    """What a form for a new room of this kind asks for; `public` is what everyone may do there."""
    has_creator, has_free = Sitter.CREATOR in kind.seats, Sitter.FREE in kind.seats
    return {
        "key": kind.key,
        "levels": kind.seats.count(Sitter.COMPUTER),
        "name": has_free,
        "side": kind.seats.count(Sitter.CREATOR) == 1,
        "clock": has_creator,
        "public": "join" if has_free else None if kind.is_one_screen else "watch",
        "is_public": not has_creator,
    }


def offered() -> dict[str, Any]:
    """All games, and the kinds of rooms that can be made for each."""
    return {
        "variants": [described(variant) for variant in VARIANTS.values()],
        "opponents": {key: form(KINDS[key]) for key in OPPONENTS},
    }


def _option(option: Option) -> dict[str, Any]:
    """An option, with what a form needs to ask for it: values, and words for them."""
    told: dict[str, Any] = {
        "name": option.name,
        "summary": option.summary,
        "allowed": option.allowed,
        "default": option.default,
    }
    if isinstance(option, Choice):
        return {**told, "values": list(option.choices), "words": list(option.words)}
    if isinstance(option, Number):
        values, words = list(option.values), [str(value) for value in option.values]
    else:
        values, words = [option.default], ["None"]
    return {**told, "values": [*values, RANDOM], "words": [*words, "By lot"]}
