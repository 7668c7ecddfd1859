"""What a store must do, on SQLite and on a real PostgreSQL."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, column, create_engine, insert, table, text

from isolation.rooms.clock import TimeControl
from isolation.rooms.fold import fold
from isolation.rooms.game import COMPUTER, GameStart, Seat
from isolation.rooms.log import Event
from isolation.rooms.ports import BotToken, ChatLine, Entry, SeqTakenError, StoredRoom
from isolation.rooms.room import RoomRow
from isolation.rooms.timing import Outage
from isolation.rules import GameRecord
from isolation.store import SqlStore, StoreError
from isolation.store.opening import connect
from isolation.store.starts import start_to_row
from isolation.store.tables import events, metadata, rooms
from isolation.store.versions import MIGRATIONS
from tests.postgres import postgres

ROOM = RoomRow("room", is_public=True, kind="friend", created=5.5)
OTHER = RoomRow("other", is_public=False, kind="local", created=6.0, owner="ann")


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'deep' / 'down' / 'games.db'}"
        return
    found: str = request.getfixturevalue("postgres_address")
    yield found
    engine = create_engine(found.replace("postgresql://", "postgresql+psycopg2://"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()


@pytest.fixture
def store(address: str) -> Iterator[SqlStore]:
    opened = SqlStore(address)
    opened.migrate()
    yield opened
    opened.close()


def game(number: int = 1, room: str = "room") -> GameStart:
    clock = TimeControl.from_dict({"minutes": 3, "increment": 2})
    seats = (Seat(), Seat(COMPUTER, 4))
    options = {"size": 6, "blocks": ((1, 1),), "first": "V"}
    return GameStart(
        f"game {room} {number}", room, number, "slider", options, clock, seats, 1, 7.25
    )


SAT = Event(1, "seat", {"seat": 0, "identity": "ann", "name": "Ännchen ♞"}, 8.125)
RESIGNED = Event(2, "resign", {"player": 0}, 9.0)


def entry(*events: Event, start: GameStart | None = None, **more: Any) -> Entry:
    seats = tuple((one.data["seat"], one.data["identity"]) for one in events if one.kind == "seat")
    return Entry((start or game()).id, events, seats=seats, **{"due": 50.0, **more})


def create(store: SqlStore, row: RoomRow = ROOM, *events: Event) -> GameStart:
    start = game(room=row.id)
    store.create_room(row, start, entry(*events, start=start))
    return start


def test_a_game_comes_back_as_it_was(store: SqlStore) -> None:
    create(store, ROOM, SAT)
    moved = Event(2, "move", {"move": "c1-c2", "id": "x", "spent": 1.5}, 1794848279.4248638)
    store.append(entry(moved))
    assert store.load_start(game().id) == game()
    assert store.load_log(game().id) == [SAT, moved]
    assert store.load_log(game().id, after=1) == [moved]
    assert store.load_log(game().id, after=0, most=1) == [SAT]
    assert store.load_log(game().id, after=2) == []
    assert store.load_room("room") == StoredRoom(ROOM, game(), 50.0, (0.0, 0.0), ())
    assert fold(game(), store.load_log(game().id)).v == 2


def test_a_game_that_began_elsewhere_comes_back(store: SqlStore) -> None:
    position = GameRecord.begin("slider").play((6, 7)).position.to_dict()
    start = replace(game(), position=position, score=(1.5, 0.5))
    store.create_room(ROOM, start, entry())
    assert store.load_start(start.id) == start


def test_what_is_not_there_is_none(store: SqlStore) -> None:
    assert store.load_start("nothing") is None
    assert store.load_log("nothing") == []
    assert store.load_room("nothing") is None
    assert store.load_chat("nothing", True, 10) == []
    assert store.last_beat() is None
    assert store.outages(0.0) == []
    store.check()


def test_a_number_of_the_log_is_given_once(store: SqlStore) -> None:
    """Several events are stored all or none."""
    create(store, ROOM, SAT)
    with pytest.raises(SeqTakenError):
        store.append(entry(Event(1, "resign", {"player": 0}, 9.0)))
    both = (RESIGNED, Event(1, "resign", {"player": 0}, 9.0))
    with pytest.raises(SeqTakenError):
        store.append(entry(*both, result="0-1"))
    assert store.load_log(game().id) == [SAT]
    assert store.due_games(100.0, 9) == [("room", game().id)]


def test_one_of_many_racers_wins(store: SqlStore, address: str) -> None:
    """Other stores on the same database race for one number, as other processes would."""
    create(store, ROOM, SAT)
    won: list[int] = []
    ready = threading.Barrier(6)

    def race(number: int) -> None:
        other = SqlStore(address)
        ready.wait()
        for seq in range(2, 22):
            try:
                event = Event(seq, "move", {"move": "a2-b2", "id": str(number)}, 9.0)
                other.append(entry(event))
                won.append(seq)
            except SeqTakenError:
                pass
        other.close()

    racers = [threading.Thread(target=race, args=(number,)) for number in range(6)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join(60)
    assert sorted(won) == list(range(2, 22))
    assert [event.seq for event in store.load_log(game().id)] == list(range(1, 22))


def test_one_game_follows_another(store: SqlStore) -> None:
    """Two processes that begin the next game of a room at once make one."""
    create(store, ROOM, SAT)
    store.append(entry(RESIGNED, result="0-1"))
    second = replace(game(2), score=(0.0, 1.0))
    succeeded = entry(Event(3, "succeeded", {"game": second.id}, 9.0), result="0-1")
    store.succeed(succeeded, second, entry(SAT, start=second))
    other = replace(second, id="another")
    for late in (succeeded, entry(Event(4, "succeeded", {"game": "another"}, 9.0), result="0-1")):
        with pytest.raises(SeqTakenError):
            store.succeed(late, other, entry(SAT, start=other))
    assert store.load_room("room") == StoredRoom(ROOM, second, 50.0, (0.0, 1.0), (game().id,))
    assert [event.seq for event in store.load_log(game().id)] == [1, 2, 3]


def test_a_long_series_is_not_read_whole(store: SqlStore) -> None:
    create(store)
    for number in range(2, 40):
        store.succeed(entry(start=game(number - 1)), game(number), entry(start=game(number)))
    found = store.load_room("room")
    assert found
    assert found.start == game(39)
    assert found.earlier == tuple(game(number).id for number in range(20, 39))


def test_the_score_of_an_older_series_is_counted(store: SqlStore) -> None:
    """Games that were stored without one."""
    create(store)
    results = ["1-0", "0-1", "0-1", "1/2-1/2", "aborted"]
    for number, result in enumerate(results, start=1):
        store.append(entry(start=game(number), result=result))
        last = game(number + 1)
        store.succeed(entry(start=game(number), result=result), last, entry(start=last))
    found = store.load_room("room")
    assert found
    assert found.score == (2.5, 1.5)  # side 1 is Player 1 in all of them


def test_games_are_due_until_they_are_over(store: SqlStore) -> None:
    create(store, ROOM, SAT)
    create(store, OTHER)
    store.append(entry(start=game(room="other"), due=20.0))
    both = [("other", game(room="other").id), ("room", game().id)]
    assert store.due_games(50.0, 9) == both
    assert store.due_games(50.0, 1) == both[:1]
    assert store.due_games(49.0, 9) == both[:1]
    store.append(entry(start=game(room="other"), due=99.0, is_due_new=False))
    assert store.due_games(50.0, 9) == both
    store.set_due(game(room="other").id, 70.0)
    assert store.due_games(69.0, 9) == both[1:]
    store.append(entry(RESIGNED, result="0-1"))
    store.set_due(game().id, 1.0)  # too late
    assert store.due_games(1e9, 9) == both[:1]


def test_the_games_of_somebody(store: SqlStore) -> None:
    create(store, ROOM, SAT)
    create(store, OTHER)
    other = game(room="other")
    assert store.games_of("ann", 9) == {game().id: SAT.seq}
    assert store.games_of("an", 9) == store.games_of("%", 9) == store.games_of('"', 9) == {}
    store.append(entry(SAT, start=other))
    assert store.games_of("ann", 9) == {other.id: SAT.seq, game().id: SAT.seq}
    assert len(store.games_of("ann", 1)) == 1
    store.append(entry(RESIGNED, result="0-1"))
    assert store.games_of("ann", 9) == {other.id: SAT.seq}


def test_outages_are_kept_in_order(store: SqlStore) -> None:
    first, second = Outage(5.5, 6.5), Outage(7.0, 1794848279.5)
    store.add_outage(first)
    store.add_outage(second)
    assert store.outages(0.0) == [first, second]
    assert store.outages(6.5) == [second]


def test_chat_is_kept_in_order(store: SqlStore) -> None:
    create(store)
    inside = [ChatLine(float(i), "<b>Ann</b>", f"line {i} 🙂", i % 2, True) for i in range(9)]
    outside = [ChatLine(float(i), "Eve", f"from afar {i}", None, False) for i in range(9)]
    for pair in zip(inside, outside, strict=True):
        for line in pair:
            store.add_chat("room", line)
    assert store.load_chat("room", True, 100) == inside
    assert store.load_chat("room", False, 100) == outside
    assert store.load_chat("room", True, 3) == inside[-3:]


def test_each_process_has_a_beat(store: SqlStore) -> None:
    is_server = store._engine.dialect.name == "postgresql"
    for process, at, up in (("a", 5.0, 5.0), ("b", 1794848279.5, 7.5), ("a", 7.0, None)):
        clock = store.beat(process, at, up)
        assert (clock is not None) == is_server
    a, b = store.beats()
    assert (a.process, a.at, a.up) == ("a", 7.0, None)
    assert (b.process, b.at, b.up) == ("b", 1794848279.5, 7.5)
    assert store.last_beat() == 1794848279.5
    clock, living = store.living()
    assert living == ([a, b] if is_server else [])
    assert clock is None or clock - max(one.db_at or 0.0 for one in living) >= 0
    store.check()
    store.prune_beats(8.0)
    assert store.beats() == [b]
    store.prune_beats(2e9)
    assert store.last_beat() == 1794848279.5  # whatever becomes of the rows


def test_beats_of_the_version_before_count(store: SqlStore) -> None:
    """During a rolling restart it writes the one row that it knows, and reads it when it starts."""
    with store._engine.begin() as connection:
        connection.execute(text("INSERT INTO heartbeat (id, at) VALUES (1, 50.0)"))
    assert store.last_beat() == 50.0
    for at in (60.0, 40.0):  # a process that's behind takes nothing back
        store.beat("new", at, at)
        with store._engine.connect() as connection:
            assert connection.execute(text("SELECT at FROM heartbeat")).scalar() == 60.0


def test_a_beat_waits_for_nobody(store: SqlStore, address: str) -> None:
    """A process may be suspended in the middle of its own."""
    if address.startswith("sqlite"):
        pytest.skip("a file has one writer")
    store.beat("here", 5.0, 5.0)
    with store._engine.begin() as suspended:
        suspended.execute(text("UPDATE heartbeat SET at = 6.0"))
        store.beat("there", 7.0, 7.0)
        store.check()
    assert store.last_beat() == 7.0


def test_tokens_of_bots_are_found_used_and_revoked(store: SqlStore) -> None:
    tokens = store.tokens
    first = BotToken("a" * 64, "bot-1", "Zoë ♞", None, "ann", 1794848279.4248638)
    second = replace(first, hash="b" * 64, owner=None, label="🙂" * 40, created=first.created + 1)
    brief = replace(first, hash="c" * 64, bot="bot-2", created=first.created + 2, expires=2e9)
    for token in (second, first, brief):
        tokens.add(token)
    tokens.add(replace(first, name="Another"))  # it's there already
    assert tokens.find("a" * 64) == first
    assert tokens.find("d" * 64) is None
    assert tokens.live_of_bot("bot-1", 1.9e9) == [first, second]
    assert tokens.live_of_owner("ann", 1.9e9) == [first, brief]
    assert tokens.live_of_owner("ann", 2e9) == [first]
    tokens.touch(first.hash, 1794848280.25)
    assert tokens.find(first.hash) == replace(first, last_used=1794848280.25)
    tokens.revoke(first.hash, 1794848281.5)
    tokens.revoke("d" * 64, 1.0)
    assert tokens.live_of_bot("bot-1", 1.9e9) == [second]
    revoked = tokens.find(first.hash)
    assert revoked
    assert revoked.revoked == 1794848281.5


def test_the_migrations_make_the_tables(store: SqlStore) -> None:
    with store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        assert compare_metadata(context, metadata) == []


@contextmanager
def at_version(version: str, address: str) -> Iterator[Connection]:
    """A database as an older version of the site left it."""
    engine = connect(address)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        yield connection
    engine.dispose()


def test_a_database_of_an_older_version_opens(address: str) -> None:
    """The first version had no chat and no contests; its games are still there afterwards."""
    with at_version("0001", address) as connection:
        row = {name: value for name, value in asdict(ROOM).items() if name != "owner"}
        connection.execute(insert(rooms), row)
        over = {**start_to_row(game()), "result": "1-0"}
        goes_on = {**start_to_row(game(2)), "result": None}
        for row in (over, goes_on):
            connection.execute(insert(table("games", *map(column, row))), row)
            log = {**asdict(SAT), "game": row["id"], "data": json.dumps(SAT.data)}
            connection.execute(insert(events), log)
    store = SqlStore(address)
    for _ in range(2):  # the second time there is nothing to do
        store.migrate()
    assert store.load_start(game().id) == game()
    assert store.load_log(game().id) == [SAT]
    found = store.load_room("room")
    assert found
    assert (found.row, found.start, found.earlier) == (ROOM, game(2), (game().id,))
    assert found.score == (0.0, 1.0)
    assert store.due_games(1e10, 9) == [("room", game(2).id)]
    assert store.games_of("ann", 9) == {game(2).id: SAT.seq}
    store.add_chat("room", ChatLine(1.0, "Ann", "hello", 0, True))
    assert len(store.load_chat("room", True, 5)) == 1
    assert store.tokens.find("a" * 64) is None
    store.close()


def test_chat_of_an_older_version_stays_where_it_was_said(address: str) -> None:
    with at_version("0003", address) as connection:
        connection.execute(insert(rooms), asdict(ROOM))
        for player, text in ((0, "a player"), (None, "a spectator")):
            line = {"room": "room", "at": 1.0, "name": "Ann", "text": text, "player": player}
            connection.execute(insert(table("chat", *map(column, line))), line)
    store = SqlStore(address)
    store.migrate()
    assert [line.text for line in store.load_chat("room", True, 9)] == ["a player"]
    assert [line.text for line in store.load_chat("room", False, 9)] == ["a spectator"]
    store.close()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("games.db", "must be like sqlite:///"),
        ("mysql://localhost/games", "for sqlite or postgresql"),
        ("", "must be like sqlite:///"),
    ],
)
def test_bad_addresses_are_explained(address: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        SqlStore(address)


def test_a_file_that_is_no_database_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_text("this is not a database, " * 100)
    store = SqlStore(f"sqlite:///{path}")
    with pytest.raises(StoreError, match="isn't an SQLite database"):
        store.migrate()
    store.close()
