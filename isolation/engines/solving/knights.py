"""Knights solved from the first token on: by mirroring, or by a proof for each pair of places."""

from collections.abc import Callable, Iterator

from isolation.engines.engine import Limits
from isolation.engines.solving.dfpn import Prover
from isolation.rules.grid import Grid
from isolation.rules.knights import Knights

Progress = Callable[[str, str, int], None]  # both tokens' cells, and which player wins then


def second_mirrors(start: Knights) -> bool:
    """Whether Player 2 can always answer with the same on the opposite side of the board."""
    return start.cell_count % 2 == 0


class KnightSolver:
    """Tries the first token's places, and for each the answers, until one settles it."""

    def __init__(self, start: Knights, progress: Progress | None = None) -> None:
        self._start, self._progress = start, progress
        self._prover = Prover()
        self._maps = list(_symmetries(start.grid))
        self.positions = 0

    def winner(self) -> int:
        """The player who wins; a proof is searched for as long as it takes."""
        if second_mirrors(self._start):
            return 1
        return 0 if any(map(self._is_won_from, self._places(self._maps))) else 1

    def _is_won_from(self, first: int) -> bool:
        """Whether Player 1, placed there, beats every answer."""
        here = self._start.after((first,))
        same = [image for image in self._maps if image[first] == first]
        answers = [cell for cell in self._places(same) if cell != first]
        if not answers:
            return True
        return all(self._beats(here, first, answer) for answer in answers)

    def _beats(self, here: Knights, first: int, answer: int) -> bool:
        position = here.after((answer,))
        sign = -1
        if not position.outcome():
            proof = self._prover.prove(position, Limits())
            sign, self.positions = proof.sign, self.positions + proof.nodes
        if self._progress:
            names = position.cell_name(first), position.cell_name(answer)
            self._progress(*names, 0 if sign > 0 else 1)
        return sign > 0

    def _places(self, maps: list[tuple[int, ...]]) -> list[int]:
        """One cell of those that a symmetry turns into each other, from the middle outwards."""
        middle = self._start.cell_count // 2
        cells = {min(image[cell] for image in maps) for cell in range(self._start.cell_count)}
        return sorted(cells, key=lambda cell: abs(cell - middle))


def _symmetries(board: Grid) -> Iterator[tuple[int, ...]]:
    """For each way to turn the board onto itself, where every cell goes."""
    places = [board.column_row(cell) for cell in range(board.width * board.height)]
    right, top = board.width - 1, board.height - 1
    for is_swapped in (False, True)[: 1 + (board.width == board.height)]:
        for turns_columns in (False, True):
            for turns_rows in (False, True):
                moved = []
                for place in places:
                    column, row = place[::-1] if is_swapped else place
                    column = right - column if turns_columns else column
                    row = top - row if turns_rows else row
                    moved.append(board.cell(column, row))
                yield tuple(moved)
