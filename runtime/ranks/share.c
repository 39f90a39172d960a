/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/share.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/machine/topology.h"
#include "runtime/ranks/cores.h"
#include "runtime/ranks/host.h"
#include "runtime/ranks/launcher.h"

/* Processors that a rank may use, to be gathered. */
struct claim {
    char cpus[1024];
};

bool zoid_share_polls_hurt(const struct zoid_share *s)
{
    return s->oversubscribed || s->workers + s->gpus + 1 > s->cores;
}

/* Return whether the user has StarPU bind workers to other cores than those of the process. */
static bool bound_by_user(void)
{
    const char *get = getenv("STARPU_WORKERS_GETBIND");

    return zoid_cores_unbound() || (get && atoi(get) == 0) || getenv("STARPU_WORKERS_CPUID") ||
           getenv("STARPU_WORKERS_COREID");
}

/* Take this rank's part of the processors that `n` ranks may use, as number `i` of them. */
static void split(hwloc_topology_t t, hwloc_const_bitmap_t allowed, int i, int n,
                  struct zoid_share *s)
{
    const int cores = zoid_cores_count(t, allowed), quota = zoid_cores_quota_here();
    const int most = quota / s->ranks > 0 ? quota / s->ranks : 1;
    const int first = (int)((long)i * cores / n), last = (int)((long)(i + 1) * cores / n);
    hwloc_bitmap_t mine = hwloc_bitmap_alloc();

    s->oversubscribed = cores < n || quota < s->ranks;
    s->cores = last - first < 1 ? 1 : last - first > most ? most : last - first;
    s->workers = zoid_share_workers(s->cores);
    s->bound = "nobody";
    if (!mine)
        return;
    zoid_cores_pick(t, allowed, first, s->cores, mine);
    if (bound_by_user())
        hwloc_bitmap_copy(mine, allowed);
    else if (n > 1 || s->cores < cores)
        s->bound = "zoid";
    else if (!hwloc_bitmap_isequal(mine, hwloc_topology_get_allowed_cpuset(t)))
        s->bound = "launcher";
    hwloc_set_cpubind(t, mine, HWLOC_CPUBIND_PROCESS);
    hwloc_bitmap_list_snprintf(s->cpus, sizeof s->cpus, mine);
    hwloc_bitmap_free(mine);
}

enum zoid_status zoid_share_cores(const struct zoid_ranks *r, struct zoid_share *s)
{
    struct claim mine, *all = calloc((size_t)r->host_size, sizeof *all);
    hwloc_topology_t t = NULL;
    hwloc_bitmap_t allowed = NULL;
    enum zoid_status status = all ? zoid_topology_load(false, &t) : zoid_no_memory();
    int i = 0, n = 0;

    if (!status && !(allowed = zoid_cores_allowed(t)))
        status = zoid_no_memory();
    status = zoid_ranks_agree(status);
    if (!status) {
        *s = (struct zoid_share){.ranks = r->host_size};
        gethostname(s->host, sizeof s->host - 1);
        hwloc_bitmap_list_snprintf(mine.cpus, sizeof mine.cpus, allowed);
        zoid_host_gather(&mine, sizeof mine, all);
        for (int k = 0; k < r->host_size; k++) {
            if (strcmp(all[k].cpus, mine.cpus))
                continue;
            i += k < r->host_rank;
            n++;
        }
        split(t, allowed, i, n, s);
    }
    hwloc_bitmap_free(allowed);
    if (t)
        hwloc_topology_destroy(t);
    free(all);
    return status;
}
