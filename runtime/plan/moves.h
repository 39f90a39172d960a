/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted traffic of a plan between memories: the bytes if every datum is transferred once per
 * visit (graphs/sinks/moves.c). */
#ifndef ZOID_RUNTIME_PLAN_MOVES_H
#define ZOID_RUNTIME_PLAN_MOVES_H

#include "runtime/zoid_advanced.h"

/* Facts about a run that its plan does not have. */
struct zoid_moves_run {
    long end;     /* the step after which it was stopped; 0: it was not */
    bool settled; /* earlier runs have brought the coefficients that GPUs keep */
    double (*bytes)(const void *of, const struct zoid_datum *datum); /* NULL: the plan's bytes */
    const void *of;
};

/* Return the traffic of the plan's own rank. Iterates over all blocks, about a microsecond each.
 * Numbers are NaN if unknown: if the blocks are too many, if memory has run out, or, for the links
 * of GPUs, if these have room for the data of a few blocks only. */
struct zoid_traffic zoid_plan_moves(const struct zoid_plan *plan, const struct zoid_moves_run *run);

/* Bytes of data by the plan. */
struct zoid_plan_sizes {
    const struct zoid_plan *plan;
    double most[ZOID_KINDS]; /* of a kind's largest datum; most kinds have one size */
};
struct zoid_plan_sizes zoid_plan_sizes_of(const struct zoid_plan *plan);
double zoid_plan_size(const void *sizes, const struct zoid_datum *datum);

#endif
