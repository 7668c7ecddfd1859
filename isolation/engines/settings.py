"""What `setoption` sets in the engine program: the game and its options, and how to search."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from isolation.engines.engine import HASH_MB, Engine, Resources
from isolation.engines.go import BadCommand, number
from isolation.rules import VARIANTS, InvalidOption, Position, Variant, find_variant
from isolation.rules.words import shown

MAX_LINES = 20  # of MultiPV
MAX_HASH_MB = 32_768
MAX_THREADS = 64


class Settings:
    """The options as they are set now."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.variant: Variant = next(iter(VARIANTS.values()))
        self._values: dict[str, Any] = {}
        self._waiting: dict[str, str] = {}  # for a game that has such an option
        self.lines = 1
        self._resources = Resources()

    def start(self) -> Position:
        """The ordinary start of the game, as its options have it."""
        return self.variant.start(**self._values)

    def play(self, game: str) -> None:
        """Have that game from now on. Its options are those set for it before, or the defaults."""
        variant, waiting, self._waiting = find_variant(game), self._waiting, {}
        options = {option.name: option for option in variant.options}
        values = {name: options[name].read(waiting[name]) for name in waiting if name in options}
        variant.check(values)
        self.variant, self._values = variant, values

    def describe(self) -> Iterator[str]:
        variants = " ".join(f"var {key}" for key in VARIANTS)
        yield f"Variant type combo default {self.variant.key} {variants}"
        options = {o.name: o for variant in VARIANTS.values() for o in variant.options}
        for name, option in options.items():
            yield f"{name.capitalize()} type string default {option.write(option.default)}"
        yield f"MultiPV type spin default 1 min 1 max {MAX_LINES}"
        yield f"Hash type spin default {HASH_MB} min 1 max {MAX_HASH_MB}"
        yield f"Threads type spin default 1 min 1 max {MAX_THREADS}"

    def set(self, name: str, value: str) -> bool:
        """Set an option; whether that puts the pieces back to the start."""
        name = name.lower()
        if name == "multipv":
            self.lines = number(value, 1, MAX_LINES)
        elif name == "hash":
            self._use(replace(self._resources, hash_mb=number(value, 1, MAX_HASH_MB)))
        elif name == "threads":
            self._use(replace(self._resources, threads=number(value, 1, MAX_THREADS)))
        elif name == "variant":
            self.play(value)
            return True
        else:
            self._set_game_option(name, value)
            return True
        return False

    def _use(self, resources: Resources) -> None:
        try:
            self._engine.use(resources)
        except MemoryError:
            raise BadCommand(f"there isn't enough memory for {resources.hash_mb} MB") from None
        self._resources = resources

    def _set_game_option(self, name: str, value: str) -> None:
        option = next((o for o in self.variant.options if o.name == name), None)
        if option:
            values = {**self._values, name: option.read(value)}
            self.variant.check(values)
            self._values = values
        else:
            self._set_later(name, value)

    def _set_later(self, name: str, value: str) -> None:
        """Keep a value for a game that has such an option: tools send options in any order."""
        takers = [o for v in VARIANTS.values() for o in v.options if o.name == name]
        if not takers:
            names = [line.split()[0] for line in self.describe()]
            raise BadCommand(f"there is no option {shown(name)} (options are: {', '.join(names)})")
        refusals = []
        for option in takers:
            try:
                option.read(value)
            except InvalidOption as refusal:
                refusals.append(refusal)
        if len(refusals) == len(takers):
            raise refusals[0]
        self._waiting[name] = value
