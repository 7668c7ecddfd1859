"""What every core and the program around it share: counters, by index."""

(
    NODES,
    NODE_LIMIT,
    STOP,
    MAY_STOP,
    ABORTED,
    EXCLUDED,  # how many root moves are left out; or, if negative, how many are not
    FIRST,  # the root move to be searched first
    SCORE,  # that of the best line kept so far
    SELDEPTH,  # the length of the longest line kept
    CHANGES,  # to the best line, counted before and after each: odd while it is being written
) = range(10)
COUNTERS = 16
