/* SPDX-License-Identifier: BSD-3-Clause */
/* StarPU's workers for each kind of place (device). */
#ifndef ZOID_RUNTIME_SUBMIT_WORKERS_H
#define ZOID_RUNTIME_SUBMIT_WORKERS_H

#include <starpu.h>

#include "runtime/zoid_advanced.h"

struct zoid_workers {
    enum starpu_worker_archtype type;
    uint32_t where; /* as in a codelet */
    /* Prepares them for a plan's blocks; NULL: no need. */
    void (*prepare)(const struct zoid_plan *plan);
};

/* The workers that compute the plan, and those of a kind; of ANY place no type. */
const struct zoid_workers *zoid_workers_of(const struct zoid_plan *plan);
const struct zoid_workers *zoid_workers_of_kind(enum zoid_place_kind kind);
/* Codelet of the plan's blocks, without a performance model. */
struct starpu_codelet zoid_workers_codelet(const struct zoid_plan *plan);
/* Codelet of joins, whose data are in main memory. */
struct starpu_codelet zoid_workers_joins(void);

#endif
