"""The web app as a real process: its address, its first page, and ports that can't be had."""

import os
import signal
import socket
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from urllib.parse import urljoin

import pytest

from isolation.rules import VARIANTS
from isolation.store import SqlStore
from isolation.web.settings import InvalidSetting, read_settings
from isolation.web.showcase import SHOWCASE
from tests.postgres import postgres
from tests.server import ROOT, disk, failing, serving, start

PG, REDIS = "DATABASE_URL=postgresql://...", "REDIS_URL=redis://..."
NOWHERE = "postgresql://nobody@127.0.0.1:1/none"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


def get(url: str) -> tuple[int, str, dict[str, str]]:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), dict(error.headers)


def test_the_first_page_presents_the_games(address: str) -> None:
    status, page, headers = get(address)
    assert status == 200
    for variant in VARIANTS.values():
        assert f"<h2>{variant.title}</h2>" in page
        assert variant.summary.replace("'", "&#39;") in page
    assert page.count('<svg class="board') == 5
    assert headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert headers["X-Content-Type-Options"] == "nosniff"


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for name, value in attrs if name in ("href", "src") and value}


def test_every_link_of_every_page_leads_somewhere_here(address: str) -> None:
    found, waiting = set[str](), ["/"]
    while waiting:
        status, page, _ = get(urljoin(address, waiting.pop()))
        assert status == 200
        if page.startswith("<!doctype html>"):
            links = Links()
            links.feed(page)
            new = {link.partition("#")[0] for link in links.found} - found - {""}
            assert all(link.startswith("/") and not link.startswith("//") for link in new)
            found |= new
            waiting += new
    assert {"/", "/watch", "/about", "/rules", *(f"/rules/{key}" for key in VARIANTS)} < found


def test_a_page_that_is_not_there(address: str) -> None:
    status, page, _ = get(f"{address}/no/such/page")
    assert status == 404
    assert "There&#39;s no page at this address." in page
    assert 'href="/"' in page


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/room/nowhere", "There&#39;s no such room."),
        ("/room/" + "x" * 200, "There&#39;s no such room."),
        ("/game/nowhere", "There&#39;s no such game."),
        ("/rules/chess", "There are classic, knights, isola, slider, linear."),
    ],
)
def test_a_page_that_is_not_there_says_what_is_missing(address: str, path: str, words: str) -> None:
    status, page, _ = get(address + path)
    assert status == 404
    assert words in page


def test_a_method_that_is_not_allowed_says_which_are(address: str) -> None:
    request = urllib.request.Request(address, data=b"", method="POST")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    with refused.value as answer:
        assert answer.code == 405
        assert "GET" in answer.headers["Allow"]
        assert "Read the rules" in answer.read().decode()


def test_listening_everywhere_shows_an_address_to_open() -> None:
    with serving(HOST="0.0.0.0") as address:
        assert address.startswith("http://127.0.0.1:")
        assert get(address)[0] == 200


def test_a_taken_port_gets_a_clear_message() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, complaint = failing(PORT=str(port))
    assert code == 1
    assert complaint == (
        f"isolation: port {port} is in use already. Choose another, like PORT={port + 1}\n"
    )


def test_two_servers_can_not_share_a_port() -> None:
    with serving() as address:
        code, complaint = failing(PORT=address.rsplit(":", 1)[1])
    assert code == 1
    assert "is in use already" in complaint


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"PORT": "http"}, "PORT must be a number from 0 to 65535, not 'http'"),
        ({"PORT": "65536"}, "PORT must be a number from 0 to 65535, not '65536'"),
        ({"PORT": "-1"}, "PORT must be a number from 0 to 65535, not '-1'"),
        ({"PORT": "0", "HOST": "203.0.113.1"}, "can't listen on 203.0.113.1"),
        ({"PORT": "0", "HOST": " "}, "HOST must be a host name or address"),
        ({"PORT": "0", "HOST": "no such host"}, "can't listen on no such host"),
        ({"PORT": "0", "HOST": "a..b"}, "'a..b' is not the name of a host"),
        ({"PORT": "0", "ENGINES": "two"}, "ENGINES must be a number from 0 to 64, or remote, not"),
        ({"PORT": "0", "ENGINES": "remote"}, "ENGINES=remote needs REDIS_URL"),
        ({"PORT": "0", "PROCESSES": "0"}, "PROCESSES must be a number from 1 to 64, not '0'"),
        ({"PORT": "0", "PROCESSES": "2"}, f"PROCESSES=2 needs {PG} and {REDIS}: that's what"),
        (
            {"PORT": "0", "PROCESSES": "2", "DATABASE_URL": "postgresql://x@y/z"},
            f"PROCESSES=2 needs {REDIS}: ",
        ),
        ({"PORT": "0", "PROCESSES": "2", "REDIS_URL": "redis://"}, f"PROCESSES=2 needs {PG}: "),
        ({"PORT": "0", "REDIS_URL": "redis://"}, f"REDIS_URL needs {PG}: "),
        ({"PORT": "0", "REDIS_URL": "localhost"}, "REDIS_URL must be like redis://127.0.0.1"),
        ({"PORT": "0", "SECRET_KEY": "short"}, "SECRET_KEY must have at least 32 characters"),
        ({"PORT": "0", "SECRET_KEY_FALLBACKS": "a,b"}, "SECRET_KEY_FALLBACKS must be keys of"),
        ({"PORT": "0", "SQLITE_SYNC": "off"}, "SQLITE_SYNC must be full or normal, not 'off'"),
        ({"PORT": "0", "TRUSTED_PROXIES": "all"}, "TRUSTED_PROXIES must be a number from 0 to 9"),
        ({"PORT": "0", "RATE_LIMITS": "no"}, "RATE_LIMITS must be on or off, not 'no'"),
        ({"PORT": "0", "DATABASE_URL": "games"}, "the database can't be opened: DATABASE_URL"),
        ({"PORT": "0", "DATABASE_URL": "sqlite:////proc/no/games.db"}, "the database can't be"),
    ],
)
def test_bad_settings_get_one_clear_line(environment: dict[str, str], words: str) -> None:
    code, complaint = failing(**environment)
    assert code == 1
    assert complaint.startswith(f"isolation: {words}")
    assert len(complaint.splitlines()) == 1


def complaint_about(**environment: str) -> str:
    """The one line of an app that can't start."""
    code, complaint = failing(PORT="0", **environment)
    assert code == 1
    assert len(complaint.splitlines()) == 1, complaint
    assert complaint.startswith("isolation: ")
    return complaint.removeprefix("isolation: ").strip()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A real database, as a file."""
    path = tmp_path_factory.mktemp("database") / "isolation.db"
    store = SqlStore(f"sqlite:///{path}")
    store.migrate()
    store.beat("test", 1.0, 1.0)
    store.close()
    return path.read_bytes()


def test_a_file_that_is_no_database_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "isolation.db"
    path.write_bytes(Random(1).randbytes(20_000))
    assert complaint_about(INSTANCE=str(tmp_path)) == (
        f"the database can't be opened: {path} isn't an SQLite database. Move it away to start "
        "with an empty one, or name another file in DATABASE_URL"
    )


def test_half_a_database_stops_the_start(tmp_path: Path, database: bytes) -> None:
    path = tmp_path / "isolation.db"
    path.write_bytes(database[: len(database) // 2])
    assert complaint_about(INSTANCE=str(tmp_path)) == (
        f"the database can't be opened: {path} is damaged. Restore it from a backup, or move it "
        "away to start with an empty one"
    )


def test_a_database_of_a_newer_version_stops_the_start(tmp_path: Path, database: bytes) -> None:
    path = tmp_path / "isolation.db"
    path.write_bytes(database)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert complaint_about(INSTANCE=str(tmp_path)) == (
        "the database can't be opened: it was made by a newer version of Isolation. "
        "Update Isolation, or use another database"
    )


def test_a_database_that_another_program_holds_stops_the_start(
    tmp_path: Path, database: bytes
) -> None:
    path = tmp_path / "isolation.db"
    path.write_bytes(database)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        complaint = complaint_about(INSTANCE=str(tmp_path))
    assert complaint == (
        f"the database can't be opened: another program has locked {path}. "
        "Stop that program and start again"
    )


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert complaint_about(INSTANCE=str(tmp_path), DATABASE_URL=f"sqlite:///{tmp_path}") == (
        f"the database can't be opened: {tmp_path} is a folder. Name a file in DATABASE_URL, like "
        f"{tmp_path}/games.db"
    )


def test_a_file_is_no_folder_for_data(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    assert complaint_about(INSTANCE=str(path)) == (
        f"INSTANCE must be a folder, and {path} is a file. Choose another INSTANCE"
    )
    assert "can't be used: Not a directory" in complaint_about(INSTANCE=f"{path}/deeper")


@pytest.mark.parametrize("size", ["4k", "64k"])  # too small for the key, and for the database
def test_a_full_disk_stops_the_start(tmp_path: Path, size: str) -> None:
    with disk(tmp_path, f"size={size}") as folder:
        (folder / "ballast").write_bytes(bytes(4096 if size == "4k" else 0))
        complaint = complaint_about(INSTANCE=str(folder))
    assert f"the disk with {folder}" in complaint
    assert "is full. Make room" in complaint


def test_a_folder_that_can_not_be_written_stops_the_start(tmp_path: Path) -> None:
    if os.getuid() == 0:  # who may write everywhere, but not on this
        with disk(tmp_path, "ro") as folder:
            complaint = complaint_about(INSTANCE=str(folder))
    else:
        tmp_path.chmod(0o500)
        complaint = complaint_about(INSTANCE=str(tmp_path))
    assert complaint.startswith(f"the folder {tmp_path} can't be used: ")
    assert complaint.endswith(". Make it writable for this user, or choose another INSTANCE")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("u@127.0.0.1:notaport/x", "the port in DATABASE_URL must be a number from 1 to 65535"),
        ("u:secret@127.0.0.1:99999/x", "the port in DATABASE_URL must be a number from 1 to 65535"),
        ("u:secret", "the port in DATABASE_URL must be a number from 1 to 65535"),
        ("u:a@secret@127.0.0.1/x", "write an @ that is part of the password as %40"),
        ("u:secret@127.0.0.1:1/x", "PostgreSQL at 127.0.0.1:1 can't be used: Connection refused"),
        ("127.0.0.1:1/x?password=secret", "PostgreSQL at 127.0.0.1:1 can't be used: Connection"),
        ("u:secret@127.0.0.1/x?secret_option=1", "invalid connection option"),
    ],
)
def test_an_address_without_a_postgresql_stops_the_start(address: str, words: str) -> None:
    complaint = complaint_about(DATABASE_URL=f"postgresql://{address}")
    assert complaint.startswith("the database can't be opened: ")
    assert words in complaint
    assert "secret" not in complaint.replace("secret_option", "")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("redis://u:secret@127.0.0.1:notaport/0", "its port isn't a number"),
        ("redis://u:secret@127.0.0.1:99999/0", "its port isn't a number"),
        ("redis://:secret", "its port isn't a number"),
        ("redis://:se/cret@host:6379/0", "its port isn't a number"),
        ("redis://[::1", "its host isn't a name"),
        ("redis://:6379", "it has no host"),
        ("redis://:secret@/0", "it has no host"),
        ("redis://:secret@host/abc", "its database isn't a number"),
        ("redis://u:1/secret@host:6379/0", "its database isn't a number"),
        ("redis://u:1#secret@host:6379/0", "a # in the password must be written as %23"),
        ("redis://u:1?secret@host:6379/0", "what follows the ? isn't a list of options"),
        ("redis://:secret@127.0.0.1/0?foo=secret", "it has an option that Redis doesn't know"),
        ("redis://:secret@127.0.0.1/0?db=secret", "it has an option that Redis doesn't know"),
    ],
)
def test_an_address_that_is_no_redis_stops_the_start(address: str, words: str) -> None:
    nowhere = "postgresql://u@127.0.0.1:1/x"
    complaint = complaint_about(DATABASE_URL=nowhere, REDIS_URL=address, SECRET_KEY=32 * "k")
    assert complaint.startswith("REDIS_URL must be like redis://127.0.0.1:6379/0: ")
    assert words in complaint
    assert "cret" not in complaint


def test_a_postgresql_that_never_answers_stops_the_start() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        complaint = complaint_about(DATABASE_URL=f"postgresql://u:secret@127.0.0.1:{port}/x")
    assert "it doesn't answer in 5 s. Check the host and port in DATABASE_URL" in complaint


def test_a_login_that_postgresql_refuses_stops_the_start() -> None:
    with postgres(password="right-secret") as address:
        place = address.partition("@")[2].partition("/")[0]
        for wrong in ("isolation:wrong-secret", "nobody:wrong-secret", "isolation"):
            complaint = complaint_about(DATABASE_URL=f"postgresql://{wrong}@{place}/postgres")
            assert f"opened: PostgreSQL at {place} refuses the login: " in complaint
            assert complaint.endswith(". Correct the user or password in DATABASE_URL")
            assert "secret" not in complaint
        complaint = complaint_about(DATABASE_URL=address.replace("/postgres", "/nothing"))
        assert 'database "nothing" does not exist. Create it, or correct DATABASE_URL' in complaint


def test_ctrl_c_stops_the_server_without_complaint() -> None:
    child = start(PORT="0")
    assert child.stdout
    assert "http://127.0.0.1:" in child.stdout.readline()
    child.send_signal(signal.SIGINT)
    out, complaint = child.communicate(timeout=60)
    assert (child.returncode, out, complaint) == (0, "", "")


def test_settings_by_default() -> None:
    default = {
        "HOST": "127.0.0.1",
        "PORT": 5000,
        "INSTANCE": ROOT / "instance",
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "ENGINES": None,
        "SECRET_KEY": "",
        "SECRET_KEY_FALLBACKS": (),
        "SQLITE_SYNC": "full",
        "TRUSTED_PROXIES": 0,
        "PROCESSES": 1,
        "RATE_LIMITS": True,
        "ACCESS_LOG": False,
        "OLD_BOT_TOKENS": True,
    }
    assert read_settings({}) == default
    assert read_settings({"PORT": "", "HOST": "::1"}) == {**default, "HOST": "::1"}
    with pytest.raises(InvalidSetting):
        read_settings({"PORT": "٥"})


def test_every_game_is_shown_in_the_middle_of_play() -> None:
    assert list(SHOWCASE) == list(VARIANTS)
    for position in SHOWCASE.values():
        assert position.outcome() is None
        assert position != type(position).start()
