"""What players are called where several have the same name."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol


class Named(Protocol):
    """A player that may come from a file."""

    name: str

    @property
    def file(self) -> Path | None: ...


# What tells files apart, from the shortest on.
_LABELS: tuple[Callable[[Path], str], ...] = (
    lambda file: file.stem,
    lambda file: file.parent.name,
    lambda file: file.name,
    lambda file: f"{file.parent.parent.name}/{file.parent.name}",
    str,
)


def tell_apart(players: Sequence[Named]) -> None:
    """Give each of the players a name of its own: by its file, or by a number."""
    for name in {player.name for player in players}:
        same = [player for player in players if player.name == name]
        files = list(dict.fromkeys(player.file for player in same if player.file))
        label = _label(files) if len(files) > 1 else None
        for player in same:
            if label and player.file:
                player.name = f"{name} ({label(player.file)})"
    _number(players)


def _label(files: list[Path]) -> Callable[[Path], str]:
    """The first label that all of these files have another of."""
    return next(label for label in _LABELS if len(set(map(label, files))) == len(files))


def _number(players: Sequence[Named]) -> None:
    taken: set[str] = set()
    for player in players:
        name, number = player.name, 1
        while player.name in taken:
            number += 1
            player.name = f"{name} #{number}"
        taken.add(player.name)
