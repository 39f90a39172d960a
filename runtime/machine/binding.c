/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for cpu_set_t */
#include "runtime/machine/binding.h"

#include <sched.h>
#include <string.h>

/* OpenMP's runtime, if one is linked. */
__attribute__((weak)) int omp_get_num_places(void);
__attribute__((weak)) int omp_get_place_num_procs(int place);
__attribute__((weak)) void omp_get_place_proc_ids(int place, int *ids);

static void add_place(int place, cpu_set_t *all)
{
    const int n = omp_get_place_num_procs(place);
    int ids[CPU_SETSIZE];

    if (n > CPU_SETSIZE)
        return;
    omp_get_place_proc_ids(place, ids);
    for (int i = 0; i < n; i++)
        if (ids[i] >= 0 && ids[i] < CPU_SETSIZE)
            CPU_SET(ids[i], all);
}

void zoid_binding_widen(struct zoid_binding *b)
{
    _Static_assert(sizeof b->before == sizeof(cpu_set_t), "a bit for each processor");
    cpu_set_t all, now, both;

    *b = (struct zoid_binding){.changed = false};
    if (!omp_get_num_places || !omp_get_place_num_procs || !omp_get_place_proc_ids ||
        sched_getaffinity(0, sizeof now, &now))
        return;
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); place++)
        add_place(place, &all);
    CPU_AND(&both, &all, &now);
    if (!CPU_EQUAL(&both, &now) || CPU_EQUAL(&all, &now))
        return;
    memcpy(b->before, &now, sizeof now);
    b->changed = !sched_setaffinity(0, sizeof all, &all);
}

void zoid_binding_restore(const struct zoid_binding *b)
{
    cpu_set_t before;

    if (!b->changed)
        return;
    memcpy(&before, b->before, sizeof before);
    sched_setaffinity(0, sizeof before, &before);
}
