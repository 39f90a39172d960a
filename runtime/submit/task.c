/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/task.h"

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/rim.h"
#include "runtime/machine/clock.h"
#include "runtime/submit/ahead.h"
#include "runtime/submit/watch.h"

void zoid_task_fetch(const struct zoid_task *t)
{
    for (size_t i = 0; i < t->nfetch; i++)
        starpu_data_prefetch_on_node(t->fetch[i].handle, t->fetch[i].node, 1);
}

void zoid_task_starts(struct zoid_task *t)
{
    if (t->work->channels)
        zoid_epoch_clock_begins(&t->work->epochs, zoid_machine_clock());
    zoid_watch_task_begins(t);
    if (t->ahead)
        zoid_ahead_starts(t->ahead, t);
    else
        zoid_task_fetch(t);
}

void zoid_task_parts(const struct zoid_task *t, void *buffers[], struct zoid_part *part)
{
    const struct zoid_graph *g = &t->work->plan->graph;

    for (size_t i = 0; i < t->nparts; i++) {
        const struct zoid_kind_type *kind = &zoid_kinds[t->part[i].kind];

        part[i] =
            (struct zoid_part){.reads = t->part[i].mode & ZOID_READ,
                               .writes = t->part[i].mode & ZOID_WRITE,
                               .coefficient = kind->constant,
                               .memory = t->part[i].kind == ZOID_MEMORY,
                               .in = t->part[i].in,
                               .out = t->part[i].out,
                               .capacity = t->part[i].capacity,
                               .base = (void *)STARPU_VECTOR_GET_PTR(buffers[t->part[i].buffer])};
        part[i].halo = t->part[i].halo;
        part[i].tail = t->part[i].tail;
        if (part[i].halo)
            part[i].rim = kind->planes == ZOID_PLANES_RIM ? zoid_cell_rim(g, &t->part[i].patch)
                                                          : zoid_patch_rim(&t->part[i].patch);
    }
}

void zoid_task_run(const struct zoid_task *t, enum zoid_place_kind kind, void *buffers[],
                   void *scratch, struct zoid_part *part, struct zoid_block_args *run)
{
    const struct zoid_plan *plan = t->work->plan;

    zoid_task_parts(t, buffers, part);
    *run = (struct zoid_block_args){.runner = plan->place.runner,
                                    .sample_points = t->work->sample_points,
                                    .team = t->work->teams.of[starpu_worker_get_id()],
                                    .traversal = plan->place.traversal[kind],
                                    .op = plan->problem.op,
                                    .params = &plan->problem.params,
                                    .shape = &plan->graph.shape,
                                    .layout = &t->layout,
                                    .zoid = t->zoid,
                                    .region = t->region,
                                    .nparts = t->nparts,
                                    .part = part,
                                    .scratch = scratch};
}
