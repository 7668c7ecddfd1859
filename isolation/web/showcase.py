"""A position in the middle of each game, to be shown where the games are presented."""

from isolation.rules import VARIANTS, Position

_DRAWN = {
    "classic": """
        . . . X . .
        . . 1 . . .
        . X . X . .
        . . X . . .
        . . . . X .
        . X . 2 . .
        . . . X . .
        . . . . . .
    """,
    "knights": """
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . . . . . . .
        . . . . X . X . . . .
        . . . 1 X X X . . . .
        . . 2 . . X X . . . .
        . . . X X . . X . . .
        . . . . . X . . . . .
        . . . . . . . . . . .
    """,
    "isola": """
        . . . . . . . . .
        . . . X . . . . .
        . . . . A X . . .
        . . X X X . . . .
        . . . . . . X . .
        . . . X . B X . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "slider": """
        + H + + + +
        H + + + V +
        + H + V + +
        + + B H + +
        H + V + V +
        + + + V + +
    """,
    "linear": "2 . . 2 . . 1 . . 1 . . .",
}

SHOWCASE: dict[str, Position] = {
    key: variant.position.from_picture(_DRAWN[key]) for key, variant in VARIANTS.items()
}
