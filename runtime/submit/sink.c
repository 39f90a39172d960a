/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/sink.h"

#include <limits.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/message.h"
#include "graphs/volume.h"
#include "runtime/error.h"
#include "runtime/machine/clock.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/schedule.h"
#include "runtime/plan/tier.h"
#include "runtime/ranks/message_requests.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/task.h"

/* Contents that an access keeps must be present, so a write of them is a read, too. */
static enum starpu_data_access_mode starpu_mode(const struct zoid_access *a)
{
    if (a->mode == ZOID_READ)
        return a->fills ? STARPU_RW : STARPU_R;
    return a->mode == ZOID_WRITE && !a->keeps ? STARPU_W : STARPU_RW;
}

/* Data that the task is about to access need not go to the disk any more. */
static void at_pop(void *arg)
{
    struct zoid_task *t = arg;

    for (unsigned i = 0; i < t->nbuffers; i++)
        if (t->memories)
            zoid_memories_keep(t->memories, STARPU_TASK_GET_HANDLE(t->task, i));
        else
            zoid_transit_discard(t->writing_back, STARPU_TASK_GET_HANDLE(t->task, i));
}

static void hand_on(const struct zoid_task *t, const struct zoid_move *move)
{
    /* A datum that cannot be queued, without memory, goes home when its room is needed, or at the
     * end. */
    if (t->writing_back && move->node == zoid_store_home(t->work->store))
        zoid_transit_add(t->writing_back, move->handle, move->node);
    else
        starpu_data_prefetch_on_node(move->handle, move->node, 1);
}

/* Moves after a task, if StarPU alone manages the memory of GPUs. */
static void move_on(const struct zoid_task *t)
{
    for (size_t i = 0; i < t->nhand_on; i++)
        hand_on(t, &t->hand_on[i]);
    /* Not earlier: coefficients are never written, so StarPU would evict them as soon as it is
     * told. */
    for (size_t i = 0; i < t->nparts; i++)
        if (t->part[i].released)
            starpu_data_wont_use(STARPU_TASK_GET_HANDLE(t->task, t->part[i].buffer));
    if (t->ahead)
        zoid_ahead_ended(t->ahead);
}

/* Runs before StarPU releases the tasks that depend on this one, so that its end is known first. */
static void at_epilogue(void *arg)
{
    struct zoid_task *t = arg;

    zoid_watch_task_ends(t);
    if (t->memories)
        zoid_memories_ended(t->memories, t->stay);
}

static bool on_gpu(void)
{
    return starpu_worker_get_type(starpu_worker_get_id()) == STARPU_CUDA_WORKER;
}

static void at_end(void *arg)
{
    struct zoid_task *t = arg;
    struct starpu_profiling_task_info *info = t->task->profiling_info;

    if (on_gpu())
        zoid_task_cuda_ended(t, starpu_worker_get_id());
    if (t->work->channels && zoid_plan_streams(t->work->plan))
        zoid_epoch_clock_ends(&t->work->epochs, t->epoch, zoid_machine_clock(), 0);
    if (info && on_gpu())
        zoid_clock_add(&t->work->clock, info->workerid,
                       starpu_timing_timespec_delay_us(&info->start_time, &info->end_time) * 1e-6,
                       t->points);
    if (!t->memories)
        move_on(t);
    if (t->flight)
        zoid_flight_ended(t->flight);
}

static void place_task(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                       struct starpu_task *task)
{
    unsigned here = zoid_placement_node(&s->placement, b->lane);
    const struct zoid_plan *plan = s->work->plan;
    struct zoid_task *t = task->cl_arg;

    if (zoid_plan_streams(plan)) {
        task->execute_on_a_specific_worker = 1;
        task->workerid = zoid_placement_worker(&s->placement, b->lane);
    }
    if (t->writing_back || (t->memories && plan->home != ZOID_RAM)) {
        task->prologue_callback_pop_func = at_pop;
        task->prologue_callback_pop_arg = t;
    }
    if (t->memories)
        return;
    for (size_t i = 0; i < b->nfetch; i++)
        if (!s->peers || !zoid_peers_elsewhere(s->peers, &b->fetch[i], b->lane))
            t->fetch[t->nfetch++] =
                (struct zoid_move){zoid_store_handle(s->work->store, &b->fetch[i]), here};
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        unsigned next;

        t->part[i].released = zoid_kinds[a->datum.kind].constant && a->next == ZOID_NEXT_RAM &&
                              plan->keep[a->datum.kind][plan->place.memory] != ZOID_KEEP_ALL;
        next = zoid_placement_next(&s->placement, b, a);
        if (next != here && !plan->serial)
            t->hand_on[t->nhand_on++] =
                (struct zoid_move){zoid_store_handle(s->work->store, &a->datum), next};
    }
}

/* ---- tasks ------------------------------------------------------------------------------- */

static size_t halo_of(const struct zoid_work *work, const struct zoid_datum *datum)
{
    switch (zoid_kinds[datum->kind].planes) {
    case ZOID_PLANES_RIM:
        return work->halo;
    case ZOID_PLANES_OWN:
        return work->end;
    case ZOID_PLANES_PATCH:
        return zoid_plan_message(work->plan, datum);
    default:
        return 0;
    }
}

static struct zoid_tail tail_of(const struct zoid_work *work, const struct zoid_datum *datum)
{
    return datum->kind == ZOID_MESSAGE ? zoid_plan_message_tail(work->plan, datum)
                                       : work->tail[datum->kind];
}

/* The patch that a halo, an end or a message has: a join adds the part that the view of its owner's
 * block leaves out. */
static struct zoid_patch patch_of(const struct zoid_work *work, const struct zoid_access *a)
{
    if (a->datum.kind == ZOID_MESSAGE && a->mode & ZOID_WRITE)
        return zoid_message_patch(&work->plan->graph, &a->datum);
    return a->mode & ZOID_READ ? a->in.patch : a->out.patch;
}

/* Number of slots of a datum. */
static long capacity_of(const struct zoid_work *work, const struct zoid_datum *datum)
{
    return datum->kind == ZOID_MESSAGE
               ? zoid_message_planes(&work->plan->graph, &work->plan->census, datum)
               : zoid_store_capacity(work->store, datum->kind);
}

/* Epoch of a block in its leg; 0 if there is one part. */
static long epoch_of(const struct zoid_work *work, const struct zoid_block *b)
{
    const struct zoid_graph *g = &work->plan->graph;

    return work->channels ? (b->zoid.t0 - zoid_graph_first_time(g)) / (g->epoch * g->shape.stages)
                          : 0;
}

static struct zoid_task *task_of(const struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    const size_t parts = b->naccess * sizeof(struct zoid_task_part);
    const size_t moves = (b->nfetch + b->naccess) * sizeof(struct zoid_move);
    struct zoid_task *t = malloc(sizeof *t + parts + moves);

    if (!t)
        return NULL;
    *t = (struct zoid_task){.work = s->work,
                            .zoid = b->zoid,
                            .region = b->region,
                            .layout = zoid_plan_layout(s->work->plan, b->cell),
                            .points = zoid_volume(&b->zoid, &b->region),
                            .memories = s->memories,
                            .ahead = s->ahead,
                            .writing_back = s->writing_back,
                            .flight = s->flight,
                            .number = s->tasks,
                            .epoch = epoch_of(s->work, b),
                            .fetch = (struct zoid_move *)((char *)(t + 1) + parts),
                            .nparts = b->naccess};
    t->hand_on = t->fetch + b->nfetch;
    for (size_t i = 0; i < b->naccess; i++)
        t->part[i] = (struct zoid_task_part){.halo = halo_of(s->work, &b->access[i].datum),
                                             .tail = tail_of(s->work, &b->access[i].datum),
                                             .patch = patch_of(s->work, &b->access[i]),
                                             .kind = b->access[i].datum.kind,
                                             .mode = b->access[i].mode,
                                             .in = b->access[i].in,
                                             .out = b->access[i].out,
                                             .capacity = capacity_of(s->work, &b->access[i].datum)};
    return t;
}

/* Tasks with more data than StarPU's fixed arrays hold get arrays of their own, which StarPU
 * frees. */
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
 * each once, with all of its access modes: with two it would wait for itself. */
static void set_buffers(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                        struct starpu_task *task)
{
    struct zoid_task *t = task->cl_arg;

    for (size_t i = 0; i < b->naccess; i++) {
        starpu_data_handle_t handle = zoid_store_handle(s->work->store, &b->access[i].datum);
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
    task->nbuffers = (int)t->nbuffers;
}

static void add_scratch(const struct zoid_starpu_sink *s, struct starpu_task *task)
{
    if (s->work->scratch)
        set_buffer(task, (unsigned)task->nbuffers++, s->work->scratch, STARPU_SCRATCH);
}

/* Free a task that was not submitted; StarPU assumes that it destroys all others itself. */
static void discard(struct starpu_task *task)
{
    task->destroy = 0;
    starpu_task_destroy(task);
}

/* All data of a join are at home in main memory. */
static enum zoid_status submit_join(const struct zoid_starpu_sink *s, const struct zoid_join *join)
{
    const long t = join->access[0].out.t0;
    struct zoid_block b = {.zoid = zoid_domain(&s->work->plan->graph.shape, t, t),
                           .cell = join->cell,
                           .naccess = join->naccess,
                           .access = join->access};
    struct starpu_task *task = starpu_task_create();

    task->cl = (struct starpu_codelet *)&s->work->join;
    task->cl_arg = task_of(s, &b);
    task->cl_arg_size = sizeof(struct zoid_task);
    task->cl_arg_free = 1;
    task->priority = (int)-(s->tasks % INT_MAX);
    if (!task->cl_arg) {
        discard(task);
        return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    }
    set_buffers(s, &b, task);
    if (!starpu_task_submit(task))
        return ZOID_OK;
    discard(task);
    return zoid_fail(ZOID_RESOURCE, "StarPU has no worker for messages here");
}

static struct starpu_task *starpu_task_of(const struct zoid_starpu_sink *s,
                                          const struct zoid_block *b)
{
    const struct zoid_work *work = s->work;
    struct starpu_task *task = starpu_task_create();

    task->cl = (struct starpu_codelet *)&work->codelet;
    task->cl_arg = task_of(s, b);
    task->cl_arg_size = sizeof(struct zoid_task);
    task->cl_arg_free = 1;
    if (!task->cl_arg || !make_room(task, b->naccess + (work->scratch != NULL))) {
        discard(task);
        return NULL;
    }
    set_buffers(s, b, task);
    if (work->teams.some) {
        task->workerids = (uint32_t *)work->teams.first;
        task->workerids_len = sizeof work->teams.first / sizeof *work->teams.first;
    }
    add_scratch(s, task);
    if (work->dealer.open)
        task->sched_ctx = work->dealer.context;
    if (zoid_placement_needed(&s->placement))
        place_task(s, b, task);
    if (zoid_placement_needed(&s->placement) || s->flight) {
        ((struct zoid_task *)task->cl_arg)->task = task;
        task->epilogue_callback_func = at_epilogue;
        task->epilogue_callback_arg = task->cl_arg;
        task->callback_func = at_end;
        task->callback_arg = task->cl_arg;
    }
    return task;
}

/* A trace identifies blocks by these two numbers; each cell's pass has its own. */
static int submit(const struct zoid_starpu_sink *s, struct starpu_task *task,
                  const struct zoid_block *b)
{
    const long cells = zoid_cells(&s->work->plan->graph);
    struct zoid_dealer *dealer = &s->work->dealer;
    int rc;

    if (s->work->channels)
        zoid_channels_lock(s->work->channels);
    zoid_dealer_enter(dealer);
    starpu_iteration_push((unsigned long)(b->pass * cells + b->cell));
    starpu_iteration_push((unsigned long)b->position);
    rc = starpu_task_submit(task);
    starpu_iteration_pop();
    starpu_iteration_pop();
    zoid_dealer_leave(dealer);
    if (s->work->channels)
        zoid_channels_unlock(s->work->channels);
    return rc;
}

/* Register a block where its submission has to be known beforehand. */
static enum zoid_status announce(struct zoid_starpu_sink *s, const struct zoid_block *b,
                                 struct zoid_task *t)
{
    if (s->watch && zoid_watch_task(s->watch, t))
        return ZOID_RESOURCE;
    if (s->memories && !(t->stay = zoid_memories_admit(s->memories, b, s->in_flight)))
        return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    if (s->peers && !zoid_peers_take(s->peers, b))
        return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    if (s->ahead)
        zoid_ahead_add(s->ahead, t);
    if (s->flight)
        zoid_flight_begins(s->flight);
    return ZOID_OK;
}

static enum zoid_status submit_block(struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    struct starpu_task *task = starpu_task_of(s, b);
    struct zoid_task *t;
    enum zoid_status status;

    if (!task)
        return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    t = task->cl_arg;
    status = announce(s, b, t);
    if (status) {
        discard(task);
        return status;
    }
    s->points += (double)t->points;
    zoid_stream_block(&s->stream, b);
    if (s->work->channels)
        zoid_epoch_clock_submitted(&s->work->epochs, t->epoch);
    task->priority = (int)-(s->tasks % INT_MAX);
    if (submit(s, task, b)) {
        if (s->ahead)
            zoid_ahead_starts(s->ahead, t);
        if (s->memories)
            zoid_memories_ended(s->memories, t->stay);
        discard(task);
        return zoid_fail(ZOID_RESOURCE, "StarPU has no worker for %s here",
                         s->work->plan->problem.op->name);
    }
    if (zoid_plan_on_gpus(s->work->plan))
        zoid_placement_data(&s->placement, b);
    s->tasks++;
    return ZOID_OK;
}

static void wait_for_blocks(struct zoid_starpu_sink *s)
{
    if (s->flight)
        zoid_flight_wait(s->flight, s->in_flight - s->batch);
    else
        starpu_task_wait_for_n_submitted((unsigned)(s->in_flight - s->batch));
}

static enum zoid_status fail_with_others(void)
{
    return zoid_fail(ZOID_RESOURCE, "another part of this run has failed");
}

/* Wait until the messages that a block reads are sent, and those that it leaves are awaited, in
 * other parts. */
static enum zoid_status wait_for_parts(const struct zoid_starpu_sink *s,
                                       const struct zoid_access *access, size_t n)
{
    const struct zoid_graph *g = &s->work->plan->graph;
    struct zoid_channels *channels = s->work->channels;
    bool sound = true;

    for (size_t i = 0; channels && i < n && sound; i++) {
        const struct zoid_datum *d = &access[i].datum;
        const bool reads = d->owner != g->rank;
        const int reader = zoid_kind_travels(d->kind) ? zoid_ranks_reader(g, d) : g->rank;

        if (reader == d->owner || !zoid_ranks_together(g, reads ? d->owner : reader))
            continue;
        sound = reads ? zoid_channels_sent(channels, d)
                      : zoid_channels_awaited(channels, d, zoid_ranks_part_of(g, reader));
    }
    return sound ? ZOID_OK : fail_with_others();
}

/* All ranks post their first receives before any rank can send. They meet before the first block,
 * and before the first question: it may come while blocks still wait for their round, on some ranks
 * and not on others, and all ranks call the same collectives in the same order. */
static enum zoid_status meet(struct zoid_starpu_sink *s)
{
    if (s->met || !s->watch)
        return ZOID_OK;
    s->met = true;
    if (s->work->channels)
        return zoid_channels_meet(s->work->channels) ? ZOID_OK : fail_with_others();
    zoid_ranks_barrier();
    return ZOID_OK;
}

static int receive(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct zoid_starpu_sink *s = (struct zoid_starpu_sink *)sink;

    if (s->work->disk && (s->status = zoid_disk_status(s->work->disk)))
        return s->status;
    s->status = meet(s);
    if (!s->status)
        s->status = wait_for_parts(s, b->access, b->naccess);
    if (!s->status)
        s->status = submit_block(s, b);
    if (!s->status && !s->memories && s->tasks % s->batch == 0)
        wait_for_blocks(s);
    return s->status;
}

static bool wants_end(const struct zoid_starpu_sink *s)
{
    const double done = zoid_clock_points(&s->work->clock) - s->before;

    return s->work->stop || zoid_due_now(&s->due, s->points, done);
}

/* If ranks take turns, one may be R epochs ahead, R the number of ranks, and asks once in R epochs
 * only, since all ranks wait for the answer. */
static bool asks(struct zoid_starpu_sink *s)
{
    const struct zoid_graph *g = &s->work->plan->graph;

    return !zoid_in_order(&g->shape) || s->epochs++ % zoid_ranks_processes(g) == 0;
}

/* Ranks are asked when an epoch may be the last, and the answer is used when the next one may be:
 * by then it has come to all of them, so that no rank waits. A run that goes on to its end never
 * asks. Balanced parts tell the seconds of their epochs with the question. */
static bool stop_agreed(struct zoid_starpu_sink *s, long steps)
{
    struct zoid_channels *channels = s->work->channels;
    enum { STOPS, SECONDS, ALL = SECONDS + ZOID_PARTS_MOST };
    double number[ALL] = {0};
    const int n = channels ? ALL : SECONDS;

    if (s->work->plan->graph.leg.is == ZOID_LEG_ONLY || !asks(s) || meet(s))
        return false;
    if (zoid_ranks_answer(number, n) && channels)
        zoid_channels_hear(channels, &number[SECONDS]);
    if (number[STOPS] > 0)
        return true;
    number[STOPS] = wants_end(s);
    if (channels)
        zoid_channels_tell(channels, steps, &number[SECONDS]);
    zoid_ranks_ask(number, n);
    return false;
}

static bool end_of_process(void *sink, long steps)
{
    struct zoid_starpu_sink *s = sink;

    return zoid_ranks_processes(&s->work->plan->graph) > 1 ? stop_agreed(s, steps) : wants_end(s);
}

static bool ends(struct zoid_sink *sink, long steps)
{
    struct zoid_starpu_sink *s = (struct zoid_starpu_sink *)sink;
    struct zoid_channels *channels = s->work->channels;
    bool end;

    if (channels) {
        /* All parts come here, and only the first one to ask asks the other ranks. */
        if (meet(s))
            return false;
        zoid_epoch_clock_whole(&s->work->epochs,
                               zoid_due_whole_epochs(&s->work->plan->graph, steps));
        zoid_channels_close_up(channels, steps);
        end = zoid_channels_end(channels, steps, end_of_process, s);
    } else {
        end = end_of_process(s, steps);
    }
    if (end)
        s->end = steps;
    return end;
}

static int join(struct zoid_sink *sink, const struct zoid_join *join)
{
    struct zoid_starpu_sink *s = (struct zoid_starpu_sink *)sink;

    zoid_stream_join(&s->stream, join);
    s->status = wait_for_parts(s, join->access, join->naccess);
    return s->status ? s->status : (s->status = submit_join(s, join));
}

/* All parts of a process send by one tag space. */
static long tag_of(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const long parts = zoid_ranks(g) / zoid_ranks_processes(g);

    return zoid_message_number(g, message) * parts + zoid_ranks_part_of(g, message->owner);
}

/* Messages and tasks on the same datum go by the order of these calls. */
static int send_message(struct zoid_sink *sink, const struct zoid_message *m)
{
    struct zoid_starpu_sink *s = (struct zoid_starpu_sink *)sink;
    struct zoid_message_request request = {.handle = zoid_store_handle(s->work->store, &m->datum),
                                           .rank =
                                               zoid_ranks_process(&s->work->plan->graph, m->peer),
                                           .tag = tag_of(&s->work->plan->graph, &m->datum)};

    zoid_stream_message(&s->stream, m);
    if (zoid_ranks_together(&s->work->plan->graph, m->peer))
        return s->status = m->sends ? zoid_channels_send(s->work->channels, &m->datum)
                                    : zoid_channels_await(s->work->channels, &m->datum);
    if (!m->sends) {
        s->status = zoid_watch_message(s->watch, &request);
        return s->status ? s->status : (s->status = zoid_message_receive(&request));
    }
    s->sent++;
    s->sent_bytes += (double)starpu_data_get_size(request.handle);
    return s->status = zoid_message_send(&request);
}

static int note_store(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct zoid_starpu_sink *s = (struct zoid_starpu_sink *)sink;

    return s->status = zoid_store_note(s->work->store, &access->datum, &access->in);
}

/* A lane that runs ahead of the next one leaves it slabs that main memory has no room to keep, and
 * that then go to the disk and come back. The limit of tasks in flight bounds how far it gets
 * ahead. Without a next lane, a low limit would only keep workers from blocks that are ready. */
static void limit_in_flight(struct zoid_starpu_sink *s)
{
    const struct zoid_plan *plan = s->work->plan;
    const struct zoid_tier *ram = &plan->tier[ZOID_RAM];
    uint64_t each =
        zoid_budget_datum_bytes(plan, ZOID_SLAB) + zoid_budget_datum_bytes(plan, ZOID_MEMORY);
    uint64_t spare = (ram->capacity - ram->bytes) / each;
    uint64_t most = (2 + spare) * zoid_budget_running(plan);

    s->batch = 1;
    if (most < (uint64_t)s->in_flight)
        s->in_flight = (long)most;
}

/* Tasks that StarPU gives a GPU at a time: one runs, and one is next. */
enum { GPU_PIPELINE = 2 };

/* Set up the objects that manage data in memories while blocks run. */
static enum zoid_status place_data(struct zoid_starpu_sink *s)
{
    const struct zoid_plan *plan = s->work->plan;

    if (plan->serial && zoid_placement_needed(&s->placement)) {
        s->batch = LONG_MAX; /* the serial sink waits after every round */
        return ZOID_OK;
    }
    if (zoid_plan_evicts(plan))
        return zoid_memories_create(&s->placement, &s->memories);
    if (plan->home != ZOID_RAM && zoid_plan_streams(plan)) {
        s->writing_back = &s->between_gpus_and_disk;
        zoid_transit_init(s->writing_back, ZOID_BUDGET_WRITING_BACK);
    }
    if (!zoid_placement_needed(&s->placement))
        return ZOID_OK;
    s->ahead = &s->between;
    zoid_ahead_init(s->ahead, zoid_plan_streams(plan) ? (long)s->placement.gpus * GPU_PIPELINE
                                                      : (long)zoid_budget_running(plan));
    if (!zoid_plan_streams(plan) && plan->graph.method->pipelined)
        limit_in_flight(s);
    if (zoid_plan_stays(plan) && s->placement.gpus > 1) {
        s->peers = &s->between_gpus;
        if (!zoid_peers_init(s->peers, &s->placement))
            return zoid_no_memory();
    }
    return ZOID_OK;
}

enum zoid_status zoid_starpu_sink_init(struct zoid_starpu_sink *s, struct zoid_work *work,
                                       struct zoid_watch *watch)
{
    const struct zoid_plan *plan = work->plan;

    *s = (struct zoid_starpu_sink){.sink = {.message = send_message,
                                            .join = join,
                                            .block = receive,
                                            .store = note_store,
                                            .last = ends},
                                   .work = work,
                                   .watch = watch,
                                   .before = zoid_clock_points(&work->clock),
                                   .due = zoid_due_begin(plan, work->end_by),
                                   .end = plan->graph.start + plan->graph.steps,
                                   .placement = zoid_placement_of(plan, work->store),
                                   .in_flight = plan->place.flight
                                                    ? plan->place.flight
                                                    : ZOID_IN_FLIGHT * plan->place.workers};
    s->batch = plan->place.flight ? 1 : s->in_flight / 2;
    if (zoid_ranks(&plan->graph) > 1 || work->dealer.deals) {
        s->flight = &s->blocks;
        zoid_flight_init(s->flight);
    }
    return place_data(s);
}

void zoid_starpu_sink_finish(struct zoid_starpu_sink *s)
{
    if (s->memories)
        zoid_memories_finish(s->memories);
    zoid_message_requests_wait();
    zoid_ranks_answer(NULL, 0);
    if (s->writing_back) {
        zoid_transit_discard_all(s->writing_back);
        zoid_transit_wait(s->writing_back);
    }
    zoid_memories_destroy(&s->memories);
    zoid_peers_free(&s->between_gpus);
}
