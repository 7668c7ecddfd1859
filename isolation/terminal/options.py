"""The options of every game as command-line options, read by the game that is chosen."""

from argparse import ArgumentParser, Namespace
from typing import Any

from isolation.rules import VARIANTS, Variant
from isolation.rules.options import Blocks
from isolation.rules.variants import RANDOM


def add_game(parser: ArgumentParser, allows_random: bool = False, name: str = "game") -> None:
    """The game, and an option for each that any game has."""
    needed = {"required": True} if name.startswith("-") else {}
    choices = list(VARIANTS)
    parser.add_argument(name, metavar="GAME", choices=choices, help=", ".join(choices), **needed)  # type: ignore[arg-type]
    for name, owners in _owners().items():
        texts = [
            f"{variant.key}: {option.allowed}"
            for variant, option in ((v, _option(v, name)) for v in owners)
        ]
        many = any(isinstance(_option(variant, name), Blocks) for variant in owners)
        parser.add_argument(
            f"--{name}",
            nargs="*" if many else None,
            metavar="c,r" if many else name[0].upper(),
            help="; ".join(texts) + (f"; or {RANDOM}" if allows_random else ""),
        )


def read_options(variant: Variant, arguments: Namespace) -> dict[str, Any]:
    """The options given for this game, each read but RANDOM left as it is, or InvalidOption."""
    given: dict[str, Any] = {}
    for name in _owners():
        value = getattr(arguments, name)
        if value is None:
            continue
        text = value if isinstance(value, str) else " ".join(value)
        known = name in (option.name for option in variant.options)
        given[name] = _option(variant, name).read(text) if known and text != RANDOM else text
    return given


def _owners() -> dict[str, list[Variant]]:
    """Every option name, and the games that have it."""
    owners: dict[str, list[Variant]] = {}
    for variant in VARIANTS.values():
        for option in variant.options:
            owners.setdefault(option.name, []).append(variant)
    return owners


def _option(variant: Variant, name: str) -> Any:
    return next(option for option in variant.options if option.name == name)
