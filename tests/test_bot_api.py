"""The HTTP API for bots, driven by a small client over real connections."""

import contextlib
import io
import json
import re
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests

from isolation.rules import GameRecord
from isolation.web.commands import REQUESTS
from isolation.web.streams import MOST_STREAMS
from tests.client import Client
from tests.playing import random_move
from tests.server import Server

SECONDS = 60


class Bot:
    """Knows the API and nothing else."""

    def __init__(self, address: str, name: str = "Bot", token: str | None = None) -> None:
        self.address = address
        self.token = (
            token
            or requests.post(
                f"{address}/api/bot/token", json={"name": name}, timeout=SECONDS
            ).json()["token"]
        )
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def post(self, path: str, **fields: Any) -> tuple[int, dict[str, Any]]:
        answer = requests.post(
            f"{self.address}/api/bot/{path}", json=fields, headers=self.headers, timeout=SECONDS
        )
        return answer.status_code, answer.json()

    def do(self, path: str, **fields: Any) -> dict[str, Any]:
        status, answer = self.post(path, **fields)
        assert (status, answer.get("ok")) == (200, True), answer
        return answer

    def stream(self, path: str) -> Iterator[dict[str, Any]]:
        """The lines of a stream; those that only say it is alive are left out."""
        with requests.get(
            f"{self.address}/api/bot/{path}", headers=self.headers, stream=True, timeout=SECONDS
        ) as answer:
            assert answer.status_code == 200, answer.text
            assert answer.headers["Content-Type"].startswith("application/x-ndjson")
            heard_at = time.monotonic()
            for line in answer.iter_lines(chunk_size=1):
                if line:
                    yield json.loads(line)
                    heard_at = time.monotonic()
                assert time.monotonic() < heard_at + SECONDS, f"nothing comes on {path}"

    def play(self, game: str, lot: Random, moves: int = 999) -> dict[str, Any]:
        """Play at random until the game is over, or some moves are made; the last state."""
        lines = self.stream(f"game/stream/{game}")
        full = next(lines)
        assert full["type"] == "gameFull"
        state = full["state"]
        while state["status"] != "finished" and moves:
            if state["status"] == "started" and state["to_move"] == full["you"]:
                record = GameRecord.begin(full["variant"], full["options"])
                record = record.replay(state["moves"].split())
                move = record.position.notate(random_move(record.position, lot))
                self.do(f"game/{game}/move", move=move, ply=state["ply"])
                moves -= 1
            state = next(line for line in lines if line["type"] == "gameState")
        lines.close()  # type: ignore[attr-defined]
        return dict(state)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("site")
    with Server(folder, ENGINES="1", RATE_LIMITS="off") as running:
        yield running
    assert running.errors.read_text() == ""


def wait_online(server: Server, name: str) -> dict[str, Any]:
    """Until a bot of that name is online."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = requests.get(f"{server.address}/api/bots", timeout=SECONDS).json()["bots"]
        for one in found:
            if one["name"] == name:
                return dict(one)
        time.sleep(0.05)
    raise AssertionError(f"{name} is not online")


def challenge(client: Client, bot: str, room: str) -> requests.Response:
    """As the page of somebody does it: with the cookie."""
    return requests.post(
        f"{client.address}/api/bots/{bot}/challenge",
        json={"room": room},
        cookies={"visitor": client.cookie},
        timeout=SECONDS,
    )


def meet(server: Server, variant: str, **more: Any) -> tuple[Bot, Bot, str]:
    ann, bob = Bot(server.address, "Ann's bot"), Bot(server.address, "Bob's bot")
    made = ann.do("rooms", variant=variant, side=1, **more)
    assert bob.do(f"rooms/{made['room']}/join")["game"] == made["game"]
    return ann, bob, made["game"]


@pytest.mark.parametrize("variant", ["classic", "knights", "isola", "slider", "linear"])
def test_two_bots_play_a_whole_game(variant: str, server: Server) -> None:
    ann, bob, game = meet(server, variant, options={"size": 4} if variant == "slider" else {})
    ends: list[dict[str, Any]] = []
    players = [
        threading.Thread(
            target=lambda bot=bot, seed=seed: ends.append(bot.play(game, Random(seed)))
        )
        for seed, bot in enumerate((ann, bob))
    ]
    for player in players:
        player.start()
    for player in players:
        player.join(60)
    assert len(ends) == 2
    assert ends[0] == ends[1]
    options = {"size": 4} if variant == "slider" else {}
    outcome = GameRecord.begin(variant, options).replay(ends[0]["moves"].split()).outcome
    assert outcome
    assert ends[0]["outcome"]["winner"] == outcome.winner


def test_a_bot_and_a_person_in_one_room(server: Server) -> None:
    ann, bot = Client(server.address, "Ann"), Bot(server.address, "Robo")
    made = ann.do("create", variant="linear", side=1)
    ann.do("enter", room=made["room"])
    bot.do(f"rooms/{made['room']}/join")
    lines = bot.stream(f"game/stream/{made['game']}")
    full = next(lines)
    assert [player["name"] for player in full["players"]] == ["Ann", "Robo"]
    assert (full["you"], full["state"]["moves"], full["state"]["status"]) == (1, "", "started")
    ann.hear("presence", lambda there: there["players"] == [True, True])
    ann.move(made["game"], 0, "7")
    assert next(lines)["moves"] == "7"
    bot.do(f"game/{made['game']}/move", move="4", ply=1)
    assert ann.hear("moved", lambda moved: moved["ply"] == 2)["move"] == "4"
    assert next(lines)["moves"] == "7 4"
    bot.do(f"game/{made['game']}/chat", text="Well played")
    assert ann.hear("chat")["text"] == "Well played"
    assert next(lines)["text"] == "Well played"
    ann.do("chat", room=made["room"], text="Thanks")
    assert next(lines)["type"] == "chatLine"
    bot.do(f"game/{made['game']}/resign")
    last = next(lines)
    assert (last["status"], last["outcome"]["winner"]) == ("finished", 0)
    assert list(lines) == []  # the stream has ended with the game
    ann.close()


def test_events_tell_of_challenges_and_games(server: Server) -> None:
    bot, ann = Bot(server.address, "Waiter"), Client(server.address, "Ann")
    events = bot.stream("stream/event?games=slider,linear")
    first: list[dict[str, Any]] = []
    waiting = threading.Thread(target=lambda: first.append(next(events)))
    waiting.start()
    online = wait_online(server, "Waiter")
    assert online["games"] == ["slider", "linear"]
    made = ann.do("create", variant="slider", options={"size": 4}, side=1)
    assert challenge(ann, online["id"], made["room"]).json() == {"ok": True}
    waiting.join(SECONDS)
    assert first[0]["challenge"]["room"] == made["room"]
    assert first[0]["challenge"]["options"]["size"] == 4
    bot.do(f"rooms/{made['room']}/join")
    begun = next(events)
    assert (begun["type"], begun["game"]["id"], begun["game"]["you"]) == (
        "gameStart",
        made["game"],
        1,
    )
    ann.do("resign", game=made["game"])
    assert next(events)["type"] == "gameFinish"
    own = bot.do("rooms", variant="linear", opponent="computer", level=1, side=1)
    assert next(events)["game"]["id"] == own["game"]  # one that it has made itself
    events.close()  # type: ignore[attr-defined]
    ann.close()


def test_who_can_be_challenged_and_by_whom(server: Server) -> None:
    bot, ann, eve = Bot(server.address, "Picky"), Client(server.address), Client(server.address)
    events = bot.stream("stream/event?games=slider")

    def wait() -> None:
        with contextlib.suppress(requests.RequestException, AssertionError):  # nothing comes
            next(events)

    threading.Thread(target=wait, daemon=True).start()
    online = wait_online(server, "Picky")["id"]
    slider = ann.do("create", variant="slider", side=1)["room"]
    linear = ann.do("create", variant="linear", side=1)["room"]
    alone = ann.do("create", variant="slider", opponent="local", side=1)["room"]
    for client, who, room, status, code in (
        (eve, online, slider, 403, "not_yours"),
        (ann, online, linear, 400, "invalid"),
        (ann, online, "nowhere", 404, "unknown"),
        (ann, online, alone, 409, "taken"),
        (ann, "bot-nobody", slider, 404, "unknown"),
    ):
        answer = challenge(client, who, room)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    nothing = requests.get(
        f"{server.address}/api/bot/stream/event?games=chess", headers=bot.headers, timeout=SECONDS
    )
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (400, "invalid")
    for client in (ann, eve):
        client.close()


def test_a_stream_says_that_it_is_alive_however_busy_the_games_are(server: Server) -> None:
    ann, bob, game = meet(server, "slider")
    with requests.get(
        f"{server.address}/api/bot/stream/event", headers=ann.headers, stream=True, timeout=SECONDS
    ) as answer:
        lines = answer.iter_lines(chunk_size=1)
        assert json.loads(next(lines))["type"] == "gameStart"
        assert next(lines) == b""
        heard: list[bytes] = []
        threading.Thread(target=lambda: heard.append(next(lines)), daemon=True).start()
        until = time.monotonic() + SECONDS
        while not heard and time.monotonic() < until:
            ann.do(f"game/{game}/draw", action="offer")
            bob.do(f"game/{game}/draw", action="decline")
        assert heard == [b""]


def test_an_opponent_who_has_gone_is_told_and_the_game_can_be_claimed(server: Server) -> None:
    ann, bob, game = meet(server, "linear")
    lines = ann.stream(f"game/stream/{game}")
    next(lines)
    assert next(lines) == {"type": "opponentGone", "gone": True, "claim_in": None}
    here = bob.stream(f"game/stream/{game}")
    next(here)
    assert next(lines) == {"type": "opponentGone", "gone": False, "claim_in": None}
    status, answer = ann.post(f"game/{game}/claim", result="win")
    assert (status, answer["error"]["code"]) == (409, "present")
    ann.do(f"game/{game}/move", move="7", ply=0)
    bob.do(f"game/{game}/move", move="1", ply=1)
    here.close()  # type: ignore[attr-defined]
    gone = next(line for line in lines if line["type"] == "opponentGone")
    assert gone["gone"]
    assert 0 < gone["claim_in"] <= 60
    status, answer = ann.post(f"game/{game}/claim", result="win")
    assert (status, answer["error"]["code"]) == (409, "too_early")
    lines.close()  # type: ignore[attr-defined]


def test_what_is_played_in_a_room_can_be_seen_before_joining(server: Server) -> None:
    ann, bob = Bot(server.address), Bot(server.address)
    made = ann.do("rooms", variant="slider", options={"size": 5}, side=2)
    found = requests.get(
        f"{server.address}/api/bot/rooms/{made['room']}", headers=bob.headers, timeout=SECONDS
    ).json()
    assert (found["variant"], found["options"]["size"]) == ("slider", 5)
    assert (found["taken"], found["over"]) == ([False, True], False)


@pytest.mark.parametrize("why", ["a\u00a0b", "\U0001f468\u200d\U0001f680 crashed", "x" * 160])
def test_whatever_the_reason_for_a_fault_the_game_ends(why: str, server: Server) -> None:
    ann, _, game = meet(server, "classic")
    ann.do(f"game/{game}/fault", ply=0, why=why)
    record = requests.get(f"{server.address}/api/games/{game}.txt", timeout=SECONDS)
    assert record.status_code == 200
    assert "Player 1 made a fault: " in record.text


def test_bodies_that_can_not_be_read(server: Server) -> None:
    bot = Bot(server.address)
    for body, status in (
        (b"[" * 15_000, 400),
        (b'{"a":' * 3000, 400),
        (b"\xff\xfe", 400),
        (b"[]", 400),
        (b"x" * 17_000, 413),
    ):
        answer = requests.post(
            f"{server.address}/api/bot/rooms", data=body, headers=bot.headers, timeout=SECONDS
        )
        assert (answer.status_code, "error" in answer.json()) == (status, True), body[:9]
    in_pieces = requests.post(
        f"{server.address}/api/bot/token", data=iter([b'{"name": ', b'"Tock"}']), timeout=SECONDS
    )
    assert in_pieces.json()["name"] == "Tock"


def test_a_fault_costs_what_the_game_says(server: Server) -> None:
    ann, bob, game = meet(server, "isola")
    ann.do(f"game/{game}/fault", ply=0)
    full = next(bob.stream(f"game/stream/{game}"))
    assert (full["state"]["moves"], full["state"]["to_move"]) == ("discard", 1)
    status, answer = ann.post(f"game/{game}/fault", ply=1)
    assert (status, answer["error"]["code"]) == (409, "not_your_turn")
    ann, bob, game = meet(server, "classic")
    ann.do(f"game/{game}/fault", ply=0)
    outcome = next(bob.stream(f"game/stream/{game}"))["state"]["outcome"]
    assert (outcome["winner"], outcome["reason"]) == (1, "fault")


def test_the_computer_goes_on_after_a_discarded_turn(server: Server) -> None:
    bot = Bot(server.address)
    made = bot.do("rooms", variant="isola", opponent="computer", level=1, side=1)
    lines = bot.stream(f"game/stream/{made['game']}")
    next(lines)
    bot.do(f"game/{made['game']}/fault", ply=0)
    state = next(line for line in lines if line["type"] == "gameState" and line["ply"] == 2)
    assert re.fullmatch(r"discard \w+/\w+", state["moves"])
    lines.close()  # type: ignore[attr-defined]


def test_a_move_with_an_id_is_made_once(server: Server) -> None:
    ann, _, game = meet(server, "linear")
    first = ann.do(f"game/{game}/move", move="7", ply=0, id="one")
    again = ann.do(f"game/{game}/move", move="7", ply=0, id="one")
    assert (first["ply"], again["ply"], again["repeated"]) == (1, 1, True)
    status, answer = ann.post(f"game/{game}/move", move="7", ply=0)
    assert (status, answer["error"]["code"]) == (409, "stale")


@pytest.mark.parametrize(
    ("path", "fields", "status", "code"),
    [
        ("game/{game}/move", {"move": "99", "ply": 0}, 400, "illegal"),
        ("game/{game}/move", {"move": "7"}, 400, "invalid"),
        ("game/{game}/move", {"move": 7, "ply": 0}, 400, "invalid"),
        ("game/{game}/move", {"move": "7", "ply": 0, "colour": "red"}, 400, "invalid"),
        ("game/nothing/move", {"move": "7", "ply": 0}, 404, "unknown"),
        ("game/{game}/draw", {"action": "offer"}, 409, "no_draws"),
        ("game/{game}/draw", {"action": "perhaps"}, 400, "invalid"),
        ("game/{game}/chat", {"text": ""}, 400, "invalid"),
        ("rooms", {"variant": "chess"}, 400, "invalid"),
        ("rooms", {"variant": "isola", "options": {"size": 8}}, 400, "invalid"),
        ("rooms/nothing/join", {}, 404, "unknown"),
    ],
)
def test_what_is_refused(
    path: str, fields: dict[str, Any], status: int, code: str, server: Server
) -> None:
    ann, _, game = meet(server, "linear")
    found, answer = ann.post(path.format(game=game), **fields)
    assert (found, answer["error"]["code"]) == (status, code)
    assert answer["error"]["message"]


def test_who_may_ask(server: Server) -> None:
    _, _, game = meet(server, "linear")
    stranger = Bot(server.address, "Eve")
    assert stranger.post(f"game/{game}/move", move="7", ply=0)[0] == 403
    for token in ("", "nonsense", stranger.token[:-2] + "xx", "ImEi.abc"):
        bad = Bot(server.address, token=token or " ")
        answer = requests.get(
            f"{server.address}/api/bot/account", headers=bad.headers, timeout=SECONDS
        )
        assert answer.status_code == 401
        assert "Bearer" in answer.json()["error"]["message"]
    answer = requests.get(
        f"{server.address}/api/bot/game/stream/{game}", headers=stranger.headers, timeout=SECONDS
    )
    assert answer.status_code == 403
    raw = requests.post(
        f"{server.address}/api/bot/game/{game}/move",
        data=b"{",
        headers={**stranger.headers, "Content-Type": "application/json"},
        timeout=SECONDS,
    )
    assert (raw.status_code, raw.json()["error"]["code"]) == (400, "invalid")


def test_too_much_is_answered_with_seconds_to_wait(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0") as server:
        ann, _, game = meet(server, "linear")
        found = [ann.post(f"game/{game}/chat", text=f"line {number}") for number in range(12)]
        status, answer = next((status, answer) for status, answer in found if status != 200)
        assert (status, answer["error"]["code"]) == (429, "rate")
        assert answer["error"]["seconds"] >= 1
        made = [ann.post("rooms", variant="linear")[0] for _ in range(30)]
        assert set(made) == {200, 429}
        assert Bot(server.address).post("rooms", variant="linear")[0] == 200  # others still may


def test_a_bot_has_so_many_streams_at_a_time(server: Server) -> None:
    bot = Bot(server.address, "Octopus")
    made = bot.do("rooms", variant="linear")
    path = f"game/stream/{made['game']}"
    streams = [bot.stream(path) for _ in range(MOST_STREAMS)]
    for stream in streams:
        next(stream)
    refused = requests.get(f"{server.address}/api/bot/{path}", headers=bot.headers, timeout=SECONDS)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "too_many")
    for stream in streams:
        stream.close()  # type: ignore[attr-defined]


def test_the_stream_of_a_game_that_is_over_ends(server: Server) -> None:
    ann, _, game = meet(server, "linear")
    ann.do(f"game/{game}/abort")
    assert [line["state"]["status"] for line in ann.stream(f"game/stream/{game}")] == ["finished"]


def test_the_example_of_the_documentation_runs(server: Server) -> None:
    page = (Path(__file__).parents[1] / "docs" / "bot-api.md").read_text(encoding="utf-8")
    code = textwrap.dedent(page.split("## An example")[1])
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(code.replace("http://127.0.0.1:5000", server.address), {})
    assert told.getvalue() in ("Player 1 has no moves\n", "Player 2 has no moves\n")


def test_a_game_goes_on_through_cut_streams_and_a_killed_server(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="0", RATE_LIMITS="off") as server:
        ann, bob, game = meet(server, "slider", options={"size": 4})
        lot = Random(6)
        for turn in range(6):
            for bot in (ann, bob):
                state = bot.play(game, lot, moves=1)
            if turn % 2:
                server.kill()
                server.start()
            assert state["ply"] >= turn
        events = ann.stream("stream/event")
        again = next(events)  # the game is told again to whoever comes back
        assert (again["type"], again["game"]["id"]) == ("gameStart", game)
        events.close()  # type: ignore[attr-defined]
        full = next(ann.stream(f"game/stream/{game}"))
        record = GameRecord.begin("slider", {"size": 4}).replay(full["state"]["moves"].split())
        assert len(record.turns) >= 12


def test_the_description_names_every_address(server: Server) -> None:
    told = requests.get(f"{server.address}/api/openapi.json", timeout=SECONDS).json()
    assert told["openapi"].startswith("3.")
    for wanted in REQUESTS:
        http = wanted.http
        described = told["paths"][http.address][http.method.lower()]
        assert described["summary"]
        assert ("requestBody" in described) == wanted.has_body
        path = re.sub(r"\{\w+\}", "x", http.address)
        answer = requests.request(http.method, server.address + path, json={}, timeout=SECONDS)
        expected = {200, 400, 404} if http.is_open else {401}
        assert answer.status_code in expected, http.address
