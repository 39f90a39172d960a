/* SPDX-License-Identifier: BSD-3-Clause */
/* The simplest thing that can run a graph: a sink that keeps every datum in memory and runs each
 * block as it comes. Whatever a block may not look at is poisoned. */
#ifndef ZOID_TESTS_CODELETS_STORE_H
#define ZOID_TESTS_CODELETS_STORE_H

#include "codelets/run.h"
#include "graphs/graph.h"

struct store;

/* `state` holds the plain fields: the initial ones before the emission, the final ones after. */
struct store *store_create(const struct zoid_op *op, const struct zoid_graph *graph,
                           enum zoid_isa isa, void *state);
struct zoid_sink *store_sink(struct store *store);
void store_destroy(struct store **store);

/* Moves planes [lo, hi) of the plain fields to where field f of plane z starts at element
 * f * field + (z - lo) * layout->plane of `slots`, or back. */
enum store_way { STORE_IN, STORE_OUT };
void store_planes(const struct zoid_op *op, const struct zoid_shape *shape,
                  const struct zoid_layout *layout, enum store_way way, void *plain, void *slots,
                  size_t field, long lo, long hi);

#endif
