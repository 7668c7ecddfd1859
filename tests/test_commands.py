"""The table of commands: every door can do what the table says it can."""

import json
from contextlib import suppress
from typing import Any
from unittest.mock import Mock

import pytest

from isolation.rooms.errors import Refused
from isolation.web.botapi import BotApi
from isolation.web.commands import COMMANDS, EVENTS, REQUESTS, Command
from isolation.web.fields import Fields, read, schema_of
from isolation.web.limits import BUCKETS, RATES, Limiter
from isolation.web.openapi import description
from isolation.web.refusals import error_of
from isolation.web.sockets import Sockets


def nothing(count: int) -> list[Any]:
    return [Mock() for _ in range(count)]


def test_the_sockets_do_what_the_rooms_do_not() -> None:
    own = Sockets(*nothing(7))._own
    assert set(own) == {name for name, command in EVENTS.items() if command.act is None}


def test_the_api_for_bots_does_what_the_rooms_do_not() -> None:
    own = BotApi(*nothing(5))._own
    names = {request.command.name for request in REQUESTS}
    assert {one.command.name for one in REQUESTS if one.act is None} <= set(own) <= names


def test_names_and_addresses_are_unique() -> None:
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)
    addresses = {(one.http.method, one.http.address) for one in REQUESTS}
    assert len(addresses) == len(REQUESTS)
    assert all(command.is_event or command.http for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_costs_something_known(command: Command) -> None:
    assert set(BUCKETS[command.rate]) - {None} <= set(RATES)


def test_a_charge_takes_from_the_visitor_and_the_address() -> None:
    limiter = Limiter(lambda: 0.0)
    for _ in range(20):
        limiter.charge("create", "ann", "school")
    with pytest.raises(Refused, match="too fast"):
        limiter.charge("create", "ann", "school")
    for number in range(280):
        limiter.charge("token", f"bot{number}", "school")
    with pytest.raises(Refused, match="too fast"):
        limiter.charge("token", "bot", "school")
    limiter.charge("free", "ann", "school")


KINDS = [command.fields for command in COMMANDS] + [request.fields for request in REQUESTS]


@pytest.mark.parametrize("kind", dict.fromkeys(KINDS), ids=lambda kind: kind.__name__)
def test_whatever_is_wrong_with_a_field_there_are_words_for_it(kind: type[Fields]) -> None:
    schema = schema_of(kind)
    assert schema["additionalProperties"] is False
    for name in schema["properties"]:
        with suppress(Refused):  # which takes words; what the rooms check passes
            read(kind, {**dict.fromkeys(schema["required"], object()), name: object()})


def test_the_description_has_the_schema_of_every_body() -> None:
    paths = json.loads(json.dumps(description()))["paths"]
    body = paths["/api/bot/game/{game}/move"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"]["required"] == ["ply", "move"]
    assert body["schema"]["properties"]["ply"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 99999,
    }
    parameters = paths["/api/bots/{bot}/challenge"]["post"]["parameters"]
    assert [(one["name"], one["in"]) for one in parameters] == [("bot", "path")]


def test_an_error_has_a_code_its_params_and_a_sentence() -> None:
    refused = Refused("rate", seconds=3, snapshot={"v": 1})
    assert error_of(refused) == {
        "code": "rate",
        "params": {"seconds": 3},
        "message": "That was too fast. Wait 3 s and try again.",
        "seconds": 3,
    }
    assert error_of(Refused("over"))["params"] == {}
