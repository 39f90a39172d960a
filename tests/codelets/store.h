/* SPDX-License-Identifier: BSD-3-Clause */
/* The simplest sink that runs a graph: keeps every datum in memory and runs each block as it
 * arrives, also those of several ranks, which must not use joins. All memory that a block may not
 * read is poisoned. */
#ifndef ZOID_TESTS_CODELETS_STORE_H
#define ZOID_TESTS_CODELETS_STORE_H

#include "codelets/block/device.h"
#include "graphs/graph.h"

struct store;

struct store_core {
    struct zoid_cpu cpu;
    int most; /* fused steps, as in fused_run */
    enum zoid_traversal traversal;
    const struct zoid_block_runner *runner;         /* NULL: sweeps */
    const struct zoid_sample_points *sample_points; /* NULL: no sample points */
    struct zoid_team *team;                         /* NULL: the calling core alone */
};

/* Sets a core that runs blocks in the lanes of vectors (codelets/cpu/skew.h); false, and unchanged:
 * lanes do not run the operator. */
bool store_in_lanes(const struct zoid_op *op, const struct zoid_shape *shape, uint64_t *random,
                    struct store_core *core);
/* Allocates the data of a graph or of a list of `legs` legs; freed by store_destroy. `fields` holds
 * the plain fields: initial values before the emission, the final state after it. The caller owns
 * it. */
struct store *store_create(const struct zoid_op *op, const struct zoid_graph *leg, long legs,
                           const struct store_core *core, void *fields);
/* Emits a leg into the store, like zoid_graph_emit. The sink ends it at the step set by
 * store_end. */
int store_emit(struct store *store, const struct zoid_graph *leg);
/* Sets the step at which legs end, if they can. */
void store_end(struct store *store, long step);
void store_destroy(struct store **store);

/* Copies between plain fields and slots of planes with ghost points: fields [first, first + fields)
 * of the planes [lo, hi); field first + f of plane z starts at element f * field + (z - lo) *
 * layout->plane of `slots`. Planes and rows beyond a periodic face are their periodic images. */
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
