"""The playable diagrams of the rules pages: positions to try things in, for both sides."""

from dataclasses import dataclass
from typing import Any

from isolation.rooms.views import games
from isolation.rules import (
    PASS,
    GameRecord,
    IllegalMove,
    Position,
    find_variant,
)

MAX_TURNS = 200


@dataclass(frozen=True)
class Diagram:
    """A position with words for it. Where one turn wins, `solution` is such a turn."""

    name: str
    title: str
    caption: str
    position: Position
    solution: str | None = None


def _drawn(game: str, drawing: str, to_move: int = 0) -> Position:
    return find_variant(game).position.from_picture(drawing, to_move)


DIAGRAMS: dict[str, tuple[Diagram, ...]] = {
    "classic": (
        Diagram(
            "turn",
            "A turn",
            "Step to a square next to your pawn, then block any empty one. Play both sides.",
            find_variant("classic").start(),
        ),
        Diagram(
            "win",
            "Cut off",
            "Player 2 has two ways out. Step onto one and block the other.",
            _drawn(
                "classic",
                """
                . . . . . .
                . X . . . .
                . . . . X .
                . . X . . .
                . . . . . .
                . . 1 . . .
                . . . X . .
                2 X . . . .
                """,
            ),
            "b2/a2",
        ),
    ),
    "knights": (
        Diagram(
            "place",
            "Placing and jumping",
            "First, each player places a token. Then they jump, and squares they leave are gone.",
            find_variant("knights").start(),
        ),
        Diagram(
            "win",
            "The last jump",
            "Player 2 can only jump to b3, and so can you.",
            _drawn(
                "knights",
                """
                . . . . . . . . . . .
                . . . . . . . . . . .
                . . . . X . . . . . .
                . . X . . . X . . . .
                . . . . X . . . . . .
                . X . 1 . . . . . . .
                . . . . . X . . . . .
                . . X X . . . . . . .
                2 . . . X . . . . . .
                """,
            ),
            "b3",
        ),
    ),
    "isola": (
        Diagram(
            "turn",
            "Step and steal",
            "The smallest board. Step with A and steal a square; then B does the same.",
            find_variant("isola").start(),
        ),
        Diagram(
            "win",
            "The last way out",
            "B can only go to g2. Step anywhere, then steal it.",
            _drawn(
                "isola",
                """
                . . . . . . .
                . X . A . . .
                . . . . X . .
                . . X . . . .
                . . . . X X .
                . . . . . X .
                . . . . . X B
                """,
            ),
            "d5/g2",
        ),
    ),
    "slider": (
        Diagram(
            "start",
            "The race",
            "A small board. H moves right, up and down; V moves up, left and right.",
            find_variant("slider").start(size=4),
        ),
        Diagram(
            "pass",
            "In the way",
            "V to move. Move from b1 to c1 and H is stuck: it must pass until you let it out.",
            _drawn(
                "slider",
                """
                + + + +
                + + V +
                + + H B
                + V + +
                """,
                to_move=1,
            ),
        ),
        Diagram(
            "win",
            "Off the board",
            "H has one piece left, and it's at the edge. Choose it, then move it off the board.",
            _drawn(
                "slider",
                """
                + + V + + +
                + + + + + +
                + + + B + +
                + + + + + H
                + V + + + +
                + + + + + +
                """,
            ),
            "f3-off",
        ),
    ),
    "linear": (
        Diagram(
            "start",
            "A short row",
            "Claim a square that touches no claimed one. If you claim the last square, you win.",
            find_variant("linear").start(length=9),
        ),
        Diagram(
            "win",
            "Only one is right",
            "Three squares can be claimed. Which one leaves nothing for Player 2?",
            _drawn("linear", "1 . . . . . 2"),
            "4",
        ),
    ),
}


def find_diagram(game: str, name: str) -> Diagram | None:
    return next((one for one in DIAGRAMS.get(game, ()) if one.name == name), None)


def after(diagram: Diagram, turns: list[str]) -> dict[str, Any]:
    """What a board shows when these turns have been played, or IllegalMove."""
    if len(turns) > MAX_TURNS:
        raise IllegalMove(f"a diagram takes {MAX_TURNS} turns at the most")
    record, last = GameRecord.begin(diagram.position.game, position=diagram.position), PASS
    has_passed = False
    for text in turns:
        last = record.position.parse(text)
        moved = record.play(last)
        record = moved.with_passes()
        has_passed = record is not moved
    return games.diagram(record, last, has_passed)
