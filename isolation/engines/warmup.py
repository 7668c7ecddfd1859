"""Compiles the search cores once, so that it never happens in the middle of a game."""

from collections.abc import Callable
from contextlib import suppress

from isolation.engines.all_games import COMPILED, AllGames
from isolation.engines.cache import has_compiler, ready_mark
from isolation.engines.engine import Limits
from isolation.rules import VARIANTS
from isolation.rules.classic import Classic


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
    _stock_tables()
    ready_mark().touch()


def _stock_tables() -> None:
    """Solved boards are made on demand as well: a folder that can't be written to is no problem."""
    from isolation.engines.solving.files import stock

    with suppress(OSError):
        stock()
