/* SPDX-License-Identifier: BSD-3-Clause */
/* Jin's bound on the steps of a visit, for slabs that stream through GPUs. */
#ifndef ZOID_RUNTIME_PLAN_JIN_H
#define ZOID_RUNTIME_PLAN_JIN_H

#include "runtime/zoid_advanced.h"

/* A run, predicted or measured: the planes of a slab and the steps of a visit, and in seconds, of
 * all its GPUs, how long their links and their kernels were busy. */
struct zoid_jin {
    long planes, depth, steps;
    double link, kernels;
    double redundant; /* points computed, over those of the domain */
};

/* Return the bound: at most the planes of a slab, and no more than make up for the link, if it is
 * the limit: its seconds of a pass over the kernels' of a step, with redundant points. */
double zoid_jin_depth(const struct zoid_jin *jin);
/* Return the seconds of the links of a plan's GPUs for this traffic. */
double zoid_jin_link(const struct zoid_plan *plan, const struct zoid_traffic *traffic);
/* Return the bound for a plan, whose traffic is that; 0: slabs do not stream through GPUs, or how
 * much moves is not known. */
double zoid_jin_of_plan(const struct zoid_plan *plan, const struct zoid_traffic *traffic);

#endif
