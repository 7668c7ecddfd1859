/* The search of core/jumpers.py once more, in C: the same tree, node for node, to compare speeds.
 *     knights_search DEPTH me opponent LOW HIGH  ->  score nodes seconds
 * LOW and HIGH are hexadecimal sets of free cells on a board of 11 columns and 9 rows. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WIDTH = 11, HEIGHT = 9, CELLS = 99, MAX_CELLS = 128, MAX_PLY = 130, NOWHERE = 127,
    MATE = 30000, PROVEN = 29000, TABLE_SIZE = 1 << 20, NO_MOVE = -1,
    APART_DEPTH = 2, APART_BUDGET = 100, MIRROR_PLY = 2,
    STEPS = 5, REACH = 8, TERRITORY = 10,
};
enum { EXACT, LOWER, UPPER };
typedef uint64_t Word;
typedef struct { Word low, high; } Set;

static Set reach[MAX_CELLS], even, inner[4];
static int moves[MAX_PLY][MAX_CELLS], ranks[MAX_PLY][MAX_CELLS], killers[MAX_PLY][2];
static int history[2][2][MAX_CELLS], line[MAX_PLY][MAX_PLY], line_length[MAX_PLY];
static Word table[TABLE_SIZE][2];
static int64_t nodes, spent, allowed;

static inline int any(Set s) { return (s.low | s.high) != 0; }
static inline Set both(Set a, Set b) { return (Set){a.low & b.low, a.high & b.high}; }
static inline Set either(Set a, Set b) { return (Set){a.low | b.low, a.high | b.high}; }
static inline Set minus(Set a, Set b) { return (Set){a.low & ~b.low, a.high & ~b.high}; }
static inline int count(Set s) { return __builtin_popcountll(s.low) + __builtin_popcountll(s.high); }
static inline int first(Set s) { return s.low ? __builtin_ctzll(s.low) : 64 + __builtin_ctzll(s.high); }
static inline Set without(Set s, int cell) {
    if (cell < 64) s.low &= ~(1ull << cell);
    else s.high &= ~(1ull << (cell - 64));
    return s;
}
static inline int has(Set s, int cell) { return (cell < 64 ? s.low : s.high) >> (cell & 63) & 1; }
static inline Set up(Set s, int by) { return (Set){s.low << by, s.high << by | s.low >> (64 - by)}; }
static inline Set down(Set s, int by) { return (Set){s.low >> by | s.high << (64 - by), s.high >> by}; }

static inline Set around(Set s) {
    Set near = either(up(both(s, inner[0]), 1), down(both(s, inner[1]), 1));
    Set far = either(up(both(s, inner[2]), 2), down(both(s, inner[3]), 2));
    return either(either(up(near, 2 * WIDTH), down(near, 2 * WIDTH)),
                  either(up(far, WIDTH), down(far, WIDTH)));
}

static inline Set jumps(Set free, int token) { return token == NOWHERE ? free : both(reach[token], free); }

static inline Word mix(Word word) {
    word ^= word >> 31;
    word *= 0x9E3779B97F4A7C15;
    word ^= word >> 29;
    word *= 0xBF58476D1CE4E5B9;
    return word ^ word >> 32;
}
static inline Word hashed(Set s, int me, int opponent) {
    return mix(s.low ^ mix(s.high ^ ((Word)me << 48 | (Word)opponent << 56)));
}

static int are_apart(Set free, int me, int opponent) {
    if (me == NOWHERE || opponent == NOWHERE) return 0;
    Set theirs = both(reach[opponent], free), from = both(reach[me], free), region = from;
    while (any(from)) {
        if (any(both(region, theirs))) return 0;
        from = minus(both(around(from), free), region);
        region = either(region, from);
    }
    return 1;
}

static int longest_path(Set free, int cell, int floor) {
    Set near = both(reach[cell], free);
    if (!any(near)) return 0;
    if (++spent > allowed) return -1;
    Set region = near, from = near;
    while (any(from)) {
        from = minus(both(around(from), free), region);
        region = either(region, from);
    }
    int evens = count(both(region, even)), odds = count(region) - evens;
    int other = has(even, cell) ? odds : evens, same = has(even, cell) ? evens : odds;
    int bound = 2 * other < 2 * same + 1 ? 2 * other : 2 * same + 1, best = 0;
    if (bound <= floor) return 0;
    while (any(near)) {
        int to = -1, fewest = 99;
        for (Set ways = near; any(ways);) {
            int way = first(ways), onward = count(both(reach[way], region));
            ways = without(ways, way);
            if (onward < fewest) to = way, fewest = onward;
        }
        near = without(near, to);
        int found = longest_path(without(region, to), to, (floor > best ? floor : best) - 1);
        if (found < 0) return -1;
        if (found + 1 > best) best = found + 1;
        if (best >= bound) break;
    }
    return best;
}

static int race(Set free, int me, int opponent, int ply) {
    spent = 0, allowed = APART_BUDGET;
    int mine = longest_path(free, me, -1);
    if (mine < 0) return 0;
    int theirs = longest_path(free, opponent, -1);
    if (theirs < 0) return 0;
    return mine > theirs ? MATE - ply - 2 * theirs - 1 : ply + 2 * mine - MATE;
}

static int can_mirror(Set free, int me, int opponent) {
    if (opponent == NOWHERE) return 0;
    int to = CELLS - 1 - opponent;
    if (!has(jumps(free, me), to)) return 0;
    free = without(free, to);
    for (int cell = 0; cell < (CELLS + 1) / 2; cell++) {
        int opposite = CELLS - 1 - cell;
        if (has(free, cell) != has(free, opposite) || (cell == opposite && has(free, cell))) return 0;
    }
    return 1;
}

static int list_moves(Set free, int me, int side, int ply) {
    int total = 0;
    for (Set near = jumps(free, me); any(near); total++) {
        int to = first(near);
        near = without(near, to);
        moves[ply][total] = to << 10 | me;
        ranks[ply][total] = history[side][0][to] + 64 * count(both(reach[to], free));
    }
    return total;
}

static inline int pick(int ply, int at, int total) {
    int best = at, *m = moves[ply], *r = ranks[ply];
    for (int i = at + 1; i < total; i++)
        if (r[i] > r[best]) best = i;
    int move = m[best], rank = r[best];
    m[best] = m[at], r[best] = r[at], m[at] = move, r[at] = rank;
    return move;
}

static int judge(Set cells, Set mine, Set theirs) {
    int value = STEPS * (count(mine) - count(theirs)), second = 1;
    Set free = minus(cells, either(mine, theirs));
    mine = minus(mine, theirs);
    int territory = count(mine) - count(theirs);
    while (any(either(mine, theirs))) {
        mine = around(mine), theirs = around(theirs);
        if (second) value += REACH * (count(both(mine, cells)) - count(both(theirs, cells)));
        second = 0;
        theirs = both(theirs, free), free = minus(free, theirs);
        mine = both(mine, free), free = minus(free, mine);
        territory += count(mine) - count(theirs);
    }
    return value + TERRITORY * territory;
}

static int try_leaves(Set free, int me, int opponent, int side, int alpha, int beta, int ply) {
    int total = list_moves(free, me, side, ply), best = -MATE;
    if (!total) return ply - MATE;
    Set their = jumps(free, opponent);
    for (int i = 0; i < total; i++) {
        int move = pick(ply, i, total), to = move >> 10, value;
        nodes++;
        Set left = without(free, to), mine = both(reach[to], left), rest = without(their, to);
        if (!any(rest)) value = MATE - ply - 1;
        else if (opponent == NOWHERE) value = STEPS * count(mine);
        else if (!any(mine)) value = ply + 2 - MATE;
        else value = judge(left, mine, rest);
        if (value > best) {
            best = value;
            if (value > alpha) {
                alpha = value;
                line[ply][0] = move, line_length[ply] = 1;
                if (value >= beta) break;
            }
        }
    }
    return best;
}

static int reduction(int depth, int late) {
    if (depth < 3 || late < 3) return 0;
    int less = 1 + (late >= 10) + (late >= 40);
    return less < depth - 2 ? less : depth - 2;
}

static inline int stored_depth(Word word) { return word >> 16 & 255; }

static void store(Word key, int depth, int flag, int score, int move, int ply) {
    if (score >= PROVEN) score += ply;
    else if (score <= -PROVEN) score -= ply;
    Word at = (key & (TABLE_SIZE / 2 - 1)) << 1;
    if (table[at][0] != key && stored_depth(table[at][1]) > depth) at++;
    table[at][0] = key;
    table[at][1] = (Word)(score + 32768) | (Word)depth << 16 | (Word)flag << 24 | (Word)(move + 1) << 26;
}

static void remember(int side, int ply, int move, int depth) {
    if (killers[ply][0] != move) killers[ply][1] = killers[ply][0], killers[ply][0] = move;
    int to = move >> 10, from = move & 1023;
    if (to < CELLS) history[side][0][to] += depth * depth;
    if (from < CELLS) history[side][1][from] += depth * depth;
    if (history[side][0][to % CELLS] > 1 << 20 || history[side][1][from % CELLS] > 1 << 20)
        for (int cell = 0; cell < CELLS; cell++) history[side][0][cell] >>= 1, history[side][1][cell] >>= 1;
}

static int search(Set free, int me, int opponent, int side, int depth, int alpha, int beta, int ply) {
    line_length[ply] = 0;
    nodes++;
    if (ply - MATE > alpha) alpha = ply - MATE;
    if (MATE - ply - 1 < beta) beta = MATE - ply - 1;
    if (alpha >= beta) return alpha;
    if (depth <= 1) return try_leaves(free, me, opponent, side, alpha, beta, ply);
    Word key = hashed(free, me, opponent), at = (key & (TABLE_SIZE / 2 - 1)) << 1;
    Word stored = table[at][0] == key ? table[at][1] : table[at + 1][0] == key ? table[at + 1][1] : 0;
    int best_move = NO_MOVE;
    if (stored) {
        int value = (int)(stored & 65535) - 32768, flag = stored >> 24 & 3;
        value += value >= PROVEN ? -ply : value <= -PROVEN ? ply : 0;
        if (ply && (stored_depth(stored) >= depth || abs(value) >= PROVEN) &&
            (flag == EXACT || (flag == LOWER && value >= beta) || (flag == UPPER && value <= alpha)))
            return value;
        best_move = (int)(stored >> 26) - 1;
    }
    if (ply) {
        int value = 0;
        if (depth >= APART_DEPTH && are_apart(free, me, opponent)) value = race(free, me, opponent, ply);
        if (ply <= MIRROR_PLY && can_mirror(free, me, opponent)) value = MATE - ply - count(free);
        if (value) {
            store(key, depth, EXACT, value, NO_MOVE, ply);
            return value;
        }
    }
    int total = list_moves(free, me, side, ply);
    for (int i = 0; i < total; i++)
        if (moves[ply][i] == best_move) ranks[ply][i] = 1 << 30;
        else if (moves[ply][i] == killers[ply][0]) ranks[ply][i] = 1 << 29;
        else if (moves[ply][i] == killers[ply][1]) ranks[ply][i] = 1 << 28;
    if (!total) return ply - MATE;
    int first_alpha = alpha, best = -MATE, late = 0;
    best_move = NO_MOVE;
    for (int i = 0; i < total; i++, late++) {
        int move = pick(ply, i, total), to = move >> 10, less = reduction(depth, late);
        Set left = without(free, to);
        int value = -search(left, opponent, to, 1 - side, depth - 1 - less,
                            late ? -alpha - 1 : -beta, -alpha, ply + 1);
        if (late && value > alpha && (less || value < beta))
            value = -search(left, opponent, to, 1 - side, depth - 1, -beta, -alpha, ply + 1);
        if (value > best) {
            best = value, best_move = move;
            if (value > alpha) {
                alpha = value;
                line[ply][0] = move;
                for (int j = 0; j < line_length[ply + 1]; j++) line[ply][j + 1] = line[ply + 1][j];
                line_length[ply] = line_length[ply + 1] + 1;
                if (value >= beta) break;
            }
        }
    }
    if (best >= beta) remember(side, ply, best_move, depth);
    store(key, depth, best >= beta ? LOWER : best > first_alpha ? EXACT : UPPER, best, best_move, ply);
    return best;
}

static void add(Set *set, int cell) {
    if (cell < 64) set->low |= 1ull << cell;
    else set->high |= 1ull << (cell - 64);
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    for (int a = 0; a < CELLS; a++) {
        int column = a % WIDTH, row = a / WIDTH;
        for (int b = 0; b < CELLS; b++)
            if (abs(column - b % WIDTH) * abs(row - b / WIDTH) == 2) add(&reach[a], b);
        if ((column + row) % 2 == 0) add(&even, a);
        if (column < WIDTH - 1) add(&inner[0], a);
        if (column >= 1) add(&inner[1], a);
        if (column < WIDTH - 2) add(&inner[2], a);
        if (column >= 2) add(&inner[3], a);
    }
    Set free = {strtoull(argv[4], NULL, 16), strtoull(argv[5], NULL, 16)};
    memset(table, 255, sizeof table); /* so that no page of it is touched for the first time below */
    memset(table, 0, sizeof table);
    struct timespec begun, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
    int score = search(free, atoi(argv[2]), atoi(argv[3]), 0, atoi(argv[1]), -MATE, MATE, 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    double seconds = (double)(ended.tv_sec - begun.tv_sec) + (double)(ended.tv_nsec - begun.tv_nsec) * 1e-9;
    printf("%d %lld %.6f\n", score, (long long)nodes, seconds);
}
