"""What clients send is checked before anything else looks at it, and refused in words and codes."""

from typing import Any

import pytest

from isolation.rooms.errors import Refused
from isolation.web.commands import EVENTS, REQUESTS
from isolation.web.fields import read
from isolation.web.messages import Create, Minutes

MOVE = {"game": "g1", "ply": 0, "move": "c7/d4", "id": "x"}


def refusal(event: str, data: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        read(EVENTS[event].fields, data)
    assert caught.value.code == "invalid"
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 200
    return caught.value


def test_a_message_comes_out_in_the_order_in_which_it_is_declared() -> None:
    move = read(EVENTS["move"].fields, dict(reversed(MOVE.items())))
    assert list(vars(move).items()) == list(MOVE.items())


@pytest.mark.parametrize("ply", [True, False, -1, 100_000, 10**400, 1.0, float("nan"), "1", None])
def test_a_number_is_a_whole_number_in_its_limits(ply: Any) -> None:
    refused = refusal("move", {**MOVE, "ply": ply})
    assert refused.details == {"field": "ply", "problem": "wrong", "least": 0, "most": 99_999}
    assert refused.message.startswith("ply is a whole number from 0 to 99,999, not ")


@pytest.mark.parametrize("room", ["", "x" * 65, "é", "a\n", "\x7f", "\ud800", 7, None, ["a"]])
def test_an_id_is_a_short_text_of_plain_characters(room: Any) -> None:
    assert refusal("enter", {"room": room}).details["most"] == 64


@pytest.mark.parametrize("move", ["x" * 25, "\ud800", 7, None])
def test_a_move_is_a_short_text(move: Any) -> None:
    assert refusal("move", {**MOVE, "move": move}).details["field"] == "move"


@pytest.mark.parametrize("action", ["Offer", "propose", "", None, [], {}, True])
def test_one_of_some_words(action: Any) -> None:
    details = refusal("draw", {"game": "g", "action": action}).details
    assert details["allowed"] == ["offer", "accept", "decline"]


@pytest.mark.parametrize("public", [0, 1, "true", None])
def test_a_flag_is_true_or_false(public: Any) -> None:
    assert refusal("create", {"variant": "isola", "public": public}).details["field"] == "public"


@pytest.mark.parametrize(
    ("clock", "field", "problem"),
    [
        (5, "clock", "wrong"),
        ("3+2", "clock", "wrong"),
        ([], "clock", "wrong"),
        ({}, "clock.minutes", "missing"),
        ({"minutes": 0}, "clock.minutes", "wrong"),
        ({"minutes": "3"}, "clock.minutes", "wrong"),
        ({"minutes": True}, "clock.minutes", "wrong"),
        ({"minutes": 9999}, "clock.minutes", "wrong"),
        ({"minutes": float("nan")}, "clock.minutes", "wrong"),
        ({"minutes": 3, "increment": -1}, "clock.increment", "wrong"),
        ({"minutes": 3, "days": 1}, "clock.minutes", "unknown"),
        ({"days": 0}, "clock.days", "wrong"),
        ({"days": 15}, "clock.days", "wrong"),
        ({"hours": 3}, "clock.minutes", "missing"),
        ({"minutes": 3, "hours": 3}, "clock.hours", "unknown"),
    ],
)
def test_clocks_that_are_refused(clock: Any, field: str, problem: str) -> None:
    refused = refusal("create", {"variant": "isola", "clock": clock})
    assert (refused.details["field"], refused.details["problem"]) == (field, problem)


def test_a_clock_says_what_it_may_be() -> None:
    details = refusal("create", {"variant": "isola", "clock": {"minutes": 181}}).details
    assert (details["least"], details["most"]) == (0.25, 180)
    message = refusal("create", {"variant": "isola", "clock": 7}).message
    assert message == "clock is an object with minutes and increment, or with days, not 7."


OWN = {"kind": "own", "name": "Robo"}


@pytest.mark.parametrize(
    ("seat", "field", "problem"),
    [
        (7, "seats.1", "wrong"),
        ({}, "seats.1.kind", "missing"),
        ({"kind": "king"}, "seats.1.kind", "wrong"),
        ({"kind": []}, "seats.1.kind", "wrong"),
        ({"kind": "own"}, "seats.1.name", "missing"),
        ({"kind": "own", "name": ""}, "seats.1.name", "wrong"),
        ({"kind": "own", "name": "x" * 41}, "seats.1.name", "wrong"),
        ({"kind": "computer", "level": 99}, "seats.1.level", "wrong"),
        ({"kind": "computer", "level": True}, "seats.1.level", "wrong"),
        ({"kind": "open", "name": "x"}, "seats.1.name", "unknown"),
    ],
)
def test_seats_that_are_refused(seat: Any, field: str, problem: str) -> None:
    refused = refusal("contest", {"variant": "isola", "seats": [OWN, seat]})
    assert (refused.details["field"], refused.details["problem"]) == (field, problem)


@pytest.mark.parametrize("seats", [None, {}, [], [OWN], [OWN] * 3, [OWN] * 3000])
def test_there_are_two_seats(seats: Any) -> None:
    details = refusal("contest", {"variant": "isola", "seats": seats}).details
    assert (details["field"], details["least"], details["most"]) == ("seats", 2, 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("variant", "chess"),
        ("variant", {}),
        ("variant", None),
        ("opponent", "contest"),
        ("opponent", []),
        ("side", 3),
        ("side", True),
        ("side", 1.0),
        ("side", "1"),
        ("level", 0),
        ("level", 9),
        ("level", "3"),
        ("second_level", 2.0),
        ("options", []),
        ("position", 7),
    ],
)
def test_a_game_that_can_not_be_is_refused_by_its_field(field: str, value: Any) -> None:
    refused = refusal("create", {"variant": "isola", field: value})
    assert (refused.details["field"], refused.details["problem"]) == (field, "wrong")
    assert not any(word in refused.message for word in ("dict", "None", "True"))


def test_a_game_that_can_be() -> None:
    wanted = {"variant": "isola", "side": 2, "level": 3, "clock": {"minutes": 3}}
    game = read(Create, {**wanted, "options": {"size": "random"}})
    assert (game.variant, game.side, game.level) == ("isola", 2, 3)
    assert game.clock == Minutes(minutes=3.0)
    assert read(Create, {"variant": "isola", "clock": None}).clock is None


@pytest.mark.parametrize("calls", [7, [1, 2, 3], [True], [-1], [1 << 53], ["x"], ["x"] * 5000])
def test_a_list_is_short_and_each_value_in_it_is_checked(calls: Any) -> None:
    fault = {"game": "g", "ply": 0, "why": "x", "calls": calls}
    assert refusal("fault", fault).details["field"] == "calls"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (" Ann\n", "Ann"),
        ("a\ud800\u202eb\x00", "ab"),
        ("\U0001f468\u200d\U0001f680", "\U0001f468\u200d\U0001f680"),
        ("a\u00a0b", "a\u00a0b"),
        ("\u200b" * 72 + "x" * 24, "x" * 24),
    ],
)
def test_a_line_is_cleaned_of_what_can_not_be_seen(sent: str, kept: str) -> None:
    assert vars(read(EVENTS["rename"].fields, {"name": sent})) == {"name": kept}


@pytest.mark.parametrize("name", ["", " \n", "\u202e", "x" * 25, "\u200b" * 73 + "x" * 24, 7, None])
def test_a_line_that_can_not_be(name: Any) -> None:
    refused = refusal("rename", {"name": name})
    assert refused.message == "Enter a name, up to 24 characters."
    assert refused.details == {
        "field": "name",
        "problem": "wrong",
        "why": "line",
        "least": 1,
        "most": 24,
    }


def test_fields_that_are_missing_or_unknown_are_named() -> None:
    missing = refusal("move", {"game": "g", "ply": 0, "id": "x"})
    assert missing.details == {"field": "move", "problem": "missing"}
    unknown = refusal("enter", {"room": "r", **{f"x{n}": n for n in range(3000)}})
    assert unknown.details == {"field": "x0", "problem": "unknown", "allowed": ["room"]}
    assert "send none" in refusal("lobby", {"\ud800\u202e": 1}).message


@pytest.mark.parametrize("data", [None, [], (), "x", 7, (1, 2)])
def test_a_message_is_an_object(data: Any) -> None:
    assert "Send an object" in refusal("move", data).message


def test_a_body_can_not_say_what_the_address_says() -> None:
    draw = next(request for request in REQUESTS if request.command.name == "draw")
    known = {"game": "g"}
    message = read(draw.fields, {"action": "offer"}, known)
    assert vars(message) == {"game": "g", "action": "offer"}
    with pytest.raises(Refused, match="There's no field game: the fields are action"):
        read(draw.fields, {"action": "offer", "game": "other"}, known)
    with pytest.raises(Refused, match="game is a text"):
        read(draw.fields, {"action": "offer"}, {"game": "é"})
