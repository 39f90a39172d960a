/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a graph, numbered from 0 without gaps, for sinks that keep something of each. */
#ifndef ZOID_GRAPHS_SINKS_NUMBERING_H
#define ZOID_GRAPHS_SINKS_NUMBERING_H

#include "graphs/kinds.h"

struct zoid_numbering {
    struct {
        long first, rows, cols;
    } kind[ZOID_KINDS];
    long count;
};

/* What sinks return for a graph that its census does not describe. */
enum { ZOID_BAD_CENSUS = 1 };

/* Returns ZOID_BAD_CENSUS where the census is beyond what zoid_datum_index can tell apart. */
int zoid_numbering_init(struct zoid_numbering *numbering, const struct zoid_census *census);

static inline const char *zoid_kind_name(enum zoid_kind kind)
{
    return zoid_kinds[kind].one;
}

/* 0 <= number < count, or -1 for a datum that is not in the census. */
static inline long zoid_number(const struct zoid_numbering *n, const struct zoid_datum *d)
{
    if ((unsigned)d->kind >= ZOID_KINDS || d->row < 0 || d->row >= n->kind[d->kind].rows ||
        d->col < 0 || d->col >= n->kind[d->kind].cols)
        return -1;
    return n->kind[d->kind].first + d->row * n->kind[d->kind].cols + d->col;
}

/* The same where the census is that of a graph, one rank's or all, whose datum it is. */
static inline long zoid_graph_number(const struct zoid_numbering *n, const struct zoid_graph *g,
                                     const struct zoid_census *census,
                                     const struct zoid_datum *datum)
{
    struct zoid_datum d = *datum;

    d.row = zoid_rank_row(g, &census->kind[datum->kind], datum);
    return zoid_number(n, &d);
}

#endif
