"""What the rooms refuse: a code for programs, a sentence for people."""

from typing import Any


class Refused(Exception):
    """Something that can not be done; nothing has changed."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details
