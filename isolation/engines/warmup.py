"""Compiles the search cores once, so that it never happens in the middle of a game."""

from collections.abc import Callable

from isolation.engines.all_games import COMPILED, AllGames
from isolation.engines.cache import has_compiler, ready_mark
from isolation.engines.engine import Limits
from isolation.rules import VARIANTS
from isolation.rules.classic import Classic
from isolation.rules.slider import Slider


def warm_up(say: Callable[[str], None]) -> None:
    """Search a little in every game that has a compiled core."""
    if not has_compiler():
        say("numba is not installed: there is nothing to compile, the plain engine plays")
        return
    engine = AllGames()
    for number, game in enumerate(COMPILED, start=1):
        say(f"[{number}/{len(COMPILED)}] {game}")
        engine.choose(VARIANTS[game].start(), Limits(depth=3))
    engine.choose(Classic.from_picture("1 . X\nX X X\n. . 2"), Limits(nodes=1000))
    engine.choose(Slider.start(3), Limits(nodes=1000))
    ready_mark().touch()
