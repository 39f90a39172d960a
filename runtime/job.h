/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_JOB_H
#define ZOID_RUNTIME_JOB_H

#include <starpu.h>
#include <stdatomic.h>

#include "runtime/memory/store.h"
#include "runtime/zoid.h"

/* Written by one worker only, read by the progress line: each on a cache line of its own. */
struct zoid_worker_clock {
    _Alignas(64) _Atomic int64_t busy_ns;
    _Atomic int64_t points;
};

struct zoid_job {
    struct zoid_context *context;
    struct zoid_plan plan;
    struct zoid_store *store;
    struct starpu_codelet codelet;
    starpu_data_handle_t scratch;         /* NULL when blocks need none */
    struct zoid_disk_traffic disk_before; /* that of the run */
    struct zoid_worker_clock *clock;
    unsigned workers;
    _Atomic int cuda_error; /* the first; 0: none */
    bool filled, ran;
};

#endif
