/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/solve/solve.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/io/output.h"
#include "runtime/machine/clock.h"
#include "runtime/ranks/ranks.h"
#include "runtime/solve/residual.h"

enum { STAGNANT = 3 };

/* Layout of the numbers in a checkpoint: the state at the last residual check, then sweeps and
 * residual of each check. ALL: the sweeps of the whole run. */
enum { ALL, BEST, LOOKS, BELOW, DECIDED, HEAD, SEEN = HEAD, SEEN_SWEEPS = 0, SEEN_RESIDUAL, ROW };

/* State of the iteration. */
struct iteration {
    const struct zoid_solve *solve;
    struct zoid_job *job;
    struct zoid_report *report;
    struct zoid_solved *solved;
    struct zoid_output *history; /* on rank 0 only */
    double best;
    int looks;    /* residual checks since `best` */
    bool decided; /* the run ends at the next check */
    long seen;    /* checks in total */
    double *number;
};

bool zoid_solve_looks(const struct zoid_solve *s)
{
    return s->tolerance > 0 || s->history;
}

/* Mirrors the state if necessary, so that sweeps down the domain ascend in memory. */
static enum zoid_status turn(struct iteration *it, bool down)
{
    struct zoid_domain *domain = it->solve->domain;
    double begun;
    enum zoid_status status = ZOID_OK;

    if (domain->turned == down)
        return ZOID_OK;
    begun = zoid_machine_clock();
    status = zoid_job_mirror(it->job);
    it->solved->mirroring += zoid_machine_clock() - begun;
    domain->turned = down;
    return status;
}

static long steps_of(const struct zoid_solve *solve, long sweeps)
{
    const struct zoid_mlsor *mlsor = solve->domain->mlsor;

    return mlsor ? zoid_mlsor_visits(&mlsor->kind, sweeps) : sweeps;
}

/* The inverse; the last visit may make fewer sweeps. */
static long sweeps_of(const struct zoid_solve *solve, long steps)
{
    const struct zoid_mlsor *mlsor = solve->domain->mlsor;

    return mlsor ? steps * mlsor->kind.layers : steps;
}

static enum zoid_status run_up(struct iteration *it, long sweeps)
{
    const struct zoid_solve *solve = it->solve;
    const long end = steps_of(solve, it->solved->sweeps + sweeps);
    enum zoid_status status = zoid_run_loop_until(solve->loop, end, it->report);

    it->solved->sweeps = zoid_min(sweeps_of(solve, zoid_job_steps(it->job)), solve->sweeps);
    return status;
}

/* Runs sweeps, and mirrors the state at each change of direction. */
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

static enum zoid_status look(struct iteration *it)
{
    struct zoid_solved *s = it->solved;
    const size_t numbers = HEAD + ROW * (size_t)(it->seen + 1);
    enum zoid_status status =
        zoid_residual(it->solve->domain, it->job, it->solve->loop->initial, &s->residual);
    double *number, *row;

    if (status)
        return status;
    number = realloc(it->number, numbers * sizeof *number);
    if (!number)
        return zoid_ranks_agree(zoid_no_memory());
    it->number = number;
    row = number + HEAD + ROW * it->seen++;
    row[SEEN_SWEEPS] = (double)s->sweeps;
    row[SEEN_RESIDUAL] = s->residual;
    return zoid_ranks_agree(ZOID_OK);
}

static bool below(const struct iteration *it)
{
    const struct zoid_solved *s = it->solved;

    return it->solve->tolerance > 0 && s->residual < it->solve->tolerance * s->initial;
}

/* Evaluates a check; returns whether the run ends at the next one. */
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

/* ---- on the way -------------------------------------------------------------------------- */

/* Passes the numbers for checkpoints until the next check to the run loop. */
static void keep(struct iteration *it)
{
    it->number[ALL] = (double)it->solve->sweeps;
    it->number[BEST] = it->best;
    it->number[LOOKS] = it->looks;
    it->number[BELOW] = (double)it->solved->below;
    it->number[DECIDED] = it->decided;
    it->solve->loop->engine_state = (struct zoid_engine_state){HEAD + ROW * it->seen, it->number};
}

/* Refuses a checkpoint after a last visit with fewer layers than others, unless this run ends there
 * too. */
static enum zoid_status check_start(const struct zoid_solve *solve, long then)
{
    const long sweeps = sweeps_of(solve, solve->loop->start);

    if (sweeps <= zoid_min(then, solve->sweeps) || then == solve->sweeps)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the checkpoint is of a run of %ld sweeps, whose last visit is shorter than "
                     "others; give {steps=%ld}, or start without {restart}",
                     then, then);
}

/* Restores the iteration from a checkpoint. */
static enum zoid_status recall(struct iteration *it)
{
    const struct zoid_engine_state *before = &it->solve->loop->before;
    const double *number = before->value;
    const size_t bytes = (size_t)before->n * sizeof *number;
    struct zoid_solved *s = it->solved;
    enum zoid_status status;

    if (before->n < HEAD + ROW || (before->n - HEAD) % ROW)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "the checkpoint does not say what residuals there were; start without {restart}");
    status = check_start(it->solve, (long)number[ALL]);
    if (status)
        return status;
    it->number = malloc(bytes);
    if (!it->number)
        return zoid_no_memory();
    memcpy(it->number, number, bytes);
    it->seen = (before->n - HEAD) / ROW;
    it->best = number[BEST];
    it->looks = (int)number[LOOKS];
    it->decided = number[DECIDED] != 0;
    s->below = (long)number[BELOW];
    s->initial = number[SEEN + SEEN_RESIDUAL];
    s->residual = number[SEEN + ROW * (it->seen - 1) + SEEN_RESIDUAL];
    s->sweeps = zoid_min(sweeps_of(it->solve, it->solve->loop->start), it->solve->sweeps);
    return ZOID_OK;
}

/* Checks the initial residual, or restores earlier checks. */
static enum zoid_status begin(struct iteration *it)
{
    enum zoid_status status;

    if (it->solve->loop->start > 0)
        status = zoid_ranks_agree(recall(it));
    else
        status = look(it);
    if (it->solve->loop->start == 0)
        it->solved->initial = it->best = it->solved->residual;
    if (!status)
        keep(it);
    return status;
}

/* Returns whether there is nothing to do. */
static bool idle(const struct iteration *it)
{
    const struct zoid_solve *solve = it->solve;

    return solve->loop->start == 0 &&
           (solve->sweeps == 0 || (it->solved->initial == 0 && solve->tolerance > 0));
}

/* Runs all sweeps, in one leg if there are no checks. The checkpoint of a step is written before
 * its check, so a restart may have to check first. */
static enum zoid_status iterate(struct iteration *it)
{
    const long all = it->solve->sweeps;
    const long every = zoid_solve_looks(it->solve) ? it->solve->every : all;
    struct zoid_solved *s = it->solved;
    enum zoid_status status = begin(it);
    bool due = s->sweeps > 0 && s->sweeps % every == 0, ended = false;

    if (!status && idle(it)) {
        s->below = s->initial == 0 ? 0 : -1;
        return run_leg(it, 0);
    }
    while (!status && !ended) {
        const long next = due ? 0 : every - s->sweeps % every, left = all - s->sweeps;

        due = false;
        status = run_leg(it, zoid_min(next, left));
        if (!status)
            status = look(it);
        ended = it->decided || s->sweeps == all;
        if (!it->decided)
            it->decided = !status && decide(it);
        if (!status)
            keep(it);
    }
    return status;
}

/* ---- the run ----------------------------------------------------------------------------- */

static enum zoid_status open_history(struct iteration *it)
{
    enum zoid_status status = ZOID_OK;

    if (it->solve->history && zoid_ranks_here()->rank == 0)
        status = zoid_output_open(it->solve->history, &it->history);
    return zoid_ranks_agree(status);
}

static enum zoid_status write_history(struct iteration *it)
{
    const double initial = it->solved->initial;
    FILE *out = it->history ? zoid_output_stream(it->history) : NULL;

    if (!out)
        return ZOID_OK;
    fputs("sweeps,residual,relative\n", out);
    for (long i = 0; i < it->seen; i++) {
        const double *row = it->number + HEAD + ROW * i, residual = row[SEEN_RESIDUAL];

        if (fprintf(out, "%.0f,%.17g,%.17g\n", row[SEEN_SWEEPS], residual,
                    initial > 0 ? residual / initial : 0) < 0)
            return zoid_fail(ZOID_RESOURCE,
                             "cannot write the history %s: %s; make room or name another file",
                             it->solve->history, strerror(errno));
    }
    return zoid_output_commit(&it->history);
}

static enum zoid_status verdict(const struct iteration *it)
{
    const struct zoid_solved *s = it->solved;
    const bool stagnant = it->looks >= STAGNANT;

    if (it->solve->tolerance == 0 || s->below >= 0)
        return ZOID_OK;
    return zoid_fail(
        ZOID_CHECK_FAILED, "after %ld sweeps the residual is %.3g of the initial one, and %s; %s",
        s->sweeps, s->residual / s->initial, stagnant ? "does not fall any more" : "should be less",
        stagnant ? "choose a greater " ZOID_KEY("tolerance") ", or " ZOID_KEY("type=f64")
                 : "give more " ZOID_KEY("steps") ", or another " ZOID_KEY("omega"));
}

enum zoid_status zoid_solve_run(const struct zoid_solve *solve, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_solved *solved)
{
    struct iteration it = {.solve = solve, .job = job, .report = report, .solved = solved};
    enum zoid_status status;

    *solved = (struct zoid_solved){.below = -1};
    status = open_history(&it);
    zoid_run_loop_open(solve->loop, job);
    if (!status)
        status = iterate(&it);
    /* No zoid_ranks_agree here: if one rank alone failed, the others still wait for its messages.
     */
    status = zoid_run_loop_finish(solve->loop, status, report);
    report->seconds += solved->mirroring;
    if (report->seconds > 0)
        report->gups = report->useful / report->seconds * 1e-9;
    if (!status)
        status = zoid_ranks_agree(write_history(&it));
    zoid_output_discard(&it.history);
    solve->loop->engine_state.n = 0;
    free(it.number);
    return status ? status : verdict(&it);
}
