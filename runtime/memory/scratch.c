/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/scratch.h"

#include <hwloc.h>
#include <unistd.h>

#include "codelets/threads/parallel.h"
#include "runtime/memory/pages.h"

/* Shared by the threads that touch memory. */
struct touched {
    const struct zoid_core_scratch *scratch;
    const int *worker; /* NULL: on any core */
    hwloc_topology_t topology;
};

void zoid_core_bind(int worker)
{
    hwloc_cpuset_t set = starpu_worker_get_hwloc_cpuset(worker);

    hwloc_set_cpubind(starpu_get_hwloc_topology(), set, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(set);
}

static void touch(void *arg, int thread, long i)
{
    const struct touched *t = arg;

    (void)thread;
    if (t->worker)
        zoid_core_bind(t->worker[i]);
    zoid_pages_touch(t->scratch->memory + (size_t)i * t->scratch->bytes, t->scratch->bytes);
}

/* Touch n parts, in parallel. The caller is one of the threads; its binding is restored
 * afterwards. */
static void touch_all(const struct zoid_core_scratch *scratch, long n, const int *worker)
{
    struct touched t = {
        .scratch = scratch, .worker = worker, .topology = starpu_get_hwloc_topology()};
    hwloc_bitmap_t before = hwloc_bitmap_alloc();
    const int known = hwloc_get_cpubind(t.topology, before, HWLOC_CPUBIND_THREAD);

    if (known)
        t.worker = NULL;
    /* Idle workers of StarPU poll: pause them, to leave the cores to these threads. */
    starpu_pause();
    zoid_parallel((int)n, n, touch, &t);
    starpu_resume();
    if (!known)
        hwloc_set_cpubind(t.topology, before, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(before);
}

enum zoid_status zoid_core_scratch_take(struct zoid_core_scratch *s, size_t bytes, long used,
                                        int team)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int worker[STARPU_NMAXWORKERS];

    *s = (struct zoid_core_scratch){.bytes = (bytes + page - 1) / page * page};
    s->cores = starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, worker, STARPU_NMAXWORKERS);
    s->cores = s->cores < (unsigned)team ? s->cores > 0 : s->cores / (unsigned)team;
    for (unsigned i = 1; i < s->cores; i++)
        worker[i] = worker[i * (unsigned)team];
    if (!bytes || !s->cores)
        return ZOID_OK;
    s->memory = zoid_pages_reserve(s->cores * s->bytes);
    if (!s->memory)
        return zoid_fail(ZOID_RESOURCE, "the system refuses %zu bytes of memory",
                         s->cores * s->bytes);
    if (used < (long)s->cores) {
        touch_all(s, used, NULL);
        return ZOID_OK;
    }
    for (unsigned i = 0; i < s->cores; i++)
        s->own[worker[i]] = s->memory + i * s->bytes;
    touch_all(s, s->cores, worker);
    return ZOID_OK;
}

void zoid_core_scratch_give(struct zoid_core_scratch *s)
{
    zoid_pages_give(s->memory, s->cores * s->bytes);
    *s = (struct zoid_core_scratch){.memory = NULL};
}

void *zoid_core_scratch_own(struct zoid_core_scratch *s)
{
    const int worker = starpu_worker_get_id();

    if (s->memory && !s->own[worker])
        s->own[worker] = s->memory + atomic_fetch_add(&s->given, 1) * s->bytes;
    return s->own[worker];
}
