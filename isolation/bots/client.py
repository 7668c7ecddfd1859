"""A bot on its owner's machine that plays on a site, over the HTTP API for bots.

Streams that break are opened again, and a server that is away is waited for: nothing is lost but
time.
"""

import json
import logging
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from isolation.bots.apis import Thought
from isolation.bots.child import BotFault
from isolation.bots.player import Player
from isolation.rules import GameRecord, InvalidOption

logger = logging.getLogger(__name__)

ANSWER_S = 20.0  # more than the streams are ever silent
AGAIN_S = 1.0
MAX_WHY = 160  # letters of the reason for a fault
Say = Callable[[str], None]


class Refusal(Exception):
    """What the site does not allow."""

    def __init__(self, status: int, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.status = status
        self.seconds = seconds


class Lost(Exception):
    """The site does not answer."""


class Site:
    """The API of one site, as one bot."""

    def __init__(self, address: str, token: str | None, name: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise InvalidOption(f"{address!r:.80} is no address of a site: http://... is")
        self.address = f"{parts.scheme}://{parts.netloc}"
        self._headers = {"Content-Type": "application/json"}
        self.token = token or str(self.post("token", name=name)["token"])
        self._headers["Authorization"] = f"Bearer {self.token}"
        self.name = str(self._ask("account", None)["name"])

    def post(self, path: str, **fields: Any) -> dict[str, Any]:
        """The answer, or Refusal, or Lost. Who asks too often waits, and asks again."""
        while True:
            try:
                return self._ask(path, json.dumps(fields).encode())
            except Refusal as refusal:
                if refusal.status != 429:
                    raise
                time.sleep(refusal.seconds)

    def insist(self, path: str, **fields: Any) -> dict[str, Any]:
        """The same, but asked again while the site is away: for what can be repeated."""
        while True:
            try:
                return self.post(path, **fields)
            except Lost:
                time.sleep(AGAIN_S)

    def _ask(self, path: str, body: bytes | None) -> dict[str, Any]:
        with self._open(path, body) as answer:
            try:
                found: dict[str, Any] = json.loads(answer.read())
            except (OSError, HTTPException, ValueError) as error:
                raise Lost(str(error)) from None
            return found

    def stream(self, path: str) -> Iterator[dict[str, Any]]:
        """The lines of a stream, until it ends; Lost if it breaks."""
        with self._open(path, None) as answer:
            try:
                for line in answer:
                    if line.strip():
                        yield json.loads(line)
            except (OSError, HTTPException, ValueError) as error:
                raise Lost(str(error)) from None

    def _open(self, path: str, body: bytes | None) -> Any:
        request = urllib.request.Request(  # noqa: S310
            f"{self.address}/api/bot/{path}", body, self._headers
        )
        try:
            return urllib.request.urlopen(request, timeout=ANSWER_S)  # noqa: S310
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, HTTPException) as error:
            raise Lost(f"{self.address} does not answer: {error}") from None


def _refusal(error: urllib.error.HTTPError) -> Exception:
    with error:
        try:
            told = json.loads(error.read())["error"]
            message, seconds = str(told["message"]), float(told.get("seconds", 0))
        except (ValueError, KeyError, TypeError, AttributeError):
            message, seconds = f"the site answers {error.code}", 0.0
    if error.code >= 500:
        return Lost(message)
    return Refusal(error.code, message, seconds)


def play(site: Site, game: str, player: Player, say: Say) -> str:
    """Play a game to its end, through whatever happens to the connection; its result in words."""
    is_begun = False
    while True:
        try:
            for line in site.stream(f"game/stream/{game}"):
                if line["type"] == "gameFull":
                    full = line
                    if not is_begun:
                        player.begin(full["you"])
                        is_begun = True
                state = line.get("state", line)
                if state["type"] != "gameState":
                    continue
                if state["status"] == "finished":
                    return _ended(full, state)
                if state["status"] == "started" and state["to_move"] == full["you"]:
                    _take_turn(site, full, state, player, say)
        except Lost as error:
            logger.info("%s", error)
            time.sleep(AGAIN_S)


def _take_turn(
    site: Site, full: dict[str, Any], state: dict[str, Any], player: Player, say: Say
) -> None:
    game, ply, thought = full["id"], state["ply"], Thought()
    record = GameRecord.begin(full["variant"], full["options"]).replay(state["moves"].split())
    try:
        player.think(record, thought)
        text = record.position.notate(thought.move)
        # The id makes it one move, however often it is sent.
        move_id = f"{game} {ply} {state['v']}"[:64]
        site.insist(f"game/{game}/move", move=text, ply=ply, id=move_id)
    except BotFault as fault:
        say(f"{player.name} made a fault at move {ply + 1}: {fault}")
        why = " ".join(str(fault).split())[:MAX_WHY] or "no reason"
        _forgiving(lambda: site.insist(f"game/{game}/fault", ply=ply, why=why))
    except Refusal as refusal:  # the game has gone another way meanwhile
        logger.info("%s", refusal)


def _forgiving(call: Callable[[], Any]) -> None:
    try:
        call()
    except Refusal as refusal:
        logger.info("%s", refusal)


def _ended(full: dict[str, Any], state: dict[str, Any]) -> str:
    outcome = state["outcome"]
    names = " against ".join(player["name"] for player in full["players"])
    if outcome["winner"] is None:
        return f"{names}: {outcome['reason']}"
    won = "won" if outcome["winner"] == full["you"] else "lost"
    return f"{names}: {won} ({outcome['reason']})"


def join(site: Site, room: str) -> str:
    """Take the free seat of a room; the game there."""
    return str(site.post(f"rooms/{room}/join")["game"])


def serve(site: Site, games: tuple[str, ...], make: Callable[[str], Player], say: Say) -> None:
    """Accept every challenge, and play every game, each in a thread of its own; never returns."""
    playing: set[str] = set()

    def run(game: str, variant: str) -> None:
        player = make(variant)
        try:
            say(play(site, game, player, say))
        except (BotFault, Refusal) as error:
            say(str(error))
        finally:
            player.close()
            playing.discard(game)

    while True:
        try:
            for event in site.stream(f"stream/event?games={','.join(games)}"):
                if event["type"] == "challenge" and event["challenge"]["variant"] in games:
                    _forgiving(lambda room=event["challenge"]["room"]: join(site, room))  # type: ignore[misc]
                elif event["type"] == "gameStart" and event["game"]["id"] not in playing:
                    found = event["game"]
                    playing.add(found["id"])
                    say(f"a game of {found['variant']} begins: {site.address}/room/{found['room']}")
                    arguments = (found["id"], found["variant"])
                    threading.Thread(target=run, args=arguments, daemon=True).start()
        except Lost as error:
            logger.info("%s", error)
        time.sleep(AGAIN_S)
