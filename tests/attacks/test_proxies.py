"""Addresses: what a proxy says of them, and what anybody could."""

from pathlib import Path

import requests

from isolation.web.limits import RATES
from tests.attacks.attacker import SECONDS, connect, request
from tests.attacks.conftest import Player
from tests.attacks.test_floods import is_cut_off
from tests.server import Server


def tokens(server: Server, address: str, count: int) -> list[int]:
    """The statuses of so many requests for a token, from an address that a header names."""
    with requests.Session() as session:
        return [
            session.post(
                f"{server.address}/api/bot/token",
                json={"name": "Bot"},
                headers={"X-Forwarded-For": address},
                timeout=SECONDS,
            ).status_code
            for _ in range(count)
        ]


def test_an_address_is_made_up(server: Server) -> None:
    """Claim to speak for others where no proxy is trusted."""
    many = int(RATES["create_address"].burst)
    tokens(server, "203.0.113.1", many)
    assert 429 in tokens(server, "203.0.113.2", many)


def test_an_address_is_made_up_before_a_proxy(tmp_path: Path) -> None:
    """Send a header of one's own, to which the proxy adds the truth."""
    many = int(RATES["create_address"].burst)
    with Server(tmp_path, ENGINES="0", TRUSTED_PROXIES="1") as server:
        for at in range(many):
            tokens(server, f"198.51.100.{at % 250}, 203.0.113.1", 1)
        assert 429 in tokens(server, "198.51.100.1, 203.0.113.1", many)
        assert tokens(server, "203.0.113.1, 203.0.113.2", 1) == [200]


def test_a_flood_through_a_proxy(tmp_path: Path) -> None:
    """Flood through the proxy that everybody else comes through."""
    with Server(tmp_path, ENGINES="0", TRUSTED_PROXIES="1") as server:
        player = Player(server)
        data = request("/api/variants", "X-Forwarded-For: 203.0.113.66")
        assert is_cut_off(connect(server.address), data, player)
        others = {"X-Forwarded-For": "203.0.113.7"}
        assert requests.get(server.address, headers=others, timeout=SECONDS).ok
        player.moves()
        player.client.close()
    assert "Traceback" not in server.errors.read_text()
