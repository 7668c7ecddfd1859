"""Thirty visitors behind one address, all at once: nobody is turned away."""

import threading
from pathlib import Path

import requests

from tests.client import Client
from tests.server import Server
from tests.test_app import Links

PUPILS = 30
SECONDS = 60.0


def visit(address: str) -> str:
    """Open the first page with all its files, as a browser does; the cookie it gave."""
    with requests.Session() as session:
        page = session.get(address, timeout=SECONDS)
        page.raise_for_status()
        links = Links()
        links.feed(page.text)
        for link in links.found:
            if link.startswith("/static/"):
                session.get(address + link, timeout=SECONDS).raise_for_status()
        return str(session.cookies["visitor"])


def play(address: str) -> None:
    pupil = Client(address, "Pupil", visit(address))
    made = pupil.do("create", variant="linear", opponent="local")
    pupil.do("enter", room=made["room"])
    for ply in range(5):
        assert pupil.move(made["game"], ply, str(2 * ply + 1)).get("ok")
    pupil.close()


def test_a_school_is_not_locked_out(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        done: list[bool] = []

        def pupil() -> None:
            play(server.address)
            done.append(True)

        pupils = [threading.Thread(target=pupil) for _ in range(PUPILS)]
        for thread in pupils:
            thread.start()
        for thread in pupils:
            thread.join()
    assert len(done) == PUPILS
    assert server.errors.read_text() == ""
