/* SPDX-License-Identifier: BSD-3-Clause */
/* Gapless numbering of a graph's data from 0, for sinks that store something for each. */
#ifndef ZOID_GRAPHS_SINKS_NUMBERING_H
#define ZOID_GRAPHS_SINKS_NUMBERING_H

#include "graphs/kinds.h"
#include "graphs/message.h"

struct zoid_numbering {
    struct {
        long first, rows, cols;
    } kind[ZOID_KINDS];
    long count;
};

/* Returned by sinks for a graph that its census does not describe. */
enum { ZOID_BAD_CENSUS = 1 };

/* Number the data of a census. ZOID_BAD_CENSUS: it has more rows or columns than zoid_datum_index
 * can represent. */
int zoid_numbering_init(struct zoid_numbering *numbering, const struct zoid_census *census);

static inline const char *zoid_kind_name(enum zoid_kind kind)
{
    return zoid_kinds[kind].one;
}

/* Number of a datum, 0 <= number < count; -1 if it is not in the census. */
static inline long zoid_number(const struct zoid_numbering *n, const struct zoid_datum *d)
{
    if ((unsigned)d->kind >= ZOID_KINDS || d->row < 0 || d->row >= n->kind[d->kind].rows ||
        d->col < 0 || d->col >= n->kind[d->kind].cols)
        return -1;
    return n->kind[d->kind].first + d->row * n->kind[d->kind].cols + d->col;
}

/* Same for a datum of a graph, one rank's or all, and the graph's own census. */
static inline long zoid_graph_number(const struct zoid_numbering *n, const struct zoid_graph *g,
                                     const struct zoid_census *census,
                                     const struct zoid_datum *datum)
{
    struct zoid_datum d = *datum;

    d.row = zoid_rank_row(g, &census->kind[datum->kind], datum);
    return zoid_number(n, &d);
}

#endif
