/* SPDX-License-Identifier: BSD-3-Clause */
/* Work done so far by each worker, readable while they work. */
#ifndef ZOID_RUNTIME_SUBMIT_CLOCK_H
#define ZOID_RUNTIME_SUBMIT_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/zoid.h"

/* Counters of one worker, which alone writes them: on a cache line of their own. */
struct zoid_worker_clock {
    _Alignas(64) _Atomic int64_t busy_ns;
    _Atomic int64_t core_ns; /* the part with the core, or the GPU, at work */
    _Atomic int64_t points;
};

struct zoid_clock {
    struct zoid_worker_clock *worker;
    unsigned workers;
};

/* Allocate counters at 0 for `workers` workers. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_clock_init(struct zoid_clock *clock, unsigned workers);
void zoid_clock_free(struct zoid_clock *clock);
void zoid_clock_add(const struct zoid_clock *clock, int worker, double seconds, int64_t points);
/* Add seconds of work in which the worker had its core, or its GPU was at work: without the time
 * that other programs take from it. */
void zoid_clock_add_core(const struct zoid_clock *clock, int worker, double seconds);
/* Return one worker's seconds and points. Thread-safe. */
struct zoid_done {
    double seconds, points;
};
struct zoid_done zoid_clock_of(const struct zoid_clock *clock, int worker);
/* Points computed, seconds worked, and those of cores or GPUs, over all workers. Thread-safe. */
double zoid_clock_points(const struct zoid_clock *clock);
double zoid_clock_busy_seconds(const struct zoid_clock *clock);
double zoid_clock_core_seconds(const struct zoid_clock *clock);

#endif
