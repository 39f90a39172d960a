/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/plain.h"

#include <hwloc.h>
#include <limits.h>
#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "codelets/run.h"
#include "runtime/context.h"
#include "runtime/job.h"
#include "runtime/task.h"

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
    struct item *item;
    size_t n, room;
    long *first, *last; /* position of each pass; room for one pass a block */
    long passes;
};

struct team {
    const struct record *record;
    _Atomic size_t next;
    _Atomic long *done; /* of pass p: positions below this are computed; LONG_MAX: all of them */
};

struct member {
    struct team *team;
    pthread_t thread;
    int core;
    void *scratch;
};

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
        starpu_data_handle_t handle = zoid_store_handle(r->job->store, &a->datum);

        item->part[i] =
            (struct zoid_part){.reads = a->mode & ZOID_READ,
                               .writes = a->mode & ZOID_WRITE,
                               .coefficient = a->datum.kind == ZOID_COEFFICIENT,
                               .in = a->in,
                               .out = a->out,
                               .base = (void *)starpu_vector_get_local_ptr(handle),
                               .capacity = zoid_store_capacity(r->job->store, a->datum.kind)};
    }
    return 0;
}

static int record_store(struct zoid_sink *sink, const struct zoid_access *access)
{
    return zoid_store_note(((struct record *)sink)->job->store, &access->datum, &access->in);
}

static void wait_for(const struct team *team, const struct item *item)
{
    while (atomic_load_explicit(&team->done[item->pass], memory_order_acquire) < item->position)
        ;
    while (item->pass > 0 && atomic_load_explicit(&team->done[item->pass - 1],
                                                  memory_order_acquire) <= item->position)
        ;
}

static void bind_to_core(int core)
{
    hwloc_topology_t topology;
    hwloc_obj_t object;

    hwloc_topology_init(&topology);
    hwloc_topology_load(topology);
    object = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, (unsigned)core);
    if (object)
        hwloc_set_cpubind(topology, object->cpuset, HWLOC_CPUBIND_THREAD);
    hwloc_topology_destroy(topology);
}

static void *work(void *arg)
{
    struct member *m = arg;
    struct team *team = m->team;
    const struct zoid_job *job = team->record->job;
    const struct zoid_cpu core = zoid_task_core(&job->context->machine);
    size_t i;

    while ((i = atomic_fetch_add(&team->next, 1)) < team->record->n) {
        const struct item *item = &team->record->item[i];

        wait_for(team, item);
        zoid_cpu_run(&(struct zoid_run){.op = job->plan.problem.op,
                                        .params = &job->plan.problem.params,
                                        .shape = &job->plan.graph.shape,
                                        .layout = &job->plan.layout,
                                        .zoid = item->zoid,
                                        .region = item->region,
                                        .nparts = item->nparts,
                                        .part = item->part,
                                        .scratch = m->scratch},
                     &core);
        atomic_store_explicit(&team->done[item->pass],
                              item->position == team->record->last[item->pass] ? LONG_MAX
                                                                               : item->position + 1,
                              memory_order_release);
    }
    return NULL;
}

static void *bind_and_work(void *arg)
{
    bind_to_core(((struct member *)arg)->core);
    return work(arg);
}

static enum zoid_status run_team(const struct record *r, struct member *member, int n,
                                 double *seconds)
{
    struct team team = {.record = r, .done = calloc((size_t)r->passes + 1, sizeof *team.done)};
    double start = starpu_timing_now();
    int started = 0;

    if (!team.done)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    for (long p = 0; p < r->passes; p++)
        atomic_init(&team.done[p], r->first[p]);
    for (; started < n; started++) {
        member[started].team = &team;
        member[started].core = started;
        if (pthread_create(&member[started].thread, NULL, bind_and_work, &member[started]))
            break;
    }
    for (int i = 0; i < started; i++)
        pthread_join(member[i].thread, NULL);
    *seconds = (starpu_timing_now() - start) * 1e-6;
    free((void *)team.done);
    return started == n ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "cannot start %d threads", n);
}

static enum zoid_status run_recorded(const struct record *r, double *seconds)
{
    const struct zoid_plan *plan = &r->job->plan;
    struct member *member = calloc((size_t)plan->workers, sizeof *member);
    size_t scratch = zoid_layout_plane_bytes(&plan->layout) *
                     (size_t)(plan->scratch_planes * plan->problem.op->nstate);
    enum zoid_status status = member ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");

    for (int i = 0; i < plan->workers && !status; i++)
        if (!(member[i].scratch = aligned_alloc(64, (scratch + 127) / 64 * 64)))
            status = zoid_fail(ZOID_RESOURCE, "out of memory");
    if (!status)
        status = run_team(r, member, plan->workers, seconds);
    for (int i = 0; member && i < plan->workers; i++)
        free(member[i].scratch);
    free(member);
    return status;
}

enum zoid_status zoid_plain_run(struct zoid_job *job, double *seconds)
{
    size_t blocks = (size_t)job->plan.census.blocks;
    struct record r = {.sink = {.block = record_block, .store = record_store},
                       .job = job,
                       .room = blocks,
                       .item = calloc(blocks + 1, sizeof *r.item),
                       .first = calloc(blocks + 1, sizeof *r.first),
                       .last = calloc(blocks + 1, sizeof *r.last)};
    enum zoid_status status = ZOID_OK;

    zoid_store_forget(job->store);
    if (!r.item || !r.first || !r.last || zoid_graph_emit(&job->plan.graph, &r.sink))
        status = zoid_fail(ZOID_RESOURCE, "out of memory");
    /* StarPU's idle workers poll; the threads must have the cores for themselves. */
    starpu_pause();
    if (!status)
        status = run_recorded(&r, seconds);
    starpu_resume();
    job->ran = true;
    for (size_t i = 0; r.item && i < r.n; i++)
        free(r.item[i].part);
    free(r.item);
    free(r.first);
    free(r.last);
    return status;
}
