"""A beam search: at every turn only the few moves that look best, and so twice as deep.

It sees long plans and races that a full-width search of the same time doesn't reach, and overlooks
quiet refutations. Kept independent of isolation/engines on purpose: see the package.

Run: python -m benchmarks.rivals.narrow
"""

from benchmarks.rivals.alphabeta import Searcher
from benchmarks.rivals.lines import serve

WIDTH = 4

if __name__ == "__main__":
    serve("narrow", Searcher(width=WIDTH))
