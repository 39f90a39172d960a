/* SPDX-License-Identifier: BSD-3-Clause */
/* Random problems, so that a measurement is not limited to cases that the planner was tuned for. */
#ifndef ZOID_APPS_BENCH_LOT_H
#define ZOID_APPS_BENCH_LOT_H

#include <stdint.h>

#include "apps/bench/bench.h"

struct zoid_random_cases {
    unsigned short state[3];
};

/* Seed a sequence of problems. It depends only on the seed, the options and the operator table. */
struct zoid_random_cases zoid_random_cases_of(uint64_t seed);
/* Draw the next problem: a family that the options select, a variant of it, steps unless the
 * options give them, and a domain with sides of arbitrary factors, whose fields take 16 MiB to 512
 * MiB in total, as much as a cache or up to 32 times more. `larger` multiplies these bytes. The
 * options must select at least one variant (zoid_bench_next). Fails as zoid_problem_make does. */
enum zoid_status zoid_random_case(struct zoid_random_cases *cases, const struct zoid_bench *bench,
                                  double larger, struct zoid_problem *problem);

#endif
