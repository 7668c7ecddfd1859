"""Redis stopped or suspended under two processes: each serves its players, and all heals."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
import requests

from tests.client import Client
from tests.cluster import Cluster, cluster
from tests.test_bot_api import Bot
from tests.test_cluster import SECONDS, Listener
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), 2, RATE_LIMITS="off") as built:
        yield built


def stop(site: Cluster) -> None:
    site.redis.stop()  # and all that was in it is lost


def start(site: Cluster) -> None:
    site.redis.start()


def suspend(site: Cluster) -> None:
    site.redis.suspend()


def resume(site: Cluster) -> None:
    site.redis.resume()


def is_health(address: str, status: int, redis: str) -> bool:
    answer = requests.get(f"{address}/healthz", timeout=SECONDS)
    return (answer.status_code, answer.json()["redis"]) == (status, redis)


def challenge(site: Cluster, ann: Client, bot: str) -> tuple[int, str | None]:
    """From the first process."""
    room = ann.do("create", variant="slider", side=1)["room"]
    answer = requests.post(
        f"{site[0]}/api/bots/{bot}/challenge",
        json={"room": room},
        cookies={"visitor": ann.cookie},
        timeout=SECONDS,
    )
    return answer.status_code, answer.json().get("error", {}).get("code")


@pytest.mark.parametrize(("end", "mend"), [(stop, start), (suspend, resume)])
def test_each_serves_its_own_and_all_heals(
    end: Callable[[Cluster], None], mend: Callable[[Cluster], None], site: Cluster
) -> None:
    ann, eve = Client(site[0], "Ann"), Client(site[0], "Eve")
    bob = Client(site[1], "Bob")
    made = ann.do("create", variant="slider", side=1, clock={"minutes": 30})
    room, game = made["room"], made["game"]
    for client in (ann, eve):
        client.do("enter", room=room)
    bob.do("join", room=room)
    ann.hear("presence", lambda told: told["players"] == [True, True])
    ann.move(game, 0, "a2-b2")
    bob.hear("moved", lambda told: told["ply"] == 1)

    bot = Bot(site[1], "Tock")
    answer = requests.get(f"{site[1]}/api/bot/account", headers=bot.headers, timeout=SECONDS)
    account = answer.json()
    stream = Listener(bot, "stream/event")
    wait_until(lambda: challenge(site, ann, account["id"]) == (200, None))
    stream.hear(lambda line: line["type"] == "challenge")
    stream.heard.clear()

    end(site)
    for address in (site[0], site[1]):
        wait_until(partial(is_health, address, 503, "unreachable"))
        assert requests.get(f"{address}/readyz", timeout=SECONDS).status_code == 200
    # People on one process go on as if nothing were missing.
    assert bob.move(game, 1, "c1-c2")["ply"] == 2
    bob.hear("moved", lambda told: told["ply"] == 2)
    assert bob.ask("claim", {"game": game, "result": "win"})["error"]["code"] == "unsure"
    # Those on the other hear of it when their page asks, every ten seconds.
    wait_until(lambda: ann.do("sync", room=room, game=game, v=0)["snapshot"]["ply"] == 2)
    ann.hear("moved", lambda told: told["ply"] == 2)
    eve.hear("moved", lambda told: told["ply"] == 2)
    assert ann.move(game, 2, "a3-b3")["ply"] == 3
    # What's said is stored, and told where it's said. A bot elsewhere can't be reached.
    bob.do("chat", room=room, text="anyone there?")
    assert bob.hear("chat")["text"] == "anyone there?"
    assert not ann.heard("chat")
    assert challenge(site, ann, account["id"]) == (409, "unsure")
    # A page that comes now gets what there is.
    late = Client(site[1], "Late")
    assert late.do("enter", room=room)["snapshot"]["ply"] == 3

    mend(site)
    for address in (site[0], site[1]):
        wait_until(partial(is_health, address, 200, "ok"))
    bob.hear("moved", lambda told: told["ply"] == 3)  # without having asked
    assert bob.move(game, 3, "d1-d2")["ply"] == 4
    ann.hear("moved", lambda told: told["ply"] == 4)
    assert ann.hear("chat")["text"] == "anyone there?"
    wait_until(lambda: challenge(site, ann, account["id"]) == (200, None))
    stream.hear(lambda line: line["type"] == "challenge")
    # Everyone is seen again, and claims are decided again.
    wait_until(
        lambda: ann.ask("claim", {"game": game, "result": "win"})["error"]["code"] == "present"
    )
    ann.told.clear()
    late.close()
    told = ann.hear("presence", lambda told: told["watchers"] == 1)
    assert told["players"] == [True, True]
    for client in (ann, eve, bob):
        client.close()


def test_an_outage_is_two_lines_in_the_log(site: Cluster) -> None:
    """Of each process, and for each of the two outages above."""
    for server in site.servers:
        lines = server.errors.read_text().splitlines()
        assert len([line for line in lines if "Redis can't be used" in line]) == 2, lines
        assert len([line for line in lines if "Redis can be used again" in line]) == 2, lines
        assert not [line for line in lines if "Traceback" in line], lines
