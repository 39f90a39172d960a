/* SPDX-License-Identifier: BSD-3-Clause */
/* StarPU's workers of each kind of place. */
#ifndef ZOID_RUNTIME_SUBMIT_WORKERS_H
#define ZOID_RUNTIME_SUBMIT_WORKERS_H

#include <starpu.h>

#include "runtime/zoid.h"

struct zoid_workers {
    enum starpu_worker_archtype type;
    uint32_t where; /* as a codelet says it */
    /* Makes them ready for a plan's blocks; NULL: they are. */
    void (*prepare)(const struct zoid_plan *plan);
};

/* Those that compute the plan. */
const struct zoid_workers *zoid_workers_of(const struct zoid_plan *plan);
/* What they run, without a model. */
struct starpu_codelet zoid_workers_codelet(const struct zoid_plan *plan);
/* What any worker runs for joins, in main memory. */
struct starpu_codelet zoid_workers_joins(void);

#endif
