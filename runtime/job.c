/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/job.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/machine/core.h"
#include "runtime/memory/record.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/leg.h"
#include "runtime/ranks/ranks.h"

/* Sink that records where a graph's loads put the initial state and the coefficients. */
struct load_sink {
    struct zoid_sink sink;
    struct zoid_store *store;
    bool coefficients; /* record these too */
    enum zoid_status status;
};

enum { LOADED = 1 };

/* The arguments of zoid_job_refill. */
struct refilling {
    long start;
    const struct zoid_points *points;
    zoid_box_fn *box;
    void *user;
};

static int note_load(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct load_sink *s = (struct load_sink *)sink;

    if (zoid_kinds[access->datum.kind].constant && !s->coefficients)
        return 0;
    return s->status = zoid_store_note(s->store, &access->datum, &access->out);
}

static int stop_at_block(struct zoid_sink *sink, const struct zoid_block *block)
{
    (void)sink, (void)block;
    return LOADED;
}

enum zoid_status zoid_job_note_loads(struct zoid_job *job, bool coefficients)
{
    struct load_sink s = {.sink = {.load = note_load, .block = stop_at_block},
                          .store = job->store,
                          .coefficients = coefficients};

    zoid_store_forget(job->store, coefficients);
    if (zoid_graph_emit(&job->plan.graph, &s.sink) == ZOID_GRAPH_NO_MEMORY)
        return zoid_no_memory();
    return s.status;
}

static enum zoid_status reserve(struct zoid_job *job)
{
    job->memory = calloc(1, sizeof *job->memory);
    if (!job->memory)
        return zoid_no_memory();
    job->memory->jobs = job->context->jobs;
    job->memory->plan = &job->plan;
    job->memory->work = &job->work;
    return zoid_jobs_add(job->memory);
}

static enum zoid_status allocate(struct zoid_job *job)
{
    const struct zoid_context *context = job->context;
    enum zoid_status status = reserve(job);

    if (!status)
        status = zoid_store_create(&job->plan, zoid_disks_named(context->disks, job->plan.folder),
                                   &job->store);
    if (status)
        return status;
    job->memory->store = job->store;
    job->work = (struct zoid_work){.plan = &job->plan,
                                   .store = job->store,
                                   .disk = zoid_store_range(job->store),
                                   .trace = context->trace,
                                   .core = zoid_machine_core(&context->machine)};
    status = zoid_work_init(&job->work);
    if (!status && zoid_ranks_here()->size > 1) {
        job->each = calloc((size_t)zoid_ranks_here()->size, sizeof *job->each);
        status = job->each ? ZOID_OK : zoid_no_memory();
    }
    job->from = job->plan.problem.start;
    job->state = (struct zoid_state){.plan = &job->plan, .store = job->store, .steps = job->from};
    if (!status)
        status = zoid_record_create(&job->plan, &job->work.taps);
    return status ? status : zoid_job_note_loads(job, true);
}

static enum zoid_status check_ranks(const struct zoid_plan *plan)
{
    const long planned = zoid_ranks(&plan->graph), here = zoid_ranks_here()->size;

    if (planned == here)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "this is planned for %ld ranks, and there %s %ld; start it with mpirun -n %ld",
                     planned, here == 1 ? "is" : "are", here, planned);
}

static enum zoid_status create(struct zoid_context *context, const struct zoid_plan *plan,
                               struct zoid_job **job)
{
    struct zoid_job *j = calloc(1, sizeof *j);
    enum zoid_status status = check_ranks(plan);

    if (!status && !j)
        status = zoid_no_memory();
    if (!status) {
        j->context = context;
        j->plan = j->planned = *plan;
        status = allocate(j);
    }
    status = zoid_ranks_agree(status);
    if (status)
        zoid_job_destroy(&j);
    else
        *job = j;
    return status;
}

enum zoid_status zoid_job_create(struct zoid_context *context, const struct zoid_plan *plan,
                                 struct zoid_job **job)
{
    enum zoid_status status;

    zoid_jobs_lock(context->jobs);
    zoid_jobs_wake(context->jobs, NULL);
    status = create(context, plan, job);
    zoid_jobs_unlock(context->jobs);
    return status;
}

void zoid_job_destroy(struct zoid_job **job)
{
    struct zoid_job *j = *job;
    struct zoid_jobs *jobs;

    if (!j)
        return;
    /* NULL: memory was short even for this struct. */
    jobs = j->context ? j->context->jobs : NULL;
    if (jobs)
        zoid_jobs_lock(jobs);
    zoid_store_destroy(&j->store);
    zoid_work_free(&j->work);
    zoid_record_destroy(&j->plan, &j->work.taps);
    free(j->each);
    if (j->memory)
        zoid_jobs_forget(j->memory);
    if (jobs)
        zoid_jobs_unlock(jobs);
    free(j->memory);
    free(j);
    *job = NULL;
}

enum zoid_status zoid_job_disk_status(const struct zoid_job *job)
{
    return job->work.disk ? zoid_disk_status(job->work.disk) : ZOID_OK;
}

bool zoid_job_in_pieces(const struct zoid_job *job)
{
    return zoid_kind_in_pieces(job->plan.problem.op, ZOID_COEFFICIENT);
}

static enum zoid_status fill(struct zoid_job *job, zoid_box_fn *box, void *user)
{
    if (job->ran)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job is filled before it runs; zoid_job_refill sets "
                                            "the state of one that did");
    zoid_record_begin(job->work.taps, job->from);
    zoid_record_fill(&job->state, job->work.taps, box, user);
    if (!zoid_job_in_pieces(job))
        zoid_fill_coefficients(&job->state, box, user);
    job->filled = true;
    return zoid_job_disk_status(job);
}

enum zoid_status zoid_job_fill(struct zoid_job *job, zoid_box_fn *box, void *user)
{
    enum zoid_status status;

    zoid_jobs_enter(job->memory);
    status = fill(job, box, user);
    zoid_jobs_leave(job->memory);
    return status;
}

enum zoid_status zoid_job_fill_pieces(struct zoid_job *job, zoid_piece_fn *piece, void *user)
{
    enum zoid_status status;

    if (!zoid_job_in_pieces(job))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s has no coefficients that come in pieces; zoid_job_fill sets what it has",
            job->plan.problem.op->name);
    if (job->ran)
        return zoid_fail(ZOID_BAD_ARGUMENT, "coefficients are filled before a job runs, and stay");
    zoid_jobs_enter(job->memory);
    zoid_fill_pieces(&job->state, piece, user);
    job->pieces = true;
    status = zoid_job_disk_status(job);
    zoid_jobs_leave(job->memory);
    return status;
}

struct zoid_plan zoid_job_offered(const struct zoid_job *job)
{
    struct zoid_plan run = job->planned;

    run.tier[ZOID_RAM].capacity = job->plan.tier[ZOID_RAM].capacity;
    return run;
}

bool zoid_job_can_go_on(const struct zoid_job *job)
{
    return job->planned.graph.leg.is != ZOID_LEG_ONLY;
}

/* An empty list is the same as no list. */
static const struct zoid_points *some(const struct zoid_points *points)
{
    return points->sources || points->receivers ? points : NULL;
}

/* Make the taps and the record of the plan's sources and receivers, in place of the ones before. */
static enum zoid_status set_points(struct zoid_job *job)
{
    job->planned.problem.points = job->plan.problem.points;
    zoid_record_destroy(&job->plan, &job->work.taps);
    return zoid_record_create(&job->plan, &job->work.taps);
}

static enum zoid_status refill(struct zoid_job *job, const struct refilling *to)
{
    struct zoid_plan *plan = &job->plan, run = zoid_job_offered(job);
    const struct zoid_next_leg first = {
        .run = &run, .first = true, .start = to->start, .steps = run.problem.steps};
    enum zoid_status status;

    if (!job->filled || !zoid_job_can_go_on(job))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job that was not filled, or that was not planned to "
                                            "run again, is not refilled");
    if (to->points)
        run.problem.points = some(to->points);
    status = zoid_plan_next(plan, &first);
    if (status)
        return status;
    zoid_jobs_note(job->memory);
    zoid_store_drop(job->store);
    status = zoid_job_note_loads(job, false);
    if (!status && to->points)
        status = set_points(job);
    job->filled = !status;
    if (status)
        return status;
    zoid_store_renew(job->store);
    job->from = job->state.steps = to->start;
    job->state.epoch = 0;
    job->ran = job->follows = false;
    zoid_record_begin(job->work.taps, to->start);
    zoid_record_fill(&job->state, job->work.taps, to->box, to->user);
    return zoid_job_disk_status(job);
}

enum zoid_status zoid_job_refill(struct zoid_job *job, long start, const struct zoid_points *points,
                                 zoid_box_fn *box, void *user)
{
    const struct refilling to = {.start = start, .points = points, .box = box, .user = user};
    enum zoid_status status;

    zoid_jobs_enter(job->memory);
    status = refill(job, &to);
    zoid_jobs_leave(job->memory);
    return status;
}

void zoid_job_stop(struct zoid_job *job)
{
    job->work.stop = true;
}

void zoid_job_end_by(struct zoid_job *job, double seconds)
{
    job->work.end_by = seconds;
}

void zoid_job_way(struct zoid_job *job, long from, long to)
{
    job->way.from = from;
    job->way.to = to;
}

void zoid_job_kept(struct zoid_job *job, long step)
{
    job->way.kept = step;
}

long zoid_job_steps(const struct zoid_job *job)
{
    return job->state.steps;
}
