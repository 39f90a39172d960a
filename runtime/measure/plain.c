/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/measure/plain.h"

#include <limits.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "codelets/cpu/run.h"
#include "codelets/cuda/run.h"
#include "graphs/kinds.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/measure/team.h"
#include "runtime/plan/place.h"
#include "runtime/submit/task.h"

struct item {
    struct zoid zoid, region;
    long pass, position;
    size_t nparts;
    struct zoid_part *part;
};

/* The recorded stream. */
struct record {
    struct zoid_sink sink;
    struct zoid_job *job;
    unsigned worker, node; /* a GPU's, if the plan is for one; memory node of the data */
    size_t scratch_bytes;
    struct item *item;
    size_t n, room;
    long *first, *last; /* position of each pass; at most one pass per block */
    long passes;
};

/* ---- recording --------------------------------------------------------------------------- */

static int record_block(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct record *r = (struct record *)sink;
    struct item *item = &r->item[r->n];

    if (r->n == r->room || !(item->part = calloc(b->naccess + 1, sizeof *item->part)))
        return ZOID_RESOURCE;
    r->n++;
    item->zoid = b->zoid;
    item->region = b->region;
    item->pass = b->pass;
    item->position = b->position;
    item->nparts = b->naccess;
    if (b->pass == r->passes)
        r->first[r->passes++] = b->position;
    r->last[b->pass] = b->position;
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        starpu_data_handle_t handle = zoid_store_handle(r->job->part->store, &a->datum);
        const void *vector = starpu_data_get_interface_on_node(handle, r->node);

        item->part[i] =
            (struct zoid_part){.reads = a->mode & ZOID_READ,
                               .writes = a->mode & ZOID_WRITE,
                               .coefficient = zoid_kinds[a->datum.kind].constant,
                               .memory = a->datum.kind == ZOID_MEMORY,
                               .in = a->in,
                               .out = a->out,
                               .base = (void *)STARPU_VECTOR_GET_PTR(vector),
                               .capacity = zoid_store_capacity(r->job->part->store, a->datum.kind)};
    }
    return 0;
}

static int record_store(struct zoid_sink *sink, const struct zoid_access *access)
{
    return zoid_store_note(((struct record *)sink)->job->part->store, &access->datum, &access->in);
}

/* Acquires data for writing, so that no copy moves: their values do not affect the time. */
static void take(const struct record *r, starpu_data_handle_t handle)
{
    starpu_data_acquire_on_node(handle, (int)r->node, STARPU_W);
}

static void give_back(const struct record *r, starpu_data_handle_t handle)
{
    starpu_data_release_on_node(handle, (int)r->node);
}

static void each_datum(const struct record *r,
                       void (*call)(const struct record *, starpu_data_handle_t))
{
    for (int kind = 0; kind < ZOID_KINDS; kind++) {
        const struct zoid_census_row *row = &r->job->part->plan.census.kind[kind];

        for (long i = 0; row->planes > 0 && i < row->rows * row->cols; i++)
            call(r, zoid_store_handle(r->job->part->store,
                                      &(struct zoid_datum){.kind = (enum zoid_kind)kind,
                                                           .row = i / row->cols,
                                                           .col = i % row->cols}));
    }
}

/* ---- running ----------------------------------------------------------------------------- */

static struct zoid_block_args run_of(const struct record *r, const struct item *item, void *scratch)
{
    const struct zoid_plan *plan = &r->job->part->plan;

    return (struct zoid_block_args){.traversal = plan->place.traversal[ZOID_CORES],
                                    .op = plan->problem.op,
                                    .params = &plan->problem.params,
                                    .shape = &plan->graph.shape,
                                    .layout = &plan->layout,
                                    .zoid = item->zoid,
                                    .region = item->region,
                                    .nparts = item->nparts,
                                    .part = item->part,
                                    .scratch = scratch};
}

struct threads {
    const struct record *record;
    _Atomic size_t next;
    _Atomic long *done; /* of pass p: positions below are computed; LONG_MAX: all */
    void **scratch;     /* of each thread */
};

static void wait_for(const struct threads *t, const struct item *item)
{
    while (atomic_load_explicit(&t->done[item->pass], memory_order_acquire) < item->position)
        ;
    while (item->pass > 0 &&
           atomic_load_explicit(&t->done[item->pass - 1], memory_order_acquire) <= item->position)
        ;
}

static void work(void *arg, int member)
{
    struct threads *t = arg;
    const struct record *r = t->record;
    const struct zoid_cpu core = r->job->part->work.core;
    size_t i;

    while ((i = atomic_fetch_add(&t->next, 1)) < r->n) {
        const struct item *item = &r->item[i];
        struct zoid_block_args run = run_of(r, item, t->scratch[member]);
        bool last = item->position == r->last[item->pass];

        wait_for(t, item);
        zoid_cpu_run(&run, &core);
        atomic_store_explicit(&t->done[item->pass], last ? LONG_MAX : item->position + 1,
                              memory_order_release);
    }
}

static enum zoid_status run_on_cores(const struct record *r, double *seconds)
{
    int n = zoid_place_all(&r->job->part->plan.place);
    struct threads t = {.record = r,
                        .done = calloc((size_t)r->passes + 1, sizeof *t.done),
                        .scratch = calloc((size_t)n, sizeof *t.scratch)};
    enum zoid_status status = ZOID_OK;

    for (int i = 0; t.scratch && i < n; i++)
        if (!(t.scratch[i] = aligned_alloc(64, (r->scratch_bytes + 127) / 64 * 64)))
            status = ZOID_RESOURCE;
    if (!t.done || !t.scratch || status)
        status = zoid_no_memory();
    for (long p = 0; !status && p < r->passes; p++)
        atomic_init(&t.done[p], r->first[p]);
    if (!status)
        status = zoid_team_run(n, work, &t, seconds);
    for (int i = 0; t.scratch && i < n; i++)
        free(t.scratch[i]);
    free(t.scratch);
    free((void *)t.done);
    return status;
}

struct queue {
    const struct record *record;
    void *scratch;
    double seconds;
    int error;
};

/* Runs on the thread of StarPU's worker for the GPU, which has selected the device. */
static void run_on_stream(void *arg)
{
    struct queue *q = arg;
    const struct record *r = q->record;
    void *stream = NULL;
    double start;

    q->error = zoid_cuda_stream_create(&stream);
    start = starpu_timing_now();
    for (size_t i = 0; i < r->n && !q->error; i++) {
        struct zoid_block_args run = run_of(r, &r->item[i], q->scratch);

        q->error = zoid_cuda_run(&run, r->job->part->plan.graph.block, stream);
    }
    if (!q->error)
        q->error = zoid_cuda_stream_wait(stream);
    q->seconds = (starpu_timing_now() - start) * 1e-6;
    zoid_cuda_stream_destroy(&stream);
}

static enum zoid_status run_on_gpu(const struct record *r, double *seconds)
{
    unsigned worker = r->worker;
    struct queue q = {.record = r};

    /* One byte more, so that a graph without scratch is no failure. */
    q.scratch = (void *)starpu_malloc_on_node(r->node, r->scratch_bytes + 1);
    if (!q.scratch)
        return zoid_fail(ZOID_RESOURCE,
                         "the GPU has no room for %zu bytes of scratch; give a smaller {block}",
                         r->scratch_bytes);
    starpu_execute_on_specific_workers(run_on_stream, &q, 1, &worker, "plain");
    starpu_free_on_node(r->node, (uintptr_t)q.scratch, r->scratch_bytes + 1);
    *seconds = q.seconds;
    return q.error ? zoid_fail(ZOID_RESOURCE, "CUDA: %s", zoid_cuda_error(q.error)) : ZOID_OK;
}

static enum zoid_status record_and_run(struct record *r, double *seconds)
{
    struct zoid_job *job = r->job;

    zoid_store_discard(job->part->store, false);
    if (!r->item || !r->first || !r->last || zoid_graph_emit(&job->part->plan.graph, &r->sink))
        return zoid_no_memory();
    zoid_job_ended(job, job->part->plan.graph.start + job->part->plan.graph.steps);
    return job->part->plan.place.kind == ZOID_GPUS ? run_on_gpu(r, seconds)
                                                   : run_on_cores(r, seconds);
}

enum zoid_status zoid_plain_run(struct zoid_job *job, double *seconds)
{
    const struct zoid_plan *plan = &job->part->plan;
    size_t blocks = (size_t)plan->census.blocks;
    struct record r = {.sink = {.block = record_block, .store = record_store},
                       .job = job,
                       .node = STARPU_MAIN_RAM,
                       .scratch_bytes = zoid_layout_plane_bytes(&plan->layout) *
                                        (size_t)(plan->scratch_planes * plan->problem.op->nstate),
                       .room = blocks,
                       .item = calloc(blocks + 1, sizeof *r.item),
                       .first = calloc(blocks + 1, sizeof *r.first),
                       .last = calloc(blocks + 1, sizeof *r.last)};
    enum zoid_status status;

    if (plan->place.kind == ZOID_GPUS) {
        r.worker = (unsigned)starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0);
        r.node = starpu_worker_get_memory_node(r.worker);
    }
    each_datum(&r, take);
    status = record_and_run(&r, seconds);
    each_datum(&r, give_back);
    for (size_t i = 0; r.item && i < r.n; i++)
        free(r.item[i].part);
    free(r.item);
    free(r.first);
    free(r.last);
    return status;
}
