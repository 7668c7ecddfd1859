"""Keys, cookies and proxies: who a visitor is, and what a page lets others keep or know."""

from pathlib import Path

import pytest
import requests

from tests.client import Client, new_cookie
from tests.server import Server, failing

SECONDS = 60.0
OLD, NEW = "old key " * 4, "new key " * 4


@pytest.mark.parametrize("key", ["", "short", "x" * 31])
def test_a_key_that_could_be_guessed_is_refused(key: str, tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text(key)
    code, complaint = failing(PORT="0", INSTANCE=str(tmp_path))
    assert code == 1
    assert complaint.startswith("isolation: the key in ")
    assert "Delete the file to get a new key" in complaint
    assert len(complaint.splitlines()) == 1


def test_a_key_can_be_changed_without_losing_anybody(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0", SECRET_KEY=OLD) as server:
        cookie = new_cookie(server.address)
        ann = Client(server.address, cookie=cookie)
        room = ann.do("create", variant="classic", side=1)["room"]
        ann.close()
    with Server(tmp_path, ENGINES="0", SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=OLD) as server:
        assert seat(server, cookie, room) == [0]
        renewed = given(server, cookie)
        assert renewed != cookie
    with Server(tmp_path, ENGINES="0", SECRET_KEY=NEW) as server:
        assert seat(server, renewed, room) == [0]
        assert seat(server, given(server, cookie), room) == []
    assert not (tmp_path / "secret_key").exists()


def given(server: Server, cookie: str) -> str:
    """The cookie that somebody who comes with this one gets."""
    page = requests.get(server.address, cookies={"visitor": cookie}, timeout=SECONDS)
    return str(page.cookies["visitor"])


def seat(server: Server, cookie: str, room: str) -> list[int]:
    client = Client(server.address, cookie=cookie)
    you: list[int] = client.do("enter", room=room)["snapshot"]["you"]
    client.close()
    return you


def test_no_cache_keeps_somebody_elses_cookie(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        first = requests.get(server.address, timeout=SECONDS)
        assert first.headers["Cache-Control"] == "no-store"
        again = requests.get(server.address, cookies=first.cookies, timeout=SECONDS)
        assert again.headers["Cache-Control"] == "private, no-cache"
        assert "Set-Cookie" not in again.headers


@pytest.mark.parametrize(("proxies", "is_secure"), [("0", False), ("1", True)])
def test_cookies_are_secure_behind_tls(proxies: str, is_secure: bool, tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0", TRUSTED_PROXIES=proxies) as server:
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.5"}
        page = requests.get(server.address, headers=headers, timeout=SECONDS)
        assert ("Secure" in page.headers["Set-Cookie"]) == is_secure


def test_a_replay_does_not_give_away_a_private_room(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        ann = Client(server.address, "Ann")
        private = ann.do("create", variant="classic", opponent="local")
        public = ann.do("create", variant="classic", opponent="local", public=True)

        def pages(made: dict[str, str], cookie: str) -> str:
            addresses = (f"/game/{made['game']}", f"/api/games/{made['game']}")
            found = [
                requests.get(server.address + one, cookies={"visitor": cookie}, timeout=SECONDS)
                for one in addresses
            ]
            return "".join(page.text for page in found)

        stranger = new_cookie(server.address)
        assert private["room"] not in pages(private, stranger)
        assert private["room"] in pages(private, ann.cookie)
        assert public["room"] in pages(public, stranger)
        ann.close()
