/* SPDX-License-Identifier: BSD-3-Clause */
/* The simplest thing that can run a graph: a sink that keeps every datum in memory and runs each
 * block as it comes, of all ranks where there are several, which must not be joined. Whatever a
 * block may not look at is poisoned. */
#ifndef ZOID_TESTS_CODELETS_STORE_H
#define ZOID_TESTS_CODELETS_STORE_H

#include "codelets/device.h"
#include "graphs/graph.h"

struct store;

struct store_core {
    struct zoid_cpu cpu;
    int most; /* times at once, as for fused_run */
    enum zoid_traversal traversal;
    const struct zoid_block_runner *runner; /* NULL: sweeps */
    const struct zoid_taps *taps;           /* NULL: none */
};

/* The data of a graph, or of so many legs. `fields` holds the plain fields: the initial ones before
 * the emission, the final state after. */
struct store *store_create(const struct zoid_op *op, const struct zoid_graph *leg, long legs,
                           const struct store_core *core, void *fields);
/* Emits a leg into the store, as zoid_graph_emit; the sink is asked whether it ends at a step by
 * store_end. */
int store_emit(struct store *store, const struct zoid_graph *leg);
/* Legs end at that step, if they can. */
void store_end(struct store *store, long step);
void store_destroy(struct store **store);

/* Between plain fields and slots of planes with ghosts: fields [first, first + fields) of the
 * planes [lo, hi), where field first + f of plane z starts at element f * field + (z - lo) *
 * layout->plane of `slots`. Planes and rows beyond a periodic face are those they stand for. */
struct store_planes {
    const struct zoid_op *op;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout;
    int first, fields;
    long lo, hi;
    struct zoid_patch patch; /* of planes that are cut */
    void *plain, *slots;
    size_t field;
};
void store_put(const struct store_planes *planes);  /* into the slots */
void store_take(const struct store_planes *planes); /* out of them */

#endif
