"""Two processes on one PostgreSQL and one Redis: what happens on one is seen on the other."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import requests

from tests.client import Client
from tests.cluster import Cluster, cluster
from tests.test_bot_api import Bot
from tests.waiting import wait_until

SECONDS = 60.0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), 2) as built:
        yield built


@pytest.fixture
def come(site: Cluster) -> Iterator[Callable[..., Client]]:
    """A visitor to one of the processes."""
    clients: list[Client] = []

    def visit(process: int, name: str = "Ann", cookie: str | None = None) -> Client:
        clients.append(Client(site[process], name, cookie))
        return clients[-1]

    yield visit
    for client in clients:
        client.close()


Come = Callable[..., Client]


def friends(come: Come, **more: Any) -> tuple[Client, Client, str, str]:
    """Ann on the first process and Bob on the second, in a game against each other."""
    ann, bob = come(0, "Ann"), come(1, "Bob")
    made = ann.do("create", variant="slider", side=1, **more)
    ann.do("enter", room=made["room"])
    bob.do("join", room=made["room"])
    ann.hear("snapshot", lambda told: told["players"][1]["taken"])
    return ann, bob, made["room"], made["game"]


def test_a_game_is_the_same_on_both(come: Come) -> None:
    ann, bob, room, game = friends(come)
    assert ann.move(game, 0, "a2-b2")["ply"] == 1
    bob.hear("moved", lambda told: told["ply"] == 1)
    assert bob.move(game, 1, "c1-c2")["ply"] == 2
    ann.hear("moved", lambda told: told["ply"] == 2)
    bob.do("draw", game=game, action="offer")
    ann.hear("state", lambda told: told["draw_offer"] == 1)
    ann.do("draw", game=game, action="decline")
    bob.hear("state", lambda told: told["draw_offer"] is None and told["v"] > 5)
    ann.do("takeback", game=game, action="propose")
    bob.hear("state", lambda told: told["takeback_offer"] == 0)
    bob.do("takeback", game=game, action="accept")
    ann.hear("snapshot", lambda told: told["ply"] == 0)
    bob.do("resign", game=game)
    assert ann.hear("state", lambda told: told["outcome"])["outcome"]["reason"] == "resigned"
    ann.do("rematch", game=game)
    bob.hear("rematch", lambda told: told["player"] == 0)
    second = bob.do("rematch", game=game)["game"]
    assert ann.hear("snapshot", lambda told: told["game"] == second)["players"][0]["name"] == "Bob"
    snapshots = [client.do("enter", room=room)["snapshot"] for client in (ann, bob)]
    for snapshot in snapshots:
        for own in ("you", "left", "presence"):
            snapshot.pop(own)
    assert snapshots[0] == snapshots[1]


def test_people_are_seen_and_heard_across(come: Come) -> None:
    ann, bob, room, game = friends(come)
    eve, gus = come(0, "Eve"), come(1, "Gus")
    for watcher in (eve, gus):
        watcher.do("enter", room=room)
    for client in (ann, bob):
        client.hear("presence", lambda told: told["players"] == [True, True])
        client.hear("presence", lambda told: told["watchers"] == 2)
    bob.do("chat", room=room, text="Hello!")
    assert ann.hear("chat")["text"] == "Hello!"
    gus.do("chat", room=room, text="Who's winning?")
    assert eve.hear("chat")["text"] == "Who's winning?"
    assert len(ann.heard("chat")) == 1  # players don't hear the stands
    assert ann.ask("claim", {"game": game, "result": "win"})["error"]["code"] == "present"
    bob.close()
    ann.hear("presence", lambda told: told["players"] == [True, False])
    code = ann.ask("claim", {"game": game, "result": "win"})["error"]["code"]
    assert code == "too_early"


def test_a_claim_is_right_even_where_nobody_has_been(come: Come) -> None:
    ann, bob = come(0, "Ann"), come(0, "Bob")
    made = ann.do("create", variant="slider", side=1, clock={"minutes": 3})
    ann.do("enter", room=made["room"])
    bob.do("join", room=made["room"])
    for ply, (client, move) in enumerate(((ann, "a2-b2"), (bob, "c1-c2"), (ann, "a3-b3"))):
        assert client.move(made["game"], ply, move).get("ok")
    tab = come(1, "Ann", ann.cookie)
    claim = {"game": made["game"], "result": "win"}
    assert tab.ask("claim", claim)["error"]["code"] == "present"


def test_two_tabs_of_a_player_agree(come: Come) -> None:
    """Even the tab that was open, in the stands of another process, before the player sat down."""
    ann, bob = come(0, "Ann"), come(1, "Bob")
    made = ann.do("create", variant="slider", side=1)
    room, game = made["room"], made["game"]
    ann.do("enter", room=room)
    tab = come(0, "Bob", bob.cookie)
    assert tab.do("enter", room=room)["snapshot"]["you"] == []
    bob.do("join", room=room)
    tab.hear("snapshot", lambda told: told["players"][1]["taken"])
    ann.do("chat", room=room, text="to the players")
    assert tab.hear("chat")["text"] == "to the players"
    ann.move(game, 0, "a2-b2")
    assert tab.move(game, 1, "c1-c2")["ply"] == 2
    bob.hear("moved", lambda told: told["ply"] == 2)
    assert bob.ask("move", {"game": game, "ply": 1, "move": "c1-c2", "id": "other"})["error"]


def test_lobby_and_watch_page_show_all_processes(come: Come) -> None:
    eve, gus = come(1, "Eve"), come(1, "Gus")
    eve.do("lobby")
    gus.do("watch")
    ann, bob = come(0, "Ann"), come(1, "Bob")
    made = ann.do("create", variant="slider", side=1, public=True)
    room, game = made["room"], made["game"]
    ann.do("enter", room=room)

    def lists(name: str) -> Callable[[Any], bool]:
        return lambda told: any(one["room"] == room for one in told[name])

    eve.hear("lobby", lists("open"))
    bob.do("join", room=room)
    eve.hear("lobby", lists("live"))
    gus.hear("boards", lambda told: any(one["room"] == room for one in told["changed"]))
    ann.move(game, 0, "a2-b2")
    gus.hear(
        "boards",
        lambda told: any(one["room"] == room and one["ply"] == 1 for one in told["changed"]),
    )
    bob.do("resign", game=game)
    eve.told.clear()
    for client in (ann, bob):
        client.do("leave", room=room)
    wait_until(lambda: not lists("live")(eve.do("lobby")["lobby"]))


def test_the_computer_moves_once_whoever_watches(come: Come) -> None:
    ann = come(0, "Ann")
    made = ann.do("create", variant="linear", opponent="computer", level=1, side=2)
    room = made["room"]
    ann.do("enter", room=room)
    eve = come(1, "Eve")
    eve.do("enter", room=room)
    ann.hear("moved", lambda told: told["ply"] == 1)
    eve.hear("moved", lambda told: told["ply"] == 1)
    assert len(eve.do("enter", room=room)["snapshot"]["moves"].split()) == 1


def test_a_contest_is_directed_from_one_and_seen_on_the_other(come: Come) -> None:
    ann, eve = come(0, "Ann"), come(1, "Eve")
    seats = [{"kind": "computer", "level": 1}, {"kind": "computer", "level": 1}]
    made = ann.do("contest", variant="linear", seats=seats)
    eve.do("enter", room=made["room"])
    tab = come(1, "Ann", ann.cookie)
    tab.do("enter", room=made["room"])
    tab.do("ask", game=made["game"], ply=0)
    eve.hear("moved", lambda told: told["ply"] == 1)
    ann.do("enter", room=made["room"])
    ann.do("ask", game=made["game"], ply=1)
    eve.hear("moved", lambda told: told["ply"] == 2)


class Listener(threading.Thread):
    """Reads a stream in the background."""

    def __init__(self, bot: Bot, path: str) -> None:
        super().__init__(daemon=True)
        self._lines, self._path = bot.stream(path), path
        self.heard: list[dict[str, Any]] = []
        self.start()

    def run(self) -> None:
        with suppress(requests.RequestException):  # it ends with the server
            for line in self._lines:
                self.heard.append(line)

    def hear(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        return wait_until(lambda: next(filter(is_it, list(self.heard)), {}))


def test_a_bot_is_online_challenged_and_told_across(site: Cluster, come: Come) -> None:
    bot = Bot(site[1], "Tock")
    account = requests.get(f"{bot.address}/api/bot/account", headers=bot.headers, timeout=SECONDS)
    identity = account.json()["id"]
    stream = Listener(bot, "stream/event")

    def online() -> bool:
        bots = requests.get(f"{site[0]}/api/bots", timeout=SECONDS).json()["bots"]
        return any(one["id"] == identity for one in bots)

    wait_until(online)
    ann = come(0, "Ann")
    made = ann.do("create", variant="slider", side=1)
    ann.do("enter", room=made["room"])
    challenge = requests.post(
        f"{site[0]}/api/bots/{identity}/challenge",
        json={"room": made["room"]},
        cookies={"visitor": ann.cookie},
        timeout=SECONDS,
    )
    assert challenge.json()["ok"]
    stream.hear(lambda line: line["type"] == "challenge")
    # It answers over the other process, so that only its stream is where it was.
    elsewhere = Bot(site[0], token=bot.token)
    elsewhere.do(f"rooms/{made['room']}/join")
    started = stream.hear(lambda line: line["type"] == "gameStart")
    assert started["game"]["id"] == made["game"]
    game = Listener(bot, f"game/stream/{made['game']}")
    game.hear(lambda line: line["type"] == "gameFull")
    ann.move(made["game"], 0, "a2-b2")
    game.hear(lambda line: line["type"] == "gameState" and line["moves"] == "a2-b2")
    ann.do("resign", game=made["game"])
    game.hear(lambda line: line.get("status") == "finished")
    stream.hear(lambda line: line["type"] == "gameFinish")


def test_what_is_created_is_counted_together(site: Cluster, come: Come) -> None:
    here = come(0, "Ann")
    there = come(1, "Ann", here.cookie)
    codes = []
    for number in range(24):
        client = (here, there)[number % 2]
        answer = client.ask("create", {"variant": "slider"})
        codes.append(answer.get("error", {}).get("code"))
    assert codes[:20] == [None] * 20
    assert set(codes[20:]) == {"rate"}


def test_each_process_tells_the_figures_of_all(site: Cluster, come: Come) -> None:
    _, _, _, _ = friends(come)

    def processes(address: str) -> set[str]:
        text = requests.get(f"{address}/metrics", timeout=SECONDS).text
        return set(re.findall(r'isolation_connections\{process="(.+)"\}', text))

    wait_until(lambda: len(processes(site[0])) == 2 and processes(site[0]) == processes(site[1]))
    text = requests.get(f"{site[0]}/metrics", timeout=SECONDS).text
    playing = re.findall(r"isolation_games_playing\{.*\} (\d+)", text)
    assert len(playing) == 2
    assert re.search(r"# TYPE isolation_moves_total counter", text)


def test_nobody_complained(site: Cluster) -> None:
    """The last test here: nothing of all this was worth a line in the log."""
    assert site.complaints() == ""
