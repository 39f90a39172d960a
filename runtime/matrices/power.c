/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/power.h"

#include <math.h>
#include <stdlib.h>

#include "graphs/zoid.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"

/* Rows per partial sum, so that the result does not depend on how rows are read, and partial sums
 * per read, which is collective. */
enum { PART = 4096, PARTS = 64 };

/* Numbers in a checkpoint: the last eigenvalue, and the scale of the leg after it. */
enum { EIGENVALUE, SCALE, NUMBERS };

/* Sums over the last two vectors, y = a A x. */
struct seen {
    double xy, xx;
    double largest; /* maximum norm of y */
    bool finite;
};

static double value_at(enum zoid_type type, const void *values, long i)
{
    return type == ZOID_F32 ? (double)((const zoid_f32 *)values)[i] : ((const zoid_f64 *)values)[i];
}

/* Adds a part of both vectors. */
static void add_part(enum zoid_type type, const char *x, const char *y, long rows,
                     struct seen *seen)
{
    double xy = 0, xx = 0;

    for (long i = 0; i < rows; i++) {
        const double a = value_at(type, x, i), b = value_at(type, y, i);

        xy = fma(a, b, xy);
        xx = fma(a, a, xx);
        seen->largest = fmax(seen->largest, fabs(b));
        seen->finite = seen->finite && isfinite(b);
    }
    seen->xy += xy;
    seen->xx += xx;
}

static enum zoid_status look_at(const struct zoid_power *p, const struct zoid_job *job, char *x,
                                char *y, struct seen *seen)
{
    const struct zoid_problem *problem = p->vectors->problem;
    const enum zoid_type type = problem->op->type;
    const long n = problem->n[0];
    enum zoid_status status = ZOID_OK;

    for (long lo = 0, hi; lo < n && !status; lo = hi) {
        const struct zoid_box box =
            zoid_problem_planes(problem, lo, hi = zoid_min(n, lo + PARTS * PART));
        const struct zoid_values to_y = zoid_values_packed(&box, y);
        const struct zoid_values to_x = zoid_values_packed(&box, x);

        status = zoid_job_read(job, 0, &box, &to_y);
        if (!status)
            status = zoid_job_read(job, 1, &box, &to_x);
        for (long at = lo; at < hi && !status; at += PART) {
            const size_t byte = (size_t)(at - lo) * zoid_type_size(type);

            add_part(type, x + byte, y + byte, zoid_min(PART, hi - at), seen);
        }
    }
    return status;
}

static enum zoid_status look(const struct zoid_power *p, const struct zoid_job *job,
                             struct seen *seen)
{
    const size_t bytes = (size_t)PARTS * PART * zoid_type_size(p->vectors->problem->op->type);
    char *room = malloc(2 * bytes);
    enum zoid_status status = zoid_ranks_agree(room ? ZOID_OK : zoid_no_memory());

    *seen = (struct seen){.finite = true};
    if (!status)
        status = look_at(p, job, room, room + bytes, seen);
    free(room);
    return status;
}

/* Runs to step `end` of the leg that began at `start`, whose first step scales the vector. */
static enum zoid_status run_leg(const struct zoid_power *p, long start, long end, double scale,
                                struct zoid_report *report)
{
    const struct zoid_term terms[] = {{.a = scale}, {.a = 1}};
    enum zoid_status status = zoid_band_set_terms(p->band, start, terms, 2);

    return status ? status : zoid_run_loop_until(p->loop, end, report);
}

static enum zoid_status no_end(const struct zoid_power *p, double eigenvalue, double before)
{
    return zoid_fail(ZOID_CHECK_FAILED,
                     "after %ld steps the eigenvalue is %.17g and was %.17g, %d steps before: it "
                     "still moves by more than %g of itself; allow more {steps}",
                     p->loop->total, eigenvalue, before, ZOID_POWER_LEG, p->tolerance);
}

static enum zoid_status recall(const struct zoid_run_loop *m, double number[NUMBERS])
{
    if (m->before.n != NUMBERS)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "the checkpoint does not say what eigenvalue there was; start without {restart}");
    for (int i = 0; i < NUMBERS; i++)
        number[i] = m->before.value[i];
    return ZOID_OK;
}

/* The checkpoint of a step is written before its estimate, so a restart may have to estimate first.
 */
static enum zoid_status iterate(const struct zoid_power *p, struct zoid_job *job,
                                double number[NUMBERS], struct zoid_report *report)
{
    const long from = p->loop->start, total = p->loop->total;
    double before = NAN;
    long end;

    /* Legs begin at multiples of ZOID_POWER_LEG; at the end of one only the estimate is missing. */
    for (long start = (from > 0 ? from - 1 : 0) / ZOID_POWER_LEG * ZOID_POWER_LEG;; start = end) {
        struct seen seen;
        enum zoid_status status;

        end = zoid_min(total - start, ZOID_POWER_LEG) + start;
        status = run_leg(p, start, end, number[SCALE], report);
        if (!status)
            status = look(p, job, &seen);
        if (status)
            return status;
        if (!seen.finite)
            return zoid_vectors_finite(p->vectors, job, 0);
        before = number[EIGENVALUE];
        number[EIGENVALUE] = seen.xy / seen.xx / (end - start == 1 ? number[SCALE] : 1);
        if (fabs(number[EIGENVALUE] - before) <= p->tolerance * fabs(number[EIGENVALUE]))
            return ZOID_OK;
        if (end == total)
            return no_end(p, number[EIGENVALUE], before);
        number[SCALE] = seen.largest > 0 ? ldexp(1, -ilogb(seen.largest)) : 1;
    }
}

enum zoid_status zoid_power_run(const struct zoid_power *p, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_powered *powered)
{
    double number[NUMBERS] = {[EIGENVALUE] = NAN, [SCALE] = 1};
    enum zoid_status status = p->loop->start > 0 ? recall(p->loop, number) : ZOID_OK;

    p->loop->engine_state = (struct zoid_engine_state){NUMBERS, number};
    zoid_run_loop_open(p->loop, job);
    if (!status)
        status = iterate(p, job, number, report);
    status = zoid_run_loop_finish(p->loop, status, report);
    p->loop->engine_state.n = 0;
    powered->eigenvalue = number[EIGENVALUE];
    powered->steps = zoid_job_steps(job);
    return status;
}
