/* SPDX-License-Identifier: BSD-3-Clause */
/* Baseline of runs on cores: plain loop nests over whole fields without padding, shared among
 * OpenMP threads and compiled with -O3 for this processor. They use the point updates of the
 * operator table, as all kernels do, so there is no second list.
 *
 * A file of its own because of its compiler flags: apps/bench/bench_plain.c owns the fields and the
 * clock. */
#ifndef ZOID_APPS_BENCH_YARDSTICK_H
#define ZOID_APPS_BENCH_YARDSTICK_H

#include "codelets/boxes.h"

/* Arguments of one stage over all points: the arrays of all fields before and after it, x fastest.
 * from[f] and to[f] may be equal if no point reads its neighbours in f. One plane of memory before
 * and after every array must be readable, with any contents. */
struct zoid_yardstick {
    const struct zoid_op *op;
    const struct zoid_params *params;
    long t, n[ZOID_AXES];
    struct zoid_boxes boxes; /* points to compute */
    struct zoid_box box;     /* that has those of all fields */
    long rows;               /* rows per tile (y blocking); 0: all */
    const void *from[ZOID_MAX_FIELDS];
    void *to[ZOID_MAX_FIELDS];
};

/* Weak symbols: NULL in builds by a compiler without OpenMP. */
__attribute__((weak)) void zoid_yardstick_sweep(const struct zoid_yardstick *sweep);
/* Copy `pattern` to `to`, `times` times in succession, in parallel by the threads of a sweep, for
 * first-touch placement. */
__attribute__((weak)) void zoid_yardstick_fill(void *to, const void *pattern, size_t bytes,
                                               long times);
__attribute__((weak)) int zoid_yardstick_threads(void);

#endif
