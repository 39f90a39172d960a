/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/placement.h"

#include <string.h>

#include "graphs/kinds.h"
#include "graphs/residence.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"
#include "runtime/submit/workers.h"

struct zoid_placement zoid_placement_of(const struct zoid_plan *plan,
                                        const struct zoid_store *store)
{
    struct zoid_placement p = {.plan = plan, .store = store};

    if (!zoid_plan_streams(plan))
        return p;
    p.gpus = starpu_worker_get_ids_by_type(zoid_workers_of(plan)->type, p.gpu, STARPU_MAXCUDADEVS);
    if (plan->place.shares) {
        p.gpus = zoid_min(p.gpus - plan->place.first, plan->place.workers);
        memmove(p.gpu, p.gpu + plan->place.first, (size_t)p.gpus * sizeof *p.gpu);
    }
    if (p.gpus > plan->graph.lanes)
        p.gpus = plan->graph.lanes;
    return p;
}

bool zoid_placement_needed(const struct zoid_placement *p)
{
    return zoid_plan_streams(p->plan) || p->plan->home != ZOID_RAM;
}

int zoid_placement_memory(const struct zoid_placement *p, int lane)
{
    return zoid_lane_memory(lane, p->plan->graph.lanes, p->gpus);
}

unsigned zoid_placement_worker(const struct zoid_placement *p, int lane)
{
    return (unsigned)p->gpu[zoid_placement_memory(p, lane)];
}

unsigned zoid_placement_node(const struct zoid_placement *p, int lane)
{
    if (!zoid_plan_streams(p->plan))
        return STARPU_MAIN_RAM;
    return starpu_worker_get_memory_node(zoid_placement_worker(p, lane));
}

bool zoid_placement_stays(const struct zoid_placement *p, const struct zoid_block *b)
{
    const struct zoid_graph *graph = &p->plan->graph;

    return zoid_plan_stays(p->plan) && b->zoid.t1 < zoid_graph_last_time(graph);
}

unsigned zoid_placement_next(const struct zoid_placement *p, const struct zoid_block *b,
                             const struct zoid_access *a)
{
    unsigned here = zoid_placement_node(p, b->lane);

    /* Edges may be invalidated before the block that leaves them has ended: see
     * zoid_placement_data. If GPUs keep all data, the next one fetches them itself: see
     * runtime/submit/peers.h. */
    if (a->datum.kind != ZOID_SLAB && a->datum.kind != ZOID_MEMORY)
        return here;
    if (a->next == ZOID_NEXT_LANE)
        return zoid_plan_stays(p->plan) ? here : zoid_placement_node(p, b->lane + 1);
    return a->next == ZOID_NEXT_RAM && zoid_plan_beyond(p->plan, ZOID_SLAB) &&
                   !zoid_placement_stays(p, b)
               ? zoid_store_home(p->store)
               : here;
}

/* Dead data are not worth a write-back when their memory is needed. A slab is an exception: once an
 * invalidation is submitted, StarPU forbids to prefetch the datum, which earlier blocks may still
 * do. Data that go home start at once, overlapping with the next block, unless they can stay; after
 * the last time everything goes home. */
void zoid_placement_data(const struct zoid_placement *p, const struct zoid_block *b)
{
    const bool told = zoid_plan_evicts(p->plan);

    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        starpu_data_handle_t handle = zoid_store_handle(p->store, &a->datum);
        const bool in_ram = p->plan->keep[a->datum.kind][ZOID_RAM] == ZOID_KEEP_ALL;

        if (zoid_kinds[a->datum.kind].constant)
            continue;
        if (a->next == ZOID_NEXT_DEAD && a->datum.kind != ZOID_SLAB)
            starpu_data_invalidate_submit(handle);
        if (a->next == ZOID_NEXT_RAM && a->mode & ZOID_WRITE && in_ram && !told &&
            !p->plan->serial && !zoid_placement_stays(p, b))
            starpu_data_wont_use(handle);
    }
}
