/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems drawn by lot, so that a measurement is of more than what somebody tuned for. */
#ifndef ZOID_APPS_BENCH_LOT_H
#define ZOID_APPS_BENCH_LOT_H

#include <stdint.h>

#include "apps/bench/bench.h"

struct zoid_lot {
    unsigned short state[3];
};

/* What is drawn depends on the seed, the options and the table of operators alone. */
struct zoid_lot zoid_lot_of(uint64_t seed);
/* The next problem: a family of those that the options leave, a variant of it, steps where the
 * options say nothing of them, and a domain whose fields take as many bytes as a cache of a machine
 * holds up to 32 times as many; its sides are no multiples of anything. `larger` makes all of it so
 * many times as large. */
enum zoid_status zoid_lot_draw(struct zoid_lot *lot, const struct zoid_bench *bench, double larger,
                               struct zoid_problem *problem);

#endif
