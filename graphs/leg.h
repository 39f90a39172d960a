/* SPDX-License-Identifier: BSD-3-Clause */
/* Legs of a run, each the graph that follows another. */
#ifndef ZOID_GRAPHS_LEG_H
#define ZOID_GRAPHS_LEG_H

#include "graphs/graph.h"

/* Compare two legs: the first property that they must share and do not, as in "legs of different
 * ...", a static string: method, shape, slabs, cells, ranks, lines, directions, exchanges,
 * epochs or coefficients. NULL: they agree. Steps, depth, leaf and lanes may differ. */
const char *zoid_graph_unlike(const struct zoid_graph *a, const struct zoid_graph *b);
/* Make `next` the leg that follows `before`, which was emitted as a first or a next leg. `done`:
 * the number of steps that `before` computed, fewer than its own if a sink ended it. Sets start,
 * epoch and leg, then calls zoid_graph_init and fails as that does; ZOID_GRAPH_BAD_LEG: the two are
 * unlike (zoid_graph_unlike), or `before` is a whole run. Emit `next` into the same sink; no
 * synchronisation is needed between the two. */
int zoid_graph_follow(struct zoid_graph *next, const struct zoid_graph *before, long done,
                      bool *clamped);
/* Planes that the data of a rank are given when borders along the chain axis move between a leg and
 * a first leg that starts where that has ended, by ranks that are apart: those below and above the
 * planes that it owned, of all that it needs from now on, owned and ghost. Slabs stay where they
 * are. */
struct zoid_gain {
    struct zoid_range below, above;
};
/* Returns the gain of a rank from one leg to the next. With several cells, whose ghost points are
 * not in slabs when a leg ends, all planes are below. */
struct zoid_gain zoid_graph_gain(const struct zoid_graph *before, const struct zoid_graph *next);
/* Make the data and bounds of *all sufficient for both graphs: the maximum of each, of the number
 * and size of data of each kind too. Leaves blocks, planes, idle and about as they are. */
void zoid_census_join(struct zoid_census *all, const struct zoid_census *one);

#endif
