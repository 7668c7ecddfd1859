"""Contests: games between bots that somebody directs, over real connections."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests

from isolation.bots.apis import APIS, after_answers
from isolation.bots.faults import BotFault
from isolation.rules import VARIANTS, GameRecord, find_variant
from tests.client import SECONDS, Client, new_id
from tests.playing import random_move
from tests.server import Server
from tests.test_bot_api import Bot

OWN = {"kind": "own", "name": "Mine"}
LEVEL = {"kind": "computer", "level": 1}
OPEN = {"kind": "open"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("site")
    with Server(folder, ENGINES="1", RATE_LIMITS="off") as running:
        yield running
    assert running.errors.read_text() == ""


@pytest.fixture
def ann(server: Server) -> Iterator[Client]:
    client = Client(server.address, "Ann")
    yield client
    client.close()


def begin(client: Client, variant: str, *seats: dict[str, Any], **options: Any) -> dict[str, Any]:
    made = client.do("contest", variant=variant, options=options, seats=list(seats))
    return dict(client.do("enter", room=made["room"])["snapshot"])


def answer(client: Client, game: str, ply: int, api: str, answers: list[Any]) -> dict[str, Any]:
    fields = {"game": game, "ply": ply, "api": api, "answers": answers, "id": new_id()}
    return client.ask("answer", {**fields, "calls": [1000 + n for n in range(len(answers))]})


def reply(request: dict[str, Any], variant: str, record: GameRecord, lot: Random) -> Any:
    """What a bot that plays at random answers: through the API, from what it was told."""
    position = record.position
    if request["do"] == "competitor":
        board, mine = request["board"], request["mine"]
        is_move = request["method"] == "getNextMove"
        return lot.choice(
            [
                [row, column]
                for row, cells in enumerate(board)
                for column, value in enumerate(cells)
                if value == "1"
                and (not is_move or max(abs(row - mine[0]), abs(column - mine[1])) == 1)
            ]
        )
    move = random_move(position, lot)

    def place(cell: int) -> list[int] | None:
        column, row = position.grid.column_row(cell)
        return None if row >= position.grid.height else [position.grid.height - 1 - row, column]

    if len(move) == 1:
        return place(move[0])
    return [place(move[1]), place(move[0])] if position.has_open_second else list(map(place, move))


@pytest.mark.parametrize(
    ("variant", "api"), [*((key, "move") for key in VARIANTS), ("isola", "competitor")]
)
def test_own_bots_play_each_other_to_the_end(variant: str, api: str, ann: Client) -> None:
    game = begin(ann, variant, OWN, {"kind": "own", "name": "Other"})["game"]
    lot = Random(5)
    answers: list[Any] = []
    record = GameRecord.begin(variant)
    while not record.outcome:
        told = answer(ann, game, len(record.turns), api, answers)
        assert told.get("ok"), told
        if "request" in told:
            answers.append(reply(told["request"], variant, record, lot))
            continue
        assert "fault" not in told
        answers = []
        moves = ann.ask("enter", {"room": begun_room(ann, game)})["snapshot"]["moves"]
        record = GameRecord.begin(variant).replay(moves.split())
    snapshot = ann.ask("enter", {"room": begun_room(ann, game)})["snapshot"]
    assert snapshot["outcome"]["winner"] == record.outcome.winner
    assert [player["name"] for player in snapshot["players"]] == ["Mine", "Other"]


def begun_room(client: Client, game: str) -> str:
    page = f"{client.address}/api/games/{game}"
    answer = requests.get(page, cookies={"visitor": client.cookie}, timeout=SECONDS)
    return str(answer.json()["room"])


def test_a_computer_waits_until_it_is_asked_and_says_how_long_it_took(ann: Client) -> None:
    snapshot = begin(ann, "isola", LEVEL, OWN)
    game = snapshot["game"]
    told = answer(ann, game, 0, "competitor", [])
    assert told["error"]["code"] == "not_your_turn"
    assert ann.heard("moved") == []  # nobody has asked it
    ann.do("ask", game=game, ply=0)
    moved = ann.hear("moved", lambda one: one["game"] == game)
    assert (moved["ply"], len(moved["calls"])) == (1, 1)
    assert 0 < moved["calls"][0] < 30e9
    assert ann.ask("ask", {"game": game, "ply": 0})["error"]["code"] == "stale"
    first = answer(ann, game, 1, "competitor", [])["request"]
    assert first["method"] == "getNextMove"
    row, column = first["mine"]
    # The computer may have blocked one of these.
    to = next([row - 1, at] for at in (column, column + 1) if first["board"][row - 1][at] == "1")
    second = answer(ann, game, 1, "competitor", [to])["request"]
    assert (second["method"], second["mine"]) == ("getNextSteal", to)
    assert second["board"][to[0]][to[1]] == "B"
    assert answer(ann, game, 1, "competitor", [to, [row, column]])["ply"] == 2
    mine = ann.hear("moved", lambda one: one["game"] == game and one["ply"] == 2)
    assert mine["calls"] == [1000, 1001]


def test_an_answer_that_was_lost_is_given_again(ann: Client) -> None:
    game = begin(ann, "linear", OWN, OWN)["game"]
    fields = {"game": game, "ply": 0, "api": "move", "answers": [7], "calls": [5], "id": "x"}
    assert ann.ask("answer", fields)["ply"] == 1
    assert ann.ask("answer", fields)["repeated"]


@pytest.mark.parametrize(("variant", "reason"), [("classic", "fault"), ("isola", None)])
def test_a_fault_costs_what_the_game_says(variant: str, reason: str | None, ann: Client) -> None:
    game = begin(ann, variant, OWN, OWN)["game"]
    told = answer(ann, game, 0, "move", [[[0, 0], [5, 5]]])
    assert told["ok"]
    assert "is not next to" in told["fault"]
    if reason:
        outcome = ann.hear("state", lambda one: one["game"] == game and one["outcome"])["outcome"]
        assert (outcome["winner"], outcome["reason"]) == (1, reason)
        assert outcome["message"] == f"Player 1 made a fault: {told['fault']}"
    else:
        moved = ann.hear("moved", lambda one: one["game"] == game)
        assert (moved["move"], moved["fault"], moved["calls"]) == ("discard", told["fault"], [1000])
        ann.do("fault", game=game, ply=1, why="Error: no idea (line 3)", calls=[])
        again = ann.hear("moved", lambda one: one["game"] == game and one["ply"] == 2)
        assert again["fault"] == "Error: no idea (line 3)"


def test_only_the_director_directs(ann: Client, server: Server) -> None:
    snapshot = begin(ann, "linear", OWN, OPEN)
    game, room = snapshot["game"], snapshot["room"]
    assert snapshot["you"] == []  # Ann's bot plays, not Ann
    assert ann.ask("ask", {"game": game, "ply": 0})["error"]["code"] == "waiting"
    ben, eve = Client(server.address, "Ben"), Client(server.address, "Eve")
    assert ben.do("join", room=room)["player"] == 1
    eve.do("enter", room=room)
    for stranger in (ben, eve):
        for event in ("ask", "stop"):
            fields = {"game": game, "ply": 0} if event == "ask" else {"game": game}
            assert stranger.ask(event, fields)["error"]["code"] == "not_yours"
        assert answer(stranger, game, 0, "move", [7])["error"]["code"] == "not_yours"
    assert answer(ann, game, 0, "move", [7])["ply"] == 1
    assert ben.move(game, 1, "1")["ok"]  # a person does not wait to be asked
    for event, fields in (("takeback", {"action": "propose"}), ("draw", {"action": "offer"})):
        assert ben.ask(event, {"game": game, **fields})["error"]["code"] == "not_here"
    ann.do("stop", game=game)
    assert ben.hear("state", lambda one: one["outcome"])["outcome"]["aborted"]
    assert ann.ask("stop", {"game": game})["error"]["code"] == "over"
    friendly = ann.do("create", variant="linear", opponent="local", side=1)
    assert answer(ann, friendly["game"], 0, "move", [7])["error"]["code"] == "not_yours"
    for client in (ben, eve):
        client.close()


def test_the_director_can_play_the_own_bot(ann: Client) -> None:
    snapshot = begin(ann, "linear", OWN, OPEN)
    assert ann.do("join", room=snapshot["room"])["player"] == 1
    mine = ann.do("enter", room=snapshot["room"])["snapshot"]
    assert mine["you"] == [1]
    assert [player["bot"] for player in mine["players"]] == [True, False]
    assert answer(ann, snapshot["game"], 0, "move", [7])["ply"] == 1
    assert ann.move(snapshot["game"], 1, "1")["ply"] == 2


def test_what_bots_took_is_told_again(ann: Client) -> None:
    game = begin(ann, "isola", OWN, OWN)["game"]
    answer(ann, game, 0, "competitor", [[1, 3], [0, 3]])
    answer(ann, game, 1, "competitor", [[9, 9]])
    address = f"{ann.address}/api/games/{game}/positions"
    first, second = requests.get(address, timeout=60).json()["turns"]
    assert (first["calls"], first["verbs"]) == ([1000, 1001], ["move", "steal"])
    assert second["fault"] == "[9, 9] is not on the board"


@pytest.mark.parametrize(
    "fields",
    [
        {"variant": "linear"},
        {"variant": "linear", "seats": [OWN]},
        {"variant": "linear", "seats": [OWN, {"kind": "own"}]},
        {"variant": "linear", "seats": [OWN, {"kind": "own", "name": ""}]},
        {"variant": "linear", "seats": [OWN, {"kind": "own", "name": "\n"}]},
        {"variant": "linear", "seats": [OWN, {"kind": "computer", "level": 99}]},
        {"variant": "linear", "seats": [OWN, {"kind": "open", "name": "x"}]},
        {"variant": "chess", "seats": [OWN, OWN]},
        {"variant": "isola", "seats": [OWN, OWN], "options": {"size": 8}},
    ],
)
def test_what_is_no_contest(fields: dict[str, Any], ann: Client) -> None:
    error = ann.ask("contest", fields)["error"]
    assert error["code"] == "invalid"
    assert len(error["message"]) > 10


def test_answers_that_can_not_be(ann: Client) -> None:
    game = begin(ann, "knights", OWN, OWN)["game"]
    good = {"game": game, "ply": 0, "api": "move", "answers": [], "calls": [], "id": "x"}
    for bad in (
        {"api": "agent"},
        {"api": "competitor"},  # does not play this game
        {"answers": [1, 2, 3]},
        {"answers": 7},
        {"calls": [-1]},
        {"calls": ["x"]},
    ):
        assert ann.ask("answer", {**good, **bad})["error"]["code"] == "invalid", bad
    assert ann.ask("answer", good)["request"]["data"]["my_position"] is None


def test_a_bot_that_is_online_waits_until_it_is_asked(ann: Client, server: Server) -> None:
    bot = Bot(server.address, "Robo")
    snapshot = begin(ann, "linear", OPEN, OWN)
    bot.do(f"rooms/{snapshot['room']}/join")
    lines = bot.stream(f"game/stream/{snapshot['game']}")
    assert next(lines)["state"]["status"] == "waiting"
    status, refused = bot.post(f"game/{snapshot['game']}/move", move="7", ply=0)
    assert (status, refused["error"]["code"]) == (409, "not_your_turn")
    ann.do("ask", game=snapshot["game"], ply=0)
    assert next(lines)["status"] == "started"
    bot.do(f"game/{snapshot['game']}/move", move="7", ply=0)
    moved = ann.hear("moved", lambda one: one["game"] == snapshot["game"])
    assert (moved["move"], len(moved["calls"])) == ("7", 1)
    state = next(lines)
    assert (state["moves"], state["status"]) == ("7", "waiting")
    lines.close()  # type: ignore[attr-defined]


def test_a_contest_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with Server(tmp_path, ENGINES="1", RATE_LIMITS="off") as server:
        ann = Client(server.address, "Ann")
        snapshot = begin(ann, "linear", OWN, LEVEL)
        game, room = snapshot["game"], snapshot["room"]
        assert answer(ann, game, 0, "move", [7])["ply"] == 1
        before = ann.connections
        server.kill()
        server.start()
        ann.wait_for_connection(before + 1)
        again = ann.do("enter", room=room)["snapshot"]
        assert (again["moves"], again["you"]) == ("7", [])
        ann.do("ask", game=game, ply=1)
        assert ann.hear("moved", lambda one: one["ply"] == 2)["calls"]
        ann.close()


def test_a_flow_asks_as_often_as_it_must() -> None:
    """Without a server: what comes after which answers."""
    position = find_variant("isola").start(size=7)
    first = after_answers("competitor", position, [])
    assert isinstance(first, dict)
    assert first["method"] == "getNextMove"
    second = after_answers("competitor", position, [[1, 3]])
    assert isinstance(second, dict)
    assert second["method"] == "getNextSteal"
    move = after_answers("competitor", position, [[1, 3], [0, 3]])
    assert position.notate(move) == "d6/d7"  # type: ignore[arg-type]
    for answers in ([[9, 9]], [None], [[1, 3], [1, 3]], ["up"], [[1.5, 3]]):
        with pytest.raises(BotFault):
            after_answers("competitor", position, answers)
    assert set(APIS) == {"move", "competitor", "agent"}


def test_the_owner_talks_with_the_players(server: Server, ann: Client) -> None:
    room = begin(ann, "linear", LEVEL, OPEN)["room"]
    bob, eve = Client(server.address, "Bob"), Client(server.address, "Eve")
    bob.do("join", room=room)
    eve.do("enter", room=room)
    ann.do("chat", room=room, text="welcome")
    for client in (ann, bob):
        assert client.hear("chat")["text"] == "welcome"
    lines = [line["text"] for line in ann.do("enter", room=room)["snapshot"]["chat"]]
    assert lines == ["welcome"]
    assert eve.do("enter", room=room)["snapshot"]["chat"] == []
    for client in (bob, eve):
        client.close()
