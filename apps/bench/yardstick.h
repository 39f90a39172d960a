/* SPDX-License-Identifier: BSD-3-Clause */
/* The yardstick of runs on cores: the loops that anybody would write first, over whole fields
 * without padding, shared among threads by OpenMP, and compiled with -O3 for this processor. They
 * take the point updates of the table, as every operator does, so they are no second list.
 *
 * Here only because the compiler's flags are: apps/bench/bench_plain.c has the fields and the
 * clock. */
#ifndef ZOID_APPS_BENCH_YARDSTICK_H
#define ZOID_APPS_BENCH_YARDSTICK_H

#include "codelets/op.h"

/* One time of all points: what it reads and where it writes, field by field, x fastest. A field may
 * be written where it is read if no point reads its neighbours. There must be room for a plane
 * before and after every field, whatever it holds. */
struct zoid_yardstick {
    const struct zoid_op *op;
    const struct zoid_params *params;
    long t, n[ZOID_AXES];
    struct zoid_box box; /* the points that are computed */
    long rows;           /* of planes that threads go through before the next ones; 0: all */
    const void *from[ZOID_MAX_FIELDS];
    void *to[ZOID_MAX_FIELDS];
};

/* Weak: builds by a compiler without OpenMP have none. */
__attribute__((weak)) void zoid_yardstick_sweep(const struct zoid_yardstick *sweep);
/* Copies a pattern into all of `to`, as many threads at once as a sweep has, each where it works.
 */
__attribute__((weak)) void zoid_yardstick_fill(void *to, const void *pattern, size_t bytes,
                                               long times);
__attribute__((weak)) int zoid_yardstick_threads(void);

#endif
