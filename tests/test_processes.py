"""Two processes on one store that hear nothing of each other: the log settles everything."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from isolation.rooms import journal
from isolation.rooms.alone import LocalDirectory
from isolation.rooms.room import Room
from isolation.rooms.service import Rooms
from isolation.rooms.timing import Outage
from isolation.rules import Outcome, Reason
from isolation.store import SqlStore
from isolation.web import streams
from isolation.web.streams import Streams
from tests.house import ANN, BOB, EVE, House, first_move, refused


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Always two that are deaf: what one process that's alone does is tested elsewhere."""
    built = House(tmp_path / "games.db", processes=2, is_deaf=True)
    yield built
    built.close()


def both(house: House, **more: Any) -> tuple[Rooms, Rooms, Room]:
    """A game that both processes hold in memory."""
    here, there = house.all
    room = here.create(ANN, "slider", side=1, **more)
    here.join(BOB, room.id)
    there.enter(BOB, room.id, "socket b")
    here.enter(ANN, room.id, "socket a")
    return here, there, room


def test_the_loser_of_a_race_reads_the_log(house: House) -> None:
    here, there, room = both(house)
    game = room.game.id
    there.move(ANN, game, 0, "a2-b2", "there")
    assert refused(here.move, ANN, game, 0, "a3-b3", "here") == "stale"
    assert here.latest(room.id).record.notation() == ["a2-b2"]
    # An unrelated event in between doesn't make a move stale.
    there.draw(BOB, game, "offer")
    here.move(BOB, game, 1, "c1-c2", "reply")
    assert here.latest(room.id).record.notation() == ["a2-b2", "c1-c2"]
    # People here are told what was missed there.
    assert house.audience.events().count("moved") == 2


def test_what_was_missed_is_told_in_order(house: House) -> None:
    here, there, room = both(house)
    game = room.game.id
    there.move(ANN, game, 0, "a2-b2", "1")
    there.draw(BOB, game, "offer")
    there.move(BOB, game, 1, "c1-c2", "2")
    house.world.time += 2
    house.audience.told.clear()
    here.enter(EVE, room.id, "socket e")
    told = [(event, payload["v"]) for _, event, payload in house.audience.told if event]
    assert told == [("moved", 3), ("state", 4), ("moved", 5)]
    (state,) = house.audience.payloads("state")
    assert (state["since"], state["ply"], state["draw_offer"]) == (3, 1, 1)


def test_a_refusal_is_made_by_the_newest_log(house: House) -> None:
    """What one process would refuse, the other has just made possible."""
    here, there, room = both(house)
    game = room.game.id
    there.move(ANN, game, 0, "a2-b2", "1")
    assert here.move(BOB, game, 1, "c1-c2", "2")["ply"] == 2
    there.draw(ANN, game, "offer")
    here.draw(BOB, game, "accept")
    assert there.rematch(ANN, game)["offered"]
    assert here.rematch(BOB, game)["game"]


def test_a_repeated_move_is_made_once_by_both(house: House) -> None:
    here, there, room = both(house)
    there.move(ANN, room.game.id, 0, "a2-b2", "x")
    assert here.move(ANN, room.game.id, 0, "a2-b2", "x")["repeated"]


def test_nobody_is_flagged_by_a_process_that_is_behind(house: House) -> None:
    here, there, room = both(house, clock={"minutes": 1})
    here.move(ANN, room.game.id, 0, "a2-b2", "1")
    here.move(BOB, room.game.id, 1, "c1-c2", "2")
    house.world.time += 2
    there.sync(BOB, room.id, room.game.id, 0)  # knows that Ann's clock runs
    house.world.time += 50
    here.move(ANN, room.game.id, 2, "a3-b3", "3")
    house.world.time += 20  # by what the other knows, Ann's time is up
    there.deadlines.tick()
    there.deadlines.sweep()
    assert not there.latest(room.id).outcome
    assert there.latest(room.id).ply == 3
    house.world.time += 40
    there.deadlines.tick()
    assert there.latest(room.id).outcome == Outcome(0, Reason.TIME, 1)
    assert here.sync(ANN, room.id, room.game.id, 5)["v"] == 6


def test_a_rematch_begun_on_both_is_one_game(house: House) -> None:
    here, there, room = both(house)
    here.resign(ANN, room.game.id)
    here.rematch(ANN, room.game.id)
    there.sync(BOB, room.id, room.game.id, 0)
    first = there.rematch(BOB, room.game.id)["game"]
    assert refused(here.rematch, BOB, room.game.id) == "over"
    assert here.latest(room.id).id == there.latest(room.id).id == first
    assert "snapshot" in house.audience.events()


def test_a_seat_is_taken_once(house: House) -> None:
    here, there = house.all
    room = here.create(ANN, "classic", side=1)
    there.enter(EVE, room.id, "socket e")
    assert here.join(BOB, room.id) == 1
    assert refused(there.join, EVE, room.id) == "taken"


def test_a_visitor_who_enters_gets_the_newest(house: House) -> None:
    here, there, room = both(house)
    there.move(ANN, room.game.id, 0, "a2-b2", "1")
    house.world.time += 2
    assert here.enter(EVE, room.id, "socket e")["moves"] == "a2-b2"


def test_what_a_player_says_is_heard_by_players(house: House) -> None:
    """Who has sat down over there isn't in the stands here."""
    here, there = house.all
    room = here.create(ANN, "slider", side=1)
    there.join(BOB, room.id)
    here.say(BOB, room.id, "hello")
    (line,) = house.store.load_chat(room.id, True, 10)
    assert (line.name, line.player) == ("Bob", 1)
    assert house.store.load_chat(room.id, False, 10) == []


def test_a_game_that_is_polled_goes_on(house: House) -> None:
    here, there, room = both(house)
    game = room.game.id
    assert here.game(game).ply == 0
    there.move(ANN, game, 0, "a2-b2", "1")
    house.world.time += 2
    assert here.game(game).ply == 1
    there.resign(BOB, game)
    there.rematch(ANN, game)
    following = there.rematch(BOB, game)["game"]
    assert here.game(following).id == following  # at once: there's nothing older to show
    house.world.time += 2
    assert here.game(game).outcome
    there.move(BOB, following, 0, "a2-b2", "2")
    house.world.time += 2
    assert here.game(following).ply == 1


def test_an_answer_that_stores_nothing_is_by_the_newest_log(house: House) -> None:
    """Ann's offer is known here; that Bob has accepted it over there isn't."""
    here, there, room = both(house)
    here.resign(ANN, room.game.id)
    assert here.rematch(ANN, room.game.id)["offered"]
    following = there.rematch(BOB, room.game.id)["game"]
    assert refused(here.rematch, ANN, room.game.id) == "over"
    assert here.latest(room.id).id == following


def test_a_client_that_missed_something_gets_just_that(house: House) -> None:
    here, _, room = both(house)
    game = room.game.id
    v = here.latest(room.id).v
    assert here.sync(ANN, room.id, game, v)["missed"] == []
    here.move(ANN, game, 0, "a2-b2", "1")
    here.move(BOB, game, 1, "c1-c2", "2")
    here.draw(ANN, game, "offer")
    answer = here.sync(ANN, room.id, game, v)
    assert [one["event"] for one in answer["missed"]] == ["moved", "moved", "state"]
    assert [one["payload"]["v"] for one in answer["missed"]] == [v + 1, v + 2, v + 3]
    assert answer["v"] == v + 3
    told = [one for one in house.audience.told if one[1] in ("moved", "state")]
    assert [payload for _, _, payload in told] == [one["payload"] for one in answer["missed"]]


def shuffle(rooms: Rooms, room: Room, plies: int) -> None:
    """Play so many moves of a slider game in which nobody gets anywhere."""
    game = rooms.latest(room.id)
    for ply in range(game.ply, game.ply + plies):
        position = rooms.latest(room.id).record.position
        text = position.notate(first_move(position))
        rooms.move((ANN, BOB)[ply % 2], game.id, ply, text, str(ply))


def test_a_client_that_missed_much_gets_it_from_the_log(house: House) -> None:
    here, _, room = both(house, options={"size": 8})
    game = room.game.id
    house.audience.told.clear()
    shuffle(here, room, 30)
    told = [{"event": event, "payload": payload} for _, event, payload in house.audience.told]
    told = [one for one in told if one["event"] == "moved"]
    assert len(told) == 30
    assert here.sync(ANN, room.id, game, 2)["missed"] == told
    assert here.sync(ANN, room.id, game, 20)["missed"] == told[18:]
    # The same from a process that has only just read the game.
    house.open()
    assert house.rooms.sync(ANN, room.id, game, 2)["missed"] == told
    assert house.rooms.sync(ANN, room.id, game, 31)["missed"] == told[29:]


def test_a_client_that_missed_too_much_gets_all_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "STEPS_READ", 25)
    here, _, room = both(house, options={"size": 8})
    game = room.game.id
    shuffle(here, room, 26)
    assert here.sync(ANN, room.id, game, 2)["snapshot"]["you"] == [0]
    assert len(here.sync(ANN, room.id, game, 3)["missed"]) == 25
    monkeypatch.setattr(journal, "LOG_READ", 27)  # of a game that's long, too
    assert here.sync(ANN, room.id, game, 3)["snapshot"]["you"] == [0]
    assert here.sync(ANN, room.id, game, 99)["snapshot"]["you"] == [0]  # what nobody can know
    assert here.sync(ANN, room.id, game, 0)["snapshot"]["you"] == [0]  # a seat was taken since
    assert here.sync(EVE, room.id, "another game", 2)["snapshot"]["you"] == []


@pytest.fixture
def bots(house: House, monkeypatch: pytest.MonkeyPatch) -> Streams:
    """The streams of one of the processes, which look again whenever they have nothing to tell."""
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 0.0)
    bots = Streams(house.all[0], LocalDirectory(), house.world.now, lambda: None)
    monkeypatch.setattr(house.audiences[0], "tell", bots.tell)
    return bots


def heard(lines: Iterator[str]) -> dict[str, Any]:
    """The next line that says something; a few may only say that the stream is alive."""
    told: dict[str, Any] = next(json.loads(line) for line in islice(lines, 5) if line.strip())
    return told


def test_a_bot_is_told_of_its_game_all_the_same(house: House, bots: Streams) -> None:
    _, there, room = both(house)
    lines = bots.game(BOB, "", room.game, lambda: True)
    assert heard(lines)["type"] == "gameFull"
    there.move(ANN, room.game.id, 0, "a2-b2", "1")
    house.world.time += 2
    assert heard(lines)["moves"] == "a2-b2"
    there.resign(ANN, room.game.id)
    house.world.time += 2
    assert heard(lines)["status"] == "finished"
    assert list(lines) == []


def test_a_bot_is_told_of_new_games_all_the_same(house: House, bots: Streams) -> None:
    _, there, room = both(house)
    lines = bots.events(BOB, "", ("slider",), lambda: True)
    assert heard(lines)["type"] == "gameStart"
    there.resign(ANN, room.game.id)
    house.world.time += 2
    assert heard(lines)["type"] == "gameFinish"
    other = there.create(EVE, "slider", side=1)
    there.join(BOB, other.id)
    assert heard(lines)["type"] == "gameStart"


def noted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """The calls of a method of the store, from now on."""
    calls: list[object] = []
    method = getattr(SqlStore, name)

    def note(*given: Any) -> Any:
        calls.append(given)
        return method(*given)

    monkeypatch.setattr(SqlStore, name, note)
    return calls


def test_a_bot_that_waits_costs_one_look_at_its_games(
    house: House, bots: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many they are, and on however many streams: a log is read only if it has changed."""
    _, there, _ = both(house)
    rooms = [there.create(BOB, "slider", side=1) for _ in range(5)]
    streams_open = [bots.events(BOB, "", ("slider",), lambda: True) for _ in range(3)]
    for lines in streams_open:
        assert heard(lines)["type"] == "gameStart"
        assert next(lines) == "\n"
        assert next(lines) == "\n"
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 3600.0)
    calls = [noted(monkeypatch, name) for name in ("games_of", "load_log")]
    for listener in bots._events[BOB.identity] * 3:
        assert list(bots._untold(listener, bots._look(BOB.identity, 1800.0))) == []
    assert [len(noted_calls) for noted_calls in calls] == [0, 0]
    assert list(bots._untold(listener, bots._look(BOB.identity))) == []
    assert [len(noted_calls) for noted_calls in calls] == [1, 0]
    there.join(ANN, rooms[2].id)
    house.world.time += 2
    calls[1].clear()
    assert list(bots._untold(listener, bots._look(BOB.identity))) == []  # it's told as news
    assert listener.queue.get_nowait()[1]["game"]["room"] == rooms[2].id
    assert len(calls[1]) <= 2


def test_outages_stored_in_any_order_are_given_back_once(house: House) -> None:
    """Each process stores its own; the shorter may come last."""
    here, _, room = both(house, clock={"minutes": 10})
    game, now = room.game.id, house.world.now()
    here.move(ANN, game, 0, "a2-b2", "1")
    here.move(BOB, game, 1, "c1-c2", "2")
    house.store.beat("gone", now, now)
    for ended in (5.0, 4.0, 5.0):
        house.store.add_outage(Outage(now + 1, now + ended))
    house.world.time += 5
    house.store.beat("gone", now + 5, now)
    house.open()
    house.world.time += 2
    snapshot = house.rooms.enter(ANN, room.id, "socket a")
    assert snapshot["left"] == [597.0, 600.0]
    assert house.rooms.move(ANN, game, 2, "b2-b3", "3")["ply"] == 3


def test_nobody_gains_time_from_a_machine_that_is_behind(house: House) -> None:
    here, there, room = both(house, clock={"minutes": 10})
    game = room.game.id
    here.move(ANN, game, 0, "a2-b2", "1")
    here.move(BOB, game, 1, "c1-c2", "2")
    house.world.time -= 5
    there.move(ANN, game, 2, "b2-b3", "3")
    assert there.latest(room.id).left == (600.0, 600.0)


def test_a_call_that_hung_is_a_reason_to_hear_of_outages(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anybody's flag falls: others noticed that nothing could be stored."""
    here, _, room = both(house, clock={"minutes": 0.25})
    game, now = room.game.id, house.world.now()
    here.move(ANN, game, 0, "a2-b2", "1")
    here.move(BOB, game, 1, "c1-c2", "2")
    load_log = SqlStore.load_log

    def hang(*asked: Any) -> Any:
        house.world.time += 20
        house.store.add_outage(Outage(now + 2, now + 22))
        return load_log(*asked)

    with monkeypatch.context() as patched:
        patched.setattr(SqlStore, "load_log", hang)
        house.world.time += 2
        assert here.enter(ANN, room.id, "socket a")["left"] == [13.0, 15.0]
    assert here.latest(room.id).outcome is None


def test_time_never_goes_back_in_a_log(house: House) -> None:
    """Not even where a process hears of an outage that ends, by the clock of another, just now."""
    here, there, room = both(house, clock={"minutes": 5})
    game = room.game.id
    for ply, (player, move) in enumerate([(ANN, "a2-b2"), (BOB, "c1-c2"), (ANN, "b2-b3")]):
        here.move(player, game, ply, move, f"move {ply}")
    now = house.world.now()
    house.world.time -= 0.05
    there.draw(BOB, game, "offer")
    there.journal.outages.ended.append(Outage(now + 1, now + 2))
    house.world.time += 2
    there.draw(ANN, game, "decline")
    times = [event.at for event in house.store.load_log(game)]
    assert times == sorted(times)
    assert times[-1] == now + 2


def test_nobody_is_flagged_for_time_in_which_the_server_was_stopped(house: House) -> None:
    """With its machine, say. Whatever happens first afterwards knows it."""
    here, _, room = both(house, clock={"minutes": 0.25})
    game = room.game.id
    here.move(ANN, game, 0, "a2-b2", "1")
    here.move(BOB, game, 1, "c1-c2", "2")
    house.live(3)
    house.world.time += 60
    here.deadlines.tick()
    assert here.enter(ANN, room.id, "socket a")["left"] == [12.0, 15.0]
    assert here.move(ANN, game, 2, "b2-b3", "3")["ply"] == 3
    assert here.latest(room.id).left == (12.0, 15.0)
    house.live(1)
    assert len(here.journal.outages.ended) == 1


def test_an_outage_and_a_stop_in_one_are_given_back_once(house: House) -> None:
    here, _, room = both(house, clock={"minutes": 10})
    game = room.game.id
    here.move(ANN, game, 0, "a2-b2", "1")
    here.move(BOB, game, 1, "c1-c2", "2")
    house.live(1)
    house.world.time += 0.5
    here.journal.outages.failed(house.world.now())
    house.world.time += 10
    here.journal.recover()
    house.live(2)
    house.world.run()
    assert here.enter(ANN, room.id, "socket a")["left"] == [596.5, 600.0]


def test_an_outage_within_another_takes_nothing_from_it(house: House) -> None:
    here, _, room = both(house, clock={"minutes": 10})
    game, now = room.game.id, house.world.now()
    here.move(ANN, game, 0, "a2-b2", "1")
    here.move(BOB, game, 1, "c1-c2", "2")
    for began, ended in ((5.0, 8.0), (0.0, 10.0)):
        house.store.add_outage(Outage(now + began, now + ended))
    house.world.time += 10
    house.store.beat("gone", now + 10, now)
    house.open()
    assert house.rooms.enter(ANN, room.id, "socket a")["left"] == [600.0, 600.0]


def test_what_was_said_elsewhere_is_told_once_news_can_be_heard_again(house: House) -> None:
    here, there, room = both(house)

    def heard(process: int) -> list[str]:
        return [told["text"] for told in house.audiences[process].payloads("chat")]

    there.say(BOB, room.id, "first")
    house.world.time += 1
    here.say(ANN, room.id, "second")
    there.say(EVE, room.id, "from the stands")
    assert heard(0) == ["second"]
    for _ in range(2):
        here.catch_up()
        there.catch_up()
    assert sorted(heard(0)) == ["first", "from the stands", "second"]
    assert sorted(heard(1)) == ["first", "from the stands", "second"]
