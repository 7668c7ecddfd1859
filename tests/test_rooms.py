"""Rooms with a clock that the test turns, an engine that it plays, and a real store."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from isolation.engines.pool import EngineFailed, Request
from isolation.rooms import computer
from isolation.rooms.errors import Refused
from isolation.rooms.room import Room, Visitor
from isolation.rooms.service import Rooms
from isolation.rules import VARIANTS, Move, Position
from isolation.store import SqlStore

ANN, BOB, EVE = Visitor("a", "Ann"), Visitor("b", "Bob"), Visitor("e", "Eve")


class FakeWorld:
    """Time stands still until the test moves it; tasks wait until they are run."""

    def __init__(self) -> None:
        self.time = 1_000_000.0
        self.tasks: list[Callable[[], None]] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def spawn(self, task: Any, *arguments: Any) -> None:
        self.tasks.append(lambda: task(*arguments))

    def run(self) -> None:
        tasks, self.tasks = self.tasks, []
        for task in tasks:
            task()


class FakeEngines:
    """Plays the first legal move, or fails."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.is_broken = False

    def choose(self, game: str, request: Request) -> Move:
        self.requests.append(request)
        if self.is_broken:
            raise EngineFailed("broken")
        return first_move(request.position())


class FakeAudience:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, Mapping[str, Any]]] = []

    def tell(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self.told.append(("all", event, payload))

    def tell_players(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self.told.append(("players", event, payload))

    def tell_stands(self, room: str, event: str, payload: Mapping[str, Any]) -> None:
        self.told.append(("stands", event, payload))

    def presence_changed(self, room: str) -> None:
        self.told.append(("presence", "", {}))

    def lobby_changed(self) -> None:
        self.told.append(("lobby", "", {}))

    def events(self) -> list[str]:
        return [event for _, event, _ in self.told if event]


class House:
    """Rooms and all that they need."""

    def __init__(self, path: Path) -> None:
        self.world, self.engines, self.audience = FakeWorld(), FakeEngines(), FakeAudience()
        self.store = SqlStore(f"sqlite:///{path}")
        self.store.migrate()
        self.rooms = self.open()

    def open(self) -> Rooms:
        """A new process on the same data."""
        self.rooms = Rooms(self.store, self.engines, self.audience, self.world)
        self.rooms.resume()
        return self.rooms

    def friends(self, variant: str = "slider", **more: Any) -> Room:
        room = self.rooms.create(ANN, variant, side=1, **more)
        self.rooms.enter(ANN, room.id, "socket a")
        self.rooms.enter(BOB, room.id, "socket b")
        self.rooms.join(BOB, room.id)
        return room

    def play(self, room: Room, *moves: str) -> None:
        for text in moves:
            who = ANN if ANN.identity == room.game.seats[room.game.to_move].identity else BOB
            self.rooms.move(who, room.game.start.id, room.game.ply, text, f"id {room.game.v}")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    built = House(tmp_path / "games.db")
    yield built
    built.store.close()


def first_move(position: Position) -> Move:
    move: Move = ()
    while cells := position.next_cells(move):
        move = (*move, cells[0])
    return move


def refused(call: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*arguments)
    return caught.value.code


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_friends_play_a_whole_game(house: House, variant: str) -> None:
    room = house.friends(variant)
    while not room.game.outcome:
        position = room.game.record.position
        house.play(room, position.notate(first_move(position)))
    game = room.game
    assert house.store.unfinished_rooms() == []
    again = house.open().game(game.start.id)
    assert again == game
    moved = [payload for _, event, payload in house.audience.told if event == "moved"]
    assert [payload["ply"] for payload in moved] == list(range(1, game.ply + 1))
    assert moved[-1]["outcome"]["result"] == game.record.result
    assert moved[-1]["choices"] is None


def play_to_a_pass(house: House, room: Room) -> None:
    """Random moves until somebody had to pass, and the game goes on."""
    for seed in range(400):
        lot, record = Random(seed), room.game.record
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
    assert room.game.record.notation()[-1] == "pass"
    assert room.game.record.position.next_cells()
    moved = [payload for _, event, payload in house.audience.told if event == "moved"]
    assert [payload["move"] for payload in moved] == room.game.record.notation()
    assert [payload["v"] for payload in moved] == list(range(3, 3 + len(moved)))


def test_a_move_and_the_pass_after_it_are_stored_together(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = house.friends("slider", options={"size": 4, "blocks": [[1, 1]]})
    sizes: list[int] = []
    append = SqlStore.append

    def counted(store: SqlStore, game: str, events: Any, ended: str | None) -> None:
        sizes.append(len(events))
        append(store, game, events, ended)

    monkeypatch.setattr(SqlStore, "append", counted)
    play_to_a_pass(house, room)
    assert sizes[-1] == 2


def test_a_takeback_goes_back_to_a_move_that_was_chosen(house: House) -> None:
    room = house.friends("slider", options={"size": 4, "blocks": [[1, 1]]})
    play_to_a_pass(house, room)
    passed = 1 - room.game.to_move
    who = (ANN, BOB)[passed]
    house.rooms.takeback(who, room.game.start.id, "propose")
    house.rooms.takeback((ANN, BOB)[1 - passed], room.game.start.id, "accept")
    assert room.game.to_move == passed
    assert room.game.record.position.next_cells()
    assert "pass" not in room.game.record.notation()


def test_whose_move_it_is_and_when(house: House) -> None:
    room = house.friends()
    game, move = room.game.start.id, house.rooms.move
    assert refused(move, EVE, game, 0, "a2-b2", "1") == "not_yours"
    assert refused(move, BOB, game, 0, "c1-c2", "1") == "not_your_turn"
    assert refused(move, ANN, game, 1, "a2-b2", "1") == "stale"
    assert refused(move, ANN, game, 0, "a2-a9", "1") == "illegal"
    assert refused(move, ANN, "no such game", 0, "a2-b2", "1") == "unknown"
    assert room.game.ply == 0
    assert move(ANN, game, 0, "a2-b2", "1") == {"v": 3, "ply": 1}
    assert refused(move, ANN, game, 0, "a2-b2", "2") == "stale"
    assert refused(move, ANN, game, 1, "a3-b3", "2") == "not_your_turn"


def test_a_refused_move_comes_with_the_game_as_it_is(house: House) -> None:
    room = house.friends()
    with pytest.raises(Refused) as caught:
        house.rooms.move(ANN, room.game.start.id, 5, "a2-b2", "1")
    assert caught.value.details["snapshot"]["ply"] == 0
    assert "identity" not in str(caught.value.details)


def test_a_repeated_move_is_made_once(house: House) -> None:
    room = house.friends()
    game = room.game.start.id
    first = house.rooms.move(ANN, game, 0, "a2-b2", "x")
    again = house.rooms.move(ANN, game, 0, "a2-b2", "x")
    assert (first["ply"], again["ply"], again["repeated"]) == (1, 1, True)
    assert room.game.ply == 1
    # A late repetition is not a new move after the takeback, nor in the next process.
    house.rooms.takeback(ANN, game, "propose")
    house.rooms.takeback(BOB, game, "accept")
    assert house.rooms.move(ANN, game, 0, "a2-b2", "x")["repeated"]
    house.open()
    assert house.rooms.move(ANN, game, 0, "a2-b2", "x")["repeated"]
    assert house.rooms.game(game).ply == 0  # type: ignore[union-attr]


def test_another_process_may_come_first(house: House, tmp_path: Path) -> None:
    """Both hold the same game; the loser folds the log again and says so."""
    room = house.friends()
    other = Rooms(house.store, house.engines, FakeAudience(), house.world)
    game = room.game.start.id
    other.move(ANN, game, 0, "a2-b2", "there")
    assert refused(house.rooms.move, ANN, game, 0, "a3-b3", "here") == "stale"
    assert room.game.record.notation() == ["a2-b2"]
    # An unrelated event in between does not make a move stale.
    other.draw(BOB, game, "offer")
    house.rooms.move(BOB, game, 1, "c1-c2", "reply")
    assert room.game.record.notation() == ["a2-b2", "c1-c2"]


def test_the_flag_falls_with_nobody_there(house: House) -> None:
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    house.rooms.leave(ANN, room.id, "socket a")
    house.rooms.leave(BOB, room.id, "socket b")
    house.world.time += 59
    house.rooms._flag(room)
    assert not room.game.outcome
    house.world.time += 1
    house.rooms._flag(room)
    assert room.game.outcome
    assert room.game.outcome.reason == "Player 1 ran out of time"
    assert house.store.unfinished_rooms() == []


def test_a_move_after_the_flag_is_too_late(house: House) -> None:
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    house.world.time += 60.5
    assert refused(house.play, room, "a3-b3") == "over"
    assert room.game.outcome
    assert room.game.outcome.winner == 1


def test_nobody_loses_time_while_the_server_is_away(house: House) -> None:
    room = house.friends(clock={"minutes": 1})
    house.play(room, "a2-b2", "c1-c2")
    house.world.time += 10
    house.rooms.beat()
    house.world.time += 5000
    house.open()
    game = house.rooms.game(room.game.start.id)
    assert game is not None
    assert game.time_left(house.world.now()) == (50, 60)
    house.world.time += 3
    house.rooms.beat()
    house.open()
    game = house.rooms.game(room.game.start.id)
    assert game is not None
    assert game.time_left(house.world.now()) == (47, 60)


def test_an_absent_opponent_can_be_claimed_against_after_a_while(house: House) -> None:
    room = house.friends(clock={"minutes": 10})
    game = room.game.start.id
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
    assert room.presence(house.world.now())["claim_in"] == [None, 0.0]
    house.rooms.claim(ANN, game, "win")
    assert room.game.record.result == "1-0"


def test_what_can_not_be_claimed(house: House) -> None:
    room = house.friends()
    house.rooms.leave(BOB, room.id, "socket b")
    house.world.time += 10_000
    assert refused(house.rooms.claim, ANN, room.game.start.id, "win") == "too_early"  # no move yet
    slow = house.friends(clock={"days": 1})
    house.play(slow, "a2-b2", "c1-c2", "a3-b3")
    house.rooms.leave(BOB, slow.id, "socket b")
    house.world.time += 50_000
    assert refused(house.rooms.claim, ANN, slow.game.start.id, "win") == "too_early"
    # Who was gone long before the game began is not at once claimed against.
    late = house.rooms.create(ANN, "slider", side=1)
    house.rooms.enter(ANN, late.id, "socket a")
    house.rooms.leave(ANN, late.id, "socket a")
    house.world.time += 10_000
    house.rooms.join(BOB, late.id)
    assert refused(house.rooms.claim, BOB, late.game.start.id, "win") == "too_early"


def test_a_second_tab_keeps_a_player_present(house: House) -> None:
    room = house.friends()
    house.rooms.enter(BOB, room.id, "second tab")
    house.rooms.leave(BOB, room.id, "socket b")
    assert room.is_present(1)
    house.rooms.leave(BOB, room.id, "second tab")
    assert not room.is_present(1)


def test_rematches_swap_sides_and_count_points(house: House) -> None:
    room = house.friends()
    first = room.game.start.id
    assert refused(house.rooms.rematch, ANN, first) == "not_over"
    house.rooms.resign(ANN, first)
    assert room.score() == [0, 1]
    assert refused(house.rooms.rematch, EVE, first) == "not_yours"
    assert house.rooms.rematch(ANN, first) == {"offered": True}
    assert house.rooms.rematch(ANN, first) == {"offered": True}
    second = house.rooms.rematch(BOB, first)["game"]
    assert room.game.start.id == second != first
    assert [seat.name for seat in room.game.seats] == ["Bob", "Ann"]
    assert room.score() == [1, 0]
    assert refused(house.rooms.resign, ANN, first) == "over"
    house.rooms.draw(ANN, second, "offer")
    house.rooms.draw(BOB, second, "accept")
    assert room.score() == [1.5, 0.5]
    assert house.open().snapshot(house.rooms._load(room.id))["score"] == [1.5, 0.5]


def test_an_aborted_game_counts_for_nobody(house: House) -> None:
    room = house.friends()
    house.rooms.abort(BOB, room.game.start.id)
    assert room.score() == [0, 0]
    assert room.game.result == "aborted"
    assert house.store.unfinished_rooms() == []


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
    assert room.game.ply == 0
    house.world.run()
    assert room.game.ply == 1
    assert house.engines.requests[0].level == 3
    moved = next(payload for _, event, payload in house.audience.told if event == "moved")
    assert moved["ply"] == 1
    position = room.game.record.position
    house.play(room, position.notate(first_move(position)))
    house.world.run()
    assert room.game.ply == 3


def test_two_computers_play_to_the_end_while_anybody_may_watch(house: House) -> None:
    levels: dict[str, Any] = {"level": 1, "second_level": 2}
    room = house.rooms.create(ANN, "knights", opponent="computers", side=1, **levels)
    assert house.rooms.enter(ANN, room.id, "socket a")["you"] == []
    while house.world.tasks:
        house.world.run()
    assert room.game.outcome
    assert {request.level for request in house.engines.requests} == {1, 2}


def test_a_broken_engine_does_not_stop_the_game(house: House) -> None:
    house.engines.is_broken = True
    room = house.rooms.create(ANN, "isola", opponent="computer", level=8, side=2)
    house.world.run()
    assert room.game.ply == 1
    assert len(house.engines.requests) == computer.MAX_FAILURES


def test_a_takeback_while_the_computer_thinks(house: House) -> None:
    room = house.rooms.create(ANN, "slider", opponent="computer", level=1, side=1)
    game = room.game.start.id
    house.rooms.move(ANN, game, 0, "a2-b2", "1")
    house.rooms.takeback(ANN, game, "propose")
    assert room.game.ply == 0
    house.rooms.move(ANN, game, 0, "a3-b3", "2")
    house.world.run()  # both thoughts come to their end: only the one about this position counts
    assert room.game.record.notation()[0] == "a3-b3"
    assert room.game.ply == 2


def test_a_computer_whose_turn_it_was_thinks_again_after_a_restart(house: House) -> None:
    room = house.rooms.create(ANN, "classic", opponent="computer", level=2, side=2)
    house.world.tasks.clear()
    house.open()
    house.world.run()
    game = house.rooms.game(room.game.start.id)
    assert game is not None
    assert game.ply == 1


def test_a_computer_is_not_flagged_while_no_engine_is_free(house: House) -> None:
    clock = {"minutes": 0.25}
    room = house.rooms.create(ANN, "slider", opponent="computer", level=8, side=1, clock=clock)
    game = room.game.start.id
    house.rooms.move(ANN, game, 0, "a2-b2", "1")
    house.world.run()
    house.rooms.move(ANN, game, 2, "a3-b3", "2")
    house.world.time += 100  # the queue is long
    house.rooms._flag(room)
    assert not room.game.outcome
    house.world.run()
    assert room.game.ply == 4
    assert room.game.left[1] > 13


def test_a_computer_in_haste_never_runs_out_of_time(house: House) -> None:
    clock = {"minutes": 0.25}
    room = house.rooms.create(
        ANN, "isola", opponent="computers", level=8, second_level=8, side=1, clock=clock
    )
    house.rooms.enter(ANN, room.id, "socket")
    house.world.run()
    assert room.game.outcome
    assert room.game.outcome.reason == "no move left"
    assert min(room.game.left) > 0


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
    assert room.game.ply == 1


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
    assert house.rooms.move(ANN, room.game.start.id, 0, "a2-b2", "1")["ply"] == 1
    assert "moved" in house.audience.events()


def test_two_computers_wait_for_somebody_to_watch(house: House) -> None:
    room = house.rooms.create(ANN, "linear", opponent="computers", level=1, second_level=1)
    assert house.world.tasks == []
    house.rooms.enter(EVE, room.id, "socket")
    assert len(house.world.tasks) == 1


def test_takebacks_do_not_pile_up_searches(house: House) -> None:
    room = house.rooms.create(ANN, "slider", opponent="computer", level=1, side=1)
    for number in range(5):
        house.rooms.move(ANN, room.game.start.id, 0, "a2-b2", str(number))
        house.rooms.takeback(ANN, room.game.start.id, "propose")
    assert len(house.world.tasks) == 1


def test_rooms_that_nobody_uses_are_forgotten(house: House) -> None:
    """And are there again when somebody asks for them."""
    room = house.friends()
    house.play(room, "a2-b2")
    timed = house.friends(clock={"minutes": 5})
    house.play(timed, "a2-b2", "c1-c2")
    for one in (room, timed):
        for visitor, socket in ((ANN, "socket a"), (BOB, "socket b"), (EVE, "none")):
            house.rooms.leave(visitor, one.id, socket)
    house.rooms._sweep(house.world.now() + 60)
    assert set(house.rooms._rooms) == {room.id, timed.id}
    house.rooms._sweep(house.world.now() + 600)
    assert set(house.rooms._rooms) == {timed.id}  # its clock runs
    assert house.rooms.enter(ANN, room.id, "socket a")["moves"] == "a2-b2"
    assert EVE.identity not in room.gone_since


def test_a_game_that_can_not_be_read_does_not_stop_the_others(house: House) -> None:
    bad, good = house.friends(), house.friends(clock={"minutes": 5})
    house.play(good, "a2-b2", "c1-c2")
    with house.store._engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE events SET data = '{}' WHERE game = ?", (bad.game.start.id,)
        )
    house.open()
    assert house.rooms.game(good.game.start.id) is not None
    assert set(house.rooms._rooms) == {good.id}


def test_two_players_at_one_screen(house: House) -> None:
    room = house.rooms.create(ANN, "slider", opponent="local", side=1)
    house.play(room, "a2-b2", "c1-c2")
    assert house.rooms.enter(ANN, room.id, "socket")["you"] == [0, 1]
    game = room.game.start.id
    house.rooms.takeback(ANN, game, "propose")
    assert room.game.record.notation() == ["a2-b2"]
    house.rooms.draw(ANN, game, "offer")
    assert room.game.record.result == "1/2-1/2"
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
    house.rooms.resign(ANN, room.game.start.id)
    assert house.rooms.lobby() == {"open": [], "live": []}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"variant": "chess"}, "there is no game chess"),
        ({"variant": None}, "there is no game"),
        ({"options": {"size": 8}}, "classic has no option size"),
        ({"options": [1]}, "options are named values"),
        ({"variant": "isola", "options": {"size": 8}}, "size"),
        ({"opponent": "nobody"}, "opponent is one of"),
        ({"opponent": "computer"}, "level must be a number from 1 to 8"),
        ({"opponent": "computer", "level": 9}, "level must be a number"),
        ({"opponent": "computers", "level": 1}, "level must be a number"),
        ({"side": 3}, "side is 1, 2 or"),
        ({"side": True}, "side is 1, 2 or"),
        ({"side": 1.0}, "side is 1, 2 or"),
        ({"clock": {"minutes": -3}}, "a clock is nothing"),
    ],
)
def test_rooms_that_can_not_be_made(house: House, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        house.rooms.create(ANN, **{"variant": "classic", **fields})
    assert house.rooms.count() == {"playing": 0, "waiting": 0, "present": 0}


def test_messages_stay_small_on_the_largest_board(house: House) -> None:
    """A whole game on 27 x 27: snapshots under 8 kB, moves under 1 kB."""
    lot, room = Random(4), house.friends("isola", options={"size": 27})
    while not room.game.outcome:
        position = room.game.record.position
        move: Move = ()
        while cells := position.next_cells(move):
            move = (*move, lot.choice(cells))
        house.play(room, position.notate(move))
    moved = [payload for _, event, payload in house.audience.told if event == "moved"]
    assert max(len(json.dumps(payload)) for payload in moved) < 1000
    assert len(json.dumps(house.rooms.enter(ANN, room.id, "socket a"))) < 8000
    assert room.game.ply > 100


def test_no_payload_gives_an_identity_away(house: House) -> None:
    secret = Visitor("a very secret identity", "Ann")
    room = house.rooms.create(secret, "slider", side=1, public=True)
    house.rooms.enter(secret, room.id, "socket")
    house.rooms.join(BOB, room.id)
    house.rooms.move(secret, room.game.start.id, 0, "a2-b2", "1")
    house.rooms.say(secret, room.id, "hello")
    house.rooms.resign(secret, room.game.start.id)
    seen = [*house.audience.told, house.rooms.enter(EVE, room.id, "e"), house.rooms.lobby()]
    assert "secret identity" not in repr(seen)
