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

from isolation.bots.asking import Thought
from isolation.bots.faults import BotFault
from isolation.bots.player import Player, match_results
from isolation.rules import GameRecord, InvalidOption

logger = logging.getLogger(__name__)

ANSWER_S = 20.0  # more than the streams are ever silent
AGAIN_S = 1.0
PATIENCE_S = 90.0  # with an opponent who has gone
STOP_S = 5.0  # for games to end when the bot is stopped
TOO_FAST = 429
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
                if refusal.status != TOO_FAST:
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

    def look(self, path: str) -> dict[str, Any]:
        return self._ask(path, None)

    def stream(self, path: str) -> Iterator[dict[str, Any]]:
        """The lines of a stream, until it ends; Lost if it breaks. Empty ones say it is alive."""
        with self._open(path, None) as answer:
            try:
                for line in answer:
                    yield json.loads(line) if line.strip() else {}
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


def lasting(site: Site, path: str) -> Iterator[dict[str, Any]]:
    """The lines of a stream that is opened again whenever it ends or breaks; never ends."""
    while True:
        pause = AGAIN_S
        try:
            yield from site.stream(path)
        except Lost as error:
            logger.info("%s", error)
        except Refusal as refusal:
            if refusal.status != TOO_FAST:
                raise
            pause = max(pause, refusal.seconds)
        time.sleep(pause)


def play(site: Site, game: str, player: Player, say: Say) -> str:
    """Play a game to its end, through whatever happens to the connection; its result in words."""
    full: dict[str, Any] = {}
    gone_at: float | None = None
    for line in lasting(site, f"game/stream/{game}"):
        kind = line.get("type")
        if kind == "gameFull":
            if not full:
                player.begin(line["you"])
            full, gone_at = line, None
        elif kind == "opponentGone":
            gone_at = time.monotonic() if line["gone"] else None
        if gone_at is not None and time.monotonic() - gone_at > PATIENCE_S:
            leave(site, game, ("claim", {"result": "win"}), ("abort", {}))
        state = line.get("state", line)
        if state.get("status") == "finished":
            _end(player, state["outcome"]["winner"], say)
            return _ended(full, state)
        if state.get("status") == "started" and state["to_move"] == full["you"]:
            _take_turn(site, full, state, player, say)
    raise Lost("the stream has ended")


def _end(player: Player, winner: int | None, say: Say) -> None:
    """Let a bot know how its only game here has ended."""
    wins = [int(seat == winner) for seat in (0, 1)]
    try:
        player.end(winner, match_results(1, wins, int(winner is None)))
    except BotFault as fault:
        say(f"{player.name} made a fault after the game: {fault}")


def leave(site: Site, game: str, *ways: tuple[str, dict[str, Any]]) -> None:
    """Leave a game in the first of these ways that is allowed; by default abort, or resign."""
    for way, fields in ways or (("abort", {}), ("resign", {})):
        try:
            site.post(f"game/{game}/{way}", **fields)
        except (Refusal, Lost) as error:
            logger.info("%s", error)
        else:
            return


def _take_turn(
    site: Site, full: dict[str, Any], state: dict[str, Any], player: Player, say: Say
) -> None:
    game, ply, thought = full["id"], state["ply"], Thought()
    begun = GameRecord.begin(full["variant"], full["options"], position=full.get("start"))
    record = begun.replay(state["moves"].split())
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
    except (Refusal, Lost) as error:
        logger.info("%s", error)


def _ended(full: dict[str, Any], state: dict[str, Any]) -> str:
    outcome = state["outcome"]
    names = " against ".join(player["name"] for player in full["players"])
    why = outcome.get("message") or outcome["reason"]
    if outcome["winner"] is None:
        return f"{names}: {why}"
    won = "won" if outcome["winner"] == full["you"] else "lost"
    return f"{names}: {won} ({why})"


def join(site: Site, room: str) -> str:
    """Take the free seat of a room; the game there."""
    return str(site.post(f"rooms/{room}/join")["game"])


def play_in_room(site: Site, room: str, make: Callable[[str], Player], say: Say) -> str:
    """Play the game of a room. Who can't play it does not sit down."""
    player = make(site.look(f"rooms/{room}")["variant"])
    return _play(site, join(site, room), player, say)


def _play(site: Site, game: str, player: Player, say: Say) -> str:
    """Play a game, and leave nobody waiting in it if that can't be done."""
    try:
        return play(site, game, player, say)
    except BaseException:
        leave(site, game)
        raise
    finally:
        player.close()


class Voice:
    """Says what several threads have to say. Once it's ended, none is in the middle of it."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._lock = threading.Lock()
        self._is_ended = False

    def __call__(self, words: str) -> None:
        with self._lock:
            if not self._is_ended:
                self._say(words)

    def end(self) -> None:
        with self._lock:
            self._is_ended = True


def serve(
    site: Site, games: tuple[str, ...], most: int, make: Callable[[str], Player], say: Say
) -> None:
    """Accept challenges, so many games at a time, each in a thread of its own; until stopped."""
    playing: dict[str, threading.Thread] = {}
    voice = Voice(say)

    def run(game: str, variant: str, room: str) -> None:
        try:
            voice(f"a game of {variant} begins: {site.address}/room/{room}")
            voice(_play(site, game, make(variant), voice))
        except (BotFault, Refusal, Lost, InvalidOption) as error:
            leave(site, game)
            voice(str(error))
        finally:
            del playing[game]

    def begin(game: str, variant: str, room: str) -> None:
        playing[game] = threading.Thread(target=run, args=(game, variant, room), daemon=True)
        playing[game].start()

    try:
        for event in lasting(site, f"stream/event?games={','.join(games)}"):
            if event.get("type") == "challenge" and len(playing) < most:
                room = event["challenge"]["room"]
                _forgiving(lambda room=room: join(site, room))  # type: ignore[misc]
            elif event.get("type") == "gameStart" and event["game"]["id"] not in playing:
                begin(event["game"]["id"], event["game"]["variant"], event["game"]["room"])
    finally:
        _stop(site, playing, voice)


def _stop(site: Site, playing: dict[str, threading.Thread], voice: Voice) -> None:
    """Leave all games, so that nobody waits in them, and let their threads come to an end.

    A thread that doesn't is silenced: Python aborts if one writes while it shuts down.
    """
    until = time.monotonic() + STOP_S
    try:
        for game, thread in list(playing.items()):
            leave(site, game)
            if thread.ident:  # it was started
                thread.join(max(0.0, until - time.monotonic()))
    finally:
        voice.end()
