/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/work.h"

#include <stdlib.h>

#include "runtime/error.h"
#include "runtime/memory/pool.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/submit/perf.h"
#include "runtime/submit/serial.h"
#include "runtime/submit/sink.h"
#include "runtime/submit/task.h"
#include "runtime/submit/workers.h"

/* StarPU makes room for it in the memory of GPUs. */
static void register_scratch(struct zoid_work *w, size_t bytes)
{
    zoid_pool_register(&w->scratch, &(struct zoid_pool_datum){.home = -1, .bytes = bytes});
    /* Budgeted as always resident. */
    if (w->plan->home != ZOID_RAM)
        starpu_data_set_ooc_flag(w->scratch, 0);
}

static size_t scratch_bytes(const struct zoid_plan *p)
{
    return (size_t)zoid_max(p->scratch_planes * p->problem.op->nstate, 0) *
           zoid_layout_plane_bytes(&p->layout);
}

/* Buffers of our own for GPUs, if cores take the same blocks. A failure is that of the run. */
static void take_for_gpus(struct zoid_work *w, size_t bytes)
{
    const struct zoid_place *place = &w->plan->place;

    for (int i = 0; i < place->crews; i++)
        if (place->crew[i].kind == ZOID_GPUS) {
            int worker[STARPU_NMAXWORKERS];
            const int n = zoid_dealer_crew(&place->crew[i], worker);
            const int error = zoid_gpu_scratch_take(&w->gpu_scratch, worker, n, bytes);

            if (error)
                w->cuda_error = error;
        }
}

/* For cores our own, for GPUs StarPU's unless cores take the same blocks. Blocks that do not use
 * their scratch get untouched memory. */
static enum zoid_status take_scratch(struct zoid_work *w)
{
    const struct zoid_plan *p = w->plan;
    const size_t bytes = scratch_bytes(p);

    w->scratch_planes = p->scratch_planes;
    take_for_gpus(w, bytes);
    if (zoid_place_of_kind(&p->place, ZOID_CORES))
        return zoid_core_scratch_take(&w->core_scratch, bytes,
                                      p->place.spares ? 0 : p->census.blocks, p->place.team);
    if (bytes && !p->place.crews)
        register_scratch(w, bytes);
    return ZOID_OK;
}

static void free_gpu_scratch(struct zoid_work *w)
{
    if (w->scratch)
        starpu_data_unregister(w->scratch);
    w->scratch = NULL;
    zoid_gpu_scratch_give(&w->gpu_scratch);
}

static void free_scratch(struct zoid_work *w)
{
    free_gpu_scratch(w);
    zoid_core_scratch_give(&w->core_scratch);
}

/* Compute sizes that depend on all cells, once for all blocks. */
static void find_sizes(struct zoid_work *w)
{
    w->halo = zoid_plan_halo(w->plan);
    w->end = zoid_plan_end(w->plan);
    for (int k = 0; k < ZOID_KINDS; k++)
        w->tail[k] = zoid_plan_tail(w->plan, k);
}

enum zoid_status zoid_work_init(struct zoid_work *w)
{
    const struct zoid_plan *p = w->plan;
    const struct zoid_op *op = p->problem.op;
    enum zoid_status status;

    w->codelet = zoid_workers_codelet(p);
    w->codelet.model = p->place.crews ? zoid_perf_dealt() : zoid_perf_model(op);
    w->join = zoid_workers_joins();
    find_sizes(w);
    status = take_scratch(w);
    if (!status)
        status = zoid_teams_create(&w->teams, p);
    if (status)
        return status;
    zoid_teams_wake(&w->teams, true);
    zoid_dealer_init(&w->dealer, p);
    if (zoid_workers_of(p)->prepare)
        zoid_workers_of(p)->prepare(p);
    return zoid_clock_init(&w->clock, starpu_worker_get_count());
}

enum zoid_status zoid_work_fit(struct zoid_work *w)
{
    find_sizes(w);
    if (w->plan->scratch_planes <= w->scratch_planes)
        return ZOID_OK;
    free_scratch(w);
    return take_scratch(w);
}

void zoid_work_rest(struct zoid_work *w)
{
    free_gpu_scratch(w);
    zoid_teams_wake(&w->teams, false);
    zoid_dealer_close(&w->dealer);
}

void zoid_work_wake(struct zoid_work *w)
{
    /* Scratch of cores has stayed, and taking that of GPUs cannot fail. */
    if (w->plan->place.crews)
        take_for_gpus(w, scratch_bytes(w->plan));
    else if (zoid_workers_of(w->plan)->type != STARPU_CPU_WORKER)
        (void)take_scratch(w);
    zoid_teams_wake(&w->teams, true);
    zoid_dealer_open(&w->dealer, w->plan);
    if (zoid_workers_of(w->plan)->prepare)
        zoid_workers_of(w->plan)->prepare(w->plan);
}

void zoid_work_free(struct zoid_work *w)
{
    free_scratch(w);
    zoid_dealer_close(&w->dealer);
    zoid_teams_destroy(&w->teams);
    zoid_clock_free(&w->clock);
}

enum zoid_status zoid_work_status(const struct zoid_work *w)
{
    if (w->cuda_error)
        return zoid_fail(ZOID_RESOURCE, "CUDA: %s", zoid_task_cuda_error(w->cuda_error));
    return w->disk ? zoid_disk_status(w->disk) : ZOID_OK;
}

/* Other parts wait no longer for this one if it has failed. */
static void emitted(struct zoid_work *w, bool failed)
{
    zoid_channels_emitted(w->channels, w->part, failed);
    if (failed)
        zoid_epoch_clock_over(&w->epochs);
}

enum zoid_status zoid_work_begin(struct zoid_work *w, struct zoid_watch *watch)
{
    struct zoid_starpu_sink *s = malloc(sizeof *s);

    w->sink = s;
    if (!s)
        return zoid_no_memory();
    s->status = zoid_starpu_sink_init(s, w, watch);
    if (!s->status && w->plan->serial && zoid_placement_needed(&s->placement))
        s->status = zoid_serial_create(&s->placement, &s->sink, &w->serial);
    return s->status;
}

enum zoid_status zoid_work_emit(struct zoid_work *w)
{
    struct zoid_sink *sink = w->serial ? zoid_serial_sink(w->serial) : &w->sink->sink;

    zoid_store_discard(w->store, false);
    if (zoid_graph_emit(&w->plan->graph, sink) == ZOID_GRAPH_NO_MEMORY)
        w->sink->status = zoid_no_memory();
    if (w->channels)
        emitted(w, w->sink->status != ZOID_OK);
    return w->sink->status;
}

enum zoid_status zoid_work_end(struct zoid_work *w, struct zoid_worked *worked)
{
    struct zoid_starpu_sink *s = w->sink;
    enum zoid_status status;

    w->sink = NULL;
    if (!s)
        return ZOID_OK;
    *worked = (struct zoid_worked){.tasks = s->tasks,
                                   .points = s->points,
                                   .stream = zoid_stream_digest(&s->stream),
                                   .messages = s->sent,
                                   .bytes = s->sent_bytes,
                                   .end = s->end};
    /* Messages of other processes will not come, and blocks that wait for them refer to the sink.
     */
    if (s->status && zoid_ranks_processes(&w->plan->graph) > 1)
        return s->status;
    status = zoid_serial_finish(&w->serial);
    zoid_starpu_sink_finish(s);
    status = status ? status : s->status;
    free(s);
    return status;
}
