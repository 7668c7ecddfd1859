"""What every core and the program around it share: counters by index, and the scale of scores."""

NODES, NODE_LIMIT, STOP, MAY_STOP, ABORTED, EXCLUDED = range(6)

MATE = 30000  # less the plies to the end of the game
PROVEN = 29000  # scores beyond this are exact
