/* SPDX-License-Identifier: BSD-3-Clause */
/* Random runs of parts: ranks above one another that have shape, borders, epoch and steps in
 * common, and each a method, slabs, a depth and lanes of its own. */
#ifndef ZOID_TESTS_GRAPHS_RANKS_PARTS_H
#define ZOID_TESTS_GRAPHS_RANKS_PARTS_H

#include "tests/graphs/ranks/streams.h"

enum { PARTS = 3, STEPS = 40, EPOCH = 12 };

/* Common properties of all parts. */
struct common {
    struct zoid_shape shape;
    long parts, border[PARTS + 1];
    long across[ZOID_PLANE_AXES]; /* cells of each part across planes */
    long start, steps, epoch, legs;
};

/* Draws the common properties of a run of up to PARTS parts, then the parts, until all are
 * accepted. Their graphs refer to the borders in `common`. */
void parts_draw(uint64_t *seed, bool in_order, struct common *common, struct run part[]);

#endif
