/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/polite.h"

#include <starpu.h>
#include <starpu_scheduler.h>
#include <string.h>
#include <time.h>

/* Long compared with a worker's poll, of less than a microsecond, and short compared with a
 * block. */
enum { NAP_NS = 50000 };

static struct starpu_sched_policy polite;
static struct starpu_task *(*pop)(unsigned);

static struct starpu_task *pop_or_nap(unsigned context)
{
    static const struct timespec nap = {.tv_nsec = NAP_NS};
    struct starpu_task *task = pop(context);

    /* Workers of GPUs do not sleep: a GPU has more blocks queued before the last one ends. */
    if (!task && starpu_worker_get_type(starpu_worker_get_id()) == STARPU_CPU_WORKER)
        nanosleep(&nap, NULL);
    return task;
}

struct starpu_sched_policy *zoid_polite_policy(const char *name)
{
    for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
        if (!strcmp((*p)->policy_name, name)) {
            polite = **p;
            pop = polite.pop_task;
            polite.pop_task = pop_or_nap;
            return &polite;
        }
    return NULL;
}
