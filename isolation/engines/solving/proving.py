"""Proves a position of any game: by the prover where it knows the game, else by the engine."""

from isolation.engines.all_games import AllGames
from isolation.engines.engine import Limits
from isolation.engines.solving.dfpn import Proof, Prover
from isolation.rules import Position


def find_proof(position: Position, limits: Limits) -> Proof:
    """Who wins a game that isn't over, if that can be shown within the limits."""
    if Prover.has_room(position):
        return Prover().prove(position, limits)
    decision = AllGames().choose(position, limits)
    claim = decision.proven or 0
    sign = (claim > 0) - (claim < 0)
    return Proof(sign, decision.move if sign > 0 else None, decision.nodes)
