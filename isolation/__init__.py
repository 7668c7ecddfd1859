"""Isolation: five games, their rules, engines, bots and rooms.

The names that agents written for the knights API import from here are loaded on first use, so that
importing the rules imports nothing that stands above them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isolation.bots.match import Agent, Status, StopSearch, fork_get_action, play
    from isolation.isolation import Action, DebugState, Isolation

_HOME = {
    "Isolation": "isolation.isolation",
    "DebugState": "isolation.isolation",
    "Action": "isolation.isolation",
    "Agent": "isolation.bots.match",
    "Status": "isolation.bots.match",
    "StopSearch": "isolation.bots.match",
    "fork_get_action": "isolation.bots.match",
    "play": "isolation.bots.match",
}

__all__ = [
    "Action",
    "Agent",
    "DebugState",
    "Isolation",
    "Status",
    "StopSearch",
    "fork_get_action",
    "play",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
