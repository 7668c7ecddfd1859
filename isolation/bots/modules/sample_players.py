"""The players that agents for the knights API are built on, by the names they import.

from sample_players import DataPlayer
"""

import logging
import pickle
import random
from pathlib import Path
from typing import Any

from isolation.isolation import Isolation

logger = logging.getLogger(__name__)

DATA = "data.pickle"  # in the folder in which the match is run
ROUNDS = 3


class BasePlayer:
    """Everything but a choice of its own: `get_action` is to be written."""

    def __init__(self, player_id: int) -> None:
        self.player_id = player_id
        self.timer: Any = None
        self.queue: Any = None
        self.context: Any = None
        self.data: Any = None

    def get_action(self, state: Isolation) -> None:
        """Put actions into `self.queue`; the last one before the deadline counts."""
        raise NotImplementedError


class DataPlayer(BasePlayer):
    """A player with `data` from data.pickle, if that is there."""

    def __init__(self, player_id: int) -> None:
        super().__init__(player_id)
        path = Path(DATA)
        if path.is_file():
            try:
                self.data = pickle.loads(path.read_bytes())
            except Exception as error:
                logger.info("%s can't be read: %s", DATA, error)


class RandomPlayer(BasePlayer):
    """Any action that is legal."""

    def get_action(self, state: Isolation) -> None:
        self.queue.put(random.choice(state.actions()))


class GreedyPlayer(BasePlayer):
    """The action after which it has the most liberties."""

    def score(self, state: Isolation) -> float:
        own = state.locs[self.player_id]
        return len(state.liberties(own))

    def get_action(self, state: Isolation) -> None:
        self.queue.put(max(state.actions(), key=lambda action: self.score(state.result(action))))


class MinimaxPlayer(BasePlayer):
    """Own liberties less the opponent's, three turns ahead."""

    def get_action(self, state: Isolation) -> None:
        if state.ply_count < 2:
            self.queue.put(random.choice(state.actions()))
        else:
            self.queue.put(self.minimax(state, ROUNDS))

    def minimax(self, state: Isolation, depth: int) -> Any:
        def best(state: Isolation, depth: int, is_mine: bool) -> float:
            if state.terminal_test():
                return state.utility(self.player_id)
            if depth <= 0:
                return self.score(state)
            values = (
                best(state.result(action), depth - 1, not is_mine) for action in state.actions()
            )
            return max(values) if is_mine else min(values)

        return max(state.actions(), key=lambda action: best(state.result(action), depth - 1, False))

    def score(self, state: Isolation) -> float:
        own = state.liberties(state.locs[self.player_id])
        other = state.liberties(state.locs[1 - self.player_id])
        return len(own) - len(other)
