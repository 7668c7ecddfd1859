"""The web app as a real process: its address, its first page, and ports that can not be had."""

import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest

from isolation.rules import VARIANTS
from isolation.web.settings import InvalidSetting, read_settings
from isolation.web.showcase import SHOWCASE
from tests.server import ROOT, failing, serving, start


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
    assert "There is no page at this address." in page
    assert 'href="/"' in page


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/room/nowhere", "There is no such room."),
        ("/room/" + "x" * 200, "There is no such room."),
        ("/game/nowhere", "There is no such game."),
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
        ({"PORT": "0", "HOST": "203.0.113.1"}, "can not listen on 203.0.113.1"),
        ({"PORT": "0", "HOST": " "}, "HOST must be a host name or address"),
        ({"PORT": "0", "HOST": "no such host"}, "can not listen on no such host"),
        ({"PORT": "0", "HOST": "a..b"}, "'a..b' is not the name of a host"),
        ({"PORT": "0", "ENGINES": "two"}, "ENGINES must be a number from 0 to 64, not 'two'"),
        ({"PORT": "0", "SECRET_KEY": "short"}, "SECRET_KEY must have at least 32 characters"),
        ({"PORT": "0", "SECRET_KEY_FALLBACKS": "a,b"}, "SECRET_KEY_FALLBACKS must be keys of"),
        ({"PORT": "0", "SQLITE_SYNC": "off"}, "SQLITE_SYNC must be full or normal, not 'off'"),
        ({"PORT": "0", "TRUSTED_PROXIES": "all"}, "TRUSTED_PROXIES must be a number from 0 to 9"),
        ({"PORT": "0", "RATE_LIMITS": "no"}, "RATE_LIMITS must be on or off, not 'no'"),
        ({"PORT": "0", "DATABASE_URL": "games"}, "the database can not be opened: DATABASE_URL"),
        ({"PORT": "0", "DATABASE_URL": "sqlite:////proc/no/games.db"}, "the database can not be"),
    ],
)
def test_bad_settings_get_one_clear_line(environment: dict[str, str], words: str) -> None:
    code, complaint = failing(**environment)
    assert code == 1
    assert complaint.startswith(f"isolation: {words}")
    assert len(complaint.splitlines()) == 1


def test_ctrl_c_stops_the_server_without_complaint() -> None:
    child = start(PORT="0")
    assert child.stdout
    assert "http://127.0.0.1:" in child.stdout.readline()
    child.send_signal(signal.SIGINT)
    out, complaint = child.communicate(timeout=20)
    assert (child.returncode, out, complaint) == (0, "", "")


def test_settings_by_default() -> None:
    default = {
        "HOST": "127.0.0.1",
        "PORT": 5000,
        "INSTANCE": ROOT / "instance",
        "DATABASE_URL": "",
        "ENGINES": None,
        "SECRET_KEY": "",
        "SECRET_KEY_FALLBACKS": (),
        "SQLITE_SYNC": "full",
        "TRUSTED_PROXIES": 0,
        "RATE_LIMITS": True,
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
