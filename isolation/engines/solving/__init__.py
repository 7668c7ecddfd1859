"""Solvers: what positions are worth, exactly. They compute, and know neither clock nor protocol."""
