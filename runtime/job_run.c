/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of a job, and its mirror. */
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/memory/mirror.h"
#include "runtime/memory/record.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/leg.h"
#include "runtime/plan/ranks.h"
#include "runtime/ranks/ranks.h"
#include "runtime/report/account.h"

static struct zoid_progress_goal goal_of(const struct zoid_job *job)
{
    const struct zoid_plan *plan = &job->part->plan;
    struct zoid_progress_goal goal = {.passes = zoid_estimate_passes(plan),
                                      .from = plan->graph.start,
                                      .to = plan->graph.start + plan->graph.steps};

    for (int i = 0; i < job->parts; i++)
        goal.points += zoid_estimate_points(&job->part[i].plan);
    return goal;
}

void zoid_job_ended(struct zoid_job *job, long end)
{
    for (int i = 0; i < job->parts; i++)
        zoid_part_ended(&job->part[i], end);
    job->ran = job->follows = true;
}

/* Bring the state home, where runs begin and where it is read. */
static enum zoid_status fetch(const struct zoid_job *job)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < job->parts && !status; i++)
        status = zoid_store_fetch(job->part[i].store);
    return status;
}

/* The first failure of a kernel or of a transfer in any part. */
static enum zoid_status work_status(const struct zoid_job *job)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < job->parts && !status; i++)
        status = zoid_work_status(&job->part[i].work);
    return status;
}

static bool cuda_failed(const struct zoid_job *job)
{
    bool failed = false;

    for (int i = 0; i < job->parts; i++)
        failed |= job->part[i].work.cuda_error != 0;
    return failed;
}

/* Run the legs of a run: one, or as many as the border between parts moves, and one more. Totals
 * are those of all legs. */
static enum zoid_status run_legs(struct zoid_job *job, long end, struct zoid_account *account)
{
    enum zoid_status status = ZOID_OK;

    while (!status) {
        struct zoid_worked worked[ZOID_PARTS_MOST] = {{.end = zoid_job_steps(job)}};

        if (job->balance)
            zoid_balancer_run(job->balance, end);
        status = zoid_parts_run(job->part, job->parts, worked);
        zoid_account_leg(account, worked);
        if (status || !job->balance || !job->balance->moving)
            break;
        zoid_job_ended(job, worked->end);
        status = fetch(job);
        if (!status)
            status = zoid_balancer_move(job->balance, worked->end);
    }
    return status;
}

static enum zoid_status again(struct zoid_job *job, bool progress, struct zoid_report *report)
{
    const struct zoid_plan *plan = &job->part->plan;
    const long end = zoid_job_steps(job) + plan->graph.steps;
    struct zoid_progress *watch = NULL;
    struct zoid_account account;
    enum zoid_status status = ZOID_OK;
    double start;

    for (int i = 0; i < job->parts; i++)
        zoid_store_unpin(job->part[i].store);
    if (job->part->work.disk)
        status = fetch(job);
    if (status)
        return status;
    if (progress) {
        const struct zoid_progress_goal goal = goal_of(job);

        watch = zoid_progress_start(job->part, job->parts, &goal, &job->way);
    }
    account = zoid_account_open(job->part, job->parts, job->seat, job->places, job->each);
    for (int i = 0; i < job->parts; i++)
        zoid_teams_trace(&job->part[i].work.teams, job->context->trace);
    zoid_trace_run_begins(job->context->trace, plan);
    if (job->balance)
        zoid_balancer_report_begin(job->balance);
    start = starpu_timing_now();
    status = run_legs(job, end, &account);
    for (int i = 0; i < job->parts; i++)
        job->part[i].work.stop = false;
    if (!status)
        status = fetch(job);
    /* A rank that failed skips the collective sums: the other ranks are still waiting for it. */
    if (status && zoid_ranks_here()->size > 1) {
        zoid_progress_stop(&watch, false);
        return status;
    }
    zoid_account_close(&account, job->context, (starpu_timing_now() - start) * 1e-6, report);
    report->border =
        job->balance ? job->balance->report
                     : (struct zoid_border_report){.first = job->border[1], .last = job->border[1]};
    zoid_trace_run_ends(job->context->trace, report);
    zoid_progress_stop(&watch, !status && account.worked->end == end);
    zoid_job_ended(job, account.worked->end);
    return status && !cuda_failed(job) ? status : work_status(job);
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
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < job->parts && !status; i++) {
        const struct zoid_next_leg next = {
            .first = !job->follows, .start = zoid_job_steps(job), .steps = steps};

        status = zoid_part_plan(&job->part[i], &next, NULL);
    }
    if (status)
        return status;
    zoid_jobs_note(job->memory);
    for (int i = 0; i < job->parts && !status; i++)
        status = zoid_part_fit(&job->part[i]);
    job->filled = !status;
    if (!status)
        zoid_parts_share(job->part, job->parts);
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
    if (!zoid_job_can_go_on(job) && (job->ran || steps != job->part->planned.problem.steps))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs once, all its steps, unless it was planned "
                                            "to run again");
    if (zoid_job_can_go_on(job))
        status = plan_leg(job, steps);
    for (int i = 0; i < job->parts && !status; i++)
        status = zoid_record_extend(&job->part[i].plan, job->part[i].work.sample_points,
                                    zoid_job_steps(job) + steps);
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
    return zoid_job_run_steps(job, job->part->planned.problem.steps, progress, report);
}

/* Make the ranks those of the mirrored domain, as if they had loaded the data that they have. */
static enum zoid_status turn_ranks(struct zoid_job *job)
{
    struct zoid_next_leg first = {
        .first = true, .start = job->part->state.steps, .steps = job->part->planned.problem.steps};
    struct zoid_plan run;
    enum zoid_status status;

    zoid_ranks_turn(&job->part->planned);
    run = zoid_part_offered(job->part);
    first.run = &run;
    status = zoid_plan_next(&job->part->plan, &first);
    if (!status)
        status = zoid_job_note_loads(job, true);
    if (!status)
        zoid_store_invalidate(job->part->store);
    job->part->state.epoch = 0;
    job->follows = false;
    status = zoid_ranks_agree(status);
    return status ? status : zoid_mirror_ghosts(&job->part->state);
}

static enum zoid_status turn(struct zoid_job *job)
{
    const struct zoid_graph *g = &job->part->plan.graph;
    enum zoid_status status;

    if (!job->filled)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job is turned after it was filled");
    if (job->parts > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job of several places is not turned; plan it for "
                                            "one");
    if ((zoid_cells(g) > 1 && !zoid_grid_relays(g)) || zoid_job_in_pieces(job))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "a job is turned whose coefficients are values, and whose domain is one "
                         "cell, or is shared by ranks that take turns; plan it without cells");
    if (!job->context->machine.cpu_workers)
        return zoid_fail(ZOID_RESOURCE,
                         "CPU cores turn what a job has, and StarPU has none of them here; raise "
                         "STARPU_NCPU");
    job->part->settled = false;
    status = zoid_ranks_agree(zoid_mirror(&job->part->state));
    if (!status && zoid_ranks(g) > 1)
        status = turn_ranks(job);
    return status ? status : zoid_job_disk_status(job);
}

enum zoid_status zoid_job_mirror(struct zoid_job *job)
{
    enum zoid_status status;

    zoid_jobs_enter(job->memory);
    status = turn(job);
    zoid_jobs_leave(job->memory);
    return status;
}
