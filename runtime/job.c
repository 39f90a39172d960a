/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/job.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/kinds.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/machine/core.h"
#include "runtime/memory/record.h"
#include "runtime/memory/turn.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/leg.h"
#include "runtime/plan/ranks.h"
#include "runtime/ranks/ranks.h"
#include "runtime/report/account.h"
#include "runtime/report/progress.h"

/* Sink that records where a graph's loads put the initial state and the coefficients. */
struct load_sink {
    struct zoid_sink sink;
    struct zoid_store *store;
    bool coefficients; /* record these too */
    enum zoid_status status;
};

enum { LOADED = 1 };

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

static enum zoid_status note_loads(struct zoid_job *job, bool coefficients)
{
    struct load_sink s = {.sink = {.load = note_load, .block = stop_at_block},
                          .store = job->store,
                          .coefficients = coefficients};

    zoid_store_forget(job->store, coefficients);
    if (zoid_graph_emit(&job->plan.graph, &s.sink) == ZOID_GRAPH_NO_MEMORY)
        return zoid_no_memory();
    return s.status;
}

static enum zoid_status allocate(struct zoid_job *job)
{
    const struct zoid_context *context = job->context;
    enum zoid_status status =
        zoid_store_create(&job->plan, context->beyond[job->plan.home], &job->store);

    if (status)
        return status;
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
    return status ? status : note_loads(job, true);
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

enum zoid_status zoid_job_create(struct zoid_context *context, const struct zoid_plan *plan,
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

void zoid_job_destroy(struct zoid_job **job)
{
    struct zoid_job *j = *job;

    if (!j)
        return;
    zoid_store_destroy(&j->store);
    zoid_work_free(&j->work);
    zoid_record_destroy(&j->plan, &j->work.taps);
    free(j->each);
    free(j);
    *job = NULL;
}

static enum zoid_status disk_status(const struct zoid_job *job)
{
    return job->work.disk ? zoid_disk_status(job->work.disk) : ZOID_OK;
}

static bool in_pieces(const struct zoid_job *job)
{
    return zoid_kind_in_pieces(job->plan.problem.op, ZOID_COEFFICIENT);
}

enum zoid_status zoid_job_fill(struct zoid_job *job, zoid_box_fn *box, void *user)
{
    if (job->ran)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job is filled before it runs; zoid_job_refill sets "
                                            "the state of one that did");
    zoid_record_begin(job->work.taps, job->from);
    zoid_record_fill(&job->state, job->work.taps, box, user);
    if (!in_pieces(job))
        zoid_fill_coefficients(&job->state, box, user);
    job->filled = true;
    return disk_status(job);
}

enum zoid_status zoid_job_fill_pieces(struct zoid_job *job, zoid_piece_fn *piece, void *user)
{
    if (!in_pieces(job))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s has no coefficients that come in pieces; zoid_job_fill sets what it has",
            job->plan.problem.op->name);
    if (job->ran)
        return zoid_fail(ZOID_BAD_ARGUMENT, "coefficients are filled before a job runs, and stay");
    zoid_fill_pieces(&job->state, piece, user);
    job->pieces = true;
    return disk_status(job);
}

static bool can_go_on(const struct zoid_job *job)
{
    return job->planned.graph.leg.is != ZOID_LEG_ONLY;
}

enum zoid_status zoid_job_refill(struct zoid_job *job, long start, zoid_box_fn *box, void *user)
{
    struct zoid_plan *plan = &job->plan;
    const struct zoid_next_leg first = {
        .run = &job->planned, .first = true, .start = start, .steps = job->planned.problem.steps};
    enum zoid_status status;

    if (!job->filled || !can_go_on(job))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job that was not filled, or that was not planned to "
                                            "run again, is not refilled");
    status = zoid_plan_next(plan, &first);
    if (status)
        return status;
    zoid_store_drop(job->store);
    status = note_loads(job, false);
    if (status)
        return status;
    zoid_store_renew(job->store);
    job->from = job->state.steps = start;
    job->state.epoch = 0;
    job->ran = job->follows = false;
    zoid_record_begin(job->work.taps, start);
    zoid_record_fill(&job->state, job->work.taps, box, user);
    return disk_status(job);
}

static bool in_domain(const struct zoid_problem *p, const struct zoid_box *box)
{
    bool inside = true;

    for (int a = 0; a < ZOID_AXES; a++)
        inside = inside && box->lo[a] >= 0 && box->lo[a] <= box->hi[a] && box->hi[a] <= p->n[a];
    return inside;
}

/* Read a box on all ranks: each of its points is owned by one rank. */
static enum zoid_status read_together(const struct zoid_job *job, int field,
                                      const struct zoid_box *box, const struct zoid_values *to)
{
    const size_t size = zoid_op_point_bytes(job->plan.problem.op);
    const size_t bytes = (size_t)zoid_box_volume(box) * size;
    char *room = calloc(bytes + 1, 1);
    const struct zoid_values packed = zoid_values_packed(box, room);
    enum zoid_status status = ZOID_OK;

    if (room)
        zoid_fill_read(&job->state, field, box, &packed, NULL, NULL);
    else
        status = zoid_no_memory();
    status = zoid_ranks_agree(status ? status : disk_status(job));
    if (!status) {
        zoid_ranks_combine(room, bytes);
        zoid_values_copy(box, size, &packed, to);
    }
    free(room);
    return status;
}

enum zoid_status zoid_job_look(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to, zoid_box_fn *look, void *user)
{
    const struct zoid_problem *p = &job->plan.problem;
    enum zoid_status status;

    if (field < 0 || field >= p->op->nstate || !in_domain(p, box))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "cannot read field %d from (%ld, %ld, %ld) up to (%ld, %ld, %ld); give one "
            "of %d state fields and a box of the domain",
            field, box->lo[0], box->lo[1], box->lo[2], box->hi[0], box->hi[1], box->hi[2],
            p->op->nstate);
    if (zoid_ranks_here()->size == 1) {
        zoid_fill_read(&job->state, field, box, to, look, user);
        return disk_status(job);
    }
    status = read_together(job, field, box, to);
    if (!status && look)
        look(user, field, box, to);
    return status;
}

enum zoid_status zoid_job_read(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to)
{
    return zoid_job_look(job, field, box, to, NULL, NULL);
}

/* Partition of the domain in the order of its values: parts have `layers` layers along an axis, all
 * points along the axes below it, and one index along the axes above. */
struct parts {
    const long *n;
    int axis;
    long layers;
    size_t bytes; /* of the largest part */
};

static struct parts parts_of(const struct zoid_problem *p)
{
    /* Large enough to hide the overhead of a call, and small compared with a state. */
    static const size_t most = 1 << 18;
    struct parts parts = {.n = p->n, .layers = 1};
    size_t layer = zoid_op_point_bytes(p->op);

    while (parts.axis < p->op->dims - 1 && layer * (size_t)p->n[parts.axis] <= most)
        layer *= (size_t)p->n[parts.axis++];
    if (layer < most)
        parts.layers = (long)(most / layer);
    if (parts.layers > p->n[parts.axis])
        parts.layers = p->n[parts.axis];
    parts.bytes = (size_t)parts.layers * layer;
    return parts;
}

/* Set the box to the part that begins at its lowest point, or if that is beyond the end of an axis,
 * to the next part; false: no more parts. */
static bool find_part(const struct parts *parts, struct zoid_box *box)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        const long layers = a < parts->axis ? parts->n[a] : a == parts->axis ? parts->layers : 1;

        if (box->lo[a] >= parts->n[a]) {
            if (a + 1 == ZOID_AXES)
                return false;
            box->lo[a] = 0;
            box->lo[a + 1]++;
        }
        box->hi[a] = box->lo[a] + layers;
        box->hi[a] = box->hi[a] < parts->n[a] ? box->hi[a] : parts->n[a];
    }
    return true;
}

enum zoid_status zoid_job_each(const struct zoid_job *job, int field, zoid_part_fn *part,
                               void *user)
{
    const struct zoid_problem *p = &job->plan.problem;
    const struct parts parts = parts_of(p);
    struct zoid_box box = {.lo = {0, 0, 0}};
    void *room = malloc(parts.bytes);
    /* Either all ranks read, or no rank does. */
    enum zoid_status status = zoid_ranks_agree(room ? ZOID_OK : zoid_no_memory());

    for (; !status && find_part(&parts, &box); box.lo[parts.axis] = box.hi[parts.axis]) {
        const struct zoid_values values = zoid_values_packed(&box, room);

        status = zoid_job_read(job, field, &box, &values);
        if (!status)
            status =
                part(user, &box, room, (size_t)zoid_box_volume(&box) * zoid_op_point_bytes(p->op));
    }
    free(room);
    return status;
}

static struct zoid_progress_goal goal_of(const struct zoid_plan *plan)
{
    return (struct zoid_progress_goal){.points = zoid_estimate_points(plan),
                                       .passes = zoid_estimate_passes(plan),
                                       .from = plan->graph.start,
                                       .to = plan->graph.start + plan->graph.steps};
}

void zoid_job_ended(struct zoid_job *job, long end)
{
    const struct zoid_graph *g = &job->plan.graph;
    const long epochs = zoid_cells(g) > 1 ? zoid_ceil_div(end - g->start, g->epoch) : 0;

    job->state.steps = end;
    job->state.epoch = zoid_max(g->leg.epochs + epochs - 1, 0);
    job->ran = job->follows = true;
    job->settled |= end > g->start;
}

enum zoid_status zoid_job_again(struct zoid_job *job, bool progress, struct zoid_report *report)
{
    struct zoid_progress *watch = NULL;
    struct zoid_account account;
    struct zoid_worked worked = {.end = job->state.steps};
    enum zoid_status status = ZOID_OK;
    double start;

    zoid_store_drop(job->store);
    if (job->work.disk)
        status = zoid_store_fetch(job->store);
    if (status)
        return status;
    if (progress) {
        const struct zoid_progress_goal goal = goal_of(&job->plan);

        watch = zoid_progress_start(&job->work.clock, &goal, &job->way);
    }
    account = zoid_account_open(&job->work, job->each);
    account.settled = job->settled;
    zoid_trace_run_begins(job->context->trace, &job->plan);
    start = starpu_timing_now();
    status = zoid_work_run(&job->work, &worked);
    job->work.stop = false;
    if (!status)
        status = zoid_store_fetch(job->store);
    /* A rank that failed skips the collective sums: the other ranks are still waiting for it. */
    if (status && zoid_ranks_here()->size > 1) {
        zoid_progress_stop(&watch, false);
        return status;
    }
    zoid_account_close(&account, &job->context->machine, &worked,
                       (starpu_timing_now() - start) * 1e-6, report);
    zoid_trace_run_ends(job->context->trace, report);
    zoid_progress_stop(&watch, !status && worked.end == job->state.steps + job->plan.graph.steps);
    zoid_job_ended(job, worked.end);
    return status && !job->work.cuda_error ? status : zoid_work_status(&job->work);
}

static enum zoid_status plan_leg(struct zoid_job *job, long steps)
{
    const struct zoid_next_leg next = {
        .run = &job->planned, .first = !job->follows, .start = job->state.steps, .steps = steps};
    enum zoid_status status = zoid_plan_next(&job->plan, &next);

    if (status)
        return status;
    status = zoid_store_fit(job->store, &job->plan);
    if (!status)
        status = zoid_work_fit(&job->work);
    job->filled = !status;
    return status;
}

enum zoid_status zoid_job_run_steps(struct zoid_job *job, long steps, bool progress,
                                    struct zoid_report *report)
{
    enum zoid_status status = ZOID_OK;

    if (!job->filled)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs after it was filled");
    if (in_pieces(job) && !job->pieces)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs after its coefficients were filled, too; "
                                            "zoid_job_fill_pieces does that");
    if (!can_go_on(job) && (job->ran || steps != job->planned.problem.steps))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs once, all its steps, unless it was planned "
                                            "to run again");
    if (can_go_on(job))
        status = plan_leg(job, steps);
    if (!status)
        status = zoid_record_extend(&job->plan, job->work.taps, job->state.steps + steps);
    if (status)
        return status;
    status = zoid_job_again(job, progress, report);
    /* A run that failed leaves no valid state. */
    job->filled = !status;
    return status;
}

enum zoid_status zoid_job_run(struct zoid_job *job, bool progress, struct zoid_report *report)
{
    return zoid_job_run_steps(job, job->planned.problem.steps, progress, report);
}

/* Make the ranks those of the mirrored domain, as if they had loaded the data that they have. */
static enum zoid_status turn_ranks(struct zoid_job *job)
{
    const struct zoid_next_leg first = {.run = &job->planned,
                                        .first = true,
                                        .start = job->state.steps,
                                        .steps = job->planned.problem.steps};
    enum zoid_status status;

    zoid_ranks_turn(&job->planned);
    status = zoid_plan_next(&job->plan, &first);
    if (!status)
        status = note_loads(job, true);
    if (!status)
        zoid_store_renew(job->store);
    job->state.epoch = 0;
    job->follows = false;
    status = zoid_ranks_agree(status);
    return status ? status : zoid_turn_beside(&job->state);
}

enum zoid_status zoid_job_turn(struct zoid_job *job)
{
    const struct zoid_graph *g = &job->plan.graph;
    enum zoid_status status;

    if (!job->filled)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job is turned after it was filled");
    if ((zoid_cells(g) > 1 && !zoid_grid_relays(g)) || in_pieces(job))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "a job is turned whose coefficients are values, and whose domain is one "
                         "cell, or is shared by ranks that take turns; plan it without cells");
    if (!job->context->machine.cpu_workers)
        return zoid_fail(ZOID_RESOURCE,
                         "CPU cores turn what a job has, and StarPU has none of them here; raise "
                         "STARPU_NCPU");
    job->settled = false;
    status = zoid_ranks_agree(zoid_turn(&job->state));
    if (!status && zoid_ranks(g) > 1)
        status = turn_ranks(job);
    return status ? status : disk_status(job);
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
