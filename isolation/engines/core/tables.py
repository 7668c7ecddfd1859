"""What the cores have in common: ordered moves, lines, and the transposition table.

The functions take the struct of any core: numba compiles them for each.
"""

import numpy as np
from numba import njit

from isolation.engines.core.counters import CHANGES, EXCLUDED, SCORE, SELDEPTH
from isolation.engines.scores import GUESS, PROVEN

EXACT, LOWER, UPPER = range(3)  # what a stored score is
NO_MOVE = -1

# An entry is a word, and its key XORed with that: threads share a table without locks, and what two
# of them wrote a half of each belongs to no key. The word is score (16 bits), depth (8), flag (2),
# move (21), epoch (12) and age (5). The last row of a table holds the stamp of today's entries.
# Those of another epoch are as good as gone, so that clearing a table takes no time, and leaves
# none to a search that must be repeatable.
EPOCH_SHIFT, AGE_SHIFT = np.uint64(47), np.uint64(59)
LAST_EPOCH, LAST_AGE = (1 << 12) - 1, (1 << 5) - 1
EPOCHS = np.uint64(LAST_EPOCH << 47)

compiled = njit(nogil=True, cache=True)


@compiled
def pick(moves, ranks, at, total):
    """Bring the best-ranked of the remaining moves to this place."""
    best = at
    for i in range(at + 1, total):
        if ranks[i] > ranks[best]:
            best = i
    move, rank = moves[best], ranks[best]
    moves[best], ranks[best] = moves[at], ranks[at]
    moves[at], ranks[at] = move, rank
    return np.int64(move)


@compiled
def promote(s, ply, total, best):
    """Rank the stored move before all others, then the two that refuted lines at this ply."""
    moves, ranks = s.moves[ply], s.ranks[ply]
    for i in range(total):
        if moves[i] == best:
            ranks[i] = 1 << 30
        elif moves[i] == s.killers[ply, 0]:
            ranks[i] = 1 << 29
        elif moves[i] == s.killers[ply, 1]:
            ranks[i] = 1 << 28


@compiled
def mix(word):
    """Scatter the bits of a word: the same for the same word, and otherwise as good as random."""
    word ^= word >> np.uint64(31)
    word *= np.uint64(0x9E3779B97F4A7C15)
    word ^= word >> np.uint64(29)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    return word ^ word >> np.uint64(32)


@compiled
def misjudged(s, value, key):
    """A guess as a weak player makes it, up to `noise` off, always the same way; proofs stand."""
    if s.noise == 0 or abs(value) >= PROVEN:
        return np.int64(value)
    error = np.int64(mix(key ^ s.seed) % np.uint64(2 * s.noise + 1)) - s.noise
    return np.int64(min(max(value + error, -GUESS), GUESS))


@compiled
def is_overlooked(s, key, move):
    """Whether a weak player does not see this move here: `blind` in 256 of all."""
    if s.blind == 0:
        return False
    return (mix(key ^ s.seed ^ np.uint64(move * 7919)) & np.uint64(255)) < np.uint64(s.blind)


@compiled
def believed(best, has_overlooked):
    """The score of the best move seen: a loss isn't proven while there are moves unseen."""
    if has_overlooked and best <= -PROVEN:
        return np.int64(-GUESS)
    return np.int64(best)


@compiled
def is_excluded(s, move):
    """Whether a root move is left out: one of a few, or none of a few."""
    count = s.counters[EXCLUDED]
    for i in range(abs(count)):
        if s.excluded[i] == move:
            return count > 0
    return count < 0


@compiled
def keep_line(s, ply, move, score):
    """The best line from here: this move, and the line found after it."""
    counters = s.counters
    if ply == 0:
        counters[CHANGES] += 1
        counters[SCORE] = score
    s.line[ply, 0] = move
    length = s.line_length[ply + 1]
    for i in range(length):
        s.line[ply, i + 1] = s.line[ply + 1, i]
    s.line_length[ply] = length + 1
    counters[SELDEPTH] = max(counters[SELDEPTH], ply + length + 1)
    if ply == 0:
        counters[CHANGES] += 1


@compiled
def remember_refutation(s, side, ply, move, depth):
    """Killers and history; the two cells of a move have histories of their own."""
    if s.killers[ply, 0] != move:
        s.killers[ply, 1] = s.killers[ply, 0]
        s.killers[ply, 0] = move
    history = s.history[side]
    first, second = move >> 10, move & 1023
    if first < s.cells:
        history[0, first] += depth * depth
    if second < s.cells:
        history[1, second] += depth * depth
    if max(history[0, first % s.cells], history[1, second % s.cells]) > 1 << 20:
        for cell in range(s.cells):
            history[0, cell] >>= 1
            history[1, cell] >>= 1


@compiled
def store(table, key, depth, flag, score, move, ply):
    """Two places a key: the deeper search keeps the first, the latest takes the second."""
    if score >= PROVEN:
        score += ply
    elif score <= -PROVEN:
        score -= ply
    buckets = np.uint64(table.shape[0] >> 1)
    at = (key & (buckets - np.uint64(1))) << np.uint64(1)
    stamp = table[table.shape[0] - 1, 0]
    there = table[at, 1]
    if table[at, 0] ^ there != key and worth_keeping(there, stamp) > depth:
        at += np.uint64(1)
    word = (
        np.uint64(score + 32768)
        | np.uint64(depth) << np.uint64(16)
        | np.uint64(flag) << np.uint64(24)
        | np.uint64(move + 1) << np.uint64(26)
        | stamp
    )
    table[at, 0] = key ^ word
    table[at, 1] = word


@compiled
def worth_keeping(word, stamp):
    """How deep an entry is, less 2 for each search since; nothing if it's from another epoch."""
    if (word ^ stamp) & EPOCHS:
        return np.int64(-1)
    searches = (stamp >> AGE_SHIFT) - (word >> AGE_SHIFT) & np.uint64(LAST_AGE)
    return stored_depth(word) - 2 * np.int64(searches)


@compiled
def probe(table, key):
    """The stored word for a key, or 0. Entries of another epoch don't count."""
    buckets = np.uint64(table.shape[0] >> 1)
    at = (key & (buckets - np.uint64(1))) << np.uint64(1)
    stamp = table[table.shape[0] - 1, 0]
    word = table[at, 1]
    if table[at, 0] ^ word != key:
        at += np.uint64(1)
        word = table[at, 1]
        if table[at, 0] ^ word != key:
            return np.uint64(0)
    return word if (word ^ stamp) & EPOCHS == 0 else np.uint64(0)


@compiled
def stored_depth(word):
    return np.int64(word >> np.uint64(16) & np.uint64(255))


@compiled
def stored_move(word):
    return np.int64(word >> np.uint64(26) & np.uint64((1 << 21) - 1)) - 1


@compiled
def stored_score(word, ply):
    """The score as seen from this ply."""
    score = np.int64(word & np.uint64(65535)) - 32768
    if score >= PROVEN:
        score -= ply
    elif score <= -PROVEN:
        score += ply
    return score


@compiled
def settles(word, depth, score, alpha, beta):
    """Whether a stored score is enough, so that nothing need be searched."""
    if stored_depth(word) < depth and abs(score) < PROVEN:
        return False
    flag = np.int64(word >> np.uint64(24) & np.uint64(3))
    return flag == EXACT or (flag == LOWER and score >= beta) or (flag == UPPER and score <= alpha)
