/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/job.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "runtime/config.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/machine/core.h"
#include "runtime/memory/layers.h"
#include "runtime/memory/record.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/leg.h"
#include "runtime/plan/ranks.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/task.h"

/* The arguments of zoid_job_refill. */
struct refilling {
    long start;
    const struct zoid_points *points;
    zoid_box_fn *box;
    void *user;
};

int zoid_job_states(const struct zoid_job *job, struct zoid_state state[])
{
    for (int i = 0; i < job->parts; i++)
        state[i] = job->part[i].state;
    return job->parts;
}

enum zoid_status zoid_job_note_loads(struct zoid_job *job, bool coefficients)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < job->parts && !status; i++)
        status = zoid_part_note_loads(&job->part[i], coefficients);
    return status;
}

static enum zoid_status reserve(struct zoid_job *job)
{
    job->memory = calloc(1, sizeof *job->memory);
    if (!job->memory)
        return zoid_no_memory();
    job->memory->jobs = job->context->jobs;
    job->memory->part = job->part;
    job->memory->parts = job->parts;
    return zoid_jobs_add(job->memory);
}

/* `place`: the number of each part's place; NULL: they are numbered. */
static enum zoid_status allocate(struct zoid_job *job, const int place[])
{
    enum zoid_status status = reserve(job);

    for (int i = 0; i < job->parts && !status; i++) {
        const struct zoid_work common = {.trace = job->context->trace,
                                         .core = zoid_machine_core(&job->context->machine),
                                         .channels = job->channels,
                                         .part = place ? place[i] : i};

        status = zoid_part_create(&job->part[i],
                                  zoid_disks_named(job->context->disks, job->part[i].plan.folder),
                                  &common);
    }
    if (status)
        return status;
    zoid_parts_share(job->part, job->parts);
    if (zoid_ranks_here()->size > 1) {
        job->each = calloc((size_t)zoid_ranks_here()->size, sizeof *job->each);
        status = job->each ? ZOID_OK : zoid_no_memory();
    }
    job->from = job->part->state.steps;
    return status;
}

static enum zoid_status check_ranks(const struct zoid_plan *plan)
{
    const long planned = zoid_ranks_processes(&plan->graph), here = zoid_ranks_here()->size;

    if (planned == here)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "this is planned for %ld ranks, and there %s %ld; start it with mpirun -n %ld",
                     planned, here == 1 ? "is" : "are", here, planned);
}

static void set_plan(struct zoid_job *job, struct zoid_job_part *part, const struct zoid_plan *plan)
{
    const int chain = zoid_chain(&plan->graph.shape);

    part->plan = *plan;
    if (job->parts > 1)
        part->plan.graph.cut[chain].border = job->border;
    part->planned = part->plan;
}

/* Parts exchange halos cell by cell, epoch by epoch: otherwise they would wait for ever. */
static bool fit_together(const struct zoid_graph *a, const struct zoid_graph *b)
{
    bool fit = a->epoch == b->epoch && a->steps == b->steps && a->start == b->start &&
               a->joined == b->joined && a->apart && b->apart;

    for (int axis = 0; axis < ZOID_AXES; axis++)
        fit = fit && zoid_cells_along(a, axis) == zoid_cells_along(b, axis) &&
              zoid_ranks_along(a, axis) == zoid_ranks_along(b, axis);
    return fit && (!zoid_in_order(&a->shape) || (a->depth == b->depth && a->block == b->block));
}

/* `place`: the number of a part that is alone. */
static enum zoid_status make_parts(struct zoid_job *job, const struct zoid_plan *plan, int parts,
                                   int place)
{
    for (int i = 1; i < parts; i++)
        if (!fit_together(&plan[0].graph, &plan[i].graph))
            return zoid_fail(ZOID_BAD_ARGUMENT, "the plans of the places do not fit together; name "
                                                "{epoch}, {depth} and {cells}");
    job->part = calloc((size_t)parts, sizeof *job->part);
    if (parts > 1)
        job->channels = zoid_channels_create(parts);
    job->border = calloc((size_t)parts + 1, sizeof *job->border);
    if (!job->part || !job->border || (parts > 1 && !job->channels))
        return zoid_no_memory();
    job->parts = parts;
    if (parts > 1)
        memcpy(job->border, plan->graph.cut[zoid_chain(&plan->graph.shape)].border,
               ((size_t)parts + 1) * sizeof *job->border);
    else if (!place)
        job->border[1] = plan->graph.shape.n[zoid_chain(&plan->graph.shape)];
    for (int i = 0; i < parts; i++)
        set_plan(job, &job->part[i], &plan[i]);
    return ZOID_OK;
}

static enum zoid_status make_balance(struct zoid_job *job)
{
    struct zoid_control control;

    job->balance = malloc(sizeof *job->balance);
    if (!job->balance)
        return zoid_no_memory();
    zoid_balancer_init(job->balance, job->part, job->border);
    control = zoid_balancer_control(job->balance);
    zoid_channels_control(job->channels, &control);
    return ZOID_OK;
}

static void simulate(const struct zoid_job *job)
{
    const struct zoid_context *c = job->context;
    const struct zoid_model model =
        zoid_model_of(&c->machine, &c->rates, job->part->plan.problem.op);

    zoid_task_simulate(&job->part->work, &model);
}

/* The parts that a job is made of. */
struct wanted {
    const struct zoid_plan *plan;
    int parts;
    const struct zoid_plans *of; /* with their places; NULL: there is one */
};

static enum zoid_status create(struct zoid_context *context, const struct wanted *wanted,
                               struct zoid_job **job)
{
    struct zoid_job *j = calloc(1, sizeof *j);
    enum zoid_status status = check_ranks(wanted->plan);

    if (!status && !j)
        status = zoid_no_memory();
    if (!status) {
        j->context = context;
        j->places = 1;
        if (wanted->of && (wanted->parts > 1 || wanted->of->second != wanted->of->balance)) {
            j->places = wanted->of->places;
            memcpy(j->seat, wanted->of->seat, sizeof j->seat);
        }
        status = make_parts(j, wanted->plan, wanted->parts, wanted->of ? *wanted->of->place : 0);
    }
    if (!status)
        status = allocate(j, wanted->of ? wanted->of->place : NULL);
    if (!status && wanted->of && wanted->of->moves)
        status = make_balance(j);
    status = zoid_ranks_agree(status);
    if (status)
        zoid_job_destroy(&j);
    else
        *job = j;
    if (!status && ZOID_SIMULATED)
        simulate(j);
    return status;
}

static enum zoid_status create_alone(struct zoid_context *context, const struct wanted *wanted,
                                     struct zoid_job **job)
{
    enum zoid_status status;

    if (zoid_context_plans(context))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{machine} describes a machine that is not at hand; ask "
                         "for the {plan} alone, or drop it to run here");
    if (ZOID_SIMULATED && (wanted->parts > 1 || wanted->plan->place.crews))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "a simulation has one place; use {balance=gpu} or {balance=cpu}");
    zoid_jobs_lock(context->jobs);
    zoid_jobs_wake(context->jobs, NULL);
    status = create(context, wanted, job);
    zoid_jobs_unlock(context->jobs);
    return status;
}

enum zoid_status zoid_job_create(struct zoid_context *context, const struct zoid_plan *plan,
                                 struct zoid_job **job)
{
    return create_alone(context, &(struct wanted){.plan = plan, .parts = 1}, job);
}

enum zoid_status zoid_job_create_parts(struct zoid_context *context, const struct zoid_plans *plans,
                                       struct zoid_job **job)
{
    return create_alone(
        context, &(struct wanted){.plan = plans->part, .parts = plans->parts, .of = plans}, job);
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
    for (int i = 0; i < j->parts; i++)
        zoid_part_destroy(&j->part[i]);
    zoid_channels_destroy(&j->channels);
    free(j->border);
    free(j->balance);
    free(j->each);
    if (j->memory)
        zoid_jobs_forget(j->memory);
    if (jobs)
        zoid_jobs_unlock(jobs);
    free(j->memory);
    free(j->part);
    free(j);
    *job = NULL;
}

enum zoid_status zoid_job_disk_status(const struct zoid_job *job)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < job->parts && !status; i++)
        if (job->part[i].work.disk)
            status = zoid_disk_status(job->part[i].work.disk);
    return status;
}

bool zoid_job_in_pieces(const struct zoid_job *job)
{
    return zoid_kind_in_pieces(job->part->plan.problem.op, ZOID_COEFFICIENT);
}

/* Fill the state, with memory of 0, and record its values for the receivers. */
static void fill_state(struct zoid_job *job, zoid_box_fn *box, void *user)
{
    for (int i = 0; i < job->parts; i++) {
        struct zoid_job_part *part = &job->part[i];

        zoid_memory_fill(&part->state, NULL, NULL);
        zoid_record_begin(part->work.sample_points, job->from);
        zoid_record_fill(&part->state, part->work.sample_points, box, user);
    }
}

static enum zoid_status fill(struct zoid_job *job, zoid_box_fn *box, void *user)
{
    if (job->ran)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job is filled before it runs; zoid_job_refill sets "
                                            "the state of one that did");
    fill_state(job, box, user);
    for (int i = 0; i < job->parts && !zoid_job_in_pieces(job); i++)
        zoid_fill_coefficients(&job->part[i].state, box, user);
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
            job->part->plan.problem.op->name);
    if (job->ran)
        return zoid_fail(ZOID_BAD_ARGUMENT, "coefficients are filled before a job runs, and stay");
    zoid_jobs_enter(job->memory);
    for (int i = 0; i < job->parts; i++)
        zoid_fill_pieces(&job->part[i].state, piece, user);
    job->pieces = true;
    status = zoid_job_disk_status(job);
    zoid_jobs_leave(job->memory);
    return status;
}

void zoid_job_set_shift(struct zoid_job *job, double shift)
{
    for (int i = 0; i < job->parts; i++)
        zoid_part_set_shift(&job->part[i], shift);
}

enum zoid_status zoid_job_fill_memory(struct zoid_job *job, zoid_memory_fn *memory, void *user)
{
    enum zoid_status status = ZOID_OK;

    zoid_jobs_enter(job->memory);
    for (int i = 0; i < job->parts && !status; i++)
        status = zoid_memory_fill(&job->part[i].state, memory, user);
    zoid_jobs_leave(job->memory);
    return status;
}

enum zoid_status zoid_job_read_memory(const struct zoid_job *job, int axis, int side,
                                      zoid_memory_plane_fn *plane, void *user)
{
    struct zoid_state owner[ZOID_PARTS_MOST];
    const int owners = zoid_job_states(job, owner);
    enum zoid_status status;

    zoid_jobs_enter(job->memory);
    status = zoid_memory_read(owner, owners, axis, side, plane, user);
    zoid_jobs_leave(job->memory);
    return status;
}

bool zoid_job_can_go_on(const struct zoid_job *job)
{
    return job->part->planned.graph.leg.is != ZOID_LEG_ONLY;
}

/* Make the sample points and the record of the plan's sources and receivers, in place of the ones
 * before. */
static enum zoid_status set_points(struct zoid_job_part *part)
{
    part->planned.problem.points = part->plan.problem.points;
    zoid_record_destroy(&part->plan, &part->work.sample_points);
    return zoid_record_create(&part->plan, &part->work.sample_points);
}

static enum zoid_status refill(struct zoid_job *job, const struct refilling *to)
{
    enum zoid_status status = ZOID_OK;

    if (!job->filled || !zoid_job_can_go_on(job))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job that was not filled, or that was not planned to "
                                            "run again, is not refilled");
    for (int i = 0; i < job->parts && !status; i++)
        status = zoid_part_plan(
            &job->part[i],
            &(struct zoid_next_leg){
                .first = true, .start = to->start, .steps = job->part[i].planned.problem.steps},
            to->points);
    if (status)
        return status;
    zoid_jobs_note(job->memory);
    for (int i = 0; i < job->parts && !status; i++) {
        zoid_store_unpin(job->part[i].store);
        status = zoid_part_note_loads(&job->part[i], false);
        if (!status && to->points)
            status = set_points(&job->part[i]);
    }
    job->filled = !status;
    if (status)
        return status;
    job->from = to->start;
    for (int i = 0; i < job->parts; i++) {
        zoid_store_invalidate(job->part[i].store);
        job->part[i].state.steps = to->start;
        job->part[i].state.epoch = 0;
    }
    job->ran = job->follows = false;
    fill_state(job, to->box, to->user);
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
    for (int i = 0; i < job->parts; i++)
        job->part[i].work.stop = true;
}

void zoid_job_set_deadline(struct zoid_job *job, double seconds)
{
    for (int i = 0; i < job->parts; i++)
        job->part[i].work.end_by = seconds;
}

void zoid_job_set_progress_range(struct zoid_job *job, long from, long to)
{
    job->way.from = from;
    job->way.to = to;
}

void zoid_job_note_checkpoint(struct zoid_job *job, long step)
{
    job->way.kept = step;
}

double zoid_job_points(const struct zoid_job *job)
{
    return job->before + zoid_parts_points(job->part, job->parts);
}

long zoid_job_steps(const struct zoid_job *job)
{
    return job->part->state.steps;
}
