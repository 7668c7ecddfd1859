"""What the rules refuse. Each text says what was wrong, and what is allowed, to a person."""


class IllegalMove(ValueError):
    """A move that can't be played here."""


class InvalidPosition(ValueError):
    """A board that the game can't have."""


class InvalidOption(ValueError):
    """A game that does not exist, or an option or a value that it does not have."""


class InvalidRecord(ValueError):
    """A text or an object that is not the record of a game."""
