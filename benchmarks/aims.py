"""What a benchmark is to show. A run that misses one of its aims says so, and fails."""


class Aims:
    """Collects what was missed in a run."""

    def __init__(self) -> None:
        self._missed: list[str] = []

    def check(self, aim: str, is_met: bool) -> str:
        """A mark to print after the figure."""
        if is_met:
            return ""
        self._missed.append(aim)
        return "  MISSED"

    def finish(self) -> None:
        """Ends the program with an error, if anything was missed."""
        if self._missed:
            raise SystemExit("MISSED: " + "; ".join(self._missed))
