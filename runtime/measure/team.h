/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain threads, for what is compared with StarPU or measured without it. */
#ifndef ZOID_RUNTIME_MEASURE_TEAM_H
#define ZOID_RUNTIME_MEASURE_TEAM_H

#include "runtime/zoid.h"

typedef void zoid_team_fn(void *arg, int member);

/* Calls work(arg, 0 ... n - 1) at the same time, each on a core of its own, while the workers of
 * StarPU, which would poll, stand still. *seconds: from the common start to the last one's end;
 * making the threads is not counted. Fails with ZOID_RESOURCE, nothing called, when the system
 * refuses a thread. */
enum zoid_status zoid_team_run(int n, zoid_team_fn *work, void *arg, double *seconds);

#endif
