"""A ladder that has been played, for pages to show."""

from pathlib import Path
from random import Random

from isolation.bots.ladder import Ladder

SAMPLE = Path(__file__).parents[1] / "isolation" / "bots" / "samples" / "SampleAI.py"


def small_ladder(folder: Path) -> Ladder:
    ladder = Ladder(folder)
    for given, author in (("random", "Chance"), ("greedy", "The house"), (str(SAMPLE), "Ann")):
        ladder.submit(given, author)
    ladder.run(1, None, Random(1), lambda match: None)
    return ladder
