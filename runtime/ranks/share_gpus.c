/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "runtime/error.h"
#include "runtime/machine/topology.h"
#include "runtime/ranks/cores.h"
#include "runtime/ranks/host.h"
#include "runtime/ranks/share.h"

/* StarPU uses nine tenths of a GPU's memory; the driver needs the rest. */
static const double usable = 0.9;

struct gpu {
    char bus[16]; /* bus address; GPUs with the same one are the same */
    size_t bytes;
};

/* GPUs that a rank sees, to be gathered. Claims are compared as bytes, so all bytes are set. */
struct claim {
    struct gpu gpu[ZOID_SHARE_GPUS];
    int gpus, first_core, host_rank;
};

static void look(const struct zoid_ranks *r, struct claim *c)
{
    memset(c, 0, sizeof *c);
    c->host_rank = r->host_rank;
    while (zoid_cuda_find && c->gpus < ZOID_SHARE_GPUS) {
        struct gpu *g = &c->gpu[c->gpus];

        if (!zoid_cuda_find(c->gpus, g->bus, sizeof g->bus, &g->bytes))
            break;
        c->gpus++;
    }
}

/* Index of the core nearest to a GPU; INT_MAX: unknown. */
static int core_beside(hwloc_topology_t t, const struct gpu *g)
{
    hwloc_obj_t device = hwloc_get_pcidev_by_busidstring(t, g->bus);
    hwloc_obj_t beside = device ? hwloc_get_non_io_ancestor_obj(t, device) : NULL;

    return beside ? zoid_cores_first(t, beside->cpuset) : INT_MAX;
}

/* Sort the indices of GPUs by the cores near them. */
static void order_gpus(hwloc_topology_t t, const struct claim *c, int order[ZOID_SHARE_GPUS])
{
    int core[ZOID_SHARE_GPUS];

    for (int i = 0; i < c->gpus; i++) {
        int at = i;

        core[i] = core_beside(t, &c->gpu[i]);
        for (; at > 0 && core[order[at - 1]] > core[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static bool same_gpus(const struct claim *a, const struct claim *b)
{
    return a->gpus == b->gpus && !memcmp(a->gpu, b->gpu, sizeof a->gpu);
}

static bool before(const struct claim *a, const struct claim *b)
{
    return a->first_core != b->first_core ? a->first_core < b->first_core
                                          : a->host_rank < b->host_rank;
}

/* Distribute the GPUs among the ranks, both in the order of cores, in equal runs. */
static void deal(const struct claim *mine, const struct claim *all, const int *order,
                 struct zoid_share *s)
{
    const int gpus = mine->gpus;
    int i = 0, n = 0, first, last;

    for (int k = 0; k < s->ranks; k++) {
        if (!same_gpus(mine, &all[k]))
            continue;
        i += before(&all[k], mine);
        n++;
    }
    first = (int)((long)i * gpus / n);
    last = (int)((long)(i + 1) * gpus / n);
    s->gpus = last > first ? last - first : 1;
    for (int g = 0; g < s->gpus; g++)
        s->gpu[g] = order[first + g];
    s->gpu_ranks = (n + gpus - 1) / gpus;
    if (s->gpu_ranks > 1)
        s->gpu_mem = (uint64_t)(usable * (double)mine->gpu[s->gpu[0]].bytes / (double)s->gpu_ranks);
    /* Each GPU needs a core that drives it. */
    s->workers = s->workers > s->gpus ? s->workers - s->gpus : 0;
}

static int first_core(hwloc_topology_t t)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    int core = INT_MAX;

    if (set && !hwloc_get_cpubind(t, set, HWLOC_CPUBIND_PROCESS))
        core = zoid_cores_first(t, set);
    hwloc_bitmap_free(set);
    return core;
}

enum zoid_status zoid_share_gpus(const struct zoid_ranks *r, struct zoid_share *s)
{
    struct claim mine, *all = calloc((size_t)r->host_size, sizeof *all);
    int order[ZOID_SHARE_GPUS] = {0};
    hwloc_topology_t t = NULL;
    enum zoid_status status = all ? zoid_topology_load(true, &t) : zoid_no_memory();

    status = zoid_ranks_agree(status);
    if (!status) {
        look(r, &mine);
        mine.first_core = first_core(t);
        order_gpus(t, &mine, order);
        zoid_host_gather(&mine, sizeof mine, all);
        if (mine.gpus > 0)
            deal(&mine, all, order, s);
    }
    if (t)
        hwloc_topology_destroy(t);
    free(all);
    return status;
}
