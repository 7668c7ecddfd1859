"""What every core and the program around it share: counters, by index."""

NODES, NODE_LIMIT, STOP, MAY_STOP, ABORTED, EXCLUDED, FIRST, SCORE = range(8)

# FIRST is the root move to be searched first, SCORE that of the best line kept so far.
