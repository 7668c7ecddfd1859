"""The transposition table as a whole: how large it is, what it's about, and what it keeps.

What's in an entry is the business of `core/tables.py`. One table serves all games in turn.
"""

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolation.engines.core.tables import (
    AGE_SHIFT,
    EPOCH_SHIFT,
    EPOCHS,
    LAST_AGE,
    LAST_EPOCH,
)
from isolation.engines.engine import HASH_MB

ENTRY_BYTES = 16
SAMPLE = 1000  # entries looked at to say how full it is


class Table:
    """Entries by key, and a last row that stamps them. Clearing is a new stamp, so it's free."""

    def __init__(self, megabytes: int = HASH_MB) -> None:
        self.resize(megabytes)

    def resize(self, megabytes: int) -> None:
        """Make it the largest power of two that fits; it's empty then. May raise MemoryError."""
        entries = 1 << ((megabytes << 20) // ENTRY_BYTES).bit_length() - 1
        self.words: NDArray[Any] = np.zeros((entries + 1, 2), dtype=np.uint64)
        self._epoch, self._age = 0, 0
        self.clear()

    def clear(self) -> None:
        """Forget everything, at once."""
        self._realm: Hashable = None
        self._epoch, self._age = self._epoch + 1, 0
        if self._epoch > LAST_EPOCH:
            self.words.fill(0)
            self._epoch = 1
        self._stamp()

    def keep(self, realm: Hashable, is_sound: bool = True) -> bool:
        """Begin another search among the same positions; whether what's here is of use to it."""
        is_kept = is_sound and realm == self._realm
        if is_kept:
            self._age = self._age + 1 & LAST_AGE
            self._stamp()
        else:
            self.clear()
            self._realm = realm
        return is_kept

    def _stamp(self) -> None:
        self.words[-1, 0] = self._epoch << int(EPOCH_SHIFT) | self._age << int(AGE_SHIFT)

    @property
    def fullness(self) -> int:
        """How many of a thousand places hold something that still counts."""
        sample = self.words[: min(SAMPLE, len(self.words) - 1), 1]
        used = np.count_nonzero((sample ^ self.words[-1, 0]) & EPOCHS == 0)
        return int(used) * 1000 // len(sample)
