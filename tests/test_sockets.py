"""The wire over real connections to a real server process."""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests
import socketio

from isolation.rules import VARIANTS, GameRecord, read_record
from tests.client import Client, new_cookie, new_id
from tests.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("site"), RATE_LIMITS="off") as running:
        yield running
    complaints = running.errors.read_text().splitlines()
    assert [line for line in complaints if "is not an accepted origin" not in line] == []


@pytest.fixture
def visit(server: Server) -> Iterator[Callable[..., Client]]:
    """Opens connections, and closes them after the test."""
    opened: list[Client] = []

    def visit(*arguments: Any, **more: Any) -> Client:
        opened.append(Client(server.address, *arguments, **more))
        return opened[-1]

    yield visit
    for client in opened:
        client.close()


Visit = Callable[..., Client]


def seated(ann: Client, bob: Client, variant: str = "slider", **more: Any) -> tuple[str, str]:
    """A room where both sit and are present, and its game."""
    made = ann.do("create", variant=variant, side=1, **more)
    ann.do("enter", room=made["room"])
    bob.do("join", room=made["room"])
    return made["room"], made["game"]


def first_move(record: GameRecord) -> str:
    move: tuple[int, ...] = ()
    while cells := record.position.next_cells(move):
        move = (*move, cells[0])
    return record.position.notate(move)


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_people_play_and_a_third_watches(server: Server, visit: Visit, variant: str) -> None:
    ann, bob, eve = visit("Ann"), visit("Bob"), visit("Eve")
    room, game = seated(ann, bob, variant)
    snapshot = eve.do("enter", room=room)["snapshot"]
    assert snapshot["you"] == []
    record = GameRecord.begin(variant, snapshot["options"])
    while not record.outcome:
        mover = (ann, bob)[record.position.to_move]
        text = first_move(record)
        assert eve.move(game, len(record.turns), text)["error"]["code"] == "not_yours"
        answer = mover.move(game, len(record.turns), text)
        assert answer["ok"], answer
        record = record.replay([text])
        while not record.outcome and not record.position.next_cells():
            record = record.replay(["pass"])
    last = eve.hear("moved", lambda moved: moved["outcome"])
    assert last["ply"] == len(record.turns)
    assert last["outcome"]["result"] == record.result
    seen = [moved["move"] for moved in eve.heard("moved")]
    assert seen == record.notation()
    versions = [moved["v"] for moved in eve.heard("moved")]
    assert versions == sorted(set(versions))
    kept = requests.get(f"{server.address}/api/games/{game}.txt", timeout=60).text
    assert read_record(kept).notation() == record.notation()
    assert ann.do("enter", room=room)["snapshot"]["moves"].split() == record.notation()


def test_many_race_for_one_seat(visit: Visit) -> None:
    ann = visit("Ann")
    room = ann.do("create", variant="classic", side=2)["room"]
    racers = [visit(f"Racer {number}") for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda racer: racer.ask("join", {"room": room}), racers))
    winners = [answer for answer in answers if answer.get("ok")]
    assert [winner["player"] for winner in winners] == [0]
    assert {a["error"]["code"] for a in answers if "error" in a} == {"taken"}


def test_two_tabs_race_for_one_ply(visit: Visit) -> None:
    """Whatever comes at the same moment, one move is made, and all see the same one."""
    ann, bob, eve = visit("Ann"), visit("Bob"), visit("Eve")
    room, game = seated(ann, bob)
    tab = visit("Ann", cookie=ann.cookie)
    assert tab.do("enter", room=room)["snapshot"]["you"] == [0]
    eve.do("enter", room=room)
    lot, ply = Random(1), 0
    for _ in range(12):
        snapshot = ann.do("enter", room=room)["snapshot"]
        if snapshot["outcome"]:
            break
        then = snapshot["choices"]["then"]
        texts = []
        record = GameRecord.begin("slider", snapshot["options"]).replay(snapshot["moves"].split())
        for cell in lot.sample(list(then), min(2, len(then))):
            texts.append(record.position.notate((int(cell), then[cell][0])))
        ply = snapshot["ply"]
        movers = (ann, tab) if snapshot["to_move"] == 0 else (bob, bob)
        tries = [(mover, text) for mover in movers for text in texts]
        with ThreadPoolExecutor(len(tries)) as pool:
            answers = list(pool.map(lambda one: one[0].move(game, ply, one[1]), tries))  # noqa: B023
        assert sum(bool(answer.get("ok")) for answer in answers) == 1
        codes = {answer["error"]["code"] for answer in answers if "error" in answer}
        assert codes <= {"stale", "not_your_turn", "over"}
    final = ann.do("enter", room=room)["snapshot"]
    for client in (bob, eve, tab):
        client.hear("moved", lambda moved: moved["ply"] == final["ply"])
        assert [moved["ply"] for moved in client.heard("moved")] == list(range(1, final["ply"] + 1))
        assert [moved["move"] for moved in client.heard("moved")] == final["moves"].split()


def test_messages_that_are_repeated_delayed_and_out_of_order(visit: Visit) -> None:
    """A client on a bad line: each message is sent several times, late, and mixed up."""
    ann, bob = visit("Ann"), visit("Bob")
    room, game = seated(ann, bob, "knights")
    lot = Random(7)
    sent: list[tuple[Client, dict[str, Any]]] = []
    while True:
        snapshot = ann.do("enter", room=room)["snapshot"]
        if snapshot["outcome"] or snapshot["ply"] > 30:
            break
        mover = (ann, bob)[snapshot["to_move"]]
        record = GameRecord.begin("knights").replay(snapshot["moves"].split())
        text = record.position.notate((lot.choice(snapshot["choices"]["first"]),))
        sent.append((mover, {"game": game, "ply": snapshot["ply"], "move": text, "id": new_id()}))
        storm = [sent[-1], *lot.choices(sent, k=4), sent[-1]]
        lot.shuffle(storm)
        with ThreadPoolExecutor(len(storm)) as pool:  # all in flight at once, in any order
            answers = list(pool.map(lambda one: one[0].ask("move", one[1]), storm))
        assert all(answer.get("ok") for answer in answers), answers
        assert sum("repeated" not in answer for answer in answers) == 1
    moves = [fields["move"] for _, fields in sent]
    assert snapshot["moves"].split() == moves
    assert [moved["move"] for moved in bob.heard("moved")] == moves


def test_spectators_are_spectators(visit: Visit) -> None:
    ann, bob, eve = visit("Ann"), visit("Bob"), visit("Eve")
    room, game = seated(ann, bob)
    eve.do("enter", room=room)
    for event, fields in {
        "resign": {},
        "abort": {},
        "draw": {"action": "offer"},
        "takeback": {"action": "propose"},
        "claim": {"result": "win"},
        "rematch": {},
    }.items():
        assert eve.ask(event, {"game": game, **fields})["error"]["code"] == "not_yours", event
    eve.do("chat", room=room, text="a spectator")
    ann.do("chat", room=room, text="a player")
    bob.hear("chat", lambda line: line["text"] == "a player")
    eve.hear("chat", lambda line: line["text"] == "a spectator")
    assert [line["text"] for line in bob.heard("chat")] == ["a player"]
    assert [line["text"] for line in eve.heard("chat")] == ["a spectator"]
    assert bob.heard("chat")[0]["player"] == 0
    assert eve.heard("chat")[0]["player"] is None


def test_nothing_that_is_sent_gives_a_seat_away(server: Server, visit: Visit) -> None:
    ann, bob, eve = visit("Ann"), visit("Bob"), visit("Eve")
    room, game = seated(ann, bob)
    snapshot = eve.do("enter", room=room)
    answer = requests.get(f"{server.address}/api/games/{game}", timeout=60).text
    signed = ann.cookie.rsplit(".", 1)[0]
    identity = json.loads(base64.urlsafe_b64decode(signed + "=" * (-len(signed) % 4)))
    assert len(identity) == 16
    for secret in (ann.cookie, signed, identity):
        assert secret not in repr((snapshot, eve.told, answer))


def test_names_and_chat_come_out_as_the_text_they_are(visit: Visit) -> None:
    markup = "<img src=x onerror=1>"
    ann, bob = visit(markup), visit("Bob")
    room, _ = seated(ann, bob)
    ann.do("chat", room=room, text="<script>alert(1)</script>\x00\x07 &amp;")
    line = bob.hear("chat")
    assert (line["name"], line["text"]) == (markup, "<script>alert(1)</script> &amp;")
    assert bob.do("enter", room=room)["snapshot"]["players"][0]["name"] == markup
    for name in ("", "   ", "x" * 25, "\x00", 7):
        assert bob.ask("rename", {"name": name})["error"]["code"] == "invalid"
    for text in ("", " \n ", "x" * 301, None, ["a"]):
        assert bob.ask("chat", {"room": room, "text": text})["error"]["code"] == "invalid"


def test_who_has_no_cookie_of_ours_is_not_let_in(server: Server) -> None:
    for headers in ({}, {"Cookie": "visitor=forged.signature"}, {"Cookie": "visitor"}):
        client = socketio.Client(reconnection=False)
        with pytest.raises(socketio.exceptions.ConnectionError):
            client.connect(server.address, headers=headers, transports=["websocket"])
        client.shutdown()


def test_other_sites_are_not_let_in(server: Server) -> None:
    client = socketio.Client(reconnection=False)
    cookie = new_cookie(server.address)
    headers = {"Cookie": f"visitor={cookie}", "Origin": "http://elsewhere.example"}
    with pytest.raises(socketio.exceptions.ConnectionError):
        client.connect(server.address, headers=headers, transports=["websocket"])
    client.shutdown()


def test_who_is_too_fast_is_told_how_long_to_wait(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        ann, bob = Client(server.address, "Ann"), Client(server.address, "Bob")
        made = ann.do("create", variant="classic", opponent="local")
        room = made["room"]
        resigned = ann.do("resign", game=made["game"])
        assert resigned["ok"]
        for event, fields in (
            ("chat", {"room": room, "text": "hello"}),
            ("create", {"variant": "classic"}),
            ("rematch", {"game": made["game"]}),  # a new game, too
        ):
            answers = [ann.ask(event, fields) for _ in range(30)]
            errors = [answer["error"] for answer in answers if "error" in answer]
            refused = [error for error in errors if error["code"] == "rate"]
            assert refused, event
            for error in refused:
                assert error["seconds"] >= 1
                assert f"Wait {error['seconds']} s" in error["message"]
        bob.do("chat", room=room, text="somebody else is not slowed down")
        for client in (ann, bob):
            client.close()


def test_a_full_house_takes_no_seat(visit: Visit) -> None:
    """Who looks at as many rooms as allowed can't join another, and has no seat then."""
    ann, bob = visit("Ann"), visit("Bob")
    rooms = [ann.do("create", variant="linear", side=1)["room"] for _ in range(41)]
    for room in rooms[:40]:
        bob.do("enter", room=room)
    assert bob.ask("join", {"room": rooms[40]})["error"]["code"] == "too_many"
    free = ann.do("enter", room=rooms[40])["snapshot"]["players"]
    assert [player["taken"] for player in free] == [True, False]


def test_presence_is_told(visit: Visit) -> None:
    ann, bob = visit("Ann"), visit("Bob")
    room, _ = seated(ann, bob)
    eve = visit("Eve")
    eve.do("enter", room=room)
    ann.hear("presence", lambda there: there["watchers"] == 1)
    eve.socket.disconnect()
    ann.hear("presence", lambda there: there["watchers"] == 0 and there["players"] == [True, True])
    bob.socket.disconnect()
    ann.hear("presence", lambda there: there["players"] == [True, False])


def test_public_boards_are_told_to_those_who_watch(visit: Visit) -> None:
    ann, bob, eve = visit("Ann"), visit("Bob"), visit("Eve")
    assert eve.do("watch")["live"] == []
    _, private = seated(ann, bob)
    room, game = seated(ann, bob, public=True)

    def is_after(ply: int) -> Callable[[Any], bool]:
        return lambda boards: (
            [(one["room"], one["ply"]) for one in boards["changed"]] == [(room, ply)]
        )

    eve.hear("boards", is_after(0))
    for name in (private, game):
        ann.do("move", game=name, ply=0, move="a2-b2", id=new_id())
    shown = eve.hear("boards", is_after(1))["changed"][0]
    assert shown["board"]["pieces"][0][0] == 7  # b2
    assert shown["last"] == [6, 7]
    assert [player["name"] for player in shown["players"]] == ["Ann", "Bob"]
    assert [one["room"] for one in visit("Fay").do("watch")["live"]] == [room]
    ann.do("resign", game=game)
    ended = eve.hear("boards", lambda boards: boards["changed"][0]["outcome"] is not None)
    assert ended["changed"][0]["outcome"]["winner"] == 1
    assert visit("Gil").do("watch")["live"] == []
    eve.do("leave_watch")


def test_the_lobby_is_told_to_those_who_look(visit: Visit) -> None:
    ann, bob, eve = visit("Ann"), visit("Bob"), visit("Eve")
    eve.do("lobby")
    made = ann.do("create", variant="isola", side=1, public=True)
    ann.do("enter", room=made["room"])

    def has(where: str) -> Callable[[Any], bool]:
        return lambda lobby: made["room"] in [entry["room"] for entry in lobby[where]]

    eve.hear("lobby", has("open"))
    bob.do("join", room=made["room"])
    eve.hear("lobby", has("live"))


def test_the_whole_of_a_match(visit: Visit) -> None:
    """Offers, a takeback, resignation and a rematch, as both see them."""
    ann, bob = visit("Ann"), visit("Bob")
    _, game = seated(ann, bob, clock={"minutes": 5, "increment": 2})
    assert ann.move(game, 0, "a2-b2")["ok"]
    ann.do("takeback", game=game, action="propose")
    bob.hear("state", lambda state: state["takeback_offer"] == 0)
    bob.do("takeback", game=game, action="accept")
    ann.hear("snapshot", lambda snapshot: snapshot["ply"] == 0 and snapshot["v"] > 3)
    for ply, text in enumerate(["a3-b3", "c1-c2", "a2-b2"]):
        assert (ann, bob, ann)[ply].move(game, ply, text)["ok"]
    moved = bob.hear("moved", lambda moved: moved["ply"] == 3)
    assert moved["running"]
    assert 295 < moved["left"][0] <= 302
    bob.do("draw", game=game, action="offer")
    ann.hear("state", lambda state: state["draw_offer"] == 1)
    ann.do("draw", game=game, action="decline")
    bob.do("resign", game=game)
    ended = ann.hear("state", lambda state: state["outcome"])
    assert (ended["outcome"]["winner"], ended["score"]) == (0, [1, 0])
    ann.do("rematch", game=game)
    bob.hear("rematch", lambda offer: offer["player"] == 0)
    second = bob.do("rematch", game=game)["game"]
    begun = ann.hear("snapshot", lambda snapshot: snapshot["game"] == second)
    assert [player["name"] for player in begun["players"]] == ["Bob", "Ann"]
    assert begun["score"] == [0, 1]


def test_a_game_against_the_computer_to_the_end(visit: Visit) -> None:
    ann = visit("Ann")
    made = ann.do("create", variant="linear", opponent="computer", level=5, side=1)
    snapshot = ann.do("enter", room=made["room"])["snapshot"]
    ply = 0
    while not snapshot["outcome"]:
        assert ann.move(made["game"], ply, str(snapshot["choices"]["first"][0] + 1))["ok"]
        ann.hear("moved", lambda moved: moved["ply"] == ply + 2 or moved["outcome"])  # noqa: B023
        snapshot = ann.do("enter", room=made["room"])["snapshot"]
        ply = snapshot["ply"]
    assert [player["kind"] for player in snapshot["players"]] == ["person", "computer"]


def test_people_move_while_many_engines_think(tmp_path: Path) -> None:
    """Twenty games between the strongest computers at once; two people play on undisturbed."""
    with Server(tmp_path, RATE_LIMITS="off") as server:
        maker, ann, bob = (Client(server.address, name) for name in ("Maker", "Ann", "Bob"))
        games = []
        for number in range(20):
            made = maker.do(
                "create",
                variant=("classic", "knights", "isola", "slider")[number % 4],
                opponent="computers",
                level=8,
                second_level=7,
            )
            maker.do("enter", room=made["room"])
            games.append(made["game"])
        room, game = seated(ann, bob, "isola", options={"size": 27})
        snapshot = ann.do("enter", room=room)["snapshot"]
        record = GameRecord.begin("isola", snapshot["options"])
        for ply in range(40):
            text = first_move(record)
            assert (ann, bob)[ply % 2].move(game, ply, text)["ok"]
            record = record.replay([text])
        for thinking in games[:6]:
            maker.hear("moved", lambda moved: moved["game"] == thinking)  # noqa: B023
        for client in (maker, ann, bob):
            client.close()
    assert server.errors.read_text() == ""


def test_two_computers_are_watched(visit: Visit) -> None:
    ann = visit("Ann")
    made = ann.do("create", variant="linear", opponent="computers", level=2, second_level=5)
    assert ann.do("enter", room=made["room"])["snapshot"]["you"] == []
    ann.hear("moved", lambda moved: moved["outcome"])


def test_the_flag_falls_by_itself(server: Server, visit: Visit) -> None:
    ann, bob = visit("Ann"), visit("Bob")
    _, game = seated(ann, bob, clock={"minutes": 0.25})
    for ply, text in enumerate(["a2-b2", "c1-c2"]):
        assert (ann, bob)[ply].move(game, ply, text)["ok"]
    ann.close()
    bob.close()
    gone = threading.Event()
    for _ in range(250):
        found = requests.get(f"{server.address}/api/games/{game}", timeout=60).json()
        if found["result"] != "*":
            break
        gone.wait(0.1)
    assert (found["result"], found["termination"]) == ("0-1", "Player 1 ran out of time")


def test_the_page_of_a_room(server: Server, visit: Visit) -> None:
    room = visit("Ann").do("create", variant="classic")["room"]
    page = requests.get(f"{server.address}/room/{room}", timeout=60)
    assert (page.status_code, f'data-room="{room}"' in page.text) == (200, True)
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    for nowhere in ("nothing", "x" * 65):
        page = requests.get(f"{server.address}/room/{nowhere}", timeout=60)
        assert (page.status_code, "There&#39;s no such room" in page.text) == (404, True)


def test_the_api(server: Server, visit: Visit) -> None:
    def get(path: str) -> requests.Response:
        return requests.get(server.address + path, timeout=60)

    health = get("/healthz").json()
    assert (health["ok"], health["store"]) == (True, "ok")
    variants = {variant["key"]: variant for variant in get("/api/variants").json()["variants"]}
    assert list(variants) == list(VARIANTS)
    assert len(variants["linear"]["levels"]) == 5
    assert variants["isola"]["options"][0]["name"] == "size"
    for path in ("/api/games/nothing", "/api/games/nothing.txt", "/api/nothing"):
        answer = get(path)
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] == "not_found"
        assert answer.json()["error"]["message"]
    visit("Ann").do("create", variant="classic", opponent="local")
    metrics = get("/metrics").text
    for name in (
        "games_playing",
        "connections",
        "moves_total",
        "move_seconds_bucket",
        "engine_queue",
    ):
        assert f"isolation_{name}" in metrics, name
