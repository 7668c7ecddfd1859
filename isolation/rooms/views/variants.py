"""The games themselves: their words, their levels, and the options that a form asks for."""

from typing import Any

from isolation.engines.levels import LEVELS
from isolation.rules import Variant
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
