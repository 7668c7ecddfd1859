"""Who is in which room: as the library has it, whatever happens, and quicker to leave."""

from random import Random
from typing import Any

import pytest
import socketio

from isolation.web.edge.whereabouts import Whereabouts

STEPS = 2000
ROOMS = ("a", "b", "c")


def serving(manager: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A manager whose clients are numbered, so that two can be compared."""
    server = socketio.Server(client_manager=manager, async_mode="threading")
    numbers = iter(range(STEPS))
    monkeypatch.setattr(server.eio, "generate_id", lambda: f"client {next(numbers)}")
    return manager


def test_rooms_are_those_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    lot = Random(8)
    both = [serving(one, monkeypatch) for one in (Whereabouts(), socketio.Manager())]
    here: list[str] = []
    for step in range(STEPS):
        kind, room = lot.randrange(5), lot.choice(ROOMS)
        if kind == 0 or not here:
            client, _ = (one.connect(f"socket {step}", "/") for one in both)
            here.append(client)
        elif kind == 1:
            leaving = here.pop(lot.randrange(len(here)))
            for one in both:
                one.pre_disconnect(leaving, "/")
                one.basic_disconnect(leaving, "/")
        else:
            client = lot.choice(here)
            for one in both:
                if kind == 4:
                    one.basic_leave_room(client, "/", room)
                else:
                    one.basic_enter_room(client, "/", room)
        if step % 500 == 499:
            for one in both:
                one.basic_close_room(room, "/")
        assert both[0].rooms == both[1].rooms
    for one in both:
        for client in here:
            one.basic_disconnect(client, "/")
        assert (one.rooms, one.callbacks, one.pending_disconnect) == ({}, {}, {})
    assert both[0]._rooms_of == {}
