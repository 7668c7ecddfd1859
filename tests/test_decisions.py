"""Decisions are pure: the same room, visitor and time give the same drafts, and change nothing."""

from dataclasses import replace
from typing import Any

import pytest

from isolation.rooms import agreeing, contest, leaving, moving, seating
from isolation.rooms.deciding import Decided
from isolation.rooms.errors import SENTENCES, Refused
from isolation.rooms.fold import fold
from isolation.rooms.game import COMPUTER, GameStart, Seat
from isolation.rooms.kinds import KINDS
from isolation.rooms.log import Draft, Event
from isolation.rooms.ports import Attendance
from isolation.rooms.room import Room, RoomRow, Visitor, added
from isolation.rooms.views.rooms import features
from isolation.rooms.views.variants import offered

ANN, BOB, EVE = Visitor("a", "Ann"), Visitor("b", "Bob"), Visitor("e", "Eve")


def room(kind: str, *drafts: Draft, computer: bool = False) -> Room:
    """A game of slider between Ann and Bob, or a computer, after these events."""
    second = Seat(COMPUTER, 1) if computer else Seat()
    start = GameStart("game", "room", 1, "slider", {}, None, (Seat(), second), 0, 0.0)
    sat: list[Draft] = [("seat", {"seat": 0, "identity": "a", "name": "Ann"})]
    if not computer:
        who = ANN if KINDS[kind].is_one_screen else BOB
        sat.append(("seat", {"seat": 1, "identity": who.identity, "name": who.name}))
    log = [Event(seq, *draft, 0.0) for seq, draft in enumerate([*sat, *drafts], start=1)]
    return Room(RoomRow("room", False, kind, 0.0, "a"), fold(start, log))


MOVED: tuple[Draft, ...] = (
    ("move", {"move": "a2-b2", "id": "1"}),
    ("move", {"move": "c1-c2", "id": "2"}),
)


def kinds_of(decided: Decided) -> list[str]:
    return [kind for kind, _ in decided.drafts]


def code(call: object, *arguments: object) -> str:
    with pytest.raises(Refused) as caught:
        call(*arguments)  # type: ignore[operator]
    return caught.value.code


@pytest.mark.parametrize(
    ("kind", "draw", "takeback"),
    [
        ("friend", ["draw_offered"], ["takeback_proposed"]),
        ("computer", ["draw_offered", "draw_declined"], ["takeback_proposed", "takeback_agreed"]),
        ("local", ["draw_offered", "draw_agreed"], ["takeback_proposed", "takeback_agreed"]),
    ],
)
def test_how_an_offer_is_answered(kind: str, draw: list[str], takeback: list[str]) -> None:
    there = room(kind, *MOVED, computer=kind == "computer")
    assert kinds_of(agreeing.draw(there, ANN, 1.0, "game", "offer")) == draw
    assert kinds_of(agreeing.takeback(there, ANN, 1.0, "game", "propose")) == takeback


def test_in_a_contest_players_only_move() -> None:
    there = room("contest")
    for action in ("offer", "accept", "decline"):
        assert code(agreeing.draw, there, BOB, 1.0, "game", action) == "not_here"
    assert code(agreeing.takeback, there, BOB, 1.0, "game", "propose") == "not_here"
    assert code(agreeing.rematch, there, BOB, 1.0, "game", "next") == "not_here"
    assert code(contest.ask, there, BOB, 1.0, "game", 0) == "not_yours"
    assert kinds_of(contest.ask(there, ANN, 1.0, "game", 0)) == ["asked"]


def test_who_may_decide_what() -> None:
    there = room("friend", *MOVED)
    for decide in (leaving.resign, leaving.abort):
        assert code(decide, there, EVE, 1.0, "game") == "not_yours"
        assert code(decide, there, ANN, 1.0, "an older game") == "over"
    assert code(seating.join, there, EVE, 1.0) == "taken"
    assert seating.join(there, BOB, 1.0) == Decided()
    assert code(moving.move, there, BOB, 1.0, "game", 2, "d1-d2", "x") == "not_your_turn"
    assert code(moving.move, there, ANN, 1.0, "game", 1, "a3-b3", "x") == "stale"
    assert moving.move(there, ANN, 1.0, "game", 0, "a2-b2", "1").answer == {"repeated": True}


def test_a_rematch_swaps_sides_and_keeps_the_score() -> None:
    there = room("friend", *MOVED, ("resign", {"player": 0}))
    assert kinds_of(agreeing.rematch(there, ANN, 1.0, "game", "next")) == ["rematch_offered"]
    offered = there.after(Event(6, "rematch_offered", {"player": 0}, 1.0))
    assert agreeing.rematch(offered, ANN, 1.0, "game", "next").drafts == []
    decided = agreeing.rematch(offered, BOB, 2.0, "game", "next")
    assert kinds_of(decided) == ["succeeded"]
    assert decided.successor
    assert (decided.successor.number, decided.successor.first) == (2, 1)
    assert decided.successor.score == (0.0, 1.0)
    assert [data["name"] for _, data in decided.seated] == ["Bob", "Ann"]


def test_a_claim_waits_for_the_grace() -> None:
    there = room("friend", *MOVED)
    gone = Attendance(since=0.0, present={"a"}, left={"b": 100.0})
    assert code(leaving.claim, there, ANN, 159.0, "game", "win", gone) == "too_early"
    ((kind, data),) = leaving.claim(there, ANN, 160.0, "game", "win", gone).drafts
    assert (kind, data["gone"]) == ("claim", 100.0)
    here = replace(gone, present={"a", "b"})
    assert code(leaving.claim, there, ANN, 999.0, "game", "win", here) == "present"


def test_a_draw_counts_half_for_each() -> None:
    assert added((1.0, 2.0), 0, None) == (1.5, 2.5)
    assert added((1.0, 2.0), 1, 0) == (1.0, 3.0)


def test_every_kind_says_what_a_page_may_show() -> None:
    allowed = {
        key: {name for name, on in features(kind).items() if on} for key, kind in KINDS.items()
    }
    assert allowed == {
        "friend": {"takeback", "draw", "rematch", "player_chat", "spectator_chat"},
        "computer": {"takeback", "rematch", "spectator_chat"},
        "local": {"takeback", "draw", "rematch", "one_screen"},
        "computers": {"spectator_chat"},
        "contest": {"spectator_chat"},
    }


def test_every_kind_says_what_a_form_asks_for() -> None:
    forms = offered()["opponents"]
    assert {key: (one["levels"], one["public"]) for key, one in forms.items()} == {
        "friend": (0, "join"),
        "computer": (1, "watch"),
        "local": (0, None),
        "computers": (2, "watch"),
    }
    asked = {key: [name for name, on in one.items() if on is True] for key, one in forms.items()}
    assert asked == {
        "friend": ["name", "side", "clock"],
        "computer": ["side", "clock"],
        "local": ["clock"],
        "computers": ["is_public"],
    }


@pytest.mark.parametrize("key", SENTENCES)
def test_every_refusal_is_a_sentence(key: str) -> None:
    code, _, why = key.partition(" ")
    values: dict[str, Any] = {
        "ply": 3,
        "now": 4,
        "seconds": 2.0,
        "game": "Classic",
        "offer": "draw offer",
        "most": 40,
        "field": "Ply",
    }
    words = dict.fromkeys(("names", "games", "noun", "hint", "expected", "given"), "some of these")
    words |= {"name": "Robo", "reason": "It can't begin."}
    details = {"why": why} if why else {}
    refusal = Refused(code, problem="It's no move.", **values, **details, words=words)
    assert refusal.details == {"problem": "It's no move.", **values, **details}
    message = refusal.message
    assert message[0].isupper()
    assert message.endswith(".")
    assert "{" not in message
