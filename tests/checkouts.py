"""Bots in the shapes in which their authors have them, written into folders as if checked out."""

import pickle
from pathlib import Path

# What lies beside an agent in every checkout of the course, and must not get in its way.
COURSE = {
    "isolation/__init__.py": "raise RuntimeError('this is not the isolation that plays')",
    "isolation/isolation.py": "raise RuntimeError('nor is this')",
    "sample_players.py": "raise RuntimeError('nor are these the players')",
    "run_match.py": "TIME_LIMIT = 150\nif __name__ == '__main__':\n    raise SystemExit(1)\n",
}
AGENT = """
import pickle
import random

from isolation import DebugState, Isolation
from isolation.isolation import _HEIGHT, _WIDTH, Action
from sample_players import DataPlayer
from run_match import TIME_LIMIT
from opening import best

class CustomPlayer(DataPlayer):
    def get_action(self, state):
        assert self.data == {"cells": [57, 58]}
        with open("data.pickle", "rb") as file:
            assert pickle.load(file) == self.data
        assert DebugState.from_state(state).player_symbols == ["1", "2"]
        self.queue.put(best(self, state))
"""
OPENING = """
import random

def best(player, state):
    if state.ply_count < 2:
        return next(cell for cell in player.data["cells"] if cell in state.actions())
    return random.choice(state.actions())
"""


def checkout(folder: Path, agent: str = AGENT, **more: str) -> Path:
    """A student's folder; the file with the agent. `more` are modules beside it."""
    modules = {f"{name}.py": text for name, text in {"opening": OPENING, **more}.items()}
    for name, text in {**COURSE, **modules, "my_custom_player.py": agent}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "data.pickle").write_bytes(pickle.dumps({"cells": [57, 58]}))
    return folder / "my_custom_player.py"


def competitor(name: str, move: str = "pass", top: str = "") -> str:
    """A competitor of isola that takes the first step there is; `move` is run before each."""
    return f"""
from IsolaGame import IPlayer, Position
{top}
class {name}(IPlayer):
    def getNextMove(self, state):
        {move}
        here = state.getMyPosition()
        for step in (state.Up, state.Down, state.Left, state.Right, state.UpLeft,
                     state.UpRight, state.DownLeft, state.DownRight):
            to = step(here)
            if to is not None and state.isMoveable(to):
                return to
    def getNextSteal(self, state):
        for row in range(state.getRows()):
            for column in range(state.getColumns()):
                if state.isValidSteal(Position(row, column)):
                    return Position(row, column)
"""


# The public template behind the classic text, in the JavaScript of its day.
TEMPLATE = """
// Player template
module.exports = function () {
  var self = this;
  this.games = 0;
  this.calls = [];

  this.move = function (data, playerNumber) {
    if (playerNumber !== data.player_number || arguments.callee !== self.move) throw "no";
    with (data) { here = my_position; }
    for (i = here[0] - 01; i <= here[0] + 01; i++)
      for (j = here[1] - 01; j <= here[1] + 01; j++)
        if (this.is_empty_square([i, j], data.board)) return [here, [i, j]];
  };

  this.is_empty_square = function (position, board) {
    row = board[position[0]];
    return row !== undefined && row[position[1]] === null;
  };

  this.start_match = function (data) { self.calls.push(["start_match", data]); };
  this.start_game = function (data) { this.games++; self.calls.push(["start_game", data]); };
  this.end_game = function (results) { self.calls.push(["end_game", results, this.games]); };
  this.end_match = function (results) {
    self.calls.push(["end_match", results]);
    AFTER
  };
}
"""


def template(folder: Path, after: str = "", name: str = "Template.js") -> Path:
    """The template; `after` is what it does when a match is over."""
    path = folder / name
    path.write_text(TEMPLATE.replace("AFTER", after), encoding="utf-8")
    return path
