"""How older databases become newer ones: one module for each version, run at every start."""
