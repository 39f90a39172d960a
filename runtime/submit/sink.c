/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/sink.h"

#include <limits.h>
#include <stdlib.h>

#include "runtime/context.h"
#include "runtime/plan/budget.h"
#include "runtime/submit/task.h"

/* Blocks in flight for each worker. Fewer than 4 starve the hand-on between lanes; many more let
 * passes start that should wait, whose data then push each other out of the caches. */
enum { WINDOW = 16 };

/* What is kept must be there. */
static enum starpu_data_access_mode starpu_mode(const struct zoid_access *a)
{
    if (a->mode == ZOID_READ)
        return a->fills ? STARPU_RW : STARPU_R;
    return a->mode == ZOID_WRITE && !a->keeps ? STARPU_W : STARPU_RW;
}

/* ---- placement: everything that the blocks' `next`, `lane` and `fetch` ask for, where there is
 * more than one memory to place data in ------------------------------------------------------ */

/* Lanes that follow one another share a GPU, where there are more lanes. */
static unsigned lane_worker(const struct zoid_starpu_sink *s, int lane)
{
    int lanes = s->job->plan.graph.lanes;

    return (unsigned)s->gpu[lane % lanes * s->gpus / lanes];
}

unsigned zoid_sink_node(const struct zoid_starpu_sink *s, int lane)
{
    if (!s->job->plan.on_gpu)
        return STARPU_MAIN_RAM;
    return starpu_worker_get_memory_node(lane_worker(s, lane));
}

bool zoid_sink_stays(const struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    const struct zoid_graph *graph = &s->job->plan.graph;

    return s->job->plan.in_core && b->zoid.t1 < graph->steps * graph->shape.stages;
}

/* A slab that is asked for when its left neighbour starts arrives under that block; StarPU by
 * itself would only ask when the block is ready, which is when the neighbour has ended. */
static void at_start(void *arg)
{
    struct zoid_task *t = arg;

    for (unsigned i = 0; t->homeward && i < t->nbuffers; i++)
        zoid_transit_drop(t->homeward, STARPU_TASK_GET_HANDLE(t->task, i));
    if (t->ahead)
        zoid_ahead_starts(t->ahead, t);
    else
        zoid_task_fetch(t);
}

static void hand_on(const struct zoid_task *t, const struct zoid_move *move)
{
    /* What finds no memory to wait in goes home when its room is wanted, or at the end. */
    if (t->homeward && move->node == zoid_store_home(t->job->store))
        zoid_transit_add(t->homeward, move->handle, move->node);
    else
        starpu_data_prefetch_on_node(move->handle, move->node, 1);
}

static void at_end(void *arg)
{
    struct zoid_task *t = arg;
    struct starpu_profiling_task_info *info = t->task->profiling_info;

    if (info && t->job->plan.on_gpu)
        zoid_clock_add(&t->job->clock[info->workerid],
                       starpu_timing_timespec_delay_us(&info->start_time, &info->end_time) * 1e-6,
                       t->points);
    for (size_t i = 0; i < t->nhand_on; i++)
        hand_on(t, &t->hand_on[i]);
    /* Only now: nobody writes coefficients, so StarPU would forget them as soon as it is told. */
    for (size_t i = 0; i < t->nparts; i++)
        if (t->part[i].released)
            starpu_data_wont_use(STARPU_TASK_GET_HANDLE(t->task, t->part[i].buffer));
    if (t->ahead)
        zoid_ahead_ended(t->ahead);
}

static void bind_to_gpu(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                        struct starpu_task *task)
{
    task->execute_on_a_specific_worker = 1;
    task->workerid = lane_worker(s, b->lane);
}

/* Where the datum should go when the block has ended; nowhere in particular: where it is. What is at
 * home on a disk starts on its way there; for what is at home in main memory see place_data. */
static unsigned next_node(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                          const struct zoid_access *a)
{
    unsigned here = zoid_sink_node(s, b->lane);

    /* Edges may be invalidated before the block ends that leaves them: see place_data. */
    if (a->datum.kind != ZOID_SLAB)
        return here;
    if (a->next == ZOID_NEXT_LANE)
        return zoid_sink_node(s, b->lane + 1);
    return a->next == ZOID_NEXT_RAM && s->job->plan.on_disk && !zoid_sink_stays(s, b)
               ? zoid_store_home(s->job->store)
               : here;
}

static void place_task(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                       struct starpu_task *task)
{
    unsigned here = zoid_sink_node(s, b->lane);
    struct zoid_task *t = task->cl_arg;

    t->task = task;
    if (s->job->plan.on_gpu)
        bind_to_gpu(s, b, task);
    task->prologue_callback_pop_func = at_start;
    task->prologue_callback_pop_arg = t;
    task->callback_func = at_end;
    task->callback_arg = t;
    for (size_t i = 0; i < b->nfetch; i++)
        t->fetch[i] = (struct zoid_move){zoid_store_handle(s->job->store, &b->fetch[i]), here};
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        unsigned next;

        t->part[i].released =
            t->part[i].coefficient && a->next == ZOID_NEXT_RAM && !s->job->plan.in_core;
        next = next_node(s, b, a);
        if (next != here && !s->job->plan.serial)
            t->hand_on[t->nhand_on++] =
                (struct zoid_move){zoid_store_handle(s->job->store, &a->datum), next};
    }
}

/* What is dead is not worth writing back when its memory is wanted. A slab is an exception: StarPU
 * forbids from the submission of an invalidation on to prefetch the datum, which earlier blocks,
 * still to run, may do. What goes home starts at once, under the next block, unless it can stay;
 * after the last time everything goes home. */
static void place_data(const struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        starpu_data_handle_t handle = zoid_store_handle(s->job->store, &a->datum);
        const bool in_ram = zoid_budget_at_home(&s->job->plan, a->datum.kind) &&
                            !zoid_budget_on_disk(&s->job->plan, a->datum.kind);

        if (a->datum.kind == ZOID_COEFFICIENT)
            continue;
        if (a->next == ZOID_NEXT_DEAD && a->datum.kind != ZOID_SLAB)
            starpu_data_invalidate_submit(handle);
        if (a->next == ZOID_NEXT_RAM && in_ram && !s->job->plan.serial && !zoid_sink_stays(s, b))
            starpu_data_wont_use(handle);
    }
}

/* Whether there is more than one memory to place data in. */
static bool placed(const struct zoid_starpu_sink *s)
{
    return s->job->plan.on_gpu || s->job->plan.on_disk;
}

/* ---- tasks ------------------------------------------------------------------------------- */

static struct zoid_task *task_of(const struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    const size_t parts = b->naccess * sizeof(struct zoid_task_part);
    const size_t moves = (b->nfetch + b->naccess) * sizeof(struct zoid_move);
    struct zoid_task *t = malloc(sizeof *t + parts + moves);

    if (!t)
        return NULL;
    *t = (struct zoid_task){.job = s->job,
                            .zoid = b->zoid,
                            .region = b->region,
                            .layout = zoid_plan_layout(&s->job->plan, b->cell),
                            .points = zoid_volume(&b->zoid, &b->region),
                            .ahead = s->ahead,
                            .homeward = s->homeward,
                            .number = s->tasks,
                            .nfetch = placed(s) ? b->nfetch : 0,
                            .fetch = (struct zoid_move *)((char *)(t + 1) + parts),
                            .nparts = b->naccess};
    t->hand_on = t->fetch + b->nfetch;
    for (size_t i = 0; i < b->naccess; i++)
        t->part[i] = (struct zoid_task_part){
            .mode = b->access[i].mode,
            .coefficient = b->access[i].datum.kind == ZOID_COEFFICIENT,
            .halo = b->access[i].datum.kind == ZOID_HALO,
            .in = b->access[i].in,
            .out = b->access[i].out,
            .capacity = zoid_store_capacity(s->job->store, b->access[i].datum.kind)};
    return t;
}

/* Tasks with more data than StarPU's fixed arrays bring arrays of their own, which StarPU frees. */
static bool make_room(struct starpu_task *task, size_t n)
{
    if (n <= STARPU_NMAXBUFS)
        return true;
    task->dyn_handles = malloc(n * sizeof *task->dyn_handles);
    task->dyn_modes = malloc(n * sizeof *task->dyn_modes);
    return task->dyn_handles && task->dyn_modes;
}

static void set_buffer(struct starpu_task *task, unsigned i, starpu_data_handle_t handle,
                       enum starpu_data_access_mode mode)
{
    STARPU_TASK_SET_HANDLE(task, handle, i);
    STARPU_TASK_SET_MODE(task, mode, i);
}

/* A block that goes round a periodic chain more than once names data several times. StarPU gets
 * each once, for all that is done with it: it would wait for itself between two modes. */
static void set_buffers(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                        struct starpu_task *task)
{
    struct zoid_task *t = task->cl_arg;

    for (size_t i = 0; i < b->naccess; i++) {
        starpu_data_handle_t handle = zoid_store_handle(s->job->store, &b->access[i].datum);
        enum starpu_data_access_mode mode = starpu_mode(&b->access[i]);
        unsigned j = 0;

        while (j < t->nbuffers && STARPU_TASK_GET_HANDLE(task, j) != handle)
            j++;
        if (j < t->nbuffers)
            mode |= STARPU_TASK_GET_MODE(task, j);
        else
            t->nbuffers++;
        set_buffer(task, j, handle, mode);
        t->part[i].buffer = j;
    }
    if (s->job->scratch)
        set_buffer(task, t->nbuffers, s->job->scratch, STARPU_SCRATCH);
    task->nbuffers = (int)t->nbuffers + (s->job->scratch != NULL);
}

static struct starpu_task *starpu_task_of(const struct zoid_starpu_sink *s,
                                          const struct zoid_block *b)
{
    const struct zoid_job *job = s->job;
    struct starpu_task *task = starpu_task_create();

    task->cl = (struct starpu_codelet *)&job->codelet;
    task->cl_arg = task_of(s, b);
    task->cl_arg_size = sizeof(struct zoid_task);
    task->cl_arg_free = 1;
    if (!task->cl_arg || !make_room(task, b->naccess + (job->scratch != NULL))) {
        starpu_task_destroy(task);
        return NULL;
    }
    set_buffers(s, b, task);
    if (placed(s))
        place_task(s, b, task);
    return task;
}

/* A trace tells blocks by these two; cells are passes to it. */
static int submit(const struct zoid_starpu_sink *s, struct starpu_task *task,
                  const struct zoid_block *b)
{
    const long cells = zoid_cells(&s->job->plan.graph);
    int rc;

    starpu_iteration_push((unsigned long)(b->pass * cells + b->cell));
    starpu_iteration_push((unsigned long)b->position);
    rc = starpu_task_submit(task);
    starpu_iteration_pop();
    starpu_iteration_pop();
    return rc;
}

enum zoid_status zoid_sink_submit(struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    struct starpu_task *task = starpu_task_of(s, b);

    if (!task)
        return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    s->points += (double)((struct zoid_task *)task->cl_arg)->points;
    task->priority = (int)-(s->tasks % INT_MAX);
    if (s->ahead)
        zoid_ahead_add(s->ahead, task->cl_arg);
    if (submit(s, task, b)) {
        if (s->ahead)
            zoid_ahead_starts(s->ahead, task->cl_arg);
        starpu_task_destroy(task);
        return zoid_fail(ZOID_RESOURCE, "StarPU has no worker for %s here",
                         s->job->plan.problem.op->name);
    }
    if (s->job->plan.on_gpu)
        place_data(s, b);
    s->tasks++;
    return ZOID_OK;
}

static int receive(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct zoid_starpu_sink *s = (struct zoid_starpu_sink *)sink;

    if (s->job->plan.on_disk && (s->status = zoid_disk_status(s->job->context->disk)))
        return s->status;
    if (s->serial.block)
        return s->status = zoid_serial_add(s, b);
    s->status = zoid_sink_submit(s, b);
    if (!s->status && s->tasks % s->batch == 0)
        starpu_task_wait_for_n_submitted((unsigned)(s->window - s->batch));
    return s->status;
}

static int note_store(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct zoid_starpu_sink *s = (struct zoid_starpu_sink *)sink;

    return s->status = zoid_store_note(s->job->store, &access->datum, &access->in);
}

/* A lane that runs ahead of the next one leaves it slabs which main memory has no room to keep, and
 * which then go to the disk and come back. It can get as far ahead as tasks are submitted. Where there is
 * no next lane, a narrow window would only keep workers from blocks that wait for nothing. */
static void narrow_window(struct zoid_starpu_sink *s)
{
    const struct zoid_plan *plan = &s->job->plan;
    uint64_t spare = (plan->budget - plan->total_bytes) / zoid_budget_datum_bytes(plan, ZOID_SLAB);
    uint64_t window = (2 + spare) * zoid_budget_running(plan);

    s->batch = 1;
    if (window < (uint64_t)s->window)
        s->window = (long)window;
}

/* Blocks of which the data move together: see serial.h. */
static long round_of(const struct zoid_starpu_sink *s)
{
    const struct zoid_plan *plan = &s->job->plan;

    return plan->in_core && !plan->on_disk && s->gpus == 1 ? WINDOW
                                                           : (long)zoid_budget_running(plan);
}

enum zoid_status zoid_starpu_sink_init(struct zoid_starpu_sink *s, struct zoid_job *job)
{
    *s = (struct zoid_starpu_sink){.sink = {.block = receive, .store = note_store},
                                   .job = job,
                                   .window = WINDOW * job->plan.workers,
                                   .batch = WINDOW * job->plan.workers / 2};
    s->gpus = starpu_worker_get_ids_by_type(STARPU_CUDA_WORKER, s->gpu, STARPU_MAXCUDADEVS);
    if (s->gpus > job->plan.graph.lanes)
        s->gpus = job->plan.graph.lanes;
    if (job->plan.serial && placed(s))
        return zoid_serial_init(&s->serial, round_of(s));
    if (job->plan.on_disk && job->plan.on_gpu) {
        s->homeward = &s->between_gpus_and_disk;
        zoid_transit_init(s->homeward, ZOID_BUDGET_HOMEWARD);
    }
    /* A GPU moves data while it computes; a core does between two tasks, and must ask before. */
    if (job->plan.on_disk && !job->plan.on_gpu) {
        s->ahead = &s->between;
        zoid_ahead_init(s->ahead, (long)zoid_budget_running(&job->plan));
        if (!job->plan.graph.method->single_lane)
            narrow_window(s);
    }
    return ZOID_OK;
}

void zoid_starpu_sink_finish(struct zoid_starpu_sink *s)
{
    if (!s->status && s->serial.n)
        s->status = zoid_serial_flush(s);
    zoid_serial_free(&s->serial);
    starpu_task_wait_for_all();
    if (s->homeward) {
        zoid_transit_drop_all(s->homeward);
        zoid_transit_wait(s->homeward);
    }
}
