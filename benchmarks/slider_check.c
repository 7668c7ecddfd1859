/* Checks a solved slider board, entry by entry, against the rules and nothing else.

   An entry is right if its moves say so: a win in n has a move to a loss in n - 1 and none to a
   quicker one, a loss in n has only moves to wins, the longest in n - 1, and a tie has a move to a tie
   and none to a loss. Entries that all agree with their moves are right: wins and losses since every
   step brings the end nearer, ties since neither player has to leave them.

   cc -O2 -o slider_check benchmarks/slider_check.c && ./slider_check instance/solved/slider-4x4.table */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 1024 };

typedef struct { uint64_t cells; int order, steps, left[8]; } Set;

static int size, most[2];
static uint64_t blocked;
static Set *sets[2];
static long counts[2];
static uint8_t *table;

static int to_go(int player, int cell) { return size - (player ? cell / size : cell % size); }

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void add(int player, const int *cells, int count) {
    Set *set = &sets[player][counts[player]];
    memset(set, 0, sizeof *set);
    set->order = counts[player]++;
    for (int i = 0; i < count; i++) {
        set->cells |= 1ull << cells[i];
        set->left[i] = to_go(player, cells[i]);
        set->steps += set->left[i];
    }
    qsort(set->left, count, sizeof(int), by_number);
}

static void choose(int player, int *cells, int chosen, int wanted, int from) {
    if (chosen == wanted) {
        add(player, cells, wanted);
        return;
    }
    for (int cell = from; cell < size * size; cell++)
        if (!(blocked >> cell & 1)) {
            cells[chosen] = cell;
            choose(player, cells, chosen + 1, wanted, cell + 1);
        }
}

/* Fewer steps to go first, then as lists compare: the first piece that is nearer, the shorter list. */
static int compare(const void *a, const void *b) {
    const Set *x = a, *y = b;
    if (x->steps != y->steps) return x->steps - y->steps;
    for (int i = 0; i < 8; i++)
        if (x->left[i] != y->left[i]) return x->left[i] - y->left[i];
    return x->order - y->order;
}

static int by_cells(const void *a, const void *b) {
    uint64_t x = ((const Set *)a)->cells, y = ((const Set *)b)->cells;
    return (x > y) - (x < y);
}

static Set *sorted[2];

static long number(int player, uint64_t cells) {
    Set key = {.cells = cells};
    Set *found = bsearch(&key, sorted[player], counts[player], sizeof(Set), by_cells);
    return found->order;
}

static void prepare(int player) {
    sets[player] = malloc(sizeof(Set) * 2000000), sorted[player] = malloc(sizeof(Set) * 2000000);
    int cells[8];
    for (int pieces = 0; pieces <= most[player]; pieces++) choose(player, cells, 0, pieces, 0);
    qsort(sets[player], counts[player], sizeof(Set), compare);
    for (long i = 0; i < counts[player]; i++) sets[player][i].order = i;
    memcpy(sorted[player], sets[player], sizeof(Set) * counts[player]);
    qsort(sorted[player], counts[player], sizeof(Set), by_cells);
}

typedef struct { int32_t after; int32_t cell; } Step;
static Step *steps[2];

/* The steps of a set: what else is on the board decides later which of them are free. */
static void list_steps(int player) {
    static const int ways[2][3][2] = {{{1, 0}, {0, 1}, {0, -1}}, {{0, 1}, {1, 0}, {-1, 0}}};
    steps[player] = malloc(sizeof(Step) * 25 * counts[player]);
    for (long n = 0; n < counts[player]; n++) {
        uint64_t own = sets[player][n].cells;
        Step *step = steps[player] + 25 * n;
        for (int cell = 0; cell < size * size; cell++) {
            if (!(own >> cell & 1)) continue;
            for (int way = 0; way < 3; way++) {
                int column = cell % size + ways[player][way][0];
                int row = cell / size + ways[player][way][1];
                uint64_t rest = own & ~(1ull << cell);
                if ((player ? row : column) == size) {
                    *step++ = (Step){number(player, rest), -1};
                } else if (column >= 0 && column < size && row >= 0 && row < size) {
                    int target = row * size + column;
                    if (!((own | blocked) >> target & 1))
                        *step++ = (Step){number(player, rest | 1ull << target), target};
                }
            }
        }
        step->after = -1;
    }
}

static int entry(long h, int side, long v) { return table[(h * 2 + side) * counts[1] + v]; }

static int is_free(const Step *step, uint64_t others) {
    return step->cell < 0 || !(others >> step->cell & 1);
}

static int can_move(int side, long own, uint64_t others) {
    for (Step *step = steps[side] + 25 * own; step->after >= 0; step++)
        if (is_free(step, others)) return 1;
    return 0;
}

/* What the moves say that the entry must be. */
static int expected(long h, int side, long v) {
    long own = side ? v : h, other = side ? h : v;
    uint64_t mine = sets[side][own].cells, others = sets[1 - side][other].cells;
    int moves = 0, ties = 0, quickest = 1000, slowest = 0;
    for (Step *step = steps[side] + 25 * own; step->after >= 0; step++) {
        if (!is_free(step, others)) continue;
        moves++;
        if (sets[side][step->after].cells == 0) return 1;
        int after = side ? entry(h, 0, step->after) : entry(step->after, 1, v);
        if (after == 0) ties++;
        else if (after % 2 == 0 && after < quickest) quickest = after;
        else if (after % 2 == 1 && after > slowest) slowest = after;
    }
    if (moves == 0) {
        if (!can_move(1 - side, other, mine)) return 0;
        int after = entry(h, 1 - side, v);
        return after ? after + 1 : 0;
    }
    if (quickest < 1000) return quickest + 1;
    return ties ? 0 : slowest + 1;
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    char header[HEADER + 1] = {0};
    if (!file || fread(header, 1, HEADER, file) != HEADER) return fprintf(stderr, "no table\n"), 2;
    const char *about = strstr(header, "\"size\"");
    unsigned long long mask;
    if (!about || sscanf(about, "\"size\": %d, \"blocked\": %llu, \"pieces\": [%d, %d]", &size, &mask,
                         &most[0], &most[1]) != 4)
        return fprintf(stderr, "bad header\n"), 2;
    blocked = mask;
    for (int player = 0; player < 2; player++) prepare(player), list_steps(player);
    long bytes = counts[0] * 2 * counts[1], wrong = 0, wins = 0, losses = 0, ties = 0, longest = 0;
    table = malloc(bytes);
    if ((long)fread(table, 1, bytes, file) != bytes) return fprintf(stderr, "too short\n"), 2;
    for (long h = 1; h < counts[0]; h++)
        for (int side = 0; side < 2; side++)
            for (long v = 1; v < counts[1]; v++) {
                if (sets[0][h].cells & sets[1][v].cells) continue;
                int have = entry(h, side, v);
                wrong += have != expected(h, side, v);
                if (have == 0) ties++;
                else if (have % 2) wins++;
                else losses++;
                if (have > longest) longest = have;
            }
    printf("%d x %d, %ld positions: %ld wins, %ld ties, %ld losses, longest %ld plies, %ld wrong\n", size,
           size, wins + ties + losses, wins, ties, losses, longest, wrong);
    return wrong != 0;
}
