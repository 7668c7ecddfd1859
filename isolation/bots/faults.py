"""What a bot can do wrong. Knows nothing of how bots are run."""


class BotFault(Exception):
    """What a bot did wrong; the text is for its author."""
