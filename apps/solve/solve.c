/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/solve/solve.h"

#include <errno.h>
#include <string.h>

#include "apps/files/output.h"
#include "apps/solve/residual.h"
#include "apps/solve/series.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/due.h"

enum { STAGNANT = 3 };

/* A run, from look to look. */
struct iteration {
    const struct zoid_solve *solve;
    struct zoid_job *job;
    struct zoid_report *report;
    struct zoid_solved *solved;
    struct zoid_output *history; /* the first rank's */
    double best;
    int looks; /* since it was seen */
};

bool zoid_solve_looks(const struct zoid_solve *s)
{
    return s->tolerance > 0 || s->history;
}

/* Lets the next sweeps go up in what lies in memory, whichever way they go in the domain. */
static enum zoid_status turn(struct iteration *it, bool down)
{
    struct zoid_domain *domain = it->solve->domain;
    double begun;
    enum zoid_status status = ZOID_OK;

    if (domain->turned == down)
        return ZOID_OK;
    begun = zoid_due_clock();
    status = zoid_job_turn(it->job);
    it->solved->turning += zoid_due_clock() - begun;
    domain->turned = down;
    return status;
}

static long steps_of(const struct zoid_solve *solve, long sweeps)
{
    const struct zoid_mlsor *mlsor = solve->domain->mlsor;

    return mlsor ? zoid_mlsor_visits(&mlsor->kind, sweeps) : sweeps;
}

static enum zoid_status run_up(struct iteration *it, long sweeps)
{
    const long steps = steps_of(it->solve, sweeps);
    const struct zoid_series series = {
        .job = it->job, .progress = it->solve->progress, .first = !it->solved->sweeps};
    enum zoid_status status = zoid_series_run(&series, steps, it->report);

    it->solved->sweeps += sweeps;
    return status;
}

/* Sweeps of one direction, or of both, one after the other. */
static enum zoid_status run_leg(struct iteration *it, long sweeps)
{
    const long turns = it->solve->turns;
    enum zoid_status status = ZOID_OK;

    if (turns == 0 || sweeps == 0)
        return run_up(it, sweeps);
    for (long left = sweeps, n; left > 0 && !status; left -= n) {
        const long done = it->solved->sweeps, rest = turns - done % turns;

        n = left < rest ? left : rest;
        status = turn(it, done / turns % 2);
        if (!status)
            status = run_up(it, n);
    }
    return status;
}

/* ---- looks ------------------------------------------------------------------------------- */

static enum zoid_status note(struct iteration *it)
{
    const struct zoid_solved *s = it->solved;

    if (it->history && fprintf(zoid_output_stream(it->history), "%ld,%.17g,%.17g\n", s->sweeps,
                               s->residual, s->initial > 0 ? s->residual / s->initial : 0) < 0)
        return zoid_fail(ZOID_RESOURCE,
                         "cannot write the history %s: %s; make room or name "
                         "another file",
                         it->solve->history, strerror(errno));
    return ZOID_OK;
}

static enum zoid_status look(struct iteration *it)
{
    enum zoid_status status =
        zoid_residual(it->solve->domain, it->job, it->solve->initial, &it->solved->residual);

    return status ? status : zoid_ranks_agree(note(it));
}

static bool below(const struct iteration *it)
{
    const struct zoid_solved *s = it->solved;

    return it->solve->tolerance > 0 && s->residual < it->solve->tolerance * s->initial;
}

/* After a look: whether the sweeps until the next one are the last. */
static bool decide(struct iteration *it)
{
    struct zoid_solved *s = it->solved;

    if (below(it))
        s->below = s->sweeps;
    it->looks++;
    if (s->residual < it->best) {
        it->best = s->residual;
        it->looks = 0;
    }
    return s->below >= 0 || (it->solve->tolerance > 0 && it->looks >= STAGNANT);
}

/* All sweeps; without looks on the way they are one leg. */
static enum zoid_status iterate(struct iteration *it)
{
    const long all = it->solve->sweeps;
    const long every = zoid_solve_looks(it->solve) ? it->solve->every : all;
    struct zoid_solved *s = it->solved;
    enum zoid_status status = look(it);
    bool decided = false, ended;

    if (every < all || it->solve->turns)
        zoid_job_way(it->job, 0, steps_of(it->solve, all), -1);
    s->initial = it->best = s->residual;
    ended = all == 0 || (s->initial == 0 && it->solve->tolerance > 0);
    if (!status && ended) {
        s->below = s->initial == 0 ? 0 : -1;
        return run_leg(it, 0);
    }
    while (!status && !ended) {
        const long left = all - s->sweeps;

        status = run_leg(it, left < every ? left : every);
        if (!status)
            status = look(it);
        ended = decided || left <= every;
        if (!decided)
            decided = decide(it);
    }
    return status;
}

static enum zoid_status open_history(struct iteration *it)
{
    enum zoid_status status = ZOID_OK;

    if (it->solve->history && zoid_ranks_here()->rank == 0)
        status = zoid_output_open(it->solve->history, &it->history);
    if (!status && it->history)
        fputs("sweeps,residual,relative\n", zoid_output_stream(it->history));
    return zoid_ranks_agree(status);
}

enum zoid_status zoid_solve_run(const struct zoid_solve *solve, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_solved *solved)
{
    struct iteration it = {.solve = solve, .job = job, .report = report, .solved = solved};
    enum zoid_status status;

    *solved = (struct zoid_solved){.below = -1};
    status = open_history(&it);
    if (!status)
        status = iterate(&it);
    report->seconds += solved->turning;
    if (report->seconds > 0)
        report->gups = report->useful / report->seconds * 1e-9;
    if (!status && it.history)
        status = zoid_output_commit(&it.history);
    zoid_output_discard(&it.history);
    status = zoid_ranks_agree(status);
    if (!status && solve->tolerance > 0 && solved->below < 0)
        status = zoid_fail(ZOID_CHECK_FAILED,
                           "after %ld sweeps the residual is %.3g of the initial one, and %s; %s",
                           solved->sweeps, solved->residual / solved->initial,
                           it.looks >= STAGNANT ? "does not fall any more" : "should be less",
                           it.looks >= STAGNANT ? "choose a greater --tolerance, or --type f64"
                                                : "give more --steps, or another --omega");
    return status;
}
