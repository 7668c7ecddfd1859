"""What a store must do, on SQLite and on a real PostgreSQL."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, column, create_engine, insert, table, text

from isolation.rooms.clock import TimeControl
from isolation.rooms.game import COMPUTER, Event, Game, GameStart, Seat
from isolation.rooms.ports import BotToken, ChatLine, RoomRow, SeqTakenError
from isolation.store import SqlStore, StoreError
from isolation.store.sql import MIGRATIONS, connect
from isolation.store.tables import metadata, rooms
from tests.postgres import postgres

ROOM = RoomRow("room", is_public=True, kind="friend", created=5.5)


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


def test_a_game_comes_back_as_it_was(store: SqlStore) -> None:
    store.create_game(game(), [SAT], ROOM)
    moved = Event(2, "move", {"move": "c1-c2", "id": "x", "spent": 1.5}, 1794848279.4248638)
    store.append(game().id, [moved], None)
    assert store.load_game(game().id) == (game(), [SAT, moved])
    assert store.load_room("room") == (ROOM, [game().id])
    start, log = store.load_game(game().id) or (game(), [])
    assert Game.fold(start, log).v == 2


def test_what_is_not_there_is_none(store: SqlStore) -> None:
    assert store.load_game("nothing") is None
    assert store.load_room("nothing") is None
    assert store.load_chat("nothing", True, 10) == []
    assert store.last_beat() is None
    store.check()


def test_a_number_of_the_log_is_given_once(store: SqlStore) -> None:
    """Several events are stored all or none."""
    store.create_game(game(), [SAT], ROOM)
    with pytest.raises(SeqTakenError):
        store.append(game().id, [Event(1, "resign", {"player": 0}, 9.0)], None)
    both = [Event(2, "resign", {"player": 0}, 9.0), Event(1, "resign", {"player": 0}, 9.0)]
    with pytest.raises(SeqTakenError):
        store.append(game().id, both, "0-1")
    assert store.load_game(game().id) == (game(), [SAT])
    assert store.unfinished_rooms() == ["room"]


def test_one_of_many_racers_wins(store: SqlStore, address: str) -> None:
    """Other stores on the same database race for one number, as other processes would."""
    store.create_game(game(), [SAT], ROOM)
    won: list[int] = []
    ready = threading.Barrier(6)

    def race(number: int) -> None:
        other = SqlStore(address)
        ready.wait()
        for seq in range(2, 22):
            try:
                event = Event(seq, "move", {"move": "a2-b2", "id": str(number)}, 9.0)
                other.append(game().id, [event], None)
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
    _, log = store.load_game(game().id) or (None, [])
    assert [event.seq for event in log] == list(range(1, 22))


def test_the_rooms_of_somebody(store: SqlStore) -> None:
    store.create_game(game(), [SAT], ROOM)
    other = RoomRow("other", is_public=False, kind="local", created=6.0)
    store.create_game(game(room="other"), [], other)
    identity = SAT.data["identity"]
    assert store.rooms_of(identity) == ["room"]
    assert store.rooms_of("some") == store.rooms_of("%") == store.rooms_of('"') == []
    store.append(game().id, [Event(2, "resign", {"player": 0}, 9.0)], "0-1")
    assert store.rooms_of(identity) == []


def test_finished_games_are_told_from_those_that_go_on(store: SqlStore) -> None:
    store.create_game(game(), [SAT], ROOM)
    other = RoomRow("other", is_public=False, kind="local", created=6.0)
    store.create_game(game(room="other"), [], other)
    assert store.unfinished_rooms() == ["room", "other"]
    store.append(game().id, [Event(2, "resign", {"player": 0}, 9.0)], "0-1")
    assert store.unfinished_rooms() == ["other"]
    store.create_game(game(2), [])
    assert sorted(store.unfinished_rooms()) == ["other", "room"]
    assert store.load_room("room") == (ROOM, [game().id, game(2).id])


def test_chat_is_kept_in_order(store: SqlStore) -> None:
    store.create_game(game(), [], ROOM)
    inside = [ChatLine(float(i), "<b>Ann</b>", f"line {i} 🙂", i % 2, True) for i in range(9)]
    outside = [ChatLine(float(i), "Eve", f"from afar {i}", None, False) for i in range(9)]
    for pair in zip(inside, outside, strict=True):
        for line in pair:
            store.add_chat("room", line)
    assert store.load_chat("room", True, 100) == inside
    assert store.load_chat("room", False, 100) == outside
    assert store.load_chat("room", True, 3) == inside[-3:]


def test_the_heartbeat_is_the_last_one(store: SqlStore) -> None:
    for at in (5.0, 1794848279.5, 7.0):
        store.beat(at)
        assert store.last_beat() == at


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
    old = SqlStore(address)
    old.create_game(game(), [SAT])
    old.close()
    store = SqlStore(address)
    for _ in range(2):  # the second time there is nothing to do
        store.migrate()
    assert store.load_game(game().id) == (game(), [SAT])
    assert store.load_room("room") == (ROOM, [game().id])
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
