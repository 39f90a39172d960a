/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "runtime/trace/timeline.h"

static double length(const struct zoid_span *span)
{
    return span->end - span->begin;
}

/* Length of the part of a span after `covered`, which advances to its end. */
static double uncovered(const struct zoid_span *span, double *covered)
{
    double from = fmax(span->begin, *covered);

    if (span->end <= from)
        return 0;
    *covered = span->end;
    return span->end - from;
}

struct zoid_worker_sum zoid_timeline_worker_sum(const struct zoid_timeline *t, int worker)
{
    struct zoid_worker_sum sum = {.busy = 0};
    double covered = t->run.begin;

    for (size_t i = 0; i < t->blocks; i++)
        if (t->block[i].worker == worker) {
            sum.busy += uncovered(&t->block[i].span, &covered);
            sum.blocks += !t->block[i].shared;
        }
    for (size_t i = 0; i < t->waits; i++)
        if (t->wait[i].worker == worker)
            sum.waiting += length(&t->wait[i].span);
    for (size_t i = 0; i < t->gaps; i++)
        if (t->gap[i].worker == worker)
            sum.held += length(&t->gap[i].span);
    sum.starved = fmax(0, length(&t->run) - sum.busy - sum.waiting - sum.held);
    return sum;
}

struct zoid_worker_sum zoid_timeline_rank_sum(const struct zoid_timeline *t, int rank,
                                              size_t *workers)
{
    struct zoid_worker_sum sum = {.busy = 0};

    *workers = 0;
    for (size_t w = 0; w < t->workers; w++) {
        struct zoid_worker_sum s;

        if (t->worker[w].rank != rank)
            continue;
        s = zoid_timeline_worker_sum(t, (int)w);
        sum.busy += s.busy;
        sum.waiting += s.waiting;
        sum.held += s.held;
        sum.starved += s.starved;
        sum.blocks += s.blocks;
        ++*workers;
    }
    return sum;
}

struct zoid_link_sum zoid_timeline_link_sum(const struct zoid_timeline *t, int link)
{
    struct zoid_link_sum sum = {.bytes = 0};
    double covered = t->run.begin;

    for (size_t i = 0; i < t->transfers; i++)
        if (t->transfer[i].link == link) {
            sum.bytes += t->transfer[i].bytes;
            sum.busy += uncovered(&t->transfer[i].span, &covered);
            sum.transfers++;
        }
    return sum;
}

/* ---- overlap ------------------------------------------------------------------------------ */

/* Begin (+1) or end (-1) of a transfer (`moves`) or of a block. */
struct edge {
    double time;
    int change;
    bool moves;
};

static int order_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

static size_t put_edges(struct edge *edge, const struct zoid_span *span, bool moves)
{
    edge[0] = (struct edge){.time = span->begin, .change = 1, .moves = moves};
    edge[1] = (struct edge){.time = span->end, .change = -1, .moves = moves};
    return 2;
}

double zoid_timeline_overlap(const struct zoid_timeline *t)
{
    size_t n = 0, most = 2 * (t->blocks + t->transfers);
    struct edge *edge = malloc((most ? most : 1) * sizeof *edge);
    int computing = 0, moving = 0;
    double moved = 0, both = 0;

    if (!edge)
        return NAN;
    for (size_t i = 0; i < t->blocks; i++)
        n += put_edges(edge + n, &t->block[i].span, false);
    for (size_t i = 0; i < t->transfers; i++)
        n += put_edges(edge + n, &t->transfer[i].span, true);
    qsort(edge, n, sizeof *edge, order_edges);
    for (size_t i = 0; i + 1 < n; i++) {
        double step = edge[i + 1].time - edge[i].time;

        *(edge[i].moves ? &moving : &computing) += edge[i].change;
        moved += moving ? step : 0;
        both += moving && computing ? step : 0;
    }
    free(edge);
    return moved > 0 ? both / moved : NAN;
}

/* ---- as text ------------------------------------------------------------------------------ */

/* The prefix of a name, if there are several ranks. */
static void print_rank(const struct zoid_timeline *t, int rank, FILE *out)
{
    if (zoid_timeline_ranks(t) > 1)
        fprintf(out, "rank %d ", rank);
}

long zoid_timeline_moves(const struct zoid_timeline *t, int border)
{
    long moves = -1, plane = -1;

    for (size_t i = 0; i < t->borders; i++)
        if (t->border[i].border == border && t->border[i].plane != plane) {
            plane = t->border[i].plane;
            moves++;
        }
    return moves < 0 ? 0 : moves;
}

/* The plans of parts, and where borders begin, and end. */
static void print_parts(const struct zoid_timeline *t, FILE *out)
{
    for (size_t i = 0; i < t->parts; i++)
        fprintf(out, "place %d: %s\n", t->part[i].part, t->part[i].plan);
    for (int b = 0; b + 1 < (int)t->parts; b++) {
        const struct zoid_timeline_border *first = NULL, *last = NULL;

        for (size_t i = 0; i < t->borders; i++)
            if (t->border[i].border == b) {
                first = first ? first : &t->border[i];
                last = &t->border[i];
            }
        if (first)
            fprintf(out, "border %d: first %ld last %ld planes %ld moves %ld\n", b, first->plane,
                    last->plane, last->planes, zoid_timeline_moves(t, b));
    }
}

void zoid_timeline_print(const struct zoid_timeline *t, FILE *out)
{
    double overlap = zoid_timeline_overlap(t);

    fprintf(out, "seconds %.9g\nblocks %zu\npasses %ld\noverflows %d\n", length(&t->run),
            t->blocks - t->shared, t->passes, t->overflows);
    if (zoid_timeline_ranks(t) > 1)
        fprintf(out, "ranks %d\n", zoid_timeline_ranks(t));
    for (size_t w = 0; w < t->workers; w++) {
        struct zoid_worker_sum s = zoid_timeline_worker_sum(t, (int)w);

        print_rank(t, t->worker[w].rank, out);
        fprintf(out, "%s: blocks %ld busy %.9g waiting %.9g ", t->worker[w].name, s.blocks, s.busy,
                s.waiting);
        if (zoid_timeline_ranks(t) > 1)
            fprintf(out, "held %.9g ", s.held);
        fprintf(out, "starved %.9g\n", s.starved);
    }
    for (size_t l = 0; l < t->links; l++) {
        struct zoid_link_sum s = zoid_timeline_link_sum(t, (int)l);

        print_rank(t, t->link[l].rank, out);
        fprintf(out, "%s: transfers %ld bytes %.0f busy %.9g\n", t->link[l].name, s.transfers,
                s.bytes, s.busy);
    }
    print_parts(t, out);
    if (!isnan(overlap))
        fprintf(out, "overlap %.4g\n", overlap);
}
