/* SPDX-License-Identifier: BSD-3-Clause */
/* Reverse Cuthill-McKee. Rows are neighbours if the matrix has an entry between them, in either
 * direction. From a row that is far from another one, level after level, the neighbours of a row
 * follow it, those with few neighbours of their own first; the whole order is reversed in the end.
 *
 *     levels    0 | 1 1 1 | 2 2 2 2 2 | 3 3 3 ...     an entry links a level with itself or the
 *                                                     next one: the band is about two levels wide
 */
#include "runtime/matrices/reorder.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/zoid_advanced.h"

struct neighbours {
    long n;
    int64_t *start; /* offsets of n + 1 rows */
    long *row;      /* the neighbours, each twice if both directions have an entry */
    int64_t *end;   /* of each row's neighbours, while these are collected */
    long at;        /* the row that is being read */
};

static void count(void *into, long column, double value)
{
    struct neighbours *g = into;

    (void)value;
    if (column == g->at)
        return;
    g->start[g->at + 1]++;
    g->start[column + 1]++;
}

static void link_rows(void *into, long column, double value)
{
    struct neighbours *g = into;

    (void)value;
    if (column == g->at)
        return;
    g->row[g->end[g->at]++] = column;
    g->row[g->end[column]++] = g->at;
}

static void neighbours_free(struct neighbours *g)
{
    free(g->start), free(g->row), free(g->end);
}

static bool gather(const struct zoid_matrix *m, struct neighbours *g)
{
    *g = (struct neighbours){.n = zoid_matrix_about(m).n};
    g->start = calloc((size_t)g->n + 1, sizeof *g->start);
    g->end = calloc((size_t)g->n + 1, sizeof *g->end);
    if (!g->start || !g->end)
        return false;
    for (g->at = 0; g->at < g->n; g->at++)
        zoid_matrix_row(m, g->at, count, g);
    for (long i = 0; i < g->n; i++)
        g->start[i + 1] += g->start[i];
    g->row = malloc(((size_t)g->start[g->n] + 1) * sizeof *g->row);
    if (!g->row)
        return false;
    memcpy(g->end, g->start, ((size_t)g->n + 1) * sizeof *g->end);
    for (g->at = 0; g->at < g->n; g->at++)
        zoid_matrix_row(m, g->at, link_rows, g);
    return true;
}

static int64_t degree(const struct neighbours *g, long row)
{
    return g->start[row + 1] - g->start[row];
}

/* ---- levels -------------------------------------------------------------------------------- */

/* A breadth-first walk from a row. */
struct walk {
    const struct neighbours *g;
    long *seen; /* for each row the last walk that has reached it; 0: no walk */
    long number;
    long *queue; /* the rows in the order of the walk */
    long length, levels,
        last; /* number of rows and of levels; index in the queue of the last level */
};

/* Move a row down to the place of its degree, among those of its level that came with it. */
static void sort_down(const struct walk *w, long first, long at)
{
    const long row = w->queue[at];

    for (; at > first && degree(w->g, w->queue[at - 1]) > degree(w->g, row); at--)
        w->queue[at] = w->queue[at - 1];
    w->queue[at] = row;
}

struct ranked {
    int64_t degree;
    long row;
};

static int compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->degree != y->degree)
        return x->degree < y->degree ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Sort rows [first, end) of the queue by ascending degree: in place if they are few, or if there is
 * no memory to be faster. */
static void sort(const struct walk *w, long first, long end)
{
    enum { FEW = 64 };
    const size_t n = (size_t)(end - first);
    struct ranked *some = n > FEW ? malloc(n * sizeof *some) : NULL;

    for (size_t i = 0; i < n && some; i++)
        some[i] =
            (struct ranked){degree(w->g, w->queue[first + (long)i]), w->queue[first + (long)i]};
    if (some)
        qsort(some, n, sizeof *some, compare);
    for (size_t i = 0; i < n; i++)
        if (some)
            w->queue[first + (long)i] = some[i].row;
        else
            sort_down(w, first, first + (long)i);
    free(some);
}

static void go(struct walk *w, long from)
{
    long end = 1;

    w->number++;
    w->queue[0] = from;
    w->seen[from] = w->number;
    w->length = w->levels = 1;
    w->last = 0;
    for (long i = 0; i < w->length; i++) {
        const long row = w->queue[i], first = w->length;

        if (i == end) {
            w->levels++;
            w->last = i;
            end = w->length;
        }
        for (int64_t e = w->g->start[row]; e < w->g->start[row + 1]; e++) {
            const long next = w->g->row[e];

            if (w->seen[next] == w->number)
                continue;
            w->seen[next] = w->number;
            w->queue[w->length++] = next;
        }
        sort(w, first, w->length);
    }
}

/* Walk from one end of the rows that can be reached: restart from the farthest rows' one with the
 * least degree, as long as the walk has more levels. */
static void go_far(struct walk *w, long from)
{
    for (long levels = 0;;) {
        long best;

        go(w, from);
        if (w->levels <= levels)
            return;
        levels = w->levels;
        best = w->queue[w->last];
        for (long i = w->last; i < w->length; i++)
            if (degree(w->g, w->queue[i]) < degree(w->g, best))
                best = w->queue[i];
        from = best;
    }
}

/* Largest distance between neighbours in the walk's order; `place` is scratch, by row. */
static long width(const struct walk *w, long *place)
{
    long most = 0;

    for (long i = 0; i < w->length; i++)
        place[w->queue[i]] = i;
    for (long i = 0; i < w->length; i++)
        for (int64_t e = w->g->start[w->queue[i]]; e < w->g->start[w->queue[i] + 1]; e++) {
            const long apart = i - place[w->g->row[e]];

            most = apart > most ? apart : most;
        }
    return most;
}

/* The walk from either end, or from a row with the fewest neighbours: the one with the narrowest
 * band. */
static void go_best(struct walk *w, long from, long *place)
{
    long start[3], best = 0, least = -1;

    go_far(w, from);
    start[0] = start[2] = w->queue[0];
    start[1] = w->queue[w->length - 1];
    for (long i = 0; i < w->length; i++)
        if (degree(w->g, w->queue[i]) < degree(w->g, start[2]))
            start[2] = w->queue[i];
    for (int i = 0; i < 3 && w->length > 2; i++) {
        long wide;

        go(w, start[i]);
        wide = width(w, place);
        if (least < 0 || wide < least) {
            least = wide;
            best = start[i];
        }
    }
    if (w->length > 2)
        go(w, best);
}

/* Order every component after the ones before it, then reverse all. */
static bool number_rows(const struct neighbours *g, long *order)
{
    long *seen = calloc((size_t)g->n, sizeof *seen);
    long *place = calloc((size_t)g->n, sizeof *place);
    bool *done = calloc((size_t)g->n, sizeof *done);
    const bool room = seen && place && done;
    struct walk w = {.g = g, .seen = seen};

    for (long row = 0, n = 0; room && row < g->n; row++) {
        if (done[row])
            continue;
        w.queue = order + n;
        go_best(&w, row, place);
        for (long i = 0; i < w.length; i++)
            done[w.queue[i]] = true;
        n += w.length;
    }
    for (long i = 0; room && i < g->n / 2; i++) {
        const long row = order[i];

        order[i] = order[g->n - 1 - i];
        order[g->n - 1 - i] = row;
    }
    free(seen), free(place), free(done);
    return room;
}

/* ---- the matrix in the new order ---------------------------------------------------------------
 */

struct copy {
    const long *place; /* new index of each old row */
    int64_t *start;
    int64_t *column;
    double *value;
    int64_t n;
};

static void put(void *into, long column, double value)
{
    struct copy *c = into;

    c->column[c->n] = c->place[column];
    c->value[c->n++] = value;
}

static enum zoid_status permute(const struct zoid_matrix *m, const long *order,
                                struct zoid_matrix **made)
{
    const struct zoid_matrix_about about = zoid_matrix_about(m);
    const size_t entries = (size_t)about.entries + 1;
    long *place = malloc((size_t)about.n * sizeof *place);
    struct copy c = {.place = place,
                     .start = calloc((size_t)about.n + 1, sizeof *c.start),
                     .column = malloc(entries * sizeof *c.column),
                     .value = malloc(entries * sizeof *c.value)};
    enum zoid_status status = ZOID_OK;

    if (!place || !c.start || !c.column || !c.value)
        status = zoid_no_memory();
    for (long i = 0; !status && i < about.n; i++)
        place[order[i]] = i;
    for (long i = 0; !status && i < about.n; i++) {
        zoid_matrix_row(m, order[i], put, &c);
        c.start[i + 1] = c.n;
    }
    if (!status)
        status = zoid_matrix_create(
            &(struct zoid_csr){about.n, c.start, c.column, true, c.value, ZOID_F64}, made);
    free(place), free(c.start), free(c.column), free(c.value);
    return status;
}

enum zoid_status zoid_reorder(struct zoid_matrix **matrix, long **order)
{
    struct neighbours g;
    struct zoid_matrix *made = NULL;
    const size_t n = (size_t)zoid_matrix_about(*matrix).n;
    long *rows = malloc(n * sizeof *rows);
    enum zoid_status status = ZOID_OK;

    if (!gather(*matrix, &g) || !rows || !number_rows(&g, rows))
        status = zoid_no_memory();
    neighbours_free(&g);
    if (!status)
        status = permute(*matrix, rows, &made);
    if (status) {
        free(rows);
        return status;
    }
    zoid_matrix_destroy(matrix);
    *matrix = made;
    *order = rows;
    return ZOID_OK;
}
