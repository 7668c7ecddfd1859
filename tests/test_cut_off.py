"""A process that lost Redis alone, and one that was given another Redis."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client
import requests

from tests.client import Client
from tests.cluster import KEY, Cluster
from tests.postgres import postgres_server
from tests.proxy import Proxy
from tests.redis_server import redis_server
from tests.server import Server, failing
from tests.test_bot_api import Bot
from tests.test_cluster import SECONDS, Listener
from tests.test_redis_outages import is_health
from tests.waiting import wait_until


class Site(Cluster):
    """Two processes, the second of which reaches Redis by a way of its own."""

    proxy: Proxy


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as stack:
        database = stack.enter_context(postgres_server())
        redis = stack.enter_context(redis_server())
        proxy = stack.enter_context(closing(Proxy(redis.address)))
        servers = [
            stack.enter_context(server(tmp_path_factory.mktemp("site"), database.address, address))
            for address in (redis.address, proxy.address)
        ]
        built = Site(servers, database, redis)
        built.proxy = proxy
        yield built


def server(folder: Path, database: str, redis: str) -> Server:
    shared: dict[str, Any] = {"DATABASE_URL": database, "REDIS_URL": redis, "SECRET_KEY": KEY}
    return Server(folder, ENGINES="0", **shared)


def test_nobody_claims_against_somebody_on_a_process_that_lost_redis(site: Site) -> None:
    ann, bob = Client(site[0], "Ann"), Client(site[1], "Bob")
    made = ann.do("create", variant="slider", side=1, clock={"minutes": 3})
    room, game = made["room"], made["game"]
    ann.do("enter", room=room)
    bob.do("join", room=room)
    ann.hear("presence", lambda told: told["players"] == [True, True])
    for ply, (client, move) in enumerate(((ann, "a2-b2"), (bob, "c1-c2"), (ann, "a3-b3"))):
        assert client.move(game, ply, move).get("ok")
    claim = {"game": game, "result": "win"}
    assert ann.ask("claim", claim)["error"]["code"] == "present"

    site.proxy.cut()
    wait_until(lambda: is_health(site[1], 503, "unreachable"))
    ann.told.clear()
    # In Redis, Bob's process is dead. He's at his board all the same, and can move.
    ann.hear("presence", lambda told: told["players"] == [True, False])
    assert ann.ask("claim", claim)["error"]["code"] == "unsure"
    assert bob.ask("claim", claim)["error"]["code"] == "unsure"
    assert bob.move(game, 3, "d1-d2").get("ok")

    site.proxy.mend()
    wait_until(lambda: is_health(site[1], 200, "ok"))
    wait_until(lambda: ann.ask("claim", claim)["error"]["code"] == "present")
    # Once it's really dead, it's no secret that Bob has gone, and nobody's bots stay behind.
    stream = Listener(Bot(site[1], "Tock"), "stream/event")
    wait_until(lambda: bots(site) == (1, 1))
    site.servers[1].kill()
    stream.join()
    wait_until(lambda: bots(site) == (0, 0))
    wait_until(lambda: ann.ask("claim", claim)["error"]["code"] == "too_early")
    site.servers[1].start()
    for client in (ann, bob):
        client.close()


def bots(site: Site) -> tuple[int, int]:
    """Those that the first process shows, and those in Redis."""
    shown = requests.get(f"{site[0]}/api/bots", timeout=SECONDS).json()["bots"]
    with redis_client.Redis.from_url(site.redis.address) as client:
        return len(shown), client.hlen("isolation:bots")


def test_a_process_with_another_redis_does_not_start(site: Site) -> None:
    with redis_server() as other:
        for address in (other.address, site.redis.address.replace("/0", "/1")):
            code, complaint = failing(
                PORT="0",
                DATABASE_URL=site.database.address,
                REDIS_URL=address,
                SECRET_KEY=KEY,
            )
            assert code == 1
            assert complaint == (
                "isolation: other processes use this database, but not the Redis at "
                f"{address[:-2]}. Give all of them the same REDIS_URL\n"
            )


def test_a_redis_that_lost_everything_holds_up_no_start(site: Site) -> None:
    """Not even the start of a process that was killed a moment before."""
    site.servers[1].kill()
    with redis_client.Redis.from_url(site.redis.address) as client:
        client.flushall()
    site.servers[1].start()
    wait_until(lambda: is_health(site[1], 200, "ok"))
