/* A small engine for knights, classic and isola 7 x 7: an independent sparring partner.
 *     cc -O3 -march=native -std=c11 -Wall -Wextra -Werror -o trial trial.c
 * A line in, a line out; one process plays as many games as it is asked to, until "quit":
 *     knights MS me opp LOW HIGH   ->  to depth N nodes N          11 columns, 9 rows
 *     classic MS me opp OPEN       ->  to block depth N nodes N     6 columns, 8 rows
 *     isola MS me opp OPEN         ->  to block depth N nodes N     7 columns, 7 rows
 * Cells are numbered as in isolation.rules.grid.Grid: row * width + column, from 0 at the bottom
 * left (a1), row by row upwards. LOW, HIGH and OPEN are hexadecimal sets of open cells, bit 0 of
 * HIGH being cell 64; the bits under the tokens do not count. In knights a token not placed yet is
 * -1. Start squares are like any other ("open"). Anything wrong is answered by "error ...".
 *
 * The search is plain, nothing is reduced, no weight is tuned: it is here to be a fixed point. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CELLS = 100, UNPLACED = 99, /* a cell off the board, from which a knight jumps everywhere */
    WIN = 10000, DECIDED = WIN - 200, INFINITE = 20000,
    MAX_DEPTH = 100, MAX_MOVES = 256, NO_MOVE = 0xffff, TABLE_SIZE = 1 << 20,
    SORTED = 16, /* where the best sixteen gave no cut, the order of the rest hardly matters */
    KILLER = 1 << 29, REMEMBERED = 1 << 30, /* ranks above any history */
};

/* Cells as a bit set in two words. Classic fits into the low one, and looks at no other. */
typedef struct { uint64_t low, high; } Set;
/* Seen by the player to move. `open` holds neither token; `key` covers `open` and the game. */
typedef struct { Set open; int me, opp; uint64_t key; } Position;
/* The target cell, and in the upper byte what tells moves with one target apart: the block in
 * classic, the cell left in knights. So killers and history mean one certain move. */
typedef uint16_t Move;
typedef enum { UPPER = 1, LOWER, EXACT } Bound;
typedef struct { uint64_t key; int16_t score; Move move; uint8_t depth, bound, age; } Entry;
/* within[r][c] are the cells at most r king's steps from c, whatever is blocked. */
typedef struct { int width, height; uint64_t full, left, right, within[8][64]; } Board;

static Board classic_board = {.width = 6, .height = 8}, isola_board = {.width = 7, .height = 7};
static const Board *board; /* of the game being searched; none for knights */
static Set cell_bit[CELLS], jumps[CELLS];
static uint64_t open_key[CELLS], me_key[CELLS], opp_key[CELLS];
static Entry table[TABLE_SIZE];
static uint8_t age;
static Move root_move, killers[MAX_DEPTH + 1][2];
static int history[2][CELLS][CELLS];
static uint64_t nodes;
static double deadline;
static bool may_stop, stopped;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static inline int count(uint64_t word) { return __builtin_popcountll(word); }
static inline int lowest(uint64_t word) { return __builtin_ctzll(word); }
static inline int count_all(Set set) { return count(set.low) + count(set.high); }
static inline Set both(Set a, Set b) { return (Set){a.low & b.low, a.high & b.high}; }
static inline void add(Set *a, Set b) { a->low |= b.low, a->high |= b.high; }
static inline bool any(Set set) { return (set.low | set.high) != 0; }

static inline int pop(Set *set) {
    uint64_t *word = set->low ? &set->low : &set->high;
    int cell = lowest(*word) + (set->low ? 0 : 64);
    *word &= *word - 1;
    return cell;
}

/* ---- knights ---- */
static int knight_moves(const Position *p, Move *moves) {
    int n = 0;
    for (Set to = both(jumps[p->me], p->open); any(to);)
        moves[n++] = (Move)(pop(&to) | p->me << 8);
    return n;
}

/* The cells one and two jumps away. They differ in colour, so none is counted twice. */
static inline int knight_mobility(Set open, int token) {
    Set one = both(jumps[token], open), two = {0, 0};
    int mobility = count_all(one);
    while (any(one))
        add(&two, jumps[pop(&one)]);
    return mobility + count_all(both(two, open));
}

/* ---- classic ---- */
/* Those cells and their neighbours. Bits may run off the top: the caller cuts them off. */
static inline uint64_t spread(uint64_t cells) {
    cells |= (cells & ~board->right) << 1 | (cells & ~board->left) >> 1;
    return cells | cells << board->width | cells >> board->width;
}

static int step_moves(const Position *p, Move *moves) {
    uint64_t left = 1ull << p->me, open = p->open.low, steps = board->within[1][p->me] & open;
    int n = 0;
    /* Blocks near the opponent matter most, and those beside it more than the next ring. */
    for (int radius = 1; radius <= 2; radius++) {
        uint64_t ring = board->within[radius][p->opp] & ~board->within[radius - 1][p->opp];
        for (uint64_t to = steps; to; to &= to - 1)
            for (uint64_t block = (open | left) & ~(to & -to) & ring; block; block &= block - 1)
                moves[n++] = (Move)(lowest(to) | lowest(block) << 8);
    }
    /* One block that harms nobody, as far from the mover as there is: with near blocks alone a
     * defender beside the enemy would have to destroy its own exits. The square just left is
     * always free to be blocked, so that each step has a near or a far block. */
    for (uint64_t to = steps; to; to &= to - 1) {
        uint64_t far = (open | left) & ~(to & -to) & ~board->within[2][p->opp];
        for (int radius = 6; radius > 0; radius--)
            if (far & ~board->within[radius][lowest(to)])
                far &= ~board->within[radius][lowest(to)];
        if (far)
            moves[n++] = (Move)(lowest(to) | lowest(far) << 8);
    }
    return n;
}

/* Cells nearer to `me` than to `opp`, less those nearer to `opp`, in king's steps round blocks. */
static inline int territory(uint64_t open, uint64_t me, uint64_t opp) {
    int lead = 0;
    while (me | opp) {
        me = spread(me) & open;
        opp = spread(opp) & open;
        lead += count(me) - count(opp); /* a cell that both reach now cancels out */
        open &= ~(me | opp);
    }
    return lead;
}

static inline int step_mobility(uint64_t open, uint64_t token) {
    uint64_t one = spread(token) & open;
    return 2 * count(one) + count(spread(one) & open);
}

/* ---- what the search needs of a game ---- */
static inline bool can_move(const Position *p, int token) {
    return board ? board->within[1][token] & p->open.low : any(both(jumps[token], p->open));
}

static int evaluate(const Position *p) {
    if (!board)
        return knight_mobility(p->open, p->me) - knight_mobility(p->open, p->opp);
    uint64_t open = p->open.low, me = 1ull << p->me, opp = 1ull << p->opp;
    return step_mobility(open, me) - step_mobility(open, opp) + 2 * territory(open, me, opp);
}

/* The position after a move, seen by the other player. */
static inline Position play(const Position *p, Move move) {
    int to = move & 255, block = move >> 8;
    Set open = {p->open.low ^ cell_bit[to].low, p->open.high ^ cell_bit[to].high};
    Position next = {open, p->opp, to, p->key ^ open_key[to]};
    if (board) { /* the square left opens; where it is the block as well, that cancels out */
        next.open.low ^= cell_bit[p->me].low ^ cell_bit[block].low;
        next.key ^= open_key[p->me] ^ open_key[block];
    }
    return next;
}

/* ---- the search ---- */
/* The table counts decided games from its own position, the search from the root. */
static inline int shifted(int score, int plies) {
    return score > DECIDED ? score + plies : score < -DECIDED ? score - plies : score;
}

static inline int rank(Move move, Move remembered, int ply) {
    return move == remembered        ? REMEMBERED
           : move == killers[ply][0] ? KILLER + 1
           : move == killers[ply][1] ? KILLER
                                     : history[ply & 1][move >> 8][move & 255];
}

/* Brings the best of the moves left to place i. The first of equals wins, and stays in order. */
static inline Move pick(Move *moves, int *ranks, int n, int i) {
    int best = i;
    for (int j = i + 1; j < n; j++)
        if (ranks[j] > ranks[best])
            best = j;
    Move move = moves[best];
    memmove(moves + i + 1, moves + i, (size_t)(best - i) * sizeof *moves);
    memmove(ranks + i + 1, ranks + i, (size_t)(best - i) * sizeof *ranks);
    return moves[i] = move; /* and its rank is of no more use */
}

static void reward(Move move, int depth, int ply) {
    if (killers[ply][0] != move) {
        killers[ply][1] = killers[ply][0];
        killers[ply][0] = move;
    }
    int *merit = &history[ply & 1][move >> 8][move & 255];
    if (*merit < KILLER / 2)
        *merit += depth * depth;
}

static int search(const Position *p, int depth, int ply, int alpha, int beta) {
    if (++nodes % 1024 == 0 && may_stop && now() >= deadline)
        stopped = true;
    if (stopped)
        return 0;
    if (!can_move(p, p->me))
        return ply - WIN;
    if (ply && !can_move(p, p->opp)) /* and a mover can always keep it so, blocking where it was */
        return WIN - ply - 1;
    if (depth == 0)
        return evaluate(p);

    uint64_t key = p->key ^ me_key[p->me] ^ opp_key[p->opp];
    Entry *slot = &table[key % TABLE_SIZE];
    bool known = slot->key == key && slot->bound;
    if (known && ply && slot->depth >= depth) {
        int score = shifted(slot->score, -ply);
        if (slot->bound == EXACT || (slot->bound == LOWER ? score >= beta : score <= alpha))
            return score;
    }
    Move moves[MAX_MOVES], best_move = NO_MOVE;
    int ranks[MAX_MOVES], best = -INFINITE, floor = alpha;
    int n = board ? step_moves(p, moves) : knight_moves(p, moves);
    for (int i = 0; i < n; i++)
        ranks[i] = rank(moves[i], known ? slot->move : NO_MOVE, ply);
    for (int i = 0; i < n && best < beta; i++) {
        Move move = i < SORTED ? pick(moves, ranks, n, i) : moves[i];
        Position next = play(p, move);
        int score = alpha + 1;
        if (i) /* a null window: is it better than what we have? */
            score = -search(&next, depth - 1, ply + 1, -alpha - 1, -alpha);
        if (i == 0 || (score > alpha && score < beta))
            score = -search(&next, depth - 1, ply + 1, -beta, -alpha);
        if (stopped)
            return 0;
        if (score > best) {
            best = score;
            best_move = move;
            if (ply == 0) /* searched to the end, so it holds even if this depth is cut short */
                root_move = move;
        }
        alpha = best > alpha ? best : alpha;
    }
    if (best >= beta)
        reward(best_move, depth, ply);
    if (slot->age != age || slot->key == key || slot->depth <= depth) {
        Bound bound = best >= beta ? LOWER : best > floor ? EXACT : UPPER;
        *slot = (Entry){key, (int16_t)shifted(best, ply), best_move, (uint8_t)depth, bound, age};
    }
    return best;
}

/* Deepens until the time is up or the game decided; returns the last depth finished. */
static int think(const Position *p, int milliseconds) {
    deadline = now() + milliseconds * 1e-3;
    nodes = 0, stopped = false, age++;
    memset(killers, 0xff, sizeof killers); /* NO_MOVE */
    memset(history, 0, sizeof history);
    for (int depth = 1;; depth++) {
        may_stop = depth > 1; /* there is always an answer, however short the time */
        int score = search(p, depth, 0, -INFINITE, INFINITE);
        if (stopped)
            return depth - 1;
        if (abs(score) > DECIDED || depth == MAX_DEPTH)
            return depth;
    }
}

/* ---- tables and lines ---- */
static uint64_t random_word(void) { /* splitmix64, from a fixed seed */
    static uint64_t state = 20240229;
    uint64_t word = state += 0x9e3779b97f4a7c15;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    return word ^ word >> 31;
}

static void fill_board(Board *b) {
    int cells = b->width * b->height;
    b->full = (1ull << cells) - 1;
    for (int cell = 0; cell < cells; cell++) {
        int column = cell % b->width, row = cell / b->width;
        b->left |= column == 0 ? 1ull << cell : 0;
        b->right |= column == b->width - 1 ? 1ull << cell : 0;
        for (int other = 0; other < cells; other++) {
            int across = abs(other % b->width - column), up = abs(other / b->width - row);
            for (int radius = across > up ? across : up; radius < 8; radius++)
                b->within[radius][cell] |= 1ull << other;
        }
    }
}

static void fill_tables(void) {
    for (int cell = 0; cell < CELLS; cell++) {
        open_key[cell] = random_word(), me_key[cell] = random_word(), opp_key[cell] = random_word();
        *(cell < 64 ? &cell_bit[cell].low : &cell_bit[cell].high) = 1ull << cell % 64;
    }
    for (int from = 0; from < CELLS; from++)
        for (int to = 0; to < UNPLACED; to++) {
            int across = abs(to % 11 - from % 11), up = abs(to / 11 - from / 11);
            if (across * up == 2 || from == UNPLACED)
                add(&jumps[from], cell_bit[to]);
        }
    fill_board(&classic_board);
    fill_board(&isola_board);
}

/* Answers a line with a move; returns what is wrong with it, or NULL. */
static const char *answer(const char *line) {
    char game[16] = "", extra;
    int ms, me, opp;
    unsigned long long low, high = 0;
    int words = sscanf(line, "%15s %d %d %d %llx %llx %c", game, &ms, &me, &opp, &low, &high,
                       &extra);
    bool knights = strcmp(game, "knights") == 0, isola = strcmp(game, "isola") == 0;
    if (!knights && !isola && strcmp(game, "classic") != 0)
        return "the games are knights, classic and isola";
    if (words != (knights ? 6 : 5) || ms < 0)
        return knights ? "write: knights MS me opp LOW HIGH" : "write: GAME MS me opp OPEN";
    board = knights ? NULL : isola ? &isola_board : &classic_board;
    Set full = knights ? jumps[UNPLACED] : (Set){board->full, 0};
    int cells = count_all(full), least = knights ? -1 : 0;
    if (me < least || me >= cells || opp < least || opp >= cells)
        return "a token is off the board";
    if (me == opp && me >= 0)
        return "both tokens are on one cell";
    if ((low & ~full.low) || (high & ~full.high))
        return "an open cell is off the board";
    Position p = {{low, high}, me < 0 ? UNPLACED : me, opp < 0 ? UNPLACED : opp, 0};
    p.open.low &= ~(cell_bit[p.me].low | cell_bit[p.opp].low);
    p.open.high &= ~(cell_bit[p.me].high | cell_bit[p.opp].high);
    p.key = open_key[UNPLACED] * (knights ? 1 : isola ? 3 : 5); /* the games share the table */
    for (Set open = p.open; any(open);)
        p.key ^= open_key[pop(&open)];
    if (!can_move(&p, p.me))
        return "the game is over: there is no move";
    int depth = think(&p, ms);
    printf(board ? "%d %d" : "%d", root_move & 255, root_move >> 8);
    printf(" depth %d nodes %llu\n", depth, (unsigned long long)nodes);
    return NULL;
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    fill_tables();
    while (getline(&line, &size, stdin) >= 0 && strncmp(line, "quit", 4) != 0) {
        const char *wrong = answer(line);
        if (wrong)
            printf("error %s\n", wrong);
        fflush(stdout);
    }
    free(line);
}
