/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/spmv/power.h"

#include <math.h>

#include "apps/solve/series.h"

/* Sums of so many rows are added up by themselves, so that the result does not depend on how rows
 * are read. */
enum { PART = 4096 };

/* What is seen of the last two vectors: y = a A x. */
struct seen {
    double xy, xx;
    double largest; /* of y */
    bool finite;
};

static double value_at(enum zoid_type type, const void *values, long i)
{
    return type == ZOID_F32 ? (double)((const zoid_f32 *)values)[i] : ((const zoid_f64 *)values)[i];
}

static enum zoid_status look(const struct zoid_power *p, const struct zoid_job *job,
                             struct seen *seen)
{
    const struct zoid_problem *problem = p->vectors->problem;
    const enum zoid_type type = problem->op->type;
    const long n = problem->n[0];
    double y[PART], x[PART];

    *seen = (struct seen){.finite = true};
    for (long lo = 0; lo < n; lo += PART) {
        const struct zoid_box box = zoid_problem_planes(problem, lo, n - lo < PART ? n : lo + PART);
        const struct zoid_values to_y = zoid_values_packed(&box, y);
        const struct zoid_values to_x = zoid_values_packed(&box, x);
        double xy = 0, xx = 0;
        enum zoid_status status = zoid_job_read(job, 0, &box, &to_y);

        if (!status)
            status = zoid_job_read(job, 1, &box, &to_x);
        if (status)
            return status;
        for (long i = 0; i < box.hi[0] - lo; i++) {
            const double a = value_at(type, x, i), b = value_at(type, y, i);

            xy = fma(a, b, xy);
            xx = fma(a, a, xx);
            seen->largest = fmax(seen->largest, fabs(b));
            seen->finite = seen->finite && isfinite(b);
        }
        seen->xy += xy;
        seen->xx += xx;
    }
    return ZOID_OK;
}

/* A leg, whose first step scales what the one before has left. */
static enum zoid_status run_leg(const struct zoid_power *p, struct zoid_job *job, long steps,
                                double scale, struct zoid_report *report)
{
    const struct zoid_term terms[] = {{.a = scale}, {.a = 1}};
    const long start = zoid_job_steps(job);
    const struct zoid_series series = {.job = job, .progress = p->progress, .first = start == 0};
    enum zoid_status status = zoid_band_set_terms(p->band, start, terms, 2);

    return status ? status : zoid_series_run(&series, steps, report);
}

static enum zoid_status no_end(const struct zoid_power *p, double eigenvalue, double before)
{
    return zoid_fail(ZOID_CHECK_FAILED,
                     "after %ld steps the eigenvalue is %.17g and was %.17g, %d steps before: it "
                     "still moves by more than %g of itself; allow more --steps",
                     p->steps, eigenvalue, before, ZOID_POWER_LEG, p->tolerance);
}

enum zoid_status zoid_power_run(const struct zoid_power *p, struct zoid_job *job,
                                struct zoid_report *report, struct zoid_powered *powered)
{
    double before = NAN, scale = 1;

    *powered = (struct zoid_powered){.eigenvalue = NAN};
    while (powered->steps < p->steps) {
        const long left = p->steps - powered->steps;
        const long steps = left < ZOID_POWER_LEG ? left : ZOID_POWER_LEG;
        struct seen seen;
        enum zoid_status status = run_leg(p, job, steps, scale, report);

        if (!status)
            status = look(p, job, &seen);
        if (status)
            return status;
        if (!seen.finite)
            return zoid_vectors_finite(p->vectors, job, 0);
        powered->steps += steps;
        before = powered->eigenvalue;
        powered->eigenvalue = seen.xy / seen.xx / (steps == 1 ? scale : 1);
        if (fabs(powered->eigenvalue - before) <= p->tolerance * fabs(powered->eigenvalue))
            return ZOID_OK;
        scale = seen.largest > 0 ? ldexp(1, -ilogb(seen.largest)) : 1;
    }
    return no_end(p, powered->eigenvalue, before);
}
