/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/measure/team.h"

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/error.h"

enum gate { CLOSED, OPEN, ABANDONED };

struct team {
    zoid_team_fn *work;
    void *arg;
    hwloc_topology_t topology;
    _Atomic int ready, gate;
};

struct member {
    struct team *team;
    pthread_t thread;
    int index;
};

static void bind_to_core(hwloc_topology_t topology, int core)
{
    hwloc_obj_t object = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, (unsigned)core);

    if (object)
        hwloc_set_cpubind(topology, object->cpuset, HWLOC_CPUBIND_THREAD);
}

static void *enter(void *arg)
{
    const struct member *m = arg;
    struct team *team = m->team;
    int gate;

    bind_to_core(team->topology, m->index);
    atomic_fetch_add(&team->ready, 1);
    while ((gate = atomic_load(&team->gate)) == CLOSED)
        sched_yield();
    if (gate == OPEN)
        team->work(team->arg, m->index);
    return NULL;
}

static enum zoid_status run(struct team *team, struct member *member, int n, double *seconds)
{
    int started = 0;
    double start;

    for (; started < n; started++) {
        member[started] = (struct member){.team = team, .index = started};
        if (pthread_create(&member[started].thread, NULL, enter, &member[started]))
            break;
    }
    while (atomic_load(&team->ready) < started)
        sched_yield();
    start = starpu_timing_now();
    atomic_store(&team->gate, started == n ? OPEN : ABANDONED);
    for (int i = 0; i < started; i++)
        pthread_join(member[i].thread, NULL);
    *seconds = (starpu_timing_now() - start) * 1e-6;
    return started == n ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "cannot start %d threads", n);
}

enum zoid_status zoid_team_run(int n, zoid_team_fn *work, void *arg, double *seconds)
{
    struct member *member = calloc((size_t)n, sizeof *member);
    struct team team = {.work = work, .arg = arg};
    enum zoid_status status;

    if (!member || hwloc_topology_init(&team.topology)) {
        free(member);
        return zoid_no_memory();
    }
    hwloc_topology_load(team.topology);
    starpu_pause();
    status = run(&team, member, n, seconds);
    starpu_resume();
    hwloc_topology_destroy(team.topology);
    free(member);
    return status;
}
