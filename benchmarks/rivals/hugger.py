"""Alpha-beta for the pawn games that only ever blocks a square next to the enemy.

The habit of most human players, and a trap for an engine that expects distant blocks. Kept
independent of isolation/engines on purpose: see the package.

Run: python -m benchmarks.rivals.hugger
"""

from benchmarks.rivals.alphabeta import Searcher
from benchmarks.rivals.lines import serve
from benchmarks.rivals.steps import HUG

if __name__ == "__main__":
    serve("hugger", Searcher(reach=HUG, full_plies=0))
