"""Visits a site that runs: it must be well, and play a game against the computer to the end.

python -m tools.visit ADDRESS          plays, and prints the game as JSON
python -m tools.visit ADDRESS FILE     the game that was printed must still be there
"""

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import requests

from isolation.rules import GameRecord
from tests.client import Client
from tests.playing import random_move

SECONDS = 120.0  # for the whole game


def main() -> None:
    address, *files = sys.argv[1:]
    health = requests.get(f"{address}/healthz", timeout=SECONDS)
    check(health.status_code == 200, health.text)
    if not files:
        print(json.dumps(play(address)))
        return
    game = json.loads(Path(files[0]).read_text(encoding="utf-8"))
    check(stored(address, game["id"]) == game["stored"], "the game isn't what it was")


def play(address: str) -> dict[str, Any]:
    client, lot = Client(address, "Ann"), Random(14)
    made = client.do("create", variant="isola", opponent="computer", level=3, side=1)
    until = time.monotonic() + SECONDS
    while True:
        check(time.monotonic() < until, "the game takes too long")
        snapshot = client.do("enter", room=made["room"])["snapshot"]
        if snapshot["outcome"]:
            break
        if snapshot["to_move"] in snapshot["you"]:
            record = GameRecord.begin(snapshot["variant"], snapshot["options"])
            position = record.replay(snapshot["moves"].split()).position
            move = position.notate(random_move(position, lot))
            answer = client.move(made["game"], snapshot["ply"], move)
            check("ok" in answer, f"{move} was refused: {answer}")
        else:
            time.sleep(0.05)
    client.close()
    return {"id": made["game"], "stored": stored(address, made["game"])}


def stored(address: str, game: str) -> Any:
    answer = requests.get(f"{address}/api/games/{game}.txt", timeout=SECONDS)
    check(answer.ok, answer.text)
    return answer.text


def check(is_well: bool, otherwise: str) -> None:
    if not is_well:
        raise SystemExit(f"isolation: {otherwise}")


if __name__ == "__main__":
    main()
