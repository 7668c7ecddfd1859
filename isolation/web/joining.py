"""What a process works with: parts of its own if it's alone, shared ones if there are others."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from isolation.cluster.address import EXAMPLE
from isolation.engines.cache import is_warm
from isolation.engines.pool import Pool, PoolState
from isolation.rooms.ports import Beat, EngineRunner, World
from isolation.web.settings import REMOTE

if TYPE_CHECKING:
    from isolation.cluster.together import Together


class CannotJoin(Exception):
    """The other processes can't be reached; the text says why, and what to do."""


class Engines(EngineRunner, Protocol):
    """Those who search for us."""

    def start(self) -> None: ...

    def state(self) -> PoolState: ...

    def close(self) -> None: ...


def together_at(
    address: str, process: str, world: World, beating: Callable[[], list[Beat]]
) -> "Together | None":
    """What several processes share over Redis, or CannotJoin; None for a process that's alone."""
    if not address:
        return None
    from isolation.cluster.together import Together

    try:
        return Together(address, process, world, beating)
    except ValueError as error:
        raise CannotJoin(f"REDIS_URL must be like {EXAMPLE}: {error}") from None


def engines_of(settings: dict[str, Any], together: "Together | None") -> Engines:
    """Engine processes of our own, or hosts elsewhere."""
    if together and settings["ENGINES"] == REMOTE:
        return together.searches()
    return Pool(settings["ENGINES"] or None, is_eager=settings["ENGINES"] != 0 and is_warm())


def join(together: "Together") -> None:
    """Reach the others, or CannotJoin."""
    try:
        together.start()
    except ConnectionError as error:
        raise CannotJoin(f"{error}. Check that it runs, and that REDIS_URL is right") from error
    except LookupError as error:
        raise CannotJoin(f"{error}. Give all of them the same REDIS_URL") from None
