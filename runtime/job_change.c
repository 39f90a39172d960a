/* SPDX-License-Identifier: BSD-3-Clause */
/* Other places for a job that has run some of its steps. */
#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/memory/carry.h"
#include "runtime/memory/layers.h"
#include "runtime/memory/record.h"

void zoid_job_may_leave(struct zoid_job *job, double seconds)
{
    if (job->balance && !job->balance->together)
        job->balance->control.of.leave = seconds;
}

int zoid_job_leaves(const struct zoid_job *job)
{
    return job->balance && job->balance->leaves >= 0 ? job->part[job->balance->leaves].work.part
                                                     : -1;
}

/* Planes that a subdomain holds coefficients of: those of its whole line. */
static struct zoid_range line_of(const struct zoid_graph *g)
{
    const long base = zoid_cell_base(g, zoid_graph_cells(g).lo);

    return (struct zoid_range){base, base + zoid_cell_line(g)};
}

/* Bring a subdomain of a new job its planes from an old job's subdomains. */
static enum zoid_status carry_to(struct zoid_job_part *to, const struct zoid_job *from)
{
    const struct zoid_op *op = to->plan.problem.op;
    const struct zoid_graph *g = &to->plan.graph;
    const struct zoid_range state = {0, op->nstate}, values = {op->nstate, op->nstate + op->ncoef};
    const struct zoid_range seen =
        g->apart ? zoid_grid_seen(g, zoid_chain(&g->shape), to->work.part) : line_of(g);
    struct zoid_state owner[ZOID_PARTS_MOST];
    const int owners = zoid_job_states(from, owner);
    const enum zoid_status status = zoid_carry(owner, owners, &to->state, state, seen);

    if (status || zoid_job_in_pieces(from))
        return status;
    return zoid_carry(owner, owners, &to->state, values, line_of(g));
}

static enum zoid_status carry_memory(const struct zoid_job *to, const struct zoid_job *from)
{
    struct zoid_state owner[ZOID_PARTS_MOST], state[ZOID_PARTS_MOST];
    const int owners = zoid_job_states(from, owner), states = zoid_job_states(to, state);

    for (int i = 0; i < states; i++)
        zoid_memory_fill(&state[i], NULL, NULL);
    return zoid_memory_carry(owner, owners, state, states);
}

/* Copy what receivers saw up to now into the record of the first subdomain. */
static enum zoid_status carry_record(const struct zoid_job *to, const struct zoid_job *from)
{
    const struct zoid_sample_points *sample_points = from->part->work.sample_points;
    const long now = zoid_job_steps(from);
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < to->parts && sample_points && !status; i++) {
        zoid_record_begin(to->part[i].work.sample_points, from->from);
        status = zoid_record_extend(&to->part[i].plan, to->part[i].work.sample_points, now);
    }
    for (long step = from->from; step <= now && sample_points && !status; step++)
        zoid_job_seen(from, step, zoid_record_row(to->part->work.sample_points, step));
    return status;
}

/* Let two jobs have each other's subdomains, and all that belongs to these. */
static void swap_parts(struct zoid_job *a, struct zoid_job *b)
{
    const struct zoid_job old = *a;

    a->part = b->part;
    a->parts = b->parts;
    a->border = b->border;
    a->balance = b->balance;
    a->channels = b->channels;
    a->memory = b->memory;
    b->part = old.part;
    b->parts = old.parts;
    b->border = old.border;
    b->balance = old.balance;
    b->channels = old.channels;
    b->memory = old.memory;
}

/* Make `to` what `from` is now. */
static enum zoid_status bring(struct zoid_job *to, const struct zoid_job *from)
{
    const long now = zoid_job_steps(from);
    /* A leg as long as planned: runs to come set the ends of theirs. */
    const long end = now + from->part->planned.problem.steps;
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < to->parts && !status; i++)
        status = zoid_part_begin(&to->part[i], now, end);
    zoid_parts_share(to->part, to->parts);
    for (int i = 0; i < to->parts && !status; i++)
        status = carry_to(&to->part[i], from);
    if (!status && zoid_remembers(&to->part->plan.graph.shape))
        status = carry_memory(to, from);
    return status ? status : carry_record(to, from);
}

enum zoid_status zoid_job_change(struct zoid_job *job, const struct zoid_plans *plans)
{
    struct zoid_jobs *jobs = job->context->jobs;
    struct zoid_job *fresh = NULL;
    enum zoid_status status;

    if (!job->filled || !zoid_job_can_go_on(job) || plans->part->graph.leg.is == ZOID_LEG_ONLY)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job changes places if it was filled, and planned to "
                                            "run again, as are the plans");
    zoid_jobs_lock(jobs);
    status = zoid_job_create_parts(job->context, plans, &fresh);
    if (!status)
        status = bring(fresh, job);
    if (!status) {
        job->before = zoid_job_points(job);
        swap_parts(job, fresh);
        job->filled = true;
        job->ran = job->follows = job->pieces = false;
    }
    zoid_job_destroy(&fresh);
    zoid_jobs_unlock(jobs);
    return status;
}
