/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of a job, and its mirror. */
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/memory/record.h"
#include "runtime/memory/turn.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/leg.h"
#include "runtime/plan/ranks.h"
#include "runtime/ranks/ranks.h"
#include "runtime/report/account.h"

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

static enum zoid_status again(struct zoid_job *job, bool progress, struct zoid_report *report)
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
    zoid_teams_trace(&job->work.teams, job->context->trace);
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

enum zoid_status zoid_job_again(struct zoid_job *job, bool progress, struct zoid_report *report)
{
    enum zoid_status status;

    zoid_jobs_enter(job->memory);
    status = again(job, progress, report);
    zoid_jobs_leave(job->memory);
    return status;
}

static enum zoid_status plan_leg(struct zoid_job *job, long steps)
{
    const struct zoid_plan run = zoid_job_offered(job);
    const struct zoid_next_leg next = {
        .run = &run, .first = !job->follows, .start = job->state.steps, .steps = steps};
    enum zoid_status status = zoid_plan_next(&job->plan, &next);

    if (status)
        return status;
    zoid_jobs_note(job->memory);
    status = zoid_store_fit(job->store, &job->plan);
    if (!status)
        status = zoid_work_fit(&job->work);
    job->filled = !status;
    return status;
}

static enum zoid_status run_steps(struct zoid_job *job, long steps, bool progress,
                                  struct zoid_report *report)
{
    enum zoid_status status = ZOID_OK;

    if (!job->filled)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs after it was filled");
    if (zoid_job_in_pieces(job) && !job->pieces)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs after its coefficients were filled, too; "
                                            "zoid_job_fill_pieces does that");
    if (!zoid_job_can_go_on(job) && (job->ran || steps != job->planned.problem.steps))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs once, all its steps, unless it was planned "
                                            "to run again");
    if (zoid_job_can_go_on(job))
        status = plan_leg(job, steps);
    if (!status)
        status = zoid_record_extend(&job->plan, job->work.taps, job->state.steps + steps);
    if (status)
        return status;
    status = again(job, progress, report);
    /* A run that failed leaves no valid state. */
    job->filled = !status;
    return status;
}

enum zoid_status zoid_job_run_steps(struct zoid_job *job, long steps, bool progress,
                                    struct zoid_report *report)
{
    enum zoid_status status;

    zoid_jobs_enter(job->memory);
    status = run_steps(job, steps, progress, report);
    zoid_jobs_leave(job->memory);
    return status;
}

enum zoid_status zoid_job_run(struct zoid_job *job, bool progress, struct zoid_report *report)
{
    return zoid_job_run_steps(job, job->planned.problem.steps, progress, report);
}

/* Make the ranks those of the mirrored domain, as if they had loaded the data that they have. */
static enum zoid_status turn_ranks(struct zoid_job *job)
{
    struct zoid_next_leg first = {
        .first = true, .start = job->state.steps, .steps = job->planned.problem.steps};
    struct zoid_plan run;
    enum zoid_status status;

    zoid_ranks_turn(&job->planned);
    run = zoid_job_offered(job);
    first.run = &run;
    status = zoid_plan_next(&job->plan, &first);
    if (!status)
        status = zoid_job_note_loads(job, true);
    if (!status)
        zoid_store_renew(job->store);
    job->state.epoch = 0;
    job->follows = false;
    status = zoid_ranks_agree(status);
    return status ? status : zoid_turn_beside(&job->state);
}

static enum zoid_status turn(struct zoid_job *job)
{
    const struct zoid_graph *g = &job->plan.graph;
    enum zoid_status status;

    if (!job->filled)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job is turned after it was filled");
    if ((zoid_cells(g) > 1 && !zoid_grid_relays(g)) || zoid_job_in_pieces(job))
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
    return status ? status : zoid_job_disk_status(job);
}

enum zoid_status zoid_job_turn(struct zoid_job *job)
{
    enum zoid_status status;

    zoid_jobs_enter(job->memory);
    status = turn(job);
    zoid_jobs_leave(job->memory);
    return status;
}
