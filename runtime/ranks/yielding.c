/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/yielding.h"

#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

/* Long compared with a worker's poll, of less than a microsecond, and short compared with a
 * block. */
enum { NAP_NS = 50000 };

/* A worker that gets no blocks reacts as late as this, and takes next to nothing of its core. */
enum { REST_NS = 1000000 };

static struct starpu_sched_policy yielding;
static long usual; /* ns; 0: workers poll */
static _Atomic bool rests[STARPU_NMAXWORKERS];
static struct starpu_task *(*pop)(unsigned);

static struct starpu_task *pop_or_nap(unsigned context)
{
    struct starpu_task *task = pop(context);
    const int worker = starpu_worker_get_id();
    const bool rest = !task && atomic_load_explicit(&rests[worker], memory_order_relaxed);
    const struct timespec nap = {.tv_nsec = rest ? REST_NS : usual};

    /* Workers of GPUs do not sleep: a GPU has more blocks queued before the last one ends. */
    if (!task && nap.tv_nsec && starpu_worker_get_type(worker) == STARPU_CPU_WORKER)
        nanosleep(&nap, NULL);
    return task;
}

void zoid_yielding_rest(int worker, bool rest)
{
    atomic_store_explicit(&rests[worker], rest, memory_order_relaxed);
}

struct starpu_sched_policy *zoid_yielding_policy(const char *name, bool naps)
{
    usual = naps ? NAP_NS : 0;
    for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
        if (!strcmp((*p)->policy_name, name)) {
            yielding = **p;
            pop = yielding.pop_task;
            yielding.pop_task = pop_or_nap;
            return &yielding;
        }
    return NULL;
}
