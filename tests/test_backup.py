"""Backups: one consistent copy of a site that runs, which any database can be filled from."""

import gzip
import json
import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg2
import pytest
from sqlalchemy import Boolean, Float, Integer, Table, insert

from isolation.rooms.fold import fold
from isolation.store import SqlStore, StoreError
from isolation.store.backups import Backup, BackupError
from isolation.store.dumping import dump
from isolation.store.opening import connect
from isolation.store.restoring import restore
from isolation.store.tables import metadata
from isolation.store.versions import current_revision, known_revisions, tables_there, upgrade
from tests.client import Client
from tests.house import House
from tests.postgres import postgres
from tests.server import Server
from tests.terminal import run

Content = dict[str, list[str]]


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with postgres() as address:
        yield address


class Databases:
    """As many empty databases as a test asks for."""

    def __init__(self, folder: Path, cluster: str) -> None:
        self._folder = folder
        self._cluster = cluster
        self._made = 0

    def make(self, kind: str) -> str:
        self._made += 1
        name = f"{self._folder.name}_{self._made}".lower().replace("-", "_")
        if kind == "sqlite":
            return f"sqlite:///{self._folder / name}.db"
        connection = psycopg2.connect(self._cluster)
        connection.autocommit = True
        connection.cursor().execute(f'CREATE DATABASE "{name}"')
        connection.close()
        return self._cluster.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture
def databases(tmp_path: Path, cluster: str) -> Databases:
    return Databases(tmp_path, cluster)


def fill(address: str, rows: int = 3) -> None:
    """Put rows into every table there is; none of them at its default."""
    engine = connect(address)
    with engine.execution_options(is_writing=True).begin() as connection:
        upgrade(connection)
        for table in metadata.sorted_tables:
            values = [{c.name: _value(table, c.name, n) for c in table.c} for n in range(rows)]
            connection.execute(insert(table), values)
    engine.dispose()


def _value(table: Table, column: str, number: int) -> Any:
    found = table.c[column]
    if found.nullable and number == 0:
        return None
    if isinstance(found.type, Boolean):
        return bool(number % 2)
    if isinstance(found.type, Integer):
        return number + 7
    if isinstance(found.type, Float):
        return 1_700_000_000.123456 + number / 3
    if found.foreign_keys or column == "id":
        return f"id {number}"
    return f"{number}♞\n'\"\\{column}"[: getattr(found.type, "length", None)]


def content(address: str, path: Path) -> Content:
    """Everything in a database, whatever its order."""
    dump(address, path)
    backup = Backup(path)
    found: Content = {section.table: [] for section in backup.header.sections}
    for section, row in backup.rows():
        found[section.table].append(json.dumps(dict(zip(section.columns, row, strict=True))))
    return {table: sorted(rows) for table, rows in found.items()}


@pytest.mark.parametrize("source", ["sqlite", "postgresql"])
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_every_row_of_every_table_comes_back(
    databases: Databases, tmp_path: Path, source: str, target: str
) -> None:
    old, new = databases.make(source), databases.make(target)
    fill(old, rows=1203)  # more than are read or inserted at a time
    before = content(old, tmp_path / "before")
    assert set(before) == set(metadata.tables)
    assert all(len(rows) == 1203 for rows in before.values())
    restore(tmp_path / "before", new)
    assert content(new, tmp_path / "after") == before


def test_a_restored_database_numbers_new_rows_from_where_the_old_ones_end(
    databases: Databases, tmp_path: Path
) -> None:
    for kind in ("sqlite", "postgresql"):
        old, new = databases.make("sqlite"), databases.make(kind)
        fill(old)
        dump(old, tmp_path / kind)
        restore(tmp_path / kind, new)
        engine = connect(new)
        with engine.execution_options(is_writing=True).begin() as connection:
            outages = metadata.tables["outages"]
            made = connection.execute(insert(outages), {"began": 1.0, "ended": 2.0})
            assert made.inserted_primary_key
            assert made.inserted_primary_key[0] == 10
        engine.dispose()


def test_a_backup_of_an_older_version_is_brought_up_to_date(
    databases: Databases, tmp_path: Path
) -> None:
    oldest = min(known_revisions())
    old, new = databases.make("sqlite"), databases.make("postgresql")
    engine = connect(old)
    with engine.execution_options(is_writing=True).begin() as connection:
        upgrade(connection, oldest)
        rooms = next(table for table in tables_there(connection) if table.name == "rooms")
        row = {"id": "r", "is_public": True, "kind": "friend", "created": 5.5}
        connection.execute(insert(rooms), {k: v for k, v in row.items() if k in rooms.c})
    engine.dispose()
    assert dump(old, tmp_path / "backup").revision == oldest
    restore(tmp_path / "backup", new)
    engine = connect(new)
    with engine.connect() as connection:
        assert current_revision(connection) == max(known_revisions())
        assert {table.name for table in tables_there(connection)} == set(metadata.tables)
    engine.dispose()


def test_a_backup_is_for_its_owner_and_never_replaces_a_file(
    databases: Databases, tmp_path: Path
) -> None:
    address, path = databases.make("sqlite"), tmp_path / "folder" / "backup"
    fill(address)
    with pytest.raises(BackupError, match="there's no folder"):
        dump(address, path)
    path.parent.mkdir()
    dump(address, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with pytest.raises(BackupError, match="is there already"):
        dump(address, path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["backup"]


def test_a_disk_without_links_will_do(
    databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError

    address = databases.make("sqlite")
    fill(address)
    monkeypatch.setattr(os, "link", fail)
    dump(address, tmp_path / "backup")
    Backup(tmp_path / "backup").check()
    with pytest.raises(BackupError, match="is there already"):
        dump(address, tmp_path / "backup")


def test_what_is_not_there_is_not_backed_up(databases: Databases, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="doesn't exist"):
        dump(f"sqlite:///{tmp_path / 'none.db'}", tmp_path / "backup")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(BackupError, match="no games of Isolation yet"):
        dump(databases.make("postgresql"), tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_with_games_is_replaced_only_if_wanted(
    databases: Databases, tmp_path: Path, kind: str
) -> None:
    old, new = databases.make("sqlite"), databases.make(kind)
    fill(old, rows=2)
    fill(new, rows=4)
    wanted, before = content(old, tmp_path / "backup"), content(new, tmp_path / "before")
    with pytest.raises(BackupError, match=r"isn't empty.*--replace"):
        restore(tmp_path / "backup", new)
    assert content(new, tmp_path / "unchanged") == before
    restore(tmp_path / "backup", new, replaces=True)
    assert content(new, tmp_path / "after") == wanted


def spoiled(whole: bytes) -> Iterator[tuple[str, bytes]]:
    yield "nothing", b""
    yield "another file", b"SQLite format 3\0"
    yield "packed, but another file", gzip.compress(b"1. c7/d4\n")
    yield "packed JSON, but another file", gzip.compress(b'{"kind": "other"}\n')
    for part in (1, 5, 50, 95):
        yield f"the first {part} %", whole[: len(whole) * part // 100]
    for part in (10, 50, 90):
        place = len(whole) * part // 100
        flipped = bytes([whole[place] ^ 0x10])
        yield f"a bit flipped at {part} %", whole[:place] + flipped + whole[place + 1 :]
    lines = gzip.decompress(whole).splitlines(keepends=True)
    yield "a row missing", gzip.compress(b"".join(lines[:-1]))
    yield "a row too many", gzip.compress(b"".join([*lines, lines[-1]]))
    yield "a row too short", gzip.compress(b"".join([*lines[:-1], b"[1]\n"]))
    yield "no table of ours", gzip.compress(b"".join(lines).replace(b'"rooms"', b'"looms"'))
    yield "no column of ours", gzip.compress(b"".join(lines).replace(b'"is_public"', b'"was"'))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_damaged_backup_changes_nothing(databases: Databases, tmp_path: Path, kind: str) -> None:
    old, new = databases.make("sqlite"), databases.make(kind)
    fill(old, rows=50)
    fill(new, rows=2)
    dump(old, tmp_path / "whole")
    before = content(new, tmp_path / "before")
    for number, (what, data) in enumerate(spoiled((tmp_path / "whole").read_bytes())):
        path = tmp_path / "spoiled"
        path.write_bytes(data)
        with pytest.raises(BackupError, match="Nothing was changed"):
            restore(path, new, replaces=True)
        assert content(new, tmp_path / f"after {number}") == before, what


def test_a_backup_of_a_newer_version_is_refused(databases: Databases, tmp_path: Path) -> None:
    old, new = databases.make("sqlite"), databases.make("sqlite")
    fill(old)
    dump(old, tmp_path / "whole")
    head, *rows = gzip.decompress((tmp_path / "whole").read_bytes()).splitlines(keepends=True)
    for change in ({"format": 2}, {"revision": "9999"}):
        changed = json.dumps({**json.loads(head), **change}).encode() + b"\n"
        (tmp_path / "newer").write_bytes(gzip.compress(b"".join([changed, *rows])))
        with pytest.raises(BackupError, match="newer version of Isolation"):
            restore(tmp_path / "newer", new)
    assert not Path(new.removeprefix("sqlite:///")).exists()


def test_a_database_of_a_newer_version_is_left_alone(databases: Databases, tmp_path: Path) -> None:
    old, new = databases.make("sqlite"), databases.make("sqlite")
    fill(old)
    dump(old, tmp_path / "backup")
    fill(new)
    with sqlite3.connect(new.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        restore(tmp_path / "backup", new, replaces=True)
    with pytest.raises(StoreError, match="newer version"):
        dump(new, tmp_path / "other")


def test_no_clock_runs_between_a_backup_and_its_restoration(house: House, tmp_path: Path) -> None:
    """A month on a shelf, and meanwhile the old site has gone on: neither is charged."""
    room = house.friends("linear", clock={"minutes": 5, "increment": 0}, options={"length": 99})
    house.play(room, "1", "5")
    house.live(60)
    before = house.game(room).time_left(house.world.now())
    assert min(before) == 240
    dump(house.address, tmp_path / "backup")
    house.live(30)
    house.world.time += 30 * 86400
    restore(tmp_path / "backup", f"sqlite:///{tmp_path / 'new.db'}")
    house.address = f"sqlite:///{tmp_path / 'new.db'}"
    house.open()
    house.live(10)
    house.play(room, "9")
    assert house.game(room).time_left(house.world.now()) == (before[0] - 10, before[1])


@pytest.mark.parametrize("kinds", [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_site_is_saved_while_it_is_played_on(
    databases: Databases, tmp_path: Path, kinds: tuple[str, str]
) -> None:
    old, new = (databases.make(kind) for kind in kinds)
    folders = [tmp_path / name for name in ("here", "there")]
    for folder in folders:
        folder.mkdir()
    with Server(folders[0], DATABASE_URL=old, ENGINES="0", RATE_LIMITS="off") as server:
        ann = Client(server.address, "Ann")
        made = ann.do("create", variant="linear", opponent="local", options={"length": 99})
        game, acknowledged = made["game"], 0
        acknowledged += bool(ann.move(game, 0, "1").get("ok"))
        has_ended = threading.Event()

        def play() -> None:
            nonlocal acknowledged
            while not has_ended.is_set() and acknowledged < 49:
                answer = ann.move(game, acknowledged, str(1 + 2 * acknowledged))
                acknowledged += bool(answer.get("ok"))
                ann.do("create", variant="classic", opponent="local")

        playing = threading.Thread(target=play)
        playing.start()
        before = acknowledged
        saved = run("backup", str(tmp_path / "backup"), INSTANCE=str(folders[0]), DATABASE_URL=old)
        has_ended.set()
        playing.join()
        assert saved.returncode == 0, saved.stderr
        cookie = ann.cookie
        refused = run("restore", str(tmp_path / "backup"), "--replace", DATABASE_URL=old)
        assert "a server is running on this database. Stop it" in refused.stderr
        assert refused.returncode == 2
        ann.close()
    assert server.errors.read_text() == ""

    back = run("restore", str(tmp_path / "backup"), INSTANCE=str(folders[1]), DATABASE_URL=new)
    assert back.returncode == 0, back.stderr
    assert "Restored" in back.stdout
    assert "another key" not in back.stdout
    key = [(folder / "secret_key").read_text() for folder in folders]
    assert key[0] == key[1]
    with Server(folders[1], DATABASE_URL=new, ENGINES="0", RATE_LIMITS="off") as server:
        ann = Client(server.address, "Ann", cookie=cookie)
        entered = ann.do("enter", room=made["room"])["snapshot"]
        plies = entered["ply"]
        assert before <= plies <= acknowledged
        assert ann.move(game, plies, str(1 + 2 * plies)).get("ok")
        ann.close()
    assert server.errors.read_text() == ""


def test_the_key_of_a_site_that_has_one_is_kept(databases: Databases, tmp_path: Path) -> None:
    old, new = databases.make("sqlite"), databases.make("sqlite")
    fill(old)
    for folder, key in (("here", "k" * 40), ("there", "l" * 40)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "secret_key").write_text(key)
    where = [{"INSTANCE": str(tmp_path / folder)} for folder in ("here", "there")]
    saved = run("backup", str(tmp_path / "backup"), DATABASE_URL=old, **where[0])
    assert "The site's secret key is in it" in saved.stdout
    back = run("restore", str(tmp_path / "backup"), DATABASE_URL=new, **where[1])
    assert "signs cookies with another key" in back.stdout
    assert (tmp_path / "there" / "secret_key").read_text() == "l" * 40
    again = run("backup", str(tmp_path / "backup"), DATABASE_URL=old, **where[0])
    assert again.returncode == 2
    assert again.stderr.count("\n") == 1


def test_a_restored_log_tells_the_same_game(house: House, tmp_path: Path) -> None:
    room = house.friends("linear")
    house.play(room, "1", "3")
    dump(house.address, tmp_path / "backup")
    restore(tmp_path / "backup", f"sqlite:///{tmp_path / 'new.db'}")
    store = SqlStore(f"sqlite:///{tmp_path / 'new.db'}")
    start = store.load_start(room.game.id)
    assert start
    assert fold(start, store.load_log(start.id)) == house.game(room)
    store.close()
