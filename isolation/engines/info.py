"""The `info` lines of the engine protocol."""

from isolation.engines.engine import Decision, Progress
from isolation.engines.scores import proven_plies
from isolation.rules import Position


def line_info(position: Position, line: Decision, elapsed: float, number: int | None) -> str:
    """A line; with its number, where there are several."""
    bound = " lowerbound" if line.is_least else ""
    reached = (line.depth, max(line.seldepth, len(line.line)), line.nodes, line.hashfull)
    score = f"{_score(line.score)}{bound}"
    return f"{_info(number, *reached, elapsed, score)} pv {_notated(position, line)}"


def progress_info(progress: Progress, elapsed: float, number: int | None) -> str:
    """How far a search has come; what a line is worth at most, where that's new."""
    reached = (progress.depth, progress.seldepth, progress.nodes, progress.hashfull)
    if progress.most is None:
        return _info(None, *reached, elapsed)
    return _info(number, *reached, elapsed, f"{_score(progress.most)} upperbound")


def last_info(best: Decision, elapsed: float) -> str:
    """The whole effort, when a search is over."""
    seldepth = max(best.seldepth, len(best.line))
    return _info(None, best.depth, seldepth, best.nodes, best.hashfull, elapsed)


def _info(
    number: int | None,
    depth: int,
    seldepth: int,
    nodes: int,
    hashfull: int,
    elapsed: float,
    score: str = "",
) -> str:
    words = ["info"]
    if number is not None:
        words.append(f"multipv {number}")
    words.append(f"depth {depth} seldepth {seldepth}")
    if score:
        words.append(f"score {score}")
    nps = int(nodes / max(elapsed, 1e-6))
    words.append(f"nodes {nodes} nps {nps} hashfull {hashfull} time {int(elapsed * 1000)}")
    return " ".join(words)


def _score(score: int) -> str:
    plies = proven_plies(score)
    if plies is None:
        return f"cp {score}"
    return f"win {plies}" if plies > 0 else f"loss {-plies}"


def _notated(position: Position, line: Decision) -> str:
    texts = []
    for move in line.line:
        texts.append(position.notate(move))
        position = position.after(move)
    return " ".join(texts)
