/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads outside StarPU, for measurements and comparisons without it. */
#ifndef ZOID_RUNTIME_MEASURE_TEAM_H
#define ZOID_RUNTIME_MEASURE_TEAM_H

#include "runtime/zoid.h"

typedef void zoid_team_fn(void *arg, int member);

/* Calls work(arg, 0) ... work(arg, n - 1) in parallel, each on a thread bound to a core of its own,
 * and returns when all are done. StarPU's workers, which would poll, are paused meanwhile. Stores
 * the seconds from the common start to the last end, without thread creation. ZOID_RESOURCE: a
 * thread could not be created; `work` was not called. */
enum zoid_status zoid_team_run(int n, zoid_team_fn *work, void *arg, double *seconds);

#endif
