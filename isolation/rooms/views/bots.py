"""What bots are told: on their streams, of rooms, of their tokens, of each other."""

from collections.abc import Iterable, Mapping
from typing import Any

from isolation.rooms.game import Game
from isolation.rooms.ports import BotToken, OnlineBot
from isolation.rooms.room import Room
from isolation.rooms.views import games

_STATE = ("v", "ply", "to_move", "left", "running", "draw_offer", "takeback_offer", "outcome")


def game_full(game: Game, identity: str, state: dict[str, Any]) -> dict[str, Any]:
    start = game.start
    return {
        "type": "gameFull",
        "id": start.id,
        "room": start.room,
        "variant": start.variant,
        "options": dict(start.options),
        "clock": start.clock.to_dict() if start.clock else None,
        "start": start.position,
        "players": games.players(game),
        "you": game.players_of(identity)[0],
        "state": state,
    }


def game_state(game: Game, is_held: bool, now: float) -> dict[str, Any]:
    told = games.state(game, now)
    is_waiting = not game.is_on or is_held
    return {
        "type": "gameState",
        "status": "finished" if game.outcome else "waiting" if is_waiting else "started",
        "moves": " ".join(game.record.notation()),
        **{name: told[name] for name in _STATE},
    }


def game_start(game: Game, identity: str) -> dict[str, Any]:
    return {"type": "gameStart", "game": {**_named(game), "you": game.players_of(identity)[0]}}


def game_finish(game: Game) -> dict[str, Any]:
    return {"type": "gameFinish", "game": {**_named(game), "result": game.result}}


def _named(game: Game) -> dict[str, Any]:
    start = game.start
    return {"id": start.id, "room": start.room, "variant": start.variant}


def looked_at(room: Room) -> dict[str, Any]:
    """What is played in a room, for a bot that thinks of joining."""
    game = room.game
    return {
        "game": game.id,
        "variant": game.start.variant,
        "taken": [seat.is_taken for seat in game.seats],
        "options": dict(game.start.options),
        "start": game.start.position,
        "over": bool(game.outcome),
    }


def challenge(game: Game) -> dict[str, Any]:
    start = game.start
    return {"room": start.room, "variant": start.variant, "options": dict(start.options)}


def challenged(challenge: Mapping[str, Any]) -> dict[str, Any]:
    """Somebody waits for the bot in a room."""
    return {"type": "challenge", "challenge": challenge}


def chat_line(said: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "chatLine", **said}


def opponent_gone(presence: Mapping[str, Any], opponent: int) -> dict[str, Any]:
    """Whether the opponent is away, and in how many seconds the game can be claimed."""
    is_gone = not presence["players"][opponent]
    return {"type": "opponentGone", "gone": is_gone, "claim_in": presence["claim_in"][opponent]}


def online(bot: OnlineBot) -> dict[str, Any]:
    """A bot that waits for games. Its identity is no secret, as people's are."""
    return {"id": bot.identity, "name": bot.name, "games": list(bot.games)}


def all_online(bots: list[dict[str, Any]]) -> dict[str, Any]:
    return {"bots": bots}


def account(token: BotToken) -> dict[str, Any]:
    return {"id": token.bot, "name": token.name}


def tokens(tokens: Iterable[BotToken]) -> dict[str, Any]:
    return {"tokens": [token(one) for one in tokens]}


def token(token: BotToken) -> dict[str, Any]:
    """What its owner may see: neither the token nor its hash."""
    return {
        "id": token.id,
        "bot": token.bot,
        "name": token.name,
        "label": token.label,
        "created": token.created,
        "last_used": token.last_used,
        "expires": token.expires,
    }


def new_token(secret: str, made: BotToken) -> dict[str, Any]:
    """Told once."""
    named = {"id": made.bot, "name": made.name, "token_id": made.id}
    return {"token": secret, **named, "expires": made.expires}
