"""The tokens of bots: stored as hashes, listed, used, revoked, expired."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from itsdangerous import URLSafeSerializer

from isolation.rooms.errors import Refused
from isolation.rooms.ports import BotToken
from isolation.store import SqlStore
from isolation.web.tokens import CACHE_S, DAY_S, MOST_CACHED, MOST_TOKENS, TOUCH_S, BadToken, Tokens
from tests.client import new_cookie
from tests.postgres import postgres
from tests.server import Server
from tests.test_bot_api import SECONDS, Bot, wait_online

SECRET = "of this test"


class Caller:
    """Asks with a token, with the cookie of a browser, with both or with neither."""

    def __init__(self, server: Server, token: str | None = None, cookie: str | None = None) -> None:
        self._address = server.address
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._cookies = {"visitor": cookie} if cookie else {}

    def ask(self, method: str, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
        answer = requests.request(
            method,
            f"{self._address}/api/bot/{path}",
            json=body or None,
            headers=self._headers,
            cookies=self._cookies,
            timeout=SECONDS,
        )
        return answer.status_code, answer.json()

    def make(self, **body: Any) -> dict[str, Any]:
        status, answer = self.ask("POST", "token", **body)
        assert status == 200, answer
        return answer

    def list(self) -> list[dict[str, Any]]:
        status, answer = self.ask("GET", "tokens")
        assert status == 200, answer
        return list(answer["tokens"])

    def refusal(self) -> str | None:
        """Why the token doesn't count, or None if it does."""
        status, answer = self.ask("GET", "account")
        assert status in (200, 401)
        return str(answer["error"]["message"]) if status == 401 else None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("site"), ENGINES="0", RATE_LIMITS="off") as running:
        yield running
    assert running.errors.read_text() == ""


def old_token(server: Server, name: str = "Veteran") -> str:
    """As this site made them before it stored any."""
    secret = (server.folder / "secret_key").read_text()
    return str(URLSafeSerializer(secret, salt="bot").dumps([f"bot-{name}", name]))


def change(server: Server, query: str, *values: Any) -> None:
    database = sqlite3.connect(server.folder / "isolation.db", timeout=10)
    with database:
        assert database.execute(query, values).rowcount == 1
    database.close()


def test_only_the_hash_of_a_token_is_stored(server: Server) -> None:
    made = Caller(server).make(name="Secret")
    assert made["token"].startswith("isolation_")
    assert Caller(server, made["token"]).refusal() is None
    data = b"".join(path.read_bytes() for path in server.folder.glob("isolation.db*"))
    assert made["token_id"].encode() in data
    assert made["token"].removeprefix("isolation_").encode() not in data


def test_a_bot_lists_its_tokens_and_revokes_them_one_by_one(server: Server) -> None:
    first = Caller(server).make(name="Multi")
    multi = Caller(server, first["token"])
    begun = time.time()
    second = multi.make(label="Laptop", days=30)
    third = multi.make(name="Multi")
    assert first["id"] == second["id"] == third["id"]
    assert (first["expires"], third["expires"]) == (None, None)
    assert second["expires"] == pytest.approx(begun + 30 * DAY_S, abs=5)
    Caller(server).make(name="Somebody else")
    listed = multi.list()
    assert [one["id"] for one in listed] == [one["token_id"] for one in (first, second, third)]
    assert [one["label"] for one in listed] == [None, "Laptop", None]
    assert [one["expires"] for one in listed] == [None, second["expires"], None]
    assert {(one["bot"], one["name"]) for one in listed} == {(first["id"], "Multi")}
    assert [one["last_used"] is None for one in listed] == [False, True, True]
    assert all(begun - 5 < one["created"] < begun + 5 for one in listed)
    fields = {"id", "bot", "name", "label", "created", "last_used", "expires"}
    assert all(set(one) == fields and len(one["id"]) == 12 for one in listed)
    callers = [Caller(server, one["token"]) for one in (first, second, third)]
    assert [caller.refusal() for caller in callers] == [None, None, None]
    assert multi.ask("DELETE", f"tokens/{second['token_id']}") == (200, {"ok": True})
    assert "revoked" in (callers[1].refusal() or "")
    assert callers[2].refusal() is None
    assert multi.ask("DELETE", f"tokens/{second['token_id']}")[0] == 404
    assert multi.ask("DELETE", f"tokens/{first['token_id']}")[0] == 200  # the one it sends
    assert "revoked" in (callers[0].refusal() or "")
    assert [one["id"] for one in callers[2].list()] == [third["token_id"]]


def test_a_visitor_lists_and_revokes_what_was_made_in_the_browser(server: Server) -> None:
    ann, eve = (Caller(server, cookie=new_cookie(server.address)) for _ in range(2))
    one, two = ann.make(name="One"), ann.make(name="Two", label="At work")
    assert [(token["name"], token["label"]) for token in ann.list()] == [
        ("One", None),
        ("Two", "At work"),
    ]
    assert eve.list() == []
    assert eve.ask("DELETE", f"tokens/{one['token_id']}")[0] == 404
    stranger = Caller(server, Caller(server).make(name="Stranger")["token"])
    assert stranger.ask("DELETE", f"tokens/{one['token_id']}")[0] == 404
    for path in ("tokens/x", "tokens/%C3%A4", f"tokens/{'a' * 12}"):
        assert ann.ask("DELETE", path)[0] in (400, 404)
    assert ann.ask("DELETE", f"tokens/{one['token_id']}")[0] == 200
    assert "revoked" in (Caller(server, one["token"]).refusal() or "")
    assert Caller(server, two["token"]).refusal() is None
    assert [token["name"] for token in ann.list()] == ["Two"]


def test_nothing_is_listed_or_revoked_without_a_token_or_a_cookie(server: Server) -> None:
    made = Caller(server).make(name="Careful")
    for cookie in (None, "forged"):
        stranger = Caller(server, cookie=cookie)
        assert stranger.ask("GET", "tokens")[0] == 401
        assert stranger.ask("DELETE", f"tokens/{made['token_id']}")[0] == 401
    given = requests.get(server.address, timeout=SECONDS).headers["Set-Cookie"]
    assert "SameSite=Lax" in given  # so requests that other sites make come without it
    assert Caller(server, made["token"]).refusal() is None


@pytest.mark.parametrize(
    "token",
    [
        "isolation_",
        "isolation_short",
        f"isolation_{'a' * 43}",
        f"isolation_{'a' * 44}",
        f"isolation_{'a' * 5000}",
        f"isolation_{'é' * 43}",
        "two words",
        "é.ü",
        ".",
        "a.b.c",
        "x" * 5000,
    ],
)
def test_what_is_no_token_is_refused_in_words(token: str, server: Server) -> None:
    for method, path in (("GET", "account"), ("GET", "tokens"), ("POST", "token")):
        caller = Caller(server)
        caller._headers = {"Authorization": f"Bearer {token}".encode("latin-1")}  # type: ignore[dict-item]
        status, answer = caller.ask(method, path, **({"name": "x"} if method == "POST" else {}))
        assert (status, answer["error"]["code"]) == (401, "unauthorized")
        assert "this isn't a token of this site" in answer["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x", "days": 0},
        {"name": "x", "days": 3651},
        {"name": "x", "days": 1.5},
        {"name": "x", "days": True},
        {"name": "x", "days": "30"},
        {"name": "x", "label": "y" * 41},
        {"name": "x", "label": ""},
        {"name": "x", "owner": "y"},
    ],
)
def test_what_can_not_be_made(body: dict[str, Any], server: Server) -> None:
    status, answer = Caller(server).ask("POST", "token", **body)
    assert (status, answer["error"]["code"]) == (400, "invalid")


def test_a_further_token_does_not_rename_the_bot(server: Server) -> None:
    bot = Caller(server, Caller(server).make(name="Steady")["token"])
    status, answer = bot.ask("POST", "token", name="Other")
    assert (status, answer["error"]["code"]) == (400, "invalid")
    assert "Steady" in answer["error"]["message"]


def test_a_token_expires(server: Server) -> None:
    made = Caller(server).make(name="Mayfly", days=1)
    mayfly = Caller(server, made["token"])
    assert mayfly.refusal() is None
    change(
        server,
        "UPDATE bot_tokens SET expires = ? WHERE substr(hash, 1, 12) = ?",
        time.time() - 1,
        made["token_id"],
    )
    time.sleep(CACHE_S + 0.5)
    assert "expired" in (mayfly.refusal() or "")


def test_a_revocation_in_the_database_counts_soon(server: Server) -> None:
    made = Caller(server).make(name="Elsewhere")
    bot = Caller(server, made["token"])
    assert bot.refusal() is None
    change(
        server,
        "UPDATE bot_tokens SET revoked = 1.5 WHERE substr(hash, 1, 12) = ?",
        made["token_id"],
    )
    time.sleep(CACHE_S + 0.5)
    assert "revoked" in (bot.refusal() or "")


def test_open_streams_end_with_their_token(server: Server) -> None:
    first = Caller(server).make(name="Listener")
    owner = Caller(server, first["token"])
    second = owner.make()
    bot = Bot(server.address, token=second["token"])
    game = bot.do("rooms", variant="linear")["game"]
    ended: list[float] = []

    def listen(path: str) -> None:
        for _ in bot.stream(path):
            pass
        ended.append(time.monotonic())

    paths = ("stream/event", f"game/stream/{game}")
    listeners = [threading.Thread(target=listen, args=(path,), daemon=True) for path in paths]
    for listener in listeners:
        listener.start()
    wait_online(server, "Listener")
    revoked_at = time.monotonic()
    assert owner.ask("DELETE", f"tokens/{second['token_id']}")[0] == 200
    for listener in listeners:
        listener.join(SECONDS)
    assert len(ended) == 2
    assert max(ended) - revoked_at < 10
    assert requests.get(f"{server.address}/api/bots", timeout=SECONDS).json()["bots"] == []


def test_an_old_token_works_until_its_bot_revokes_it(server: Server) -> None:
    token = old_token(server)
    old, other = Caller(server, token), Caller(server, old_token(server, "Other veteran"))
    assert old.ask("GET", "account") == (200, {"id": "bot-Veteran", "name": "Veteran"})
    assert other.refusal() is None
    [listed] = old.list()
    assert (listed["bot"], listed["expires"]) == ("bot-Veteran", None)
    new = old.make()
    assert new["id"] == "bot-Veteran"
    assert old.ask("DELETE", f"tokens/{listed['id']}")[0] == 200
    # The last letter has bits that don't count: another spelling of the same signature.
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    respelled = token[:-1] + letters[letters.index(token[-1]) ^ 1]
    for revoked in (token, respelled):
        assert "revoked" in (Caller(server, revoked).refusal() or "")
    assert other.refusal() is None
    assert Caller(server, new["token"]).refusal() is None


def test_tokens_survive_a_restart_and_old_ones_can_be_turned_off(tmp_path: Path) -> None:
    server = Server(tmp_path, ENGINES="0")
    with server:
        live, dead = Caller(server).make(name="Live"), Caller(server).make(name="Dead")
        assert Caller(server, dead["token"]).ask("DELETE", f"tokens/{dead['token_id']}")[0] == 200
        old = old_token(server)
        assert Caller(server, old).refusal() is None
        further = Caller(server, old).make()
        server.kill()
        server.start()
        assert Caller(server, live["token"]).refusal() is None
        assert "revoked" in (Caller(server, dead["token"]).refusal() or "")
        assert Caller(server, old).refusal() is None
    with Server(tmp_path, ENGINES="0", OLD_BOT_TOKENS="off") as server:
        assert "no longer work" in (Caller(server, old).refusal() or "")
        assert Caller(server, live["token"]).refusal() is None
        listed = Caller(server, further["token"]).list()
        assert [one["id"] for one in listed] == [further["token_id"]]


def test_there_are_so_many_tokens_and_no_more(server: Server) -> None:
    ann = Caller(server, cookie=new_cookie(server.address))
    made = [ann.make(name=f"Bot {number}") for number in range(MOST_TOKENS)]
    status, answer = ann.ask("POST", "token", name="One more")
    assert (status, answer["error"]["code"]) == (409, "too_many")
    assert "Revoke one first" in answer["error"]["message"]
    assert ann.ask("DELETE", f"tokens/{made[7]['token_id']}")[0] == 200
    ann.make(name="One more")
    bot = Caller(server, Caller(server).make(name="Greedy")["token"])
    for _ in range(MOST_TOKENS - 1):
        bot.make()
    assert bot.ask("POST", "token")[1]["error"]["code"] == "too_many"


def test_tokens_on_postgres(tmp_path: Path) -> None:
    with (
        postgres() as address,
        Server(tmp_path, ENGINES="0", RATE_LIMITS="off", DATABASE_URL=address) as server,
    ):
        made = Caller(server).make(name="Elephant", days=1)
        old = Caller(server, old_token(server))
        callers = [threading.Thread(target=old.refusal) for _ in range(8)]  # all are the first
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(SECONDS)
        assert len(old.list()) == 1
        bot = Caller(server, made["token"])
        assert [one["name"] for one in bot.list()] == ["Elephant"]
        assert bot.ask("DELETE", f"tokens/{made['token_id']}")[0] == 200
        assert "revoked" in (bot.refusal() or "")
    assert server.errors.read_text() == ""


class Memory:
    """A store that counts what it's asked."""

    def __init__(self) -> None:
        self.rows: dict[str, BotToken] = {}
        self.finds = 0
        self.touches: list[float] = []

    def add(self, token: BotToken) -> None:
        self.rows.setdefault(token.hash, token)

    def find(self, digest: str) -> BotToken | None:
        self.finds += 1
        return self.rows.get(digest)

    def live_of_bot(self, bot: str, now: float) -> list[BotToken]:
        return [one for one in self.rows.values() if one.bot == bot and one.is_live(now)]

    def live_of_owner(self, owner: str, now: float) -> list[BotToken]:
        return [one for one in self.rows.values() if one.owner == owner and one.is_live(now)]

    def touch(self, digest: str, at: float) -> None:
        self.touches.append(at)
        self._set(digest, last_used=at)

    def revoke(self, digest: str, at: float) -> None:
        self._set(digest, revoked=at)

    def _set(self, digest: str, **values: float) -> None:
        for name, value in values.items():
            object.__setattr__(self.rows[digest], name, value)


class Clock:
    """Goes when it's told to."""

    def __init__(self) -> None:
        self.at = 1_000_000.0

    def __call__(self) -> float:
        return self.at


def test_requests_rarely_reach_the_store() -> None:
    store, clock = Memory(), Clock()
    tokens = Tokens(store, clock, [SECRET])
    token, _ = tokens.make("bot", "Bot")
    for _ in range(1000):
        clock.at += 0.2
        assert tokens.read(token).name == "Bot"
    assert 200 / CACHE_S - 2 <= store.finds <= 200 / CACHE_S + 2
    assert len(store.touches) == 4  # in 200 seconds
    assert all(b - a >= TOUCH_S for a, b in zip(store.touches, store.touches[1:], strict=False))


def test_what_is_remembered_is_bounded_and_never_outlives_its_token() -> None:
    store, clock = Memory(), Clock()
    tokens = Tokens(store, clock, [SECRET])
    made = [tokens.make(f"bot-{number}", "Bot")[0] for number in range(MOST_CACHED + 50)]
    for token in made:
        tokens.read(token)
    assert len(tokens._checked) == MOST_CACHED
    short, row = tokens.make("bot", "Bot", days=1)
    clock.at += DAY_S - 1
    assert tokens.read(short).hash == row.hash
    assert tokens.is_live(row)
    clock.at += 1
    assert not tokens.is_live(row)
    with pytest.raises(BadToken, match="expired"):
        tokens.read(short)


def test_a_token_revoked_while_it_is_looked_up_is_not_remembered() -> None:
    class Slow(Memory):
        def find(self, digest: str) -> BotToken | None:
            row = self.rows[digest]
            before = BotToken(row.hash, row.bot, row.name, None, None, row.created)
            tokens.revoke(row)  # another green thread does
            return before

    store, clock = Slow(), Clock()
    tokens = Tokens(store, clock, [SECRET])
    token, _ = tokens.make("bot", "Bot")
    tokens.read(token)
    store.find = lambda digest: store.rows[digest]  # type: ignore[method-assign]
    with pytest.raises(BadToken, match="revoked"):
        tokens.read(token)


def test_the_oldest_tokens_of_all_can_be_told_from_nonsense(tmp_path: Path) -> None:
    store = SqlStore(f"sqlite:///{tmp_path / 'tokens.db'}")
    store.migrate()
    signer = URLSafeSerializer(SECRET, salt="bot")
    tokens = Tokens(store.tokens, time.time, [SECRET])
    assert tokens.read(str(signer.dumps(["bot-1", "Zoë ♞"]))).name == "Zoë ♞"
    for nonsense in (signer.dumps("text"), signer.dumps([1, 2, 3]), "\ud800", "", "a" * 10_000):
        with pytest.raises(BadToken, match="isn't a token"):
            tokens.read(str(nonsense))
    for _ in range(MOST_TOKENS - 1):
        tokens.make("bot-1", "Zoë ♞")
    with pytest.raises(Refused, match="Revoke one"):
        tokens.make("bot-1", "Zoë ♞")
    store.close()
