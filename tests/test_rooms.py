"""What people do in rooms, with one process and with two that take turns on one store."""

import json
from random import Random
from typing import Any

import pytest

from isolation.rooms import computer, library
from isolation.rooms.alone import LocalPresence
from isolation.rooms.errors import Refused
from isolation.rooms.library import Library
from isolation.rooms.ports import ChatLine, Entry
from isolation.rooms.room import Room, Visitor
from isolation.rooms.subjects import Subjects
from isolation.rules import (
    VARIANTS,
    GameRecord,
    Move,
    Outcome,
    Reason,
    read_record,
    write_record,
)
from isolation.store import SqlStore
from tests.house import ANN, BOB, EVE, House, first_move, refused


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_friends_play_a_whole_game(house: House, variant: str) -> None:
    room = house.friends(variant)
    while not house.game(room).outcome:
        position = house.game(room).record.position
        house.play(room, position.notate(first_move(position)))
    game = house.game(room)
    assert house.unfinished() == []
    moved = house.audience.payloads("moved")
    assert [payload["ply"] for payload in moved] == list(range(1, game.ply + 1))
    assert moved[-1]["outcome"]["result"] == game.record.result
    assert moved[-1]["choices"] is None
    assert moved[-1]["score"] in ([1, 0], [0, 1], [0.5, 0.5])
    assert [payload["v"] for payload in moved] == list(range(3, game.v + 1))
    house.open()
    assert house.game(room) == game


def play_to_a_pass(house: House, room: Room) -> None:
    """Random moves until somebody had to pass, and the game goes on."""
    for seed in range(400):
        lot, record = Random(seed), house.game(room).record
        while not record.outcome and "pass" not in record.notation():
            move: Move = ()
            while cells := record.position.next_cells(move):
                move = (*move, lot.choice(cells))
            record = record.play(move)
        if not record.outcome:
            break
    for text in record.notation()[:-1]:
        house.play(room, text)


def test_a_pass_is_made_for_whoever_has_nothing_else(house: House) -> None:
    """In slider a player without a move passes; nobody has to be asked."""
    room = house.friends("slider", options={"size": 4, "blocks": [[1, 1]]})
    play_to_a_pass(house, room)
    assert house.game(room).record.notation()[-1] == "pass"
    assert house.game(room).record.position.next_cells()
    moved = house.audience.payloads("moved")
    assert [payload["move"] for payload in moved] == house.game(room).record.notation()
    assert [payload["v"] for payload in moved] == list(range(3, 3 + len(moved)))


def test_a_move_and_the_pass_after_it_are_stored_together(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = house.friends("slider", options={"size": 4, "blocks": [[1, 1]]})
    sizes: list[int] = []
    append = SqlStore.append

    def counted(store: SqlStore, entry: Entry) -> None:
        sizes.append(len(entry.events))
        append(store, entry)

    monkeypatch.setattr(SqlStore, "append", counted)
    play_to_a_pass(house, room)
    assert sizes[-1] == 2


def test_a_takeback_goes_back_to_a_move_that_was_chosen(house: House) -> None:
    room = house.friends("slider", options={"size": 4, "blocks": [[1, 1]]})
    play_to_a_pass(house, room)
    passed = 1 - house.game(room).to_move
    who = (ANN, BOB)[passed]
    house.rooms.takeback(who, house.game(room).id, "propose")
    house.rooms.takeback((ANN, BOB)[1 - passed], house.game(room).id, "accept")
    assert house.game(room).to_move == passed
    assert house.game(room).record.position.next_cells()
    assert "pass" not in house.game(room).record.notation()


def test_whose_move_it_is_and_when(house: House) -> None:
    room = house.friends()
    game, move = house.game(room).id, house.rooms.move
    assert refused(move, EVE, game, 0, "a2-b2", "1") == "not_yours"
    assert refused(move, BOB, game, 0, "c1-c2", "1") == "not_your_turn"
    assert refused(move, ANN, game, 1, "a2-b2", "1") == "stale"
    assert refused(move, ANN, game, 0, "a2-a9", "1") == "illegal"
    assert refused(move, ANN, "no such game", 0, "a2-b2", "1") == "unknown"
    assert house.game(room).ply == 0
    assert move(ANN, game, 0, "a2-b2", "1") == {"v": 3, "ply": 1}
    assert refused(move, ANN, game, 0, "a2-b2", "2") == "stale"
    assert refused(move, ANN, game, 1, "a3-b3", "2") == "not_your_turn"


def test_a_refused_move_comes_with_the_game_as_it_is(house: House) -> None:
    room = house.friends()
    with pytest.raises(Refused) as caught:
        house.rooms.move(ANN, house.game(room).id, 5, "a2-b2", "1")
    assert caught.value.details["snapshot"]["ply"] == 0
    assert "identity" not in str(caught.value.details)


def test_a_repeated_move_is_made_once(house: House) -> None:
    room = house.friends()
    game = house.game(room).id
    first = house.rooms.move(ANN, game, 0, "a2-b2", "x")
    again = house.rooms.move(ANN, game, 0, "a2-b2", "x")
    assert (first["ply"], again["ply"], again["repeated"]) == (1, 1, True)
    assert house.game(room).ply == 1
    # A late repetition is not a new move after the takeback, nor in the next process.
    house.rooms.takeback(ANN, game, "propose")
    house.rooms.takeback(BOB, game, "accept")
    assert house.rooms.move(ANN, game, 0, "a2-b2", "x")["repeated"]
    house.open()
    assert house.rooms.move(ANN, game, 0, "a2-b2", "x")["repeated"]
    assert house.game(room).ply == 0


def test_the_flag_falls_with_nobody_there(house: House) -> None:
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    house.rooms.leave(ANN, room.id, "socket a")
    house.rooms.leave(BOB, room.id, "socket b")
    house.pass_time(59)
    assert not house.game(room).outcome
    house.pass_time(1)
    assert house.game(room).outcome == Outcome(1, Reason.TIME, 0)
    assert house.unfinished() == []


def test_a_move_after_the_flag_is_too_late(house: House) -> None:
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    house.world.time += 60.5
    assert refused(house.play, room, "a3-b3") == "over"
    assert house.game(room).outcome == Outcome(1, Reason.TIME, 0)


def test_nobody_loses_time_while_the_server_is_away(house: House) -> None:
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    house.live(10)
    house.world.time += 5000
    house.open()
    assert house.game(room).time_left(house.world.now()) == (50, 60)
    house.live(3)
    house.open()
    assert house.game(room).time_left(house.world.now()) == (47, 60)


def test_an_absent_opponent_can_be_claimed_against_after_a_while(house: House) -> None:
    room = house.friends(clock={"minutes": 10})
    game = house.game(room).id
    house.play(room, "a2-b2", "c1-c2", "a3-b3")
    assert refused(house.rooms.claim, ANN, game, "win") == "present"
    house.rooms.leave(BOB, room.id, "socket b")
    assert refused(house.rooms.claim, ANN, game, "win") == "too_early"
    assert refused(house.rooms.claim, EVE, game, "win") == "not_yours"
    house.world.time += 59
    house.rooms.enter(BOB, room.id, "socket c")  # back in time, then gone again
    house.rooms.leave(BOB, room.id, "socket c")
    house.world.time += 59
    assert refused(house.rooms.claim, ANN, game, "win") == "too_early"
    assert house.rooms.presence(room.id)["claim_in"] == [None, 1.0]  # type: ignore[index]
    house.world.time += 1
    assert house.rooms.presence(room.id)["claim_in"] == [None, 0.0]  # type: ignore[index]
    house.rooms.claim(ANN, game, "win")
    assert house.game(room).record.result == "1-0"


def test_what_can_not_be_claimed(house: House) -> None:
    room = house.friends()
    house.rooms.leave(BOB, room.id, "socket b")
    house.world.time += 10_000
    assert refused(house.rooms.claim, ANN, house.game(room).id, "win") == "too_early"  # no move yet
    slow = house.friends(clock={"days": 1})
    house.play(slow, "a2-b2", "c1-c2", "a3-b3")
    house.rooms.leave(BOB, slow.id, "socket b")
    house.world.time += 50_000
    assert refused(house.rooms.claim, ANN, slow.game.id, "win") == "too_early"
    # Who was gone long before the game began is not at once claimed against.
    late = house.rooms.create(ANN, "slider", side=1)
    house.rooms.enter(ANN, late.id, "socket a")
    house.rooms.leave(ANN, late.id, "socket a")
    house.world.time += 10_000
    house.rooms.join(BOB, late.id)
    assert refused(house.rooms.claim, BOB, late.game.id, "win") == "too_early"


def test_a_second_tab_keeps_a_player_present(house: House) -> None:
    room = house.friends()
    house.rooms.enter(BOB, room.id, "second tab")
    house.rooms.leave(BOB, room.id, "socket b")
    assert house.rooms.presence(room.id)["players"] == [True, True]  # type: ignore[index]
    house.rooms.leave(BOB, room.id, "second tab")
    assert house.rooms.presence(room.id)["players"] == [True, False]  # type: ignore[index]


def score(house: House, room: Room) -> list[float]:
    points: list[float] = house.rooms.snapshot(house.rooms.room(room.id))["score"]
    return points


def test_rematches_swap_sides_and_count_points(house: House) -> None:
    room = house.friends()
    first = house.game(room).id
    assert refused(house.rooms.rematch, ANN, first) == "not_over"
    house.rooms.resign(ANN, first)
    assert score(house, room) == [0, 1]
    assert refused(house.rooms.rematch, EVE, first) == "not_yours"
    assert house.rooms.rematch(ANN, first)["offered"]
    assert house.rooms.rematch(ANN, first)["offered"]
    house.open()  # a restart forgets no offer
    assert house.game(room).rematch_offer == 0
    second = house.rooms.rematch(BOB, first)["game"]
    assert house.game(room).id == second != first
    assert [seat.name for seat in house.game(room).seats] == ["Bob", "Ann"]
    assert score(house, room) == [1, 0]
    assert refused(house.rooms.resign, ANN, first) == "over"
    house.rooms.draw(ANN, second, "offer")
    house.rooms.draw(BOB, second, "accept")
    assert score(house, room) == [1.5, 0.5]
    house.open()
    assert score(house, room) == [1.5, 0.5]


def test_an_aborted_game_counts_for_nobody(house: House) -> None:
    room = house.friends()
    house.rooms.abort(BOB, house.game(room).id)
    assert score(house, room) == [0, 0]
    assert house.game(room).result == "aborted"
    assert house.unfinished() == []


def test_the_first_who_joins_has_the_seat(house: House) -> None:
    room = house.rooms.create(ANN, "classic", side=2)
    assert house.rooms.join(ANN, room.id) == 1
    assert house.rooms.join(BOB, room.id) == 0
    assert house.rooms.join(BOB, room.id) == 0
    assert refused(house.rooms.join, EVE, room.id) == "taken"
    assert refused(house.rooms.join, EVE, "nowhere") == "unknown"


def test_players_and_the_stands_talk_apart(house: House) -> None:
    room = house.friends()
    house.rooms.enter(EVE, room.id, "socket e")
    house.audience.told.clear()
    house.rooms.say(ANN, room.id, "good luck")
    house.rooms.say(EVE, room.id, "who wins?")
    told = [(who, payload["text"]) for who, event, payload in house.audience.told]
    assert told == [("players", "good luck"), ("stands", "who wins?")]
    mine = house.rooms.enter(ANN, room.id, "socket a")["chat"]
    theirs = house.rooms.enter(EVE, room.id, "socket e")["chat"]
    assert [line["text"] for line in mine] == ["good luck"]
    assert [line["text"] for line in theirs] == ["who wins?"]


def test_spectators_can_not_talk_the_players_lines_away(house: House) -> None:
    room = house.friends()
    house.rooms.say(ANN, room.id, "good luck")
    for number in range(150):
        house.rooms.say(EVE, room.id, f"line {number}")
    mine = house.rooms.enter(ANN, room.id, "socket a")["chat"]
    assert [line["text"] for line in mine] == ["good luck"]


def test_the_computer_plays_by_the_same_path(house: House) -> None:
    room = house.rooms.create(ANN, "classic", opponent="computer", level=3, side=2)
    assert house.game(room).ply == 0
    house.world.run()
    assert house.game(room).ply == 1
    assert house.engines.requests[0].level == 3
    moved = next(payload for _, event, payload in house.audience.told if event == "moved")
    assert moved["ply"] == 1
    position = house.game(room).record.position
    house.play(room, position.notate(first_move(position)))
    house.world.run()
    assert house.game(room).ply == 3


def test_two_computers_play_to_the_end_while_anybody_may_watch(house: House) -> None:
    levels: dict[str, Any] = {"level": 1, "second_level": 2}
    room = house.rooms.create(ANN, "knights", opponent="computers", side=1, **levels)
    assert house.rooms.enter(ANN, room.id, "socket a")["you"] == []
    while house.world.tasks:
        house.world.run()
    assert house.game(room).outcome
    assert {request.level for request in house.engines.requests} == {1, 2}


def test_a_broken_engine_does_not_stop_the_game(house: House) -> None:
    house.engines.is_broken = True
    room = house.rooms.create(ANN, "isola", opponent="computer", level=8, side=2)
    house.world.run()
    assert house.game(room).ply == 1
    assert len(house.engines.requests) == computer.MAX_FAILURES


def test_the_computer_waits_for_engines(house: House) -> None:
    house.engines.away = 10 * computer.MAX_FAILURES
    room = house.rooms.create(ANN, "isola", opponent="computer", level=8, side=2)
    house.world.run()
    start = house.engines.requests[-1].position()
    assert house.game(room).record.notation() == [start.notate(first_move(start))]
    assert len(house.engines.requests) == 10 * computer.MAX_FAILURES + 1


def test_what_a_computer_logs_names_its_room(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    subjects = Subjects()
    caplog.handler.addFilter(subjects)
    house.engines.away = 1
    room = house.rooms.create(ANN, "isola", opponent="computer", level=8, side=2)
    house.world.run()
    caplog.handler.removeFilter(subjects)
    assert [record.__dict__["room"] for record in caplog.records] == [room.id]


def test_the_computer_waits_only_while_it_is_its_turn(house: House) -> None:
    house.engines.away = 1000
    room = house.rooms.create(ANN, "isola", opponent="computer", level=8, side=2)
    house.engines.while_away = lambda: (
        house.game(room).outcome or house.rooms.resign(ANN, house.game(room).id)
    )
    while house.world.tasks:
        house.world.run()
    assert house.game(room).ply == 0
    assert len(house.engines.requests) == 1
    assert not any(rooms._computers.is_thinking(room.id) for rooms in house.all)


def test_a_takeback_while_the_computer_thinks(house: House) -> None:
    room = house.rooms.create(ANN, "slider", opponent="computer", level=1, side=1)
    game = house.game(room).id
    house.rooms.move(ANN, game, 0, "a2-b2", "1")
    house.rooms.takeback(ANN, game, "propose")
    assert house.game(room).ply == 0
    house.rooms.move(ANN, game, 0, "a3-b3", "2")
    house.world.run()  # both thoughts come to their end: only the one about this position counts
    assert house.game(room).record.notation()[0] == "a3-b3"
    assert house.game(room).ply == 2


def test_a_computer_whose_turn_it_was_thinks_again_after_a_restart(house: House) -> None:
    room = house.rooms.create(ANN, "classic", opponent="computer", level=2, side=2)
    house.world.tasks.clear()
    house.open()
    house.pass_time(5)
    house.world.run()
    assert house.game(room).ply == 1


def test_a_computer_is_not_flagged_while_no_engine_is_free(house: House) -> None:
    clock = {"minutes": 0.25}
    room = house.rooms.create(ANN, "slider", opponent="computer", level=8, side=1, clock=clock)
    game = house.game(room).id
    house.rooms.move(ANN, game, 0, "a2-b2", "1")
    house.world.run()
    house.rooms.move(ANN, game, 2, "a3-b3", "2")
    house.pass_time(100)  # the queue is long
    assert not house.game(room).outcome
    house.world.run()
    assert house.game(room).ply == 4
    assert house.game(room).left[1] > 13


def test_a_computer_in_haste_never_runs_out_of_time(house: House) -> None:
    clock = {"minutes": 0.25}
    room = house.rooms.create(
        ANN, "isola", opponent="computers", level=8, second_level=8, side=1, clock=clock
    )
    house.rooms.enter(ANN, room.id, "socket")
    house.world.run()
    game = house.game(room)
    assert game.outcome
    assert game.outcome.reason == Reason.NO_MOVES
    assert min(house.game(room).left) > 0


def test_a_store_that_fails_for_a_moment_does_not_stop_the_computer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = house.rooms.create(ANN, "classic", opponent="computer", level=2, side=2)
    append, failures = SqlStore.append, [1, 2]

    def failing(store: SqlStore, *arguments: Any) -> None:
        if failures:
            failures.pop()
            raise OSError("the disk is full")
        append(store, *arguments)

    monkeypatch.setattr(SqlStore, "append", failing)
    house.world.run()
    assert house.game(room).ply == 1


def test_a_move_whose_commit_was_not_heard_of_is_made(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection to the database is lost after the commit, before the answer."""
    room = house.friends()
    append = SqlStore.append

    def lost(store: SqlStore, *arguments: Any) -> None:
        append(store, *arguments)
        raise OSError("connection lost")

    monkeypatch.setattr(SqlStore, "append", lost)
    assert house.rooms.move(ANN, house.game(room).id, 0, "a2-b2", "1")["ply"] == 1
    assert "moved" in house.audience.events()


def test_two_computers_wait_for_somebody_to_watch(house: House) -> None:
    room = house.rooms.create(ANN, "linear", opponent="computers", level=1, second_level=1)
    assert house.world.tasks == []
    house.rooms.enter(EVE, room.id, "socket")
    while house.world.tasks:
        house.world.run()
    assert house.game(room).outcome
    assert len(house.engines.requests) == house.game(room).ply  # by one process at a time


def test_takebacks_do_not_pile_up_searches(house: House) -> None:
    room = house.rooms.create(ANN, "slider", opponent="computer", level=1, side=1)
    for number in range(5):
        house.rooms.move(ANN, house.game(room).id, 0, "a2-b2", str(number))
        house.rooms.takeback(ANN, house.game(room).id, "propose")
    assert len(house.world.tasks) == house.processes  # each has one thought at a time


def test_rooms_that_nobody_uses_are_forgotten(house: House) -> None:
    """And are there again when somebody asks for them."""
    room = house.friends()
    house.play(room, "a2-b2")
    timed = house.friends(clock={"minutes": 5})
    house.play(timed, "a2-b2", "c1-c2")
    for one in (room, timed):
        for visitor, socket in ((ANN, "socket a"), (BOB, "socket b"), (EVE, "none")):
            house.rooms.leave(visitor, one.id, socket)
    assert kept(house) == {room.id, timed.id}
    house.world.time += 200
    assert kept(house) == set()
    assert house.rooms.enter(ANN, room.id, "socket a")["moves"] == "a2-b2"
    house.pass_time(200)  # a clock runs wherever its game is
    assert house.unfinished() == [room.id]


def kept(house: House) -> set[str]:
    """The rooms in memory, in any process, once idle ones are forgotten."""
    for rooms in house.all:
        rooms.forget_idle()
    return {room.id for rooms in house.all for room in rooms.journal.rooms()}


def test_a_game_that_can_not_be_read_does_not_stop_the_others(house: House) -> None:
    bad, good = house.friends(), house.friends(clock={"minutes": 5})
    house.play(good, "a2-b2", "c1-c2")
    with house.store._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE events SET data = '{}' WHERE game = ?", (bad.game.id,))
    house.open()
    house.pass_time(301)
    assert house.game(good).outcome == Outcome(1, Reason.TIME, 0)


def test_two_players_at_one_screen(house: House) -> None:
    room = house.rooms.create(ANN, "slider", opponent="local", side=1)
    house.play(room, "a2-b2", "c1-c2")
    assert house.rooms.enter(ANN, room.id, "socket")["you"] == [0, 1]
    game = house.game(room).id
    house.rooms.takeback(ANN, game, "propose")
    assert house.game(room).record.notation() == ["a2-b2"]
    house.rooms.draw(ANN, game, "offer")
    assert house.game(room).record.result == "1/2-1/2"
    assert "game" in house.rooms.rematch(ANN, game)


def test_the_lobby_shows_public_rooms(house: House) -> None:
    secret = house.rooms.create(ANN, "classic")
    room = house.rooms.create(ANN, "isola", public=True, side=1, clock={"days": 3})
    assert house.rooms.lobby() == {"open": [], "live": []}  # nobody waits in them yet
    for one in (secret, room):
        house.rooms.enter(ANN, one.id, "socket a")
    (entry,) = house.rooms.lobby()["open"]
    assert (entry["room"], entry["variant"], entry["clock"]) == (room.id, "isola", {"days": 3})
    house.rooms.join(BOB, room.id)
    house.rooms.enter(EVE, room.id, "socket e")
    (entry,) = house.rooms.lobby()["live"]
    assert (entry["room"], entry["watchers"]) == (room.id, 1)
    house.rooms.resign(ANN, house.game(room).id)
    assert house.rooms.lobby() == {"open": [], "live": []}


def test_messages_stay_small_on_the_largest_board(house: House) -> None:
    """A whole game on 27 x 27: snapshots under 8 kB, moves under 1 kB."""
    lot, room = Random(4), house.friends("isola", options={"size": 27})
    while not house.game(room).outcome:
        position = house.game(room).record.position
        move: Move = ()
        while cells := position.next_cells(move):
            move = (*move, lot.choice(cells))
        house.play(room, position.notate(move))
    moved = house.audience.payloads("moved")
    assert max(len(json.dumps(payload)) for payload in moved) < 1000
    assert len(json.dumps(house.rooms.enter(ANN, room.id, "socket a"))) < 8000
    assert house.game(room).ply > 100


def test_no_payload_gives_an_identity_away(house: House) -> None:
    secret = Visitor("a very secret identity", "Ann")
    room = house.rooms.create(secret, "slider", side=1, public=True)
    house.rooms.enter(secret, room.id, "socket")
    house.rooms.join(BOB, room.id)
    house.rooms.move(secret, house.game(room).id, 0, "a2-b2", "1")
    house.rooms.say(secret, room.id, "hello")
    house.rooms.resign(secret, house.game(room).id)
    seen = [*house.audience.told, house.rooms.enter(EVE, room.id, "e"), house.rooms.lobby()]
    assert "secret identity" not in repr(seen)


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("classic", {}),
        ("knights", {}),
        ("isola", {"size": 9}),
        ("slider", {"size": 5}),
        ("linear", {"length": 20}),
    ],
)
def test_a_room_begins_from_any_legal_position(
    house: House, variant: str, options: dict[str, Any]
) -> None:
    record = GameRecord.begin(variant, options)
    for _ in range(3):
        record = record.play(first_move(record.position))
    position = json.loads(json.dumps(record.position.to_dict()))
    room = house.friends(variant, position=position)
    game = house.game(room)
    assert (game.record.position, game.ply) == (record.position, 0)
    text = record.position.notate(first_move(record.position))
    house.play(room, text)
    house.open()
    again = house.game(room)
    assert again.record.start == record.position
    assert house.rooms.snapshot(house.rooms.room(room.id))["start"] == position
    assert read_record(write_record(again.record)) == again.record
    # A rematch begins there, too.
    house.rooms.resign(ANN, again.id)
    house.rooms.rematch(ANN, again.id)
    house.rooms.rematch(BOB, again.id)
    assert house.game(room).record.position == record.position


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"game": "slider"}, "not a classic position"),
        ({"game": "classic", "board": ["1.", ".2"], "to_move": 0}, "6 x 8|6×8|board|wide"),
        ({"game": "classic", "board": ["......"] * 8, "to_move": 0}, "one pawn"),
        ({"game": "classic", "board": [[]], "to_move": 0}, "a list of rows"),
    ],
)
def test_positions_that_no_game_begins_from(house: House, position: Any, words: str) -> None:
    with pytest.raises(Refused, match=words) as caught:
        house.rooms.create(ANN, "classic", position=position)
    assert caught.value.code == "invalid"
    assert caught.value.details["field"] == "position"


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"opponent": "computer"}, "level"),
        ({"opponent": "computer", "level": 6}, "level"),
        ({"opponent": "computers", "level": 5}, "second_level"),
        ({"options": {"length": 1}}, "options"),
        ({"options": {"colour": "red"}}, "options"),
    ],
)
def test_what_only_the_rules_know_is_refused_by_its_field(
    house: House, wanted: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as caught:
        house.rooms.create(ANN, "linear", **wanted)
    assert (caught.value.code, caught.value.details["field"]) == ("invalid", field)


def test_a_contest_begins_from_any_legal_position(house: House) -> None:
    record = GameRecord.begin("linear", {"length": 9}).play((4,))
    position = json.loads(json.dumps(record.position.to_dict()))
    seats: list[dict[str, Any]] = [
        {"kind": "own", "name": "Robo"},
        {"kind": "computer", "level": 1},
    ]
    room = house.rooms.contest(ANN, variant="linear", seats=seats, position=position)
    house.open()
    assert house.game(room).record.position == record.position
    seats[1]["level"] = 6
    with pytest.raises(Refused) as caught:
        house.rooms.contest(ANN, variant="linear", seats=seats)
    assert caught.value.details["field"] == "seats.1.level"


def test_a_game_that_is_over_can_not_begin(house: House) -> None:
    rows = ["1X....", "XX....", *["......"] * 5, "...2.."]
    position = {"game": "classic", "board": rows, "to_move": 0, "starts": "open"}
    with pytest.raises(Refused, match="over"):
        house.rooms.create(ANN, "classic", position=position)


def test_the_engines_are_shared_by_visitor(house: House) -> None:
    for variant in ("classic", "isola"):
        house.rooms.create(ANN, variant, opponent="computer", level=2, side=2)
    room = house.rooms.create(BOB, "linear", opponent="computers", level=1, second_level=1)
    house.rooms.enter(EVE, room.id, "socket")
    house.world.run()
    assert house.engines.visitors[:2] == [ANN.identity, ANN.identity]
    assert set(house.engines.visitors[2:]) == {BOB.identity}  # who made the room


def test_nothing_is_kept_of_rooms_that_nobody_uses(house: House) -> None:
    """Nor of rooms that never were."""
    for number in range(20):
        room = house.friends(clock={"minutes": 5} if number % 2 else None, public=True)
        house.play(room, "a2-b2", "c1-c2")
        for visitor, socket in ((ANN, "socket a"), (BOB, "socket b")):
            house.rooms.leave(visitor, room.id, socket)
        house.rooms.leave(EVE, f"nowhere {number}", "socket e")
        assert refused(house.rooms.enter, EVE, f"nowhere {number}", "socket e") == "unknown"
    house.world.time += 200
    assert kept(house) == set()
    house.pass_time(600)  # the flags fall
    house.world.time += 200
    assert kept(house) == set()
    house.pass_time(3600)
    for rooms in house.all:
        assert rooms._presence._rooms == {}  # type: ignore[attr-defined]
        assert (rooms.deadlines._timers, rooms.deadlines._armed) == ([], {})
        assert (rooms.lobby(), rooms.journal._memory._by_game) == ({"open": [], "live": []}, {})


def test_entering_while_a_move_is_made(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room = house.friends("linear")
    store, rooms = house.store, house.all[0]
    load_chat = store.load_chat

    def slow(*asked: Any) -> list[ChatLine]:
        monkeypatch.undo()
        house.play(room, "1")  # as another green thread may, while a database is asked
        return load_chat(*asked)

    monkeypatch.setattr(store, "load_chat", slow)
    assert rooms.enter(EVE, room.id, "socket e")["ply"] == 1


def test_leaving_a_room_that_nobody_entered_is_not_remembered() -> None:
    presence = LocalPresence()
    presence.leave("no room", "a", "socket a", 1.0, is_player=False)
    assert presence.of("no room", 2.0).since == 2.0


def test_games_without_a_move_are_forgotten_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "PLIES_KEPT", 5 * library.BARE)
    room = house.rooms.create(ANN, "linear", opponent="local")
    past = [house.game(room).id]
    for _ in range(10):
        house.rooms.abort(ANN, past[-1])
        past.append(house.rooms.rematch(ANN, past[-1])["game"])
    known = Library(house.store, house.world)
    assert all(known.read(game) for game in past)
    assert sum(known.past(game) is not None for game in past) == 5


def test_a_stranger_learns_nothing_of_a_room_by_moving_in_its_game(house: House) -> None:
    room = house.friends()
    with pytest.raises(Refused) as caught:
        house.rooms.move(EVE, room.game.id, 0, "a2-b2", "1")
    assert caught.value.details.get("snapshot") is None
    with pytest.raises(Refused) as caught:
        house.rooms.move(BOB, room.game.id, 0, "a2-b2", "1")
    assert caught.value.details["snapshot"]["room"] == room.id
